// reduction.cl, written otherwise: items read `float4`.
kernel void reduction_vector(global const float* data, global float* sums) {
    local float part[256];
    const int l = get_local_id(0);
    global const float4* own = (global const float4*)(data + get_group_id(0) * 16384) + l;
    float4 sum = 0;
    for (int i = 0; i < 4096; i += 256)
        sum += own[i];
    part[l] = sum.x + sum.y + sum.z + sum.w;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = 128; half_size > 0; half_size >>= 1) {
        if (l < half_size)
            part[l] += part[l + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = part[0];
}
