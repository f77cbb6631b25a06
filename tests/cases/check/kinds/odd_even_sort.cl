// A sort of the group whose rounds have no barrier between them.
// RUN: visor run %s -g 32 -l 32 -a iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 32 -l 32 -a iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(8))) kernel void odd_even_sort(global int* data) {
    local int tile[64];
    const int l = get_local_id(0);
    tile[2 * l] = data[2 * l] ^ 21;
    tile[2 * l + 1] = data[2 * l + 1] ^ 21;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 0; round < 8; ++round) {
        const int at = 2 * l + (round & 1);
        if (at + 1 < 64 && tile[at] > tile[at + 1]) {
            const int kept = tile[at];
            tile[at] = tile[at + 1];
            tile[at + 1] = kept;
        }
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[2 * l] = tile[2 * l];
    data[2 * l + 1] = tile[2 * l + 1];
}
