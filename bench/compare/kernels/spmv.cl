// y = A x, rows compressed, about sixteen numbers a row.
kernel void spmv(global const int* begins, global const int* columns, global const float* values,
                 global const float* x, global float* y, int rows) {
    const int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = begins[row]; i < begins[row + 1]; ++i)
        sum = fma(values[i], x[columns[i]], sum);
    y[row] = sum;
}
