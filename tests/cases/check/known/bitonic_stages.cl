// A bitonic sort in local memory that waits for each stage and not for each step of it.
// RUN: visor run %s -g 64 -l 64 -a iota:u32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 64 -a iota:u32:64 --check=all
// ERR: [data-race]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 64 -a iota:u32:64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 64 -a iota:u32:64 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(16))) kernel void bitonic_stages(global uint* data) {
    local uint keys[64];
    const uint l = get_local_id(0);
    keys[l] = data[l] * 37 % 64;
    for (uint size = 2; size <= 64; size *= 2) {
#ifdef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        for (uint stride = size / 2; stride > 0; stride /= 2) {
#ifndef BUG
            barrier(CLK_LOCAL_MEM_FENCE);
#endif
            const uint other = l ^ stride;
            if (other > l) {
                const uint a = keys[l], b = keys[other];
                if ((a > b) == ((l & size) == 0)) {
                    keys[l] = b;
                    keys[other] = a;
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[l] = keys[l];
}
