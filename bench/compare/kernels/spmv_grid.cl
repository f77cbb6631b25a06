// spmv.cl, written otherwise: items take more than one row if there are fewer.
kernel void spmv_grid(global const int* begins, global const int* columns, global const float* values,
                 global const float* x, global float* y, int rows) {
    for (int row = get_global_id(0); row < rows; row += get_global_size(0)) {
    float sum = 0;
    for (int i = begins[row]; i < begins[row + 1]; ++i)
        sum = fma(values[i], x[columns[i]], sum);
    y[row] = sum;
    }
}
