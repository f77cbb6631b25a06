// Buffers by handle, in each kind of message: `visor cc buffers.cl --compiler 2.40 --device dg2 -o buffers.dg2.zebin`
kernel void buffers(global int* out, global const int* in, global int* counts, global const int* none, int n) {
    const int i = get_global_id(0);
    atomic_add(counts + (in[i] & 3), i);
    const int4 four = vload4(0, in + i / 8 * 4);
    out[i] = in[n - 1 - i] * 2 + four.x + four.w;
    if (none)
        out[i] = none[i];
    if (i >= 24)
        counts[i - 20] = convert_uchar_sat(in[i]);
}
