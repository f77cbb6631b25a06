// stencil.cl, written otherwise: places are clamped rather than asked for.
kernel void stencil_clamp(global float* to, global const float* from, int width, int height) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int i = y * width + x;
    const float l = from[y * width + max(x - 1, 0)], r = from[y * width + min(x + 1, width - 1)];
    const float u = from[max(y - 1, 0) * width + x], d = from[min(y + 1, height - 1) * width + x];
    const int edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
    to[i] = edge ? from[i] : 0.5f * from[i] + 0.125f * (l + r + u + d);
}
