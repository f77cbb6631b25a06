// A tiled product: the next tile is fetched before all have used the last one.
// RUN: visor run %s -g 16,16 -l 16,16 -a zeros:f32:256 fill:f32:1024:1 fill:f32:1024:2 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 16,16 -l 16,16 -a zeros:f32:256 fill:f32:1024:1 fill:f32:1024:2 --check=all
// ERR: [data-race]
// EXIT: 1
// RUN: visor run %s --device pvc -g 16,16 -l 16,16 -a zeros:f32:256 fill:f32:1024:1 fill:f32:1024:2 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 16,16 -l 16,16 -a zeros:f32:256 fill:f32:1024:1 fill:f32:1024:2 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(16)))
kernel void matmul_second_barrier(global float* c, global const float* a, global const float* b) {
    local float left[16][16];
    local float right[16][16];
    const int x = get_local_id(0), y = get_local_id(1);
    float sum = 0;
    for (int tile = 0; tile < 4; ++tile) {
        left[y][x] = a[y * 64 + tile * 16 + x];
        right[y][x] = b[(tile * 16 + y) * 16 + x] + (float)tile;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; ++k)
            sum += left[y][k] * right[k][x];
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    c[y * 16 + x] = sum;
}
