// Without local memory: four rows by four columns an item.
kernel void matmul_vectors(global float4* c, global const float* a, global const float4* b, int size) {
    const int x = get_global_id(0);
    const int y = get_global_id(1) * 4;
    const int columns = size / 4;
    float4 sums[4] = {0, 0, 0, 0};
    for (int k = 0; k < size; ++k) {
        const float4 row = b[k * columns + x];
        for (int i = 0; i < 4; ++i)
            sums[i] += a[(y + i) * size + k] * row;
    }
    for (int i = 0; i < 4; ++i)
        c[(y + i) * columns + x] = sums[i];
}
