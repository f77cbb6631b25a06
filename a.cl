__kernel void ask(read_only image1d_t a, read_only image1d_buffer_t b,
        read_only image1d_array_t c, read_only image2d_array_t d, read_only image3d_t e, __global int* out) {
        out[0] = get_image_width(a); out[1] = get_image_width(b);
        out[2] = get_image_width(c); out[3] = get_image_array_size(c);
        out[4] = get_image_height(d); out[5] = get_image_array_size(d);
        out[6] = get_image_height(e); out[7] = get_image_depth(e); }