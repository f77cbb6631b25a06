// The functions have no kernel of their own. They are of double precision.
#define PYOPENCL_DEFINE_CDOUBLE
#include <pyopencl-complex.h>
#include <pyopencl-bessel-j-complex.cl>
#include <pyopencl-hankel-complex.cl>

kernel void bessel_j_of_complex(int order, global const double2* z, global double4* out) {
    cdouble_t value, next;
    bessel_j_complex(order, cdouble_new(z[get_global_id(0)].x, z[get_global_id(0)].y), &value, &next);
    out[get_global_id(0)] = (double4)(value.real, value.imag, next.real, next.imag);
}

kernel void hankel_of_complex(global const double2* z, global double4* out) {
    cdouble_t zero, one;
    hankel_01_complex(cdouble_new(z[get_global_id(0)].x, z[get_global_id(0)].y), &zero, &one, 1);
    out[get_global_id(0)] = (double4)(zero.real, zero.imag, one.real, one.imag);
}
