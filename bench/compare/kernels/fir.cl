// A filter of 32 coefficients.
kernel void fir(global float* out, global const float* in, global const float* coefficients) {
    const int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 32; ++k)
        sum += in[i + k] * coefficients[k];
    out[i] = sum;
}
