// A matrix transposed without shared local memory: rows are read whole, but each lane writes to a row of its own, so that a
// message touches sixteen cache lines where one would hold its bytes. `visor report` shows it, beside `transpose`.
//
//   visor run examples/transpose_direct/transpose_direct.cl -g 48,32 -l 16,16 -a zeros:f32:48x32 iota:f32:32x48 48 32
//       --print 0:8

__kernel void transpose(__global float* out, __global const float* in, int width, int height) {
    const int x = get_global_id(0), y = get_global_id(1);
    out[x * height + y] = in[y * width + x];
}
