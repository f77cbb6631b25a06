// Images: kernels that read pictures with and without samplers, of the formats that picture people have.
#include "builder.h"

#include <cmath>

namespace visor::compare {

namespace {

constexpr size_t side = 512;
constexpr ImageLayout bytes4{.order = CL_RGBA, .type = CL_UNORM_INT8, .size = {side, side, 1}};
constexpr ImageLayout byte{.order = CL_R, .type = CL_UNORM_INT8, .size = {side, side, 1}};
constexpr ImageLayout number{.order = CL_R, .type = CL_UNSIGNED_INT8, .size = {side, side, 1}};
constexpr ImageLayout floats4{.order = CL_RGBA, .type = CL_FLOAT, .size = {side, side, 1}};

ImageLayout of_size(ImageLayout layout, size_t width, size_t height, size_t depth = 1) {
    layout.size = {width, height, depth};
    return layout;
}

Builder on_pictures(const char* name, const char* kernel) {
    Builder builder(name, "images");
    builder.kernel(kernel);
    return builder;
}

// An item for each texel of a square.
Work over_texels(Builder& builder, size_t texels = side, double tolerance = 1e-3) {
    return builder.over(2, {texels, texels, 1}, {16, 16, 1}).done(tolerance, 0, nullptr);
}

std::vector<float> bell() {
    std::vector<float> weights;
    for (int y = -2; y <= 2; ++y)
        for (int x = -2; x <= 2; ++x)
            weights.push_back(std::exp(-0.4F * static_cast<float>(x * x + y * y)) * 0.13F);
    return weights;
}

Work volume_rays() {
    constexpr size_t edge = 128;
    const ImageLayout volume{
        .order = CL_R, .type = CL_UNORM_INT16, .size = {edge, edge, edge}, .dimensions = 3};
    return over_texels(on_pictures("volume rays", "volume_rays")
                           .image(volume, integers<uint16_t>(edge * edge * edge))
                           .result_image(of_size(bytes4, side / 2, side / 2))
                           .value(0.4F),
                       side / 2);
}

Work yuv() {
    const ImageLayout half{.order = CL_RGBA, .type = CL_UNORM_INT8, .size = {side / 2, side / 2, 1}};
    return over_texels(on_pictures("YUV to RGB", "yuv_to_rgb")
                           .image(byte, integers<uint8_t>(side * side))
                           .image(half, integers<uint8_t>(side * side))
                           .result_image(bytes4));
}

Work warp() {
    return over_texels(on_pictures("warp", "warp")
                           .image(floats4, floats(side * side * 4, 0, 1))
                           .image(floats4, floats(side * side * 4, -6, 6))
                           .result_image(floats4));
}

} // namespace

std::vector<Work> image_set() {
    const auto pictures = [] { return integers<uint8_t>(side * side * 4); };
    const auto bytes = [] { return integers<uint8_t>(side * side); };
    std::vector<Work> all;
    all.push_back(over_texels(
        on_pictures("blur", "blur").image(bytes4, pictures()).result_image(bytes4).input(bell())));
    all.push_back(over_texels(on_pictures("blur, floats", "blur")
                                  .image(floats4, floats(side * side * 4, 0, 1))
                                  .result_image(floats4)
                                  .input(bell())));
    all.push_back(
        over_texels(on_pictures("resize", "resize")
                        .image(of_size(bytes4, side / 2, side / 4), integers<uint8_t>(side * side / 2))
                        .result_image(bytes4)));
    all.push_back(over_texels(on_pictures("rotation", "rotate_picture")
                                  .image(bytes4, pictures())
                                  .result_image(bytes4)
                                  .value(0.92F)
                                  .value(0.39F)));
    all.push_back(warp());
    all.push_back(over_texels(on_pictures("edges", "edges").image(byte, bytes()).result_image(floats4)));
    all.push_back(over_texels(
        on_pictures("bilateral", "bilateral").image(bytes4, pictures()).result_image(bytes4).value(4.0F)));
    all.push_back(volume_rays());
    all.push_back(yuv());
    all.push_back(over_texels(on_pictures("histogram of a picture", "picture_histogram")
                                  .image(number, bytes())
                                  .output(256 * sizeof(uint32_t)),
                              side, 0));
    all.push_back(over_texels(on_pictures("pyramid", "pyramid")
                                  .image(bytes4, pictures())
                                  .result_image(of_size(bytes4, side / 2, side / 2)),
                              side / 2));
    all.push_back(over_texels(on_pictures("Bayer", "bayer").image(byte, bytes()).result_image(bytes4)));
    all.push_back(
        over_texels(on_pictures("erosion", "erode").image(number, bytes()).result_image(number), side, 0));
    return all;
}

} // namespace visor::compare
