// OpenCL C 2.0 lets the last groups be smaller than the others: what the size functions say there, and a barrier that
// waits for fewer work-items.
//
//   visor run examples/non_uniform_groups/non_uniform_groups.cl --options -cl-std=CL2.0 -g 10,7 -l 4,3
//       -a zeros:i32:7x10 zeros:i32:7x10 --print 0:10 --print 1:10

__kernel void non_uniform_groups(__global int* sizes, __global int* neighbours) {
    __local int seen[16];
    const int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    const int count = get_local_size(0) * get_local_size(1);
    const int rank = get_local_linear_id();
    sizes[at] = 1000000 * get_num_groups(0) + 100000 * get_num_groups(1) + 10000 * get_enqueued_local_size(0) +
                1000 * get_enqueued_local_size(1) + 100 * get_local_size(0) + 10 * get_local_size(1) +
                get_group_id(0);
    seen[rank] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    neighbours[at] = seen[count - 1 - rank];
}
