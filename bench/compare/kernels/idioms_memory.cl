// Memory as kernels access it: indices from quotients, edges, tables, arrays of a work-item's own.

kernel void rowcol(global const float* in, global float* out, int w, int h) {
    int i = get_global_id(0);
    int x = i % w, y = i / w;
    if (x >= w || y >= h)
        return;
    out[x * h + y] = in[y * w + x];
}

kernel void rowcolsum(global const float* in, global float* out, int w, int h) {
    int i = get_global_id(0);
    int x = i % w, y = i / w;
    float s = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            int xx = min(max(x + dx, 0), w - 1), yy = min(max(y + dy, 0), h - 1);
            s += in[yy * w + xx];
        }
    out[i] = s;
}

kernel void wrap(global const float* in, global float* out, int w, int h) {
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int d = -2; d <= 2; ++d)
        s += in[y * w + (x + d + w) % w] + in[((y + d + h) % h) * w + x];
    out[y * w + x] = s;
}

kernel void branches(global const int* in, global int* out) {
    size_t i = get_global_id(0);
    int v = in[i];
    if (v > 0)
        out[i] = v * 2;
    else
        out[i] = -v;
}

kernel void gather(global const float* in, global const int* idx, global float* out) {
    size_t i = get_global_id(0);
    out[i] = in[idx[i]];
}

kernel void scatter(global const float* in, global const int* idx, global float* out) {
    size_t i = get_global_id(0);
    out[idx[i]] = in[i];
}

kernel void lut(global const uchar* in, global uchar* out, constant uchar* table) {
    size_t i = get_global_id(0);
    out[i] = table[in[i]];
}

kernel void privarray(global const float* in, global float* out, int n) {
    float w[8];
    size_t i = get_global_id(0);
    for (int k = 0; k < 8; ++k)
        w[k] = in[i * 8 + k];
    float s = 0;
    for (int k = 0; k < n; ++k)
        s += w[(k + i) & 7];
    out[i] = s;
}

kernel void insertion(global const float* in, global float* out) {
    float w[9];
    size_t i = get_global_id(0);
    for (int k = 0; k < 9; ++k)
        w[k] = in[i + k];
    for (int a = 1; a < 9; ++a)
        for (int b = a; b > 0 && w[b - 1] > w[b]; --b) {
            float t = w[b];
            w[b] = w[b - 1];
            w[b - 1] = t;
        }
    out[i] = w[4];
}

kernel void stencil3d(global const float* in, global float* out, int nx, int ny, int nz) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1)
        return;
    size_t i = ((size_t)z * ny + y) * nx + x;
    out[i] = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - (size_t)nx * ny] +
             in[i + (size_t)nx * ny] - 6 * in[i];
}

kernel void gemv_col(global const float* a, global const float* x, global float* y, int n) {
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; ++k)
        s += a[k * n + i] * x[k];
    y[i] = s;
}

kernel void gridstride(global const float* in, global float* out, int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i] * 2.0f + 1.0f;
}

kernel void bsearch(global const int* t, global const int* q, global int* out, int n) {
    int i = get_global_id(0);
    int lo = 0, hi = n;
    int v = q[i];
    while (lo < hi) {
        int m = (lo + hi) / 2;
        if (t[m] < v)
            lo = m + 1;
        else
            hi = m;
    }
    out[i] = lo;
}

kernel void q4dot(global const uchar* q, global const float* d, global const float* x, global float* out,
                  int nb) {
    int r = get_global_id(0);
    float s = 0;
    for (int b = 0; b < nb; ++b) {
        float t = 0;
        for (int k = 0; k < 16; ++k) {
            uchar v = q[(r * nb + b) * 16 + k];
            t += ((v & 15) - 8) * x[b * 32 + k] + ((v >> 4) - 8) * x[b * 32 + 16 + k];
        }
        s += t * d[r * nb + b];
    }
    out[r] = s;
}
