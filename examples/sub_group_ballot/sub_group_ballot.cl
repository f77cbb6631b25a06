// Votes of a sub-group's lanes as a mask (cl_khr_subgroup_ballot), and who speaks for all.
//
//   visor run examples/sub_group_ballot/sub_group_ballot.cl --options -cl-std=CL2.0 -g 64 -l 32
//       -a zeros:u32:512 iota:i32:64 --print 0:8

#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_vote : enable

__attribute__((intel_reqd_sub_group_size(16))) __kernel void sub_group_ballot(__global uint* out,
                                                                             __global const int* in) {
    const int i = get_global_id(0);
    const int value = in[i];
    __global uint* mine = out + 8 * i;
    const uint4 votes = sub_group_ballot(value % 3 == 0);
    mine[0] = votes.x;
    mine[1] = sub_group_ballot_bit_count(votes);
    mine[2] = sub_group_ballot_exclusive_scan(votes);
    mine[3] = sub_group_inverse_ballot(votes);
    mine[4] = sub_group_broadcast_first(value);
    mine[5] = sub_group_elect();
    mine[6] = sub_group_ballot_bit_extract(votes, (uint)value & 15);
    mine[7] = 0;
    if (value % 2 == 1) // only some of the lanes are here
        mine[7] = sub_group_ballot(value % 5 == 0).x | (uint)sub_group_elect() << 16 |
                  sub_group_broadcast_first(value) << 17;
}
