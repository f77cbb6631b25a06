// Seven points of a cube.
kernel void heat(global float* out, global const float* in, int size) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int z = get_global_id(2);
    const int i = (z * size + y) * size + x;
    const int plane = size * size;
    if (x > 0 && y > 0 && z > 0 && x < size - 1 && y < size - 1 && z < size - 1)
        out[i] = in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - size] + in[i + size] + in[i - plane] +
                                 in[i + plane] - 6 * in[i]);
    else
        out[i] = in[i];
}
