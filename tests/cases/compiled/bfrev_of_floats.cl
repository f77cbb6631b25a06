// The compiler makes bfrev of a float register of this bit reversal, and its finalizer takes it (ruling 183): the code is
// run as it stands, with a warning that names the rule. By hand: 0.0F has no bits, so lane 0 stays; 2.0F is 0x40000000,
// which is 2 backwards, so lane 2 stays; all others lie outside the 64 elements, and read zeros.
// RUN: visor run %s --compiler system -g 64 -l 64 -a iota:f32:128 local:512 --print 0:10 --engine interp
// ERR: `src0` of bfrev has type f
// ERR: [bfrev-src0-type]
// OUT: 0 = 0 1 0 0 4 5 0 0 0 0
// RUN: visor run %s --compiler system -g 64 -l 64 -a iota:f32:128 local:512 --print 0:10 --engine jit
// OUT: 0 = 0 1 0 0 4 5 0 0 0 0
kernel void reversed(global float2* data, local float2* t) {
    const int lid = get_local_id(0);
    const uint from = lid;
    uint rev = 0;
    for (int b = 0; b < 6; ++b)
        rev |= (from >> b & 1u) << (5 - b);
    t[rev] = data[from];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[lid] = t[lid];
}
