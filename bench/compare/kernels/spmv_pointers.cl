// spmv.cl, written otherwise: pointers walk through a row.
kernel void spmv_pointers(global const int* begins, global const int* columns, global const float* values,
                 global const float* x, global float* y, int rows) {
    const int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0;
    global const int* q = columns + begins[row];
    global const int* e = columns + begins[row + 1];
    global const float* v = values + begins[row];
    while (q != e)
        sum += *v++ * x[*q++];
    y[row] = sum;
}
