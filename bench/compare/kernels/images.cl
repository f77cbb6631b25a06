// Pictures: what people do with images and samplers.
constant sampler_t nearest_edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t nearest_border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t linear_edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t linear_border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
constant sampler_t linear_normalized = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

int2 here() {
    return (int2)((int)get_global_id(0), (int)get_global_id(1));
}

// A bell of 5 x 5 texels.
kernel void blur(read_only image2d_t in, write_only image2d_t out, global const float* weights) {
    const int2 at = here();
    float4 sum = 0;
    for (int y = -2; y <= 2; ++y)
        for (int x = -2; x <= 2; ++x)
            sum += weights[(y + 2) * 5 + x + 2] * read_imagef(in, nearest_edge, at + (int2)(x, y));
    write_imagef(out, at, sum);
}

kernel void resize(read_only image2d_t in, write_only image2d_t out) {
    const int2 at = here();
    const float2 size = (float2)((float)get_image_width(out), (float)get_image_height(out));
    write_imagef(out, at, read_imagef(in, linear_normalized, (convert_float2(at) + 0.5f) / size));
}

kernel void rotate_picture(read_only image2d_t in, write_only image2d_t out, float cosine, float sine) {
    const int2 at = here();
    const float2 middle = 0.5f * (float2)((float)get_image_width(in), (float)get_image_height(in));
    const float2 d = convert_float2(at) + 0.5f - middle;
    const float2 from = (float2)(cosine * d.x - sine * d.y, sine * d.x + cosine * d.y) + middle;
    write_imagef(out, at, read_imagef(in, linear_border, from));
}

// Each texel comes from where a field of vectors says.
kernel void warp(read_only image2d_t in, read_only image2d_t field, write_only image2d_t out) {
    const int2 at = here();
    const float2 shift = read_imagef(field, nearest_edge, at).xy;
    write_imagef(out, at, read_imagef(in, linear_edge, convert_float2(at) + 0.5f + shift));
}

// Gradients by Sobel's masks, and the texels whose gradient is the largest across the edge.
kernel void edges(read_only image2d_t in, write_only image2d_t out) {
    const int2 at = here();
    float gx = 0, gy = 0;
    for (int k = -1; k <= 1; ++k) {
        const float weight = k == 0 ? 2.0f : 1.0f;
        gx += weight * (read_imagef(in, nearest_edge, at + (int2)(1, k)).x -
                        read_imagef(in, nearest_edge, at + (int2)(-1, k)).x);
        gy += weight * (read_imagef(in, nearest_edge, at + (int2)(k, 1)).x -
                        read_imagef(in, nearest_edge, at + (int2)(k, -1)).x);
    }
    write_imagef(out, at, (float4)(sqrt(gx * gx + gy * gy), gx, gy, 1.0f));
}

kernel void bilateral(read_only image2d_t in, write_only image2d_t out, float range) {
    const int2 at = here();
    const float4 own = read_imagef(in, nearest_edge, at);
    float4 sum = 0;
    float weights = 0;
    for (int y = -3; y <= 3; ++y) {
        for (int x = -3; x <= 3; ++x) {
            const float4 other = read_imagef(in, nearest_edge, at + (int2)(x, y));
            const float4 d = other - own;
            const float weight = native_exp(-(float)(x * x + y * y) * 0.08f - range * dot(d, d));
            sum += weight * other;
            weights += weight;
        }
    }
    write_imagef(out, at, sum / weights);
}

// The largest density along a ray through a volume.
kernel void volume_rays(read_only image3d_t in, write_only image2d_t out, float tilt) {
    const int2 at = here();
    const float2 uv = (convert_float2(at) + 0.5f) / (float2)((float)get_image_width(out), (float)get_image_height(out));
    float most = 0;
    for (int step = 0; step < 64; ++step) {
        const float t = ((float)step + 0.5f) / 64.0f;
        most = fmax(most, read_imagef(in, linear_normalized,
                                      (float4)(uv.x + tilt * (t - 0.5f), uv.y, t, 0.0f)).x);
    }
    write_imagef(out, at, (float4)(most, most, most, 1.0f));
}

// Full luminance, half the chrominance each way.
kernel void yuv_to_rgb(read_only image2d_t luminance, read_only image2d_t chrominance, write_only image2d_t out) {
    const int2 at = here();
    const float y = 1.164f * (read_imagef(luminance, nearest_edge, at).x - 0.0625f);
    const float2 uv = read_imagef(chrominance, nearest_edge, at / 2).xy - 0.5f;
    write_imagef(out, at, (float4)(y + 1.596f * uv.y, y - 0.391f * uv.x - 0.813f * uv.y, y + 2.018f * uv.x, 1.0f));
}

kernel void picture_histogram(read_only image2d_t in, global uint* counts) {
    local uint own[256];
    const uint item = get_local_id(1) * get_local_size(0) + get_local_id(0);
    own[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(own + read_imageui(in, nearest_edge, here()).x);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(counts + item, own[item]);
}

// The next level of a pyramid: four texels become one.
kernel void pyramid(read_only image2d_t in, write_only image2d_t out) {
    const int2 at = here();
    const int2 from = at * 2;
    write_imagef(out, at,
                 0.25f * (read_imagef(in, from) + read_imagef(in, from + (int2)(1, 0)) +
                          read_imagef(in, from + (int2)(0, 1)) + read_imagef(in, from + (int2)(1, 1))));
}

// Red, green, green and blue texels of a sensor: the missing ones are means.
kernel void bayer(read_only image2d_t in, write_only image2d_t out) {
    const int2 at = here();
    float around[9];
    for (int k = 0; k < 9; ++k)
        around[k] = read_imagef(in, nearest_edge, at + (int2)(k % 3 - 1, k / 3 - 1)).x;
    const float cross_mean = 0.25f * (around[1] + around[3] + around[5] + around[7]);
    const float corners = 0.25f * (around[0] + around[2] + around[6] + around[8]);
    const float beside = 0.5f * (around[3] + around[5]);
    const float above = 0.5f * (around[1] + around[7]);
    const bool odd_x = (at.x & 1) != 0, odd_y = (at.y & 1) != 0;
    const float red = odd_x ? (odd_y ? corners : beside) : (odd_y ? above : around[4]);
    const float blue = odd_x ? (odd_y ? around[4] : above) : (odd_y ? beside : corners);
    const float green = odd_x == odd_y ? cross_mean : around[4];
    write_imagef(out, at, (float4)(red, green, blue, 1.0f));
}

// Erosion by a cross of nine texels.
kernel void erode(read_only image2d_t in, write_only image2d_t out) {
    const int2 at = here();
    uint least = 255;
    for (int k = -2; k <= 2; ++k) {
        least = min(least, read_imageui(in, nearest_border, at + (int2)(k, 0)).x);
        least = min(least, read_imageui(in, nearest_border, at + (int2)(0, k)).x);
    }
    write_imageui(out, at, (uint4)(least, 0, 0, 0));
}
