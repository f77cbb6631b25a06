// a = b + s * c: bandwidth and nothing else.
kernel void triad(global float* a, global const float* b, global const float* c, float s) {
    const size_t i = get_global_id(0);
    a[i] = b[i] + s * c[i];
}
