// Doubles, which some devices lack.

kernel void dexp(global const double* in, global double* out) {
    size_t i = get_global_id(0);
    out[i] = exp(in[i]) + log(in[i] + 2.0);
}

kernel void dnorm(global const double* a, global double* out, int n) {
    size_t i = get_global_id(0);
    double s = 0;
    for (int k = 0; k < n; ++k) {
        double v = a[k * get_global_size(0) + i];
        s += v * v;
    }
    out[i] = sqrt(s) / (1.0 + s);
}
