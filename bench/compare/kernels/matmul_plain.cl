// Without local memory: an item for each element.
kernel void matmul_plain(global float* c, global const float* a, global const float* b, int size) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < size; ++k)
        sum += a[y * size + k] * b[k * size + x];
    c[y * size + x] = sum;
}
