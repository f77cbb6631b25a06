// histogram.cl, written otherwise: bytes are taken out of words.
kernel void histogram_uint(global const uint* data, global uint* bins, int quads) {
    local uint of_group[256];
    const int l = get_local_id(0);
    of_group[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < quads; i += get_global_size(0)) {
        const uint four = data[i];
        atomic_inc(&of_group[four & 255]);
        atomic_inc(&of_group[(four >> 8) & 255]);
        atomic_inc(&of_group[(four >> 16) & 255]);
        atomic_inc(&of_group[four >> 24]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[l], of_group[l]);
}
