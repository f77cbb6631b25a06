// A struct is stored of which a member was never set.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:128 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:128 iota:i32:64 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
struct Pair { int first, second; };
kernel void struct_member(global struct Pair* out, global const int* in) {
    local struct Pair pairs[32];
    const int i = get_global_id(0), l = get_local_id(0);
    pairs[l].first = in[i];
#ifndef BUG
    pairs[l].second = in[i];
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i].first = pairs[31 - l].first;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i].second = pairs[31 - l].second;
}
