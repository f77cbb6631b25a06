// A 3x3 box over a tile in local memory, with its edge.
kernel void box_tile(global float* out, global const float* in, int width, int height) {
    local float tile[18][18];
    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    for (int j = ly; j < 18; j += 16)
        for (int i = lx; i < 18; i += 16) {
            const int x = clamp((int)(get_group_id(0) * 16 + i) - 1, 0, width - 1);
            const int y = clamp((int)(get_group_id(1) * 16 + j) - 1, 0, height - 1);
            tile[j][i] = in[y * width + x];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            sum += tile[ly + j][lx + i];
    out[get_global_id(1) * width + get_global_id(0)] = sum * (1.0f / 9);
}
