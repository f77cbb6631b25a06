// Coordinates of an image are an address, and what is written to an image leaves the kernel.
// RUN: visor run %s -g 32 -l 32 -a zeros:f32:32 image:rgba8:32x1 --check=init
// ERR: no findings
// RUN: visor run %s --options -DHALF -g 32 -l 32 -a zeros:f32:32 image:rgba8:32x1 --check=init
// ERR: an address depends on a value that nobody wrote [uninitialized-address]
// ERR: reads shared local memory + 0x
// EXIT: 1
// RUN: visor run %s --options -DPIXEL -g 32 -l 32 -a zeros:f32:32 image:rgba8:32x1 image:rgba8:32x1 --check=init
// ERR: no findings
// RUN: visor run %s --options "-DPIXEL -DHALF" -g 32 -l 32 -a zeros:f32:32 image:rgba8:32x1 image:rgba8:32x1 --check=init
// ERR: a value that nobody wrote is stored to an image [uninitialized-store]
// EXIT: 1
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void sampled(global float* out, read_only image2d_t image
#ifdef PIXEL
                    ,
                    write_only image2d_t target
#endif
) {
    local float tile[32];
    const int l = get_local_id(0);
#ifdef HALF
    if (l < 16)
#endif
        tile[l] = (float)l;
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef PIXEL
    write_imagef(target, (int2)(l, 0), (float4)(tile[31 - l] / 32.0f));
#else
    out[l] = read_imagef(image, nearest, (float2)(tile[31 - l], 0.0f)).x;
#endif
}
