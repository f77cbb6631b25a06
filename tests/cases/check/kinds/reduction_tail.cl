// The last steps of a sum are done by few work-items, "which run in step anyway".
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:2 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:2 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(8))) kernel void reduction_tail(global int* out, global const int* in) {
    local int part[32];
    const int l = get_local_id(0);
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 16; step > 0; step >>= 1) {
        if (l < step)
            part[l] += part[l + step];
#ifdef BUG
        if (step > 16)
#endif
            barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
}
