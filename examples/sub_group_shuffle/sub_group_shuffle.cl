// Values handed from one lane to another (cl_intel_subgroups): by number, up, down, and crosswise.
//
//   visor run examples/sub_group_shuffle/sub_group_shuffle.cl -g 64 -l 32
//       -a zeros:i32:384 zeros:f32:64 zeros:i64:64 iota:i32:64 --print 0:6 --print 1:4

#pragma OPENCL EXTENSION cl_intel_subgroups : enable

__attribute__((intel_reqd_sub_group_size(16))) __kernel void
sub_group_shuffle(__global int* out, __global float* floats, __global long* longs, __global const int* in) {
    const int i = get_global_id(0);
    const int value = in[i], lane = get_sub_group_local_id();
    __global int* mine = out + 6 * i;
    mine[0] = intel_sub_group_shuffle(value, value & 15); // everybody asks somebody else
    mine[1] = intel_sub_group_shuffle(value, 7);
    mine[2] = intel_sub_group_shuffle_xor(value, 5);
    mine[3] = intel_sub_group_shuffle_down(value, -value, 3);
    mine[4] = intel_sub_group_shuffle_up(-value, value, 2);
    mine[5] = intel_sub_group_shuffle(value * 3, (uint)(15 - lane));
    floats[i] = intel_sub_group_shuffle_xor((float)value, 8);
    longs[i] = intel_sub_group_shuffle((long)value << 33, (uint)(lane ^ 1));
}
