// Tiled matrix product: 16 x 16 tiles in shared local memory, two barriers a tile.
//
//   visor run examples/matmul/matmul.cl -g 64,64 -l 16,16 -a zeros:f32:64x64 fill:f32:64x64:1 iota:f32:64x64 64
//       --print 0:4

#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matmul(__global float* c, __global const float* a, __global const float* b, int n) {
    __local float tile_a[TILE][TILE];
    __local float tile_b[TILE][TILE];
    const int column = get_global_id(0), row = get_global_id(1);
    const int x = get_local_id(0), y = get_local_id(1);
    float sum = 0.0f;
    for (int t = 0; t < n; t += TILE) {
        tile_a[y][x] = a[row * n + t + x];
        tile_b[y][x] = b[(t + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k)
            sum = fma(tile_a[y][k], tile_b[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
