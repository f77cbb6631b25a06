// As saxpy.cl.
kernel void private_array(global int* out, global const int* in, int n) {
    int id = get_global_id(0);
    int a[256];
    #pragma unroll 1
    for (int i = 0; i < 256; ++i)
        a[i] = in[i + id];
    #pragma unroll 1
    for (int i = 0; i < n; ++i)
        a[a[i & 255] & 255] += i;
    out[id] = a[in[id] & 255];
}
