// Comparisons of floats, also of infinities and of what is no number: 1 for a scalar that holds, -1 for a lane.
//
//   visor run examples/relational/relational.cl -g 64 -l 64
//       -a zeros:i32:256 rand:f32:64:1 rand:f32:64:2 --print 0:4

__kernel void relational(__global int* out, __global const float* left, __global const float* right) {
    const int i = get_global_id(0);
    const float a = left[i], b = right[i];
    out[4 * i] = isnan(a) | isinf(a) << 1 | isfinite(a) << 2 | isnormal(a) << 3 | signbit(a) << 4 | (a != a) << 5;
    out[4 * i + 1] = isless(a, b) | islessequal(a, b) << 1 | isgreater(a, b) << 2 | isgreaterequal(a, b) << 3 |
                     isequal(a, b) << 4 | isnotequal(a, b) << 5 | islessgreater(a, b) << 6 | isordered(a, b) << 7 |
                     isunordered(a, b) << 8;
    const int4 lanes = isless((float4)(a, b, 0.0f, a), (float4)(b, a, a, a));
    out[4 * i + 2] = lanes.x + 10 * lanes.y + 100 * lanes.z + 1000 * lanes.w;
    out[4 * i + 3] = (!(a < b)) | (!(a > b)) << 1 | (a == b) << 2 | (a != b) << 3;
}
