
__kernel void negative(read_only image2d_t source, write_only image2d_t target, sampler_t how, __global float4* seen) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float4 color = read_imagef(source, how, convert_float2(at) + 0.5f);
    seen[at.y * get_global_size(0) + at.x] = color;
    write_imagef(target, at, 1.0f - color);
}