// stencil.cl, written otherwise: its indices are `size_t`.
kernel void stencil_size_t(global float* to, global const float* from, int width, int height) {
    const size_t x = get_global_id(0);
    const size_t y = get_global_id(1);
    const size_t i = y * width + x;
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
        to[i] = 0.5f * from[i] + 0.125f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
    else
        to[i] = from[i];
}
