// Backtracking without recursion: each work-item places the first queens, then counts with a stack of its own in how
// many ways the others fit.
//
//   visor run examples/n_queens/n_queens.cl -g 36 -l 36 -a zeros:i32:36 --print 0

#define SIZE 6

__kernel void n_queens(__global int* out) {
    const int first = get_global_id(0) % SIZE, second = get_global_id(0) / SIZE;
    int columns[SIZE] = {first, second};
    int row = 2, count = 0;
    if (second == first || abs_diff(first, second) == 1)
        row = 0; // these two threaten each other
    else
        columns[2] = -1;
    while (row >= 2) {
        if (row == SIZE) {
            ++count;
            --row;
            continue;
        }
        if (++columns[row] == SIZE) {
            --row;
            continue;
        }
        bool safe = true;
        for (int r = 0; r < row && safe; ++r)
            safe = columns[r] != columns[row] && (int)abs_diff(columns[r], columns[row]) != row - r;
        if (safe && ++row < SIZE)
            columns[row] = -1;
    }
    out[get_global_id(0)] = count;
}
