// 256 bins of each group in local memory, added to those in global memory at the end.
kernel void histogram(global const uchar4* data, global uint* bins, int quads) {
    local uint of_group[256];
    const int l = get_local_id(0);
    of_group[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < quads; i += get_global_size(0)) {
        const uchar4 four = data[i];
        atomic_inc(&of_group[four.x]);
        atomic_inc(&of_group[four.y]);
        atomic_inc(&of_group[four.z]);
        atomic_inc(&of_group[four.w]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[l], of_group[l]);
}
