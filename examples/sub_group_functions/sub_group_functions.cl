// The same within a sub-group (cl_khr_subgroups): the work-items of one hardware thread, which need no barrier.
//
//   visor run examples/sub_group_functions/sub_group_functions.cl --options -cl-std=CL2.0 -g 128 -l 64
//       -a zeros:i32:1152 zeros:f32:128 zeros:i32:512 rand:i32:128:1 --print 0:9 --print 2:4

#pragma OPENCL EXTENSION cl_khr_subgroups : enable

__kernel void sub_group_functions(__global int* out, __global float* floats, __global int* shape,
                                  __global const int* in) {
    const int i = get_global_id(0);
    const int value = in[i];
    __global int* mine = out + 9 * i;
    mine[0] = sub_group_reduce_add(value);
    mine[1] = sub_group_reduce_min(value);
    mine[2] = (int)sub_group_reduce_max((uint)value);
    mine[3] = sub_group_scan_exclusive_add(value);
    mine[4] = sub_group_scan_inclusive_add(value);
    mine[5] = sub_group_scan_inclusive_max(value);
    mine[6] = sub_group_scan_exclusive_min(value);
    mine[7] = sub_group_broadcast(value, 3);
    mine[8] = (sub_group_any(value == in[7]) != 0) | (sub_group_all(value > in[7]) != 0) << 1;
    floats[i] = sub_group_reduce_add((float)(value >> 16));
    shape[4 * i] = get_sub_group_size();
    shape[4 * i + 1] = get_sub_group_local_id();
    shape[4 * i + 2] = get_sub_group_id();
    shape[4 * i + 3] = get_num_sub_groups();
}
