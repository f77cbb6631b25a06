// A work-efficient prefix sum; on its way down the tree a round does not wait for the one before.
// RUN: visor run %s -g 64 -l 64 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 64 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 64 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 64 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(16))) kernel void blelloch_scan(global int* out, global const int* in) {
    local int tree[64];
    const int l = get_local_id(0);
    int stride = 1;
    tree[l] = in[get_global_id(0)];
    for (int active = 32; active > 0; active /= 2, stride *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < active)
            tree[stride * (2 * l + 2) - 1] += tree[stride * (2 * l + 1) - 1];
    }
    if (l == 0)
        tree[63] = 0;
    for (int active = 1; active < 64; active *= 2) {
        stride /= 2;
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (l < active) {
            const int left = tree[stride * (2 * l + 1) - 1];
            tree[stride * (2 * l + 1) - 1] = tree[stride * (2 * l + 2) - 1];
            tree[stride * (2 * l + 2) - 1] += left;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tree[l];
}
