// Halves as a storage format: no extension is needed to load them as floats and to store floats with any rounding.
//
//   visor run examples/half_storage/half_storage.cl -g 64 -l 64
//       -a zeros:f16:320 zeros:f32:64 zeros:f16:64 rand:f32:64:1 rand:f16:64:2 --print 0:5 --print 1:4 --print 2:4

__kernel void half_storage(__global half* rounded, __global float* widened, __global half* vectors,
                           __global const float* floats, __global const half* halves) {
    const int i = get_global_id(0);
    const float value = floats[i];
    vstore_half(value, 5 * i, rounded); // the default is to the nearest
    vstore_half_rte(value, 5 * i + 1, rounded);
    vstore_half_rtz(value, 5 * i + 2, rounded);
    vstore_half_rtp(value, 5 * i + 3, rounded);
    vstore_half_rtn(value, 5 * i + 4, rounded);
    widened[i] = vload_half(i, halves);
    if (i % 4 == 0)
        vstore_half4(vload_half4(i / 4, halves) + vload4(i / 4, floats), i / 4, vectors);
}
