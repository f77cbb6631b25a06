// nbody.cl, written otherwise: sixty-four bodies at a time in local memory.
kernel void nbody_tiles(global const float4* bodies, global float4* accelerations, int count, float softening) {
    const size_t i = get_global_id(0);
    const float4 own = bodies[i];
    local float4 tile[64];
    const int l = get_local_id(0);
    float ax = 0, ay = 0, az = 0;
    for (int at = 0; at < count; at += 64) {
        tile[l] = bodies[at + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 64; ++j) {
            const float4 other = tile[j];
            const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
            const float r = rsqrt(dx * dx + dy * dy + dz * dz + softening);
            const float weight = other.w * r * r * r;
            ax += dx * weight;
            ay += dy * weight;
            az += dz * weight;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    accelerations[i] = (float4)(ax, ay, az, 0);
}
