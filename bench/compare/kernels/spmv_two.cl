// spmv.cl, written otherwise: two sums a row.
kernel void spmv_two(global const int* begins, global const int* columns, global const float* values,
                 global const float* x, global float* y, int rows) {
    const int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0, other = 0;
    int i = begins[row];
    const int e = begins[row + 1];
    for (; i + 1 < e; i += 2) {
        sum += values[i] * x[columns[i]];
        other += values[i + 1] * x[columns[i + 1]];
    }
    if (i < e)
        sum += values[i] * x[columns[i]];
    sum += other;
    y[row] = sum;
}
