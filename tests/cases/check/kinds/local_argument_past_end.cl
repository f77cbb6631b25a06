// The local argument is too small for the group.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 local:128 --check=all
// ERR: no findings
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 local:64 --check=all
// ERR: [out-of-bounds-write]
// EXIT: 1
kernel void local_argument_past_end(global int* out, local int* tile) {
    const int l = get_local_id(0);
    tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[l];
}
