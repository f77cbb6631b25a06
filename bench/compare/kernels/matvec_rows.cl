// A row of the matrix an item.
kernel void matvec_rows(global float* y, global const float* matrix, global const float* x, int size) {
    const int row = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < size; ++k)
        sum += matrix[row * size + k] * x[k];
    y[row] = sum;
}
