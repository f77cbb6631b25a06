// Integer arithmetic as kernels have it: hashes, quotients, numbers of 64 bits, bytes, choices.

kernel void splitmix(global ulong* out, ulong seed) {
    size_t i = get_global_id(0);
    ulong z = seed + i * 0x9E3779B97F4A7C15UL;
    for (int k = 0; k < 8; ++k) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL;
        z ^= z >> 31;
    }
    out[i] = z;
}

kernel void xorshift(global uint* out) {
    uint i = get_global_id(0);
    uint x = i * 2654435761u + 1;
    uint s = 0;
    for (int k = 0; k < 32; ++k) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        s += x;
    }
    out[i] = s;
}

kernel void hash64(global const ulong* in, global ulong* out) {
    size_t i = get_global_id(0);
    ulong h = 14695981039346656037UL;
    ulong v = in[i];
    for (int k = 0; k < 8; ++k) {
        h ^= v & 255;
        h *= 1099511628211UL;
        v >>= 8;
    }
    out[i] = h;
}

kernel void minmax64(global const long* a, global const long* b, global long* out) {
    size_t i = get_global_id(0);
    long x = a[i], y = b[i];
    out[i] = max(min(x, y), (long)-1000) + (x > y ? x - y : y - x);
}

kernel void ulongsum(global const uint* a, global ulong* out, int n) {
    size_t i = get_global_id(0);
    ulong s = 0;
    for (int k = 0; k < n; ++k)
        s += a[(size_t)k * get_global_size(0) + i];
    out[i] = s;
}

kernel void addmod(global const uint* a, global const uint* b, global uint* out, uint p) {
    size_t i = get_global_id(0);
    uint x = a[i] % p, y = b[i] % p;
    uint r = 1;
    for (int k = 0; k < 4; ++k)
        r = (uint)(((ulong)r * x + y) % p);
    out[i] = r;
}

kernel void popc(global const ulong* in, global int* out) {
    size_t i = get_global_id(0);
    out[i] = popcount(in[i]) + (int)clz(in[i] | 1);
}

kernel void intdivc(global const int* in, global int* out) {
    size_t i = get_global_id(0);
    int v = in[i];
    out[i] = v / 7 + v % 10 + (v / 1000) * 3;
}

kernel void collatz(global const uint* in, global uint* out) {
    size_t i = get_global_id(0);
    uint n = in[i] + 1, c = 0;
    while (n != 1 && c < 300) {
        n = (n & 1) ? 3 * n + 1 : n / 2;
        ++c;
    }
    out[i] = c;
}

kernel void switches(global const int* in, global int* out) {
    size_t i = get_global_id(0);
    int v = in[i], r;
    switch (v & 7) {
    case 0:
        r = v + 1;
        break;
    case 1:
        r = v * 3;
        break;
    case 2:
        r = v >> 2;
        break;
    case 3:
        r = ~v;
        break;
    case 4:
        r = v ^ 0x55;
        break;
    case 5:
        r = v - 7;
        break;
    default:
        r = 0;
    }
    out[i] = r;
}

kernel void shorts(global const short* a, global const short* b, global int* out) {
    size_t i = get_global_id(0);
    out[i] = mul24((int)a[i], (int)b[i]) + abs(a[i] - b[i]);
}

kernel void satbytes(global const uchar* a, global const uchar* b, global uchar* out) {
    size_t i = get_global_id(0);
    out[i] = add_sat(a[i], b[i]) - (uchar)(a[i] >> 2);
}

kernel void threshold(global const uchar* in, global uchar* out, uchar t) {
    size_t i = get_global_id(0);
    out[i] = in[i] > t ? 255 : 0;
}

kernel void dotint8(global const char4* a, global const char4* b, global int* out, int n) {
    int i = get_global_id(0);
    int s = 0;
    for (int k = 0; k < n; ++k) {
        char4 x = a[k * get_global_size(0) + i], y = b[k];
        s += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
    out[i] = s;
}
