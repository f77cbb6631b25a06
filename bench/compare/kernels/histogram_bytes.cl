// histogram.cl, written otherwise: byte by byte.
kernel void histogram_bytes(global const uchar* data, global uint* bins, int quads) {
    local uint of_group[256];
    const int l = get_local_id(0);
    of_group[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < quads * 4; i += get_global_size(0)) {
        atomic_inc(&of_group[data[i]]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[l], of_group[l]);
}
