// reduction.cl, written otherwise: items read sixty-four numbers in a row.
kernel void reduction_chunk(global const float* data, global float* sums) {
    local float part[256];
    const int l = get_local_id(0);
    global const float* own = data + get_group_id(0) * 16384 + l * 64;
    float sum = 0;
    for (int i = 0; i < 64; ++i)
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
