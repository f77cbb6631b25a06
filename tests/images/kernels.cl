// Every kind of read and write of every kind of image; check.cpp compares each with what OpenCL says.
// A coordinate is four numbers: those of the sides, then the layer.
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

#define READ(NAME, IMAGE, SUFFIX, COLOR, GIVEN, PLACE)                                                       \
    __kernel void NAME##_##SUFFIX(read_only IMAGE image, sampler_t how, __global const GIVEN* at,            \
                                  __global COLOR* out) {                                                     \
        const size_t i = get_global_id(0);                                                                   \
        const GIVEN c = at[i];                                                                               \
        out[i] = READ_##SUFFIX(image, how, PLACE);                                                           \
    }
#define READ_PLAIN(NAME, IMAGE, SUFFIX, COLOR, PLACE)                                                        \
    __kernel void NAME##_##SUFFIX(read_only IMAGE image, __global const int4* at, __global COLOR* out) {     \
        const size_t i = get_global_id(0);                                                                   \
        const int4 c = at[i];                                                                                \
        out[i] = READ_##SUFFIX(image, PLACE);                                                                \
    }
#define WRITE(NAME, IMAGE, SUFFIX, COLOR, PLACE)                                                             \
    __kernel void NAME##_##SUFFIX(write_only IMAGE image, __global const int4* at,                           \
                                  __global const COLOR* in) {                                                \
        const size_t i = get_global_id(0);                                                                   \
        const int4 c = at[i];                                                                                \
        WRITE_##SUFFIX(image, PLACE, in[i]);                                                                 \
    }
// By a float coordinate, by an integer one with a sampler, without one.
#define READ_f read_imagef
#define READ_i read_imagei
#define READ_u read_imageui
#define READ_fi read_imagef
#define READ_ii read_imagei
#define READ_ui read_imageui
#define READ_fp read_imagef
#define READ_ip read_imagei
#define READ_up read_imageui
#define WRITE_wf write_imagef
#define WRITE_wi write_imagei
#define WRITE_wu write_imageui

#define SAMPLED(NAME, IMAGE, PLACE)                                                                          \
    READ(NAME, IMAGE, f, float4, float4, PLACE)                                                              \
    READ(NAME, IMAGE, i, int4, float4, PLACE)                                                                \
    READ(NAME, IMAGE, u, uint4, float4, PLACE)                                                               \
    READ(NAME, IMAGE, fi, float4, int4, PLACE)                                                               \
    READ(NAME, IMAGE, ii, int4, int4, PLACE)                                                                 \
    READ(NAME, IMAGE, ui, uint4, int4, PLACE)
#define PLAIN(NAME, IMAGE, PLACE)                                                                            \
    READ_PLAIN(NAME, IMAGE, fp, float4, PLACE)                                                               \
    READ_PLAIN(NAME, IMAGE, ip, int4, PLACE)                                                                 \
    READ_PLAIN(NAME, IMAGE, up, uint4, PLACE)                                                                \
    WRITE(NAME, IMAGE, wf, float4, PLACE)                                                                    \
    WRITE(NAME, IMAGE, wi, int4, PLACE)                                                                      \
    WRITE(NAME, IMAGE, wu, uint4, PLACE)

SAMPLED(d1, image1d_t, c.x)
PLAIN(d1, image1d_t, c.x)
PLAIN(d1_buffer, image1d_buffer_t, c.x)
SAMPLED(d1_array, image1d_array_t, c.xy)
PLAIN(d1_array, image1d_array_t, c.xy)
SAMPLED(d2, image2d_t, c.xy)
PLAIN(d2, image2d_t, c.xy)
SAMPLED(d2_array, image2d_array_t, c)
PLAIN(d2_array, image2d_array_t, c)
SAMPLED(d3, image3d_t, c)
PLAIN(d3, image3d_t, c)

// A depth is one float.
#ifdef cl_khr_depth_images
#define HAS_DEPTH 1
#endif
#if HAS_DEPTH
READ(depth, image2d_depth_t, f, float, float4, c.xy)
READ(depth, image2d_depth_t, fi, float, int4, c.xy)
READ_PLAIN(depth, image2d_depth_t, fp, float, c.xy)
WRITE(depth, image2d_depth_t, wf, float, c.xy)
#endif

// Samplers of the kernel's own.
__constant sampler_t own_linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;
__constant sampler_t own_nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void own_l(read_only image2d_t image, __global const float4* at, __global float4* out) {
    const size_t i = get_global_id(0);
    out[i] = read_imagef(image, own_linear, at[i].xy);
}
__kernel void own_n(read_only image2d_t image, __global const float4* at, __global float4* out) {
    const size_t i = get_global_id(0);
    out[i] = read_imagef(image, own_nearest, at[i].xy);
}

// What an image tells of itself.
__kernel void ask_d1(read_only image1d_t image, __global int* out) {
    out[0] = get_image_width(image);
    out[1] = get_image_channel_data_type(image);
    out[2] = get_image_channel_order(image);
}
__kernel void ask_d1_buffer(read_only image1d_buffer_t image, __global int* out) {
    out[0] = get_image_width(image);
    out[1] = get_image_channel_data_type(image);
    out[2] = get_image_channel_order(image);
}
__kernel void ask_d1_array(read_only image1d_array_t image, __global int* out) {
    out[0] = get_image_width(image);
    out[1] = get_image_channel_data_type(image);
    out[2] = get_image_channel_order(image);
    out[5] = (int)get_image_array_size(image);
}
__kernel void ask_d2(read_only image2d_t image, __global int* out) {
    out[0] = get_image_width(image);
    out[1] = get_image_channel_data_type(image);
    out[2] = get_image_channel_order(image);
    out[3] = get_image_height(image);
    out[6] = get_image_dim(image).x;
    out[7] = get_image_dim(image).y;
}
__kernel void ask_d2_array(read_only image2d_array_t image, __global int* out) {
    out[0] = get_image_width(image);
    out[1] = get_image_channel_data_type(image);
    out[2] = get_image_channel_order(image);
    out[3] = get_image_height(image);
    out[5] = (int)get_image_array_size(image);
}
__kernel void ask_d3(read_only image3d_t image, __global int* out) {
    out[0] = get_image_width(image);
    out[1] = get_image_channel_data_type(image);
    out[2] = get_image_channel_order(image);
    out[3] = get_image_height(image);
    out[4] = get_image_depth(image);
}
