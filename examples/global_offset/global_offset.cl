// A global offset: ids count from it, group ids do not.
//
//   visor run examples/global_offset/global_offset.cl -g 16,4 -l 8,2 --offset 100,7
//       -a zeros:i32:4x16 zeros:i32:4x16 --print 0:4 --print 1:4

__kernel void global_offset(__global int* ids, __global int* groups) {
    const int column = get_global_id(0) - get_global_offset(0), row = get_global_id(1) - get_global_offset(1);
    const int at = row * get_global_size(0) + column;
    ids[at] = 1000 * get_global_id(1) + get_global_id(0);
    groups[at] = 1000 * get_group_id(1) + get_group_id(0);
}
