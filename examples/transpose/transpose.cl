// A matrix transposed by tiles: rows are read and written whole, and the tile in shared local memory is one column
// wider, so that its columns lie in different banks.
//
//   visor run examples/transpose/transpose.cl -g 48,32 -l 16,16 -a zeros:f32:48x32 iota:f32:32x48 48 32
//       --print 0:8

#define TILE 16

__kernel void transpose(__global float* out, __global const float* in, int width, int height) {
    __local float tile[TILE][TILE + 1];
    const int x = get_local_id(0), y = get_local_id(1);
    const int left = TILE * get_group_id(0), top = TILE * get_group_id(1);
    tile[y][x] = in[(top + y) * width + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(left + y) * height + top + x] = tile[x][y];
}
