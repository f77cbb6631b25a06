// Images and a sampler without a binding table: `visor cc picture.cl --compiler 2.40 --device bmg -o picture.bmg.zebin`
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void picture(read_only image2d_t in, write_only image2d_t out) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(out, at, read_imageui(in, nearest, (int2)(3 - at.x, at.y)) + 1);
}
