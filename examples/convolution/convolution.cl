// A 5 x 5 filter over an image whose edges go on: a tile with its rim in shared local memory, the filter in constant
// memory.
//
//   visor run examples/convolution/convolution.cl -g 48,32 -l 16,16 -a zeros:f32:32x48 iota:f32:32x48
//       fill:f32:25:1 48 32 --print 0:8

#define TILE 16
#define RIM 2
#define SIDE (TILE + 2 * RIM)

__kernel void convolution(__global float* out, __global const float* in, __constant float* filter, int width,
                          int height) {
    __local float tile[SIDE * SIDE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int left = (int)(TILE * get_group_id(0)) - RIM, top = (int)(TILE * get_group_id(1)) - RIM;
    for (int k = y * TILE + x; k < SIDE * SIDE; k += TILE * TILE) {
        const int column = clamp(left + k % SIDE, 0, width - 1), row = clamp(top + k / SIDE, 0, height - 1);
        tile[k] = in[row * width + column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int dy = 0; dy < 5; ++dy) {
        for (int dx = 0; dx < 5; ++dx)
            sum = fma(filter[5 * dy + dx], tile[(y + dy) * SIDE + x + dx], sum);
    }
    out[get_global_id(1) * width + get_global_id(0)] = sum;
}
