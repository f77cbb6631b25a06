// Tiles of 16 x 16 turned over in local memory, whose rows are one longer than they need to be.
#define TILE 16

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void transpose(global float* to, global const float* from, int width, int height) {
    local float tile[TILE][TILE + 1];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int column = get_group_id(0) * TILE;
    const int row = get_group_id(1) * TILE;
    tile[y][x] = from[(row + y) * width + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[(column + y) * height + row + x] = tile[x][y];
}
