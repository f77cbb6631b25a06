// The built-in functions that a GPU has in parts only, in full precision.
kernel void functions(global float* out, global const float* in) {
    const int i = get_global_id(0);
    const float x = in[i];
    out[i] = sin(x) * exp(-x) + cos(x) * log(x + 1) + pow(x + 1, 1.5f);
}
