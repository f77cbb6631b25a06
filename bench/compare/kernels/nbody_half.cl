// nbody.cl, written otherwise: the root is a root, and a quotient.
kernel void nbody_half(global const float4* bodies, global float4* accelerations, int count, float softening) {
    const size_t i = get_global_id(0);
    const float4 own = bodies[i];
    float ax = 0;
    float ay = 0;
    float az = 0;
    for (int j = 0; j < count; ++j) {
        const float4 other = bodies[j];
        const float dx = other.x - own.x;
        const float dy = other.y - own.y;
        const float dz = other.z - own.z;
        const float q = fma(dx, dx, fma(dy, dy, fma(dz, dz, softening)));
        const float r = 1.0f / sqrt(q);
        const float weight = other.w * r * r * r;
        ax += dx * weight;
        ay += dy * weight;
        az += dz * weight;
    }
    accelerations[i] = (float4)(ax, ay, az, 0);
}
