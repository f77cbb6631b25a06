// nbody.cl, written otherwise: differences are `float4`.
kernel void nbody_vector(global const float4* bodies, global float4* accelerations, int count, float softening) {
    const size_t i = get_global_id(0);
    const float4 own = bodies[i];
    float4 sum = 0;
    for (int j = 0; j < count; ++j) {
        float4 d = bodies[j] - own;
        float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + softening);
        sum += d * (bodies[j].w * r * r * r);
    }
    sum.w = 0;
    accelerations[i] = sum;
}
