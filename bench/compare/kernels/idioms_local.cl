// Local memory, barriers and atomics.

kernel void localtile(global const float* in, global float* out, int w) {
    local float t[18][18];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    t[ly + 1][lx + 1] = in[y * w + x];
    if (lx == 0)
        t[ly + 1][0] = in[y * w + max(x - 1, 0)];
    if (lx == 15)
        t[ly + 1][17] = in[y * w + min(x + 1, w - 1)];
    if (ly == 0)
        t[0][lx + 1] = in[max(y - 1, 0) * w + x];
    if (ly == 15)
        t[17][lx + 1] = in[min(y + 1, w - 1) * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = 0.25f * (t[ly][lx + 1] + t[ly + 2][lx + 1] + t[ly + 1][lx] + t[ly + 1][lx + 2]);
}

kernel void localreduce(global const float* in, global float* out) {
    local float s[256];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 128; k > 0; k >>= 1) {
        if (l < k)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}

kernel void localatomic(global const uint* in, global uint* out) {
    local uint h[64];
    int l = get_local_id(0);
    if (l < 64)
        h[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k)
        atomic_inc(&h[in[(get_group_id(0) * 16 + k) * 256 + l] & 63]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 64)
        out[get_group_id(0) * 64 + l] = h[l];
}

kernel void globalatomic(global const uint* in, global uint* count) {
    size_t i = get_global_id(0);
    if ((in[i] & 15) == 0)
        atomic_inc(count);
}

kernel void layernorm(global const float* in, global float* out, int n) {
    int g = get_group_id(0), l = get_local_id(0);
    local float s[64];
    float t = 0;
    for (int k = l; k < n; k += 64)
        t += in[g * n + k];
    s[l] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k >>= 1) {
        if (l < k)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float m = s[0] / n;
    for (int k = l; k < n; k += 64)
        out[g * n + k] = in[g * n + k] - m;
}

kernel void prefixlocal(global const int* in, global int* out) {
    local int s[256];
    int l = get_local_id(0);
    int v = in[get_global_id(0)];
    s[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 1; k < 256; k <<= 1) {
        int t = l >= k ? s[l - k] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] += t;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s[l];
}
