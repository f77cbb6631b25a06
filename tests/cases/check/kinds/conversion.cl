// A float that no int can hold.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:f32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:f32:64 --check=all
// ERR: [conversion-out-of-range]
// EXIT: 1
kernel void conversion(global int* out, global const float* in) {
    const int i = get_global_id(0);
#ifdef BUG
    out[i] = (int)(in[i] * 1e9f);
#else
    out[i] = (int)fmin(in[i] * 1e9f, 2e9f);
#endif
}
