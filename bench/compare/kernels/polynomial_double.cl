#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void polynomial_double(global double* out, global const double* in, global const double* coefficients) {
    const int i = get_global_id(0);
    double sum = 0;
    for (int k = 0; k < 32; ++k)
        sum = fma(sum, in[i], coefficients[k]);
    out[i] = sum / (1 + in[i] * in[i]);
}
