// A Gaussian blur of a picture, one direction at a time: images read through a sampler that holds at the edge.
//
//   visor run examples/blur/blur.cl -g 160,120 -l 16,8 -a @examples/pictures/lake.png image:rgba8:160x120 1,0
//       --out target=blurred.png
//
// `step` is 1,0 for the rows, then 0,1 for the columns. The weights are the binomial ones, 1 6 15 20 15 6 1.

__constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void blur(read_only image2d_t source, write_only image2d_t target, int2 step) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float weights[4] = {20, 15, 6, 1};
    float4 sum = weights[0] * read_imagef(source, edge, at);
    for (int i = 1; i < 4; ++i)
        sum += weights[i] * (read_imagef(source, edge, at + i * step) + read_imagef(source, edge, at - i * step));
    write_imagef(target, at, sum / 64);
}
