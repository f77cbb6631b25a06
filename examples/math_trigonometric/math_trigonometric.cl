// Angles and hyperbolic functions within the errors that OpenCL allows.
//
//   visor run examples/math_trigonometric/math_trigonometric.cl -g 64 -l 64
//       -a zeros:f32:960 iota:f32:64:-32 rand:f32:64:2 --print 0:4

__kernel void math_trigonometric(__global float* out, __global const float* angles, __global const float* unit) {
    const int i = get_global_id(0), count = get_global_size(0);
    const float x = angles[i], y = unit[i];
    out += i;
    float cosine;
    out[0] = sincos(x, &cosine);
    out[count] = cosine;
    out[2 * count] = tan(x);
    out[3 * count] = asin(y);
    out[4 * count] = acos(y);
    out[5 * count] = atan(x);
    out[6 * count] = atan2(x, y);
    out[7 * count] = sinh(y);
    out[8 * count] = cosh(y);
    out[9 * count] = tanh(y);
    out[10 * count] = asinh(x);
    out[11 * count] = sinpi(y);
    out[12 * count] = cospi(y);
    out[13 * count] = acosh(1.0f + fabs(x));
    out[14 * count] = atanh(y * 0.75f);
}
