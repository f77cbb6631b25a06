// Sums of groups of 256 by halves: nine barriers.
kernel void reduction(global const float* data, global float* sums) {
    local float part[256];
    const int l = get_local_id(0);
    const size_t i = get_group_id(0) * 512 + l;
    part[l] = data[i] + data[i + 256];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = 128; half_size > 0; half_size >>= 1) {
        if (l < half_size)
            part[l] += part[l + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = part[0];
}
