// Parts of vectors in any order, on both sides of an assignment: float4, char16, short3.
//
//   visor run examples/vector_swizzle/vector_swizzle.cl -g 16 -l 16
//       -a iota:f32:64 zeros:u8:256 iota:u8:256 zeros:i16:48 iota:i16:48 --print 0:8 --print 1:16 --print 3:6

__kernel void vector_swizzle(__global float4* floats, __global uchar16* bytes_out, __global const uchar16* bytes_in,
                             __global short* shorts_out, __global const short* shorts_in) {
    const int i = get_global_id(0);
    float4 v = floats[i];
    v.xz = v.yx;
    v.w += v.s2 * 2.0f;
    v.hi = v.hi.yx;
    floats[i] = v;
    uchar16 b = bytes_in[i];
    b.odd = b.odd.s76543210;
    b.s048c = b.s048c + (uchar4)(1, 2, 3, 4);
    b.lo ^= b.hi;
    bytes_out[i] = b;
    short3 s = vload3(i, shorts_in);
    s = s.zxy * (short3)(1, -2, 3) + s.xxx;
    vstore3(s, i, shorts_out);
}
