// A local array indexed by the number in the launch: right in the first group, outside in all others.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [out-of-bounds-write]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [out-of-bounds-write]
// EXIT: 1
kernel void global_id_for_local(global int* out, global const int* in) {
    local int tile[32];
    const int i = get_global_id(0);
#ifdef BUG
    const int at = i;
#else
    const int at = get_local_id(0);
#endif
    tile[at] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[31 - get_local_id(0)];
}
