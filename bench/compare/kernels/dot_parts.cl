// A part of a dot product for each group.
kernel void dot_parts(global float* parts, global const float* a, global const float* b, int count) {
    local float sums[256];
    const int l = get_local_id(0);
    float sum = 0;
    for (int i = get_global_id(0); i < count; i += get_global_size(0))
        sum += a[i] * b[i];
    sums[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = 128; half_size > 0; half_size >>= 1) {
        if (l < half_size)
            sums[l] += sums[l + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        parts[get_group_id(0)] = sums[0];
}
