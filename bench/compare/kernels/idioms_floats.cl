// Floats as kernels have them: functions, halves, vectors, colours.

kernel void fmath(global const float* in, global float* out) {
    size_t i = get_global_id(0);
    float x = in[i];
    out[i] = sin(x) * cos(2 * x) + pow(x + 1.5f, 0.7f) + atan2(x, 0.3f) + tanh(x);
}

kernel void nativem(global const float* in, global float* out) {
    size_t i = get_global_id(0);
    float x = in[i] + 1.1f;
    out[i] = native_sin(x) * native_exp(x) + native_log(x) + native_rsqrt(x);
}

kernel void halfload(global const half* a, global float* out) {
    size_t i = get_global_id(0);
    out[i] = vload_half(i, a) * 2.0f + 1.0f;
}

kernel void uchar4mix(global const uchar4* a, global const uchar4* b, global uchar4* out, float t) {
    size_t i = get_global_id(0);
    out[i] = convert_uchar4_sat_rte(mix(convert_float4(a[i]), convert_float4(b[i]), t));
}

kernel void yuv(global const uchar* y, global const uchar* u, global const uchar* v, global uchar* rgb,
                int w) {
    int x = get_global_id(0), j = get_global_id(1);
    int c = y[j * w + x] - 16, d = u[(j / 2) * (w / 2) + x / 2] - 128, e = v[(j / 2) * (w / 2) + x / 2] - 128;
    int i = 3 * (j * w + x);
    rgb[i] = clamp((298 * c + 409 * e + 128) >> 8, 0, 255);
    rgb[i + 1] = clamp((298 * c - 100 * d - 208 * e + 128) >> 8, 0, 255);
    rgb[i + 2] = clamp((298 * c + 516 * d + 128) >> 8, 0, 255);
}

kernel void complexmul(global const float2* a, global const float2* b, global float2* out) {
    size_t i = get_global_id(0);
    float2 x = a[i], y = b[i];
    out[i] = (float2)(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}

kernel void aos3(global const float* p, global float* out) {
    size_t i = get_global_id(0);
    float3 v = vload3(i, p);
    vstore3(normalize(v) * 2.0f, i, out);
}

kernel void aos4(global const float4* p, global float4* out) {
    size_t i = get_global_id(0);
    float4 v = p[i];
    out[i] = (float4)(v.xyz * rsqrt(dot(v.xyz, v.xyz) + 1e-6f), v.w);
}

typedef struct {
    float x, y, z, m;
    float vx, vy, vz;
    int id;
} body;
kernel void structs(global body* b, float dt) {
    size_t i = get_global_id(0);
    body v = b[i];
    v.x += v.vx * dt;
    v.y += v.vy * dt;
    v.z += v.vz * dt;
    b[i] = v;
}

kernel void lj(global const float4* p, global const int* nb, global float4* f, int k) {
    int i = get_global_id(0);
    float4 a = p[i];
    float4 s = 0;
    for (int j = 0; j < k; ++j) {
        float4 b = p[nb[j * get_global_size(0) + i]];
        float3 d = a.xyz - b.xyz;
        float r2 = dot(d, d) + 0.01f;
        float r6 = 1.0f / (r2 * r2 * r2);
        s.xyz += d * (r6 * (r6 - 0.5f) / r2);
    }
    f[i] = s;
}

kernel void knn(global const float* p, global int* best, int n) {
    int i = get_global_id(0);
    float x = p[2 * i], y = p[2 * i + 1], d = 1e30f;
    int b = 0;
    for (int k = 0; k < n; ++k) {
        float dx = p[2 * k] - x, dy = p[2 * k + 1] - y, e = dx * dx + dy * dy;
        if (e < d && k != i) {
            d = e;
            b = k;
        }
    }
    best[i] = b;
}

kernel void softmax(global const float* in, global float* out, int n) {
    int r = get_global_id(0);
    float m = -1e30f, s = 0;
    for (int k = 0; k < n; ++k)
        m = fmax(m, in[r * n + k]);
    for (int k = 0; k < n; ++k)
        s += exp(in[r * n + k] - m);
    for (int k = 0; k < n; ++k)
        out[r * n + k] = exp(in[r * n + k] - m) / s;
}
