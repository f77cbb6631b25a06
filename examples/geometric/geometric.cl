// Vectors as arrows: products, lengths and directions.
//
//   visor run examples/geometric/geometric.cl -g 64 -l 64
//       -a zeros:f32:256 zeros:f32:512 rand:f32:256:1 rand:f32:256:2 --print 0:4 --print 1:8

__kernel void geometric(__global float* numbers, __global float4* vectors, __global const float4* left,
                        __global const float4* right) {
    const int i = get_global_id(0), count = get_global_size(0);
    const float4 a = left[i], b = right[i];
    numbers[i] = dot(a, b);
    numbers[count + i] = length(a);
    numbers[2 * count + i] = distance(a.xyz, b.xyz);
    numbers[3 * count + i] = fast_length(a.xy);
    vectors[i] = cross(rint(a * 16.0f), rint(b * 16.0f)); // of small whole numbers, so exact
    vectors[count + i] = normalize(a);
}
