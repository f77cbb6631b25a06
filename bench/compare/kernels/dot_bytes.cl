// Dot products of 256 signed bytes, one after the other in memory.
kernel void dot_bytes(global int* out, global const char4* a, global const char4* b) {
    const int begin = get_global_id(0) * 64;
    int sum = 0;
    for (int k = 0; k < 64; ++k) {
        const char4 x = a[begin + k];
        const char4 y = b[begin + k];
        sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
    out[get_global_id(0)] = sum;
}
