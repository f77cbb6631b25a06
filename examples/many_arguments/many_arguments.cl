// Arguments of every width between pointers: where each of them lies in the payload.
//
//   visor run examples/many_arguments/many_arguments.cl -g 4 -l 4 -a zeros:i64:16 -1 2 -3 4 -5 6 -7 8 9.5
//       1,2 1,2,3,4 zeros:i64:4 5,6,7 --print 0 --print 12

__kernel void many_arguments(__global long* out, char c, uchar uc, short s, ushort us, int i, uint ui, long l,
                             ulong ul, float f, int2 two, char4 four, __global long* sums, short3 three) {
    const int me = get_global_id(0);
    long values[16] = {c, uc, s, us, i, ui, l, (long)ul, (long)(f * 2.0f), two.x, two.y, four.x, four.w, three.x,
                       three.y, three.z};
    long sum = 0;
    for (int k = 0; k < 16; ++k)
        sum += values[k] * (k + me);
    for (int k = 0; k < 4; ++k)
        out[4 * me + k] = values[4 * me + k];
    sums[me] = sum;
}
