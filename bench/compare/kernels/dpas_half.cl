// The product of two matrices of halves by DPAS, a tile of 32 x 32 for each sub-group. B's rows come in pairs: the halves of
// a column of both rows in one dword.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void dpas_half(global const ushort* a, global const uint* b, global float* c, int n) {
    const int row = get_group_id(1) * 32, column = get_group_id(0) * 32;
    float8 sums[4][2] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    for (int k = 0; k < n; k += 16) {
        short8 rows[4];
        int8 columns[2];
        for (int i = 0; i < 4; ++i) {
            global const ushort* from = a + (row + 8 * i) * n + k;
            rows[i] = as_short8((ushort8)(
                intel_sub_group_block_read_us(from), intel_sub_group_block_read_us(from + n),
                intel_sub_group_block_read_us(from + 2 * n), intel_sub_group_block_read_us(from + 3 * n),
                intel_sub_group_block_read_us(from + 4 * n), intel_sub_group_block_read_us(from + 5 * n),
                intel_sub_group_block_read_us(from + 6 * n), intel_sub_group_block_read_us(from + 7 * n)));
        }
        for (int j = 0; j < 2; ++j) {
            global const uint* from = b + k / 2 * n + column + 16 * j;
            columns[j] = as_int8((uint8)(
                intel_sub_group_block_read(from), intel_sub_group_block_read(from + n),
                intel_sub_group_block_read(from + 2 * n), intel_sub_group_block_read(from + 3 * n),
                intel_sub_group_block_read(from + 4 * n), intel_sub_group_block_read(from + 5 * n),
                intel_sub_group_block_read(from + 6 * n), intel_sub_group_block_read(from + 7 * n)));
        }
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 2; ++j)
                sums[i][j] = intel_sub_group_f16_f16_matrix_mad_k16(rows[i], columns[j], sums[i][j]);
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j)
            for (int r = 0; r < 8; ++r)
                intel_sub_group_block_write((global uint*)c + (row + 8 * i + r) * n + column + 16 * j, as_uint(sums[i][j][r]));
}
