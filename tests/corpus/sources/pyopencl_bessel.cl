// The functions have no kernel of their own. They are of double precision.
#include <pyopencl-bessel-j.cl>
#include <pyopencl-bessel-y.cl>

kernel void bessel_j_of_order_0(global const double* x, global double* out) {
    out[get_global_id(0)] = bessel_j0(x[get_global_id(0)]);
}

kernel void bessel_j_of_order_1(global const double* x, global double* out) {
    out[get_global_id(0)] = bessel_j1(x[get_global_id(0)]);
}

kernel void bessel_y_of_order_0(global const double* x, global double* out) {
    out[get_global_id(0)] = bessel_y0(x[get_global_id(0)]);
}

kernel void bessel_y_of_any_order(int order, global const double* x, global double* out) {
    out[get_global_id(0)] = bessel_yn(order, x[get_global_id(0)]);
}
