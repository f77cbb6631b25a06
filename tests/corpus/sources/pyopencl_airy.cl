// The function has no kernel of its own. It is of double precision.
#include <pyopencl-airy.cl>

kernel void airy_functions(global const double* x, global double4* out) {
    double ai, aip, bi, bip;
    airy(x[get_global_id(0)], &ai, &aip, &bi, &bip);
    out[get_global_id(0)] = (double4)(ai, aip, bi, bip);
}
