// What is copied asynchronously is used before anybody waited for it.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(8))) kernel void async_copy(global int* out, global const int* in) {
    local int tile[32];
    const int l = get_local_id(0);
    event_t copied = async_work_group_copy(tile, in + get_group_id(0) * 32, 32, 0);
#ifndef BUG
    wait_group_events(1, &copied);
#endif
    out[get_global_id(0)] = tile[31 - l];
}
