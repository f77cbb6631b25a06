// Reductions over parts of a sub-group: clusters of four neighbours (cl_khr_subgroup_clustered_reduce), and whichever
// lanes have come to the same place (cl_khr_subgroup_non_uniform_arithmetic).
//
//   visor run examples/sub_group_clustered/sub_group_clustered.cl --options -cl-std=CL2.0 -g 64 -l 32
//       -a zeros:i32:384 iota:i32:64 --print 0:6

#pragma OPENCL EXTENSION cl_khr_subgroup_clustered_reduce : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_arithmetic : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable

__attribute__((intel_reqd_sub_group_size(16))) __kernel void sub_group_clustered(__global int* out,
                                                                                __global const int* in) {
    const int i = get_global_id(0);
    const int value = in[i];
    __global int* mine = out + 6 * i;
    mine[0] = sub_group_clustered_reduce_add(value, 4);
    mine[1] = sub_group_clustered_reduce_max(value, 8);
    mine[2] = sub_group_clustered_reduce_xor(value, 2);
    mine[3] = sub_group_shuffle(value, (uint)value & 15);
    mine[4] = mine[5] = 0;
    if (value % 3 != 0) {
        mine[4] = sub_group_non_uniform_reduce_add(value);
        mine[5] = sub_group_non_uniform_scan_inclusive_max(value);
    }
}
