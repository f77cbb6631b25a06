// Jacobi's iteration for the heat in a plate: each point becomes the mean of its neighbours, the edge stays as it is.
//
//   visor run examples/jacobi/jacobi.cl -g 16,16 -l 8,8 -a zeros:f32:16x16 iota:f32:16x16 --print 0:8

__kernel void jacobi(__global float* out, __global const float* in) {
    const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1);
    const int at = y * width + x;
    const bool edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
    out[at] = edge ? in[at] : 0.25f * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width]);
}
