// Copies between global and local memory that the group makes together and waits for, in one piece and in strides.
//
//   visor run examples/async_copy/async_copy.cl -g 64 -l 32 -a zeros:i32:128 iota:i32:128 --print 0:8

__kernel void async_copy(__global int* out, __global const int* in) {
    __local int whole[64];
    __local int even[32];
    __local int result[64];
    const int me = get_local_id(0), group = get_group_id(0);
    event_t copied = async_work_group_copy(whole, in + 64 * group, 64, 0);
    copied = async_work_group_strided_copy(even, in + 64 * group, 32, 2, copied);
    wait_group_events(1, &copied);
    result[me] = whole[me] + even[31 - me];
    result[me + 32] = whole[me + 32] - even[me];
    barrier(CLK_LOCAL_MEM_FENCE);
    copied = async_work_group_copy(out + 64 * group, result, 64, 0);
    wait_group_events(1, &copied);
}
