// reduction.cl, written otherwise: the group sums neighbors first.
kernel void reduction_while(global const float* data, global float* sums) {
    local float part[256];
    const int l = get_local_id(0);
    global const float* own = data + get_group_id(0) * 16384 + l;
    float sum = 0;
    for (int i = 0; i < 16384; i += 256)
        sum += own[i];
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < 256; step *= 2) {
        if ((l & (2 * step - 1)) == 0)
            part[l] += part[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = part[0];
}
