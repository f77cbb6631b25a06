// histogram.cl, written otherwise: four tables a group.
kernel void histogram_several(global const uchar4* data, global uint* bins, int quads) {
    local uint of_group[1024];
    const int l = get_local_id(0);
    for (int i = l; i < 1024; i += 256)
        of_group[i] = 0;
    local uint* own = of_group + (l & 3) * 256;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < quads; i += get_global_size(0)) {
        const uchar4 four = data[i];
        atomic_inc(&own[four.x]);
        atomic_inc(&own[four.y]);
        atomic_inc(&own[four.z]);
        atomic_inc(&own[four.w]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[l], of_group[l] + of_group[l + 256] + of_group[l + 512] + of_group[l + 768]);
}
