// Conversions between floats and integers of all widths, with each rounding and with saturation.
//
//   visor run examples/conversions/conversions.cl -g 64 -l 64
//       -a zeros:i32:832 zeros:f32:384 zeros:i64:128 rand:f32:64:1 rand:i64:64:2 --print 0:13 --print 1:6

__kernel void conversions(__global int* integers, __global float* floats, __global long* longs,
                          __global const float* of_floats, __global const long* of_longs) {
    const int i = get_global_id(0);
    const float f = of_floats[i];
    const long l = of_longs[i];
    __global int* mine = integers + 13 * i;
    mine[0] = convert_int_sat(f * 0x1p20f);
    mine[1] = convert_int_rte(f);
    mine[2] = convert_int_rtz(f);
    mine[3] = convert_int_rtp(f);
    mine[4] = convert_int_rtn(f);
    mine[5] = convert_uchar_sat(f);
    mine[6] = convert_char_sat_rte(f);
    mine[7] = convert_short_sat(f * 64.0f);
    mine[8] = convert_ushort_sat_rtp(f * 64.0f);
    mine[9] = (int)convert_uint_sat(f * 0x1p22f);
    mine[10] = convert_char_sat((int)l);
    mine[11] = convert_ushort_sat((int)l);
    mine[12] = convert_int_sat(l);
    __global float* ours = floats + 6 * i;
    ours[0] = convert_float((int)l);
    ours[1] = convert_float_rtz((int)l);
    ours[2] = convert_float_rtp((uint)l);
    ours[3] = convert_float_rtn((int)l);
    ours[4] = convert_float(l);
    ours[5] = convert_float((ulong)l);
    longs[2 * i] = convert_long_rte(f * 0.3f);
    longs[2 * i + 1] = (long)convert_ulong(fabs(f) * 0x1p40f);
}
