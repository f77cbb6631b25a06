// sgemm.cl, written otherwise: the first tile is stored turned.
#define TILE 16

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void sgemm_swapped(global const float* a, global const float* b, global float* c, int n) {
    local float of_a[TILE][TILE];
    local float of_b[TILE][TILE];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    float sum = 0;
    for (int tile = 0; tile < n; tile += TILE) {
        of_a[x][y] = a[row * n + tile + x];
        of_b[y][x] = b[(tile + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k)
            sum = fma(of_a[k][y], of_b[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
