// A picture made larger or smaller: the target's size tells the scale, and a linear filter over normalized coordinates
// finds the colours between pixels.
//
//   visor run examples/resize/resize.cl -g 96,72 -l 16,8
//       -a @examples/pictures/lake.png image:rgba8:96x72 sampler:linear,clamp_edge,normalized --out target=small.png

__kernel void resize(read_only image2d_t source, write_only image2d_t target, sampler_t how) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float2 middle = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(target));
    write_imagef(target, at, read_imagef(source, how, middle));
}
