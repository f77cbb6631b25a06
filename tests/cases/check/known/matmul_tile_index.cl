// A tiled product: a tile that is wider than high is filled as if it were higher than wide.
// RUN: visor run %s -g 16,4 -l 16,4 -a zeros:f32:64 fill:f32:16:1 fill:f32:64:2 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 16,4 -l 16,4 -a zeros:f32:64 fill:f32:16:1 fill:f32:64:2 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
// RUN: visor run %s --device pvc -g 16,4 -l 16,4 -a zeros:f32:64 fill:f32:16:1 fill:f32:64:2 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 16,4 -l 16,4 -a zeros:f32:64 fill:f32:16:1 fill:f32:64:2 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
kernel void matmul_tile_index(global float* c, global const float* a, global const float* b) {
    local float left[4][4];
    local float right[4][16];
    const int x = get_local_id(0), y = get_local_id(1);
    if (x < 4)
        left[y][x] = a[y * 4 + x];
#ifdef BUG
    right[x % 4][y] = b[y * 16 + x];
#else
    right[y][x] = b[y * 16 + x];
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += left[y][k] * right[k][x];
    c[y * 16 + x] = sum;
}
