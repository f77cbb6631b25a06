// Sums, extremes, running sums and votes over a whole group: the work-group functions of OpenCL C 2.0.
//
//   visor run examples/work_group_functions/work_group_functions.cl --options -cl-std=CL2.0 -g 128 -l 64
//       -a zeros:i32:1152 rand:i32:128:1 --print 0:9

__kernel void work_group_functions(__global int* out, __global const int* in) {
    const int i = get_global_id(0);
    const int value = in[i];
    __global int* mine = out + 9 * i;
    mine[0] = work_group_reduce_add(value);
    mine[1] = work_group_reduce_min(value);
    mine[2] = work_group_reduce_max(value);
    mine[3] = work_group_scan_exclusive_add(value);
    mine[4] = work_group_scan_inclusive_add(value);
    mine[5] = work_group_scan_inclusive_max(value);
    mine[6] = work_group_scan_exclusive_min(value);
    mine[7] = work_group_broadcast(value, 5);
    mine[8] = (work_group_any(value == in[7]) != 0) | (work_group_all(value > in[7]) != 0) << 1;
}
