// Reads and writes of a whole sub-group at once (cl_intel_subgroups): lane after lane, row after row.
//
//   visor run examples/sub_group_block_io/sub_group_block_io.cl -g 64 -l 32
//       -a zeros:u32:256 zeros:u16:128 iota:u32:256 iota:u16:128 --print 0:8 --print 1:8

#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_short : enable

__attribute__((intel_reqd_sub_group_size(16))) __kernel void
sub_group_block_io(__global uint* out, __global ushort* words_out, __global const uint* in,
                   __global const ushort* words_in) {
    const int sub_group = get_global_id(0) / 16;
    const uint4 rows = intel_sub_group_block_read4(in + 64 * sub_group);
    const uint first = intel_sub_group_block_read(in + 64 * sub_group);
    intel_sub_group_block_write4(out + 64 * sub_group, rows.wzyx + (uint4)(first, 0, 1, 2));
    const ushort2 words = intel_sub_group_block_read_us2(words_in + 32 * sub_group);
    intel_sub_group_block_write_us2(words_out + 32 * sub_group, words.yx * (ushort2)(3, 5));
}
