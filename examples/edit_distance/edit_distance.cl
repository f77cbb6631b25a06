// How many changes make one word of another: the table of all beginnings, filled by diagonals, a work-item to a row.
//
//   visor run examples/edit_distance/edit_distance.cl -g 64 -l 64 -a zeros:i32:1 rand:u8:64:1 rand:u8:40:2 40
//       --print 0

#define ROWS 64

__kernel void edit_distance(__global int* distance, __global const uchar* down, __global const uchar* across,
                            int columns) {
    __local int diagonals[3][ROWS + 1];
    const int row = get_local_id(0) + 1;
    for (int d = 0; d <= ROWS + columns; ++d) { // row + column of the entries on this diagonal
        __local int* now = diagonals[d % 3];
        __local const int* before = diagonals[(d + 2) % 3];
        __local const int* two_before = diagonals[(d + 1) % 3];
        const int column = d - row;
        if (row == 1)
            now[0] = d;
        if (column == 0)
            now[row] = row;
        if (column > 0 && column <= columns) {
            const int same = two_before[row - 1] + (down[row - 1] != across[column - 1]);
            now[row] = min(same, min(before[row], before[row - 1]) + 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row == ROWS)
        *distance = diagonals[(ROWS + columns) % 3][ROWS];
}
