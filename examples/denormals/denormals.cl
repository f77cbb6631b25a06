// Numbers too small for a full mantissa, and the special values: nothing is flushed to zero.
//
//   visor run examples/denormals/denormals.cl -g 64 -l 64 -a zeros:u32:384 rand:u32:64:1 rand:u32:64:2 --print 0:6

__kernel void denormals(__global uint* out, __global const uint* left, __global const uint* right) {
    const int i = get_global_id(0);
    const float a = as_float(left[i]), b = as_float(right[i]);
    __global uint* mine = out + 6 * i;
    mine[0] = as_uint(a + b);
    mine[1] = as_uint(a - b);
    mine[2] = as_uint(a * 0.375f);
    mine[3] = as_uint(fma(a, b, b));
    mine[4] = (a < b) | (a == b) << 1 | (a > 0.0f) << 2;
    mine[5] = as_uint(a * 0x1p64f);
}
