// spmv.cl, written otherwise: its index is a `size_t`.
kernel void spmv_size_t(global const int* begins, global const int* columns, global const float* values,
                 global const float* x, global float* y, int rows) {
    const int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0;
    size_t e = begins[row + 1];
    for (size_t i = begins[row]; i < e; i++)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}
