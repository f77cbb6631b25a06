// Three dimensions of ids, shared local memory of two kinds and a barrier: every work-item reads what its neighbour
// wrote.
//
//   visor run examples/ids/ids.cl -g 8,6,4 -l 4,3,2 -a zeros:i32:192 local:96 7 --print 0:8

__kernel void ids(__global int* out, __local int* scaled, int factor) {
    __local int rank[64];
    const int lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
    const int local_index = lx + get_local_size(0) * (ly + get_local_size(1) * lz);
    const int count = get_local_size(0) * get_local_size(1) * get_local_size(2);
    rank[local_index & 63] = local_index;
    scaled[local_index] = local_index * factor;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int next = (local_index + 1) % count;
    const int global_index =
        get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
    out[global_index] = rank[next & 63] + scaled[next] + 1000 * get_group_id(0) + 10000 * get_group_id(1) +
                        100000 * get_group_id(2);
}
