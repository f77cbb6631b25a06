// Sums of groups of 16384: each item sums sixty-four numbers, then the group its items by halves: nine barriers.
kernel void reduction(global const float* data, global float* sums) {
    local float part[256];
    const int l = get_local_id(0);
    global const float* own = data + get_group_id(0) * 16384 + l;
    float sum = 0;
    for (int i = 0; i < 16384; i += 256)
        sum += own[i];
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = 128; half_size > 0; half_size >>= 1) {
        if (l < half_size)
            part[l] += part[l + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = part[0];
}
