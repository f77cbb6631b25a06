#include "fixture.h"

#include <array>
#include <numeric>

namespace visor::opencl_test {

namespace {

using Triple = std::array<size_t, 3>;

class Images : public OpenCl {
protected:
    cl_mem image(cl_mem_object_type type, cl_image_format format, Triple size, size_t layers = 0,
                 void* host = nullptr, cl_mem_flags flags = CL_MEM_READ_WRITE, size_t row = 0) {
        cl_image_desc wish{};
        wish.image_type = type;
        wish.image_width = size[0];
        wish.image_height = size[1];
        wish.image_depth = size[2];
        wish.image_array_size = layers;
        wish.image_row_pitch = row;
        return keep(clCreateImage(context, flags | (host == nullptr ? 0 : CL_MEM_COPY_HOST_PTR), &format,
                                  &wish, host, &code));
    }
    std::vector<cl_uint> pixels(cl_mem from, Triple origin, Triple region) {
        std::vector<cl_uint> out(region[0] * region[1] * region[2]);
        EXPECT_EQ(clEnqueueReadImage(queue, from, CL_TRUE, origin.data(), region.data(), 0, 0, out.data(), 0,
                                     nullptr, nullptr),
                  CL_SUCCESS);
        return out;
    }
};

constexpr cl_image_format r32{CL_R, CL_UNSIGNED_INT32};

// Modulo 2^64 their rows lie on top of each other.
TEST_F(Images, PitchesThatWrapAreRefused) {
    constexpr size_t half = size_t{1} << 63U;
    std::vector<cl_uint> host(16);
    cl_image_desc wish{};
    wish.image_type = CL_MEM_OBJECT_IMAGE2D;
    wish.image_width = 4;
    wish.image_row_pitch = half;
    const auto refused = [&](cl_mem_flags flags, void* from) {
        EXPECT_EQ(clCreateImage(context, flags, &r32, &wish, from, &code), nullptr);
        return code;
    };
    for (const size_t height : {4U, 3U}) {
        wish.image_height = height;
        EXPECT_EQ(refused(CL_MEM_COPY_HOST_PTR, host.data()), CL_INVALID_IMAGE_DESCRIPTOR);
        EXPECT_EQ(refused(CL_MEM_USE_HOST_PTR, host.data()), CL_INVALID_IMAGE_DESCRIPTOR);
    }
    wish.buffer = keep(clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &code));
    EXPECT_NE(refused(CL_MEM_READ_WRITE, nullptr), CL_SUCCESS);
    const cl_mem whole = image(CL_MEM_OBJECT_IMAGE2D, r32, {4, 4, 0});
    ASSERT_NE(whole, nullptr);
    const Triple none{};
    const Triple all{4, 4, 1};
    EXPECT_EQ(clEnqueueReadImage(queue, whole, CL_TRUE, none.data(), all.data(), half, 0, host.data(), 0,
                                 nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueWriteImage(queue, whole, CL_TRUE, none.data(), all.data(), half, 0, host.data(), 0,
                                  nullptr, nullptr),
              CL_INVALID_VALUE);
}

TEST_F(Images, ImagesAreChecked) {
    cl_image_desc wish{};
    wish.image_type = CL_MEM_OBJECT_IMAGE2D;
    wish.image_width = 4;
    EXPECT_EQ(clCreateImage(context, 0, &r32, &wish, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_IMAGE_SIZE);
    wish.image_height = 4;
    wish.image_row_pitch = 64;
    EXPECT_EQ(clCreateImage(context, 0, &r32, &wish, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_IMAGE_DESCRIPTOR);
    wish.image_row_pitch = 0;
    EXPECT_EQ(clCreateImage(context, 0, nullptr, &wish, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    const cl_image_format wrong{CL_RGB, CL_FLOAT};
    EXPECT_EQ(clCreateImage(context, 0, &wrong, &wish, nullptr, &code), nullptr);
    EXPECT_TRUE(code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR || code == CL_IMAGE_FORMAT_NOT_SUPPORTED);
    wish.num_mip_levels = 2;
    EXPECT_EQ(clCreateImage(context, 0, &r32, &wish, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_IMAGE_DESCRIPTOR);
    cl_uint formats = 0;
    EXPECT_EQ(
        clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &formats),
        CL_SUCCESS);
    EXPECT_GE(formats, 37U);
    EXPECT_EQ(
        clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_BUFFER, 0, nullptr, &formats),
        CL_INVALID_VALUE);
}

TEST_F(Images, RegionsOfPixelsMove) {
    std::vector<cl_uint> host(24);
    std::iota(host.begin(), host.end(), 0U);
    const cl_mem plane =
        image(CL_MEM_OBJECT_IMAGE2D, r32, {4, 3, 0}, 0, host.data(), CL_MEM_READ_WRITE, 32); // 8 a row
    EXPECT_EQ(pixels(plane, {1, 1, 0}, {2, 2, 1}), (std::vector<cl_uint>{9, 10, 17, 18}));
    const Triple at{0, 0, 0};
    const Triple one{1, 2, 1};
    const std::array<cl_uint, 2> write{100, 200};
    EXPECT_EQ(clEnqueueWriteImage(queue, plane, CL_TRUE, at.data(), one.data(), 0, 0, write.data(), 0,
                                  nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(pixels(plane, {0, 0, 0}, {2, 2, 1}), (std::vector<cl_uint>{100, 1, 200, 9}));
    const cl_mem other = image(CL_MEM_OBJECT_IMAGE2D, r32, {4, 4, 0});
    const Triple to{2, 2, 0};
    const Triple two{2, 2, 1};
    EXPECT_EQ(clEnqueueCopyImage(queue, plane, other, at.data(), to.data(), two.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(pixels(other, {1, 2, 0}, {3, 1, 1}), (std::vector<cl_uint>{0, 100, 1}));
    EXPECT_EQ(clEnqueueCopyImage(queue, plane, plane, at.data(), at.data(), two.data(), 0, nullptr, nullptr),
              CL_MEM_COPY_OVERLAP);
    const Triple outside{3, 3, 0};
    EXPECT_EQ(
        clEnqueueCopyImage(queue, plane, other, at.data(), outside.data(), two.data(), 0, nullptr, nullptr),
        CL_INVALID_VALUE);
    const cl_mem bytes = buffer(std::vector<cl_uint>(6, 0));
    EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, plane, bytes, at.data(), two.data(), 8, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(content<cl_uint>(bytes, 6), (std::vector<cl_uint>{0, 0, 100, 1, 200, 9}));
    EXPECT_EQ(clEnqueueCopyBufferToImage(queue, bytes, other, 8, at.data(), two.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(pixels(other, {0, 1, 0}, {2, 1, 1}), (std::vector<cl_uint>{200, 9}));
}

TEST_F(Images, ALayerOfAOneDimensionalArrayIsTheSecondNumber) {
    std::vector<cl_uint> host(12);
    std::iota(host.begin(), host.end(), 0U);
    const cl_mem lines = image(CL_MEM_OBJECT_IMAGE1D_ARRAY, r32, {4, 0, 0}, 3, host.data());
    EXPECT_EQ(pixels(lines, {1, 2, 0}, {2, 1, 1}), (std::vector<cl_uint>{9, 10}));
    const cl_mem plane = image(CL_MEM_OBJECT_IMAGE2D, r32, {4, 3, 0});
    const Triple at{0, 0, 0};
    const Triple all{4, 3, 1};
    EXPECT_EQ(clEnqueueCopyImage(queue, lines, plane, at.data(), at.data(), all.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(pixels(plane, {0, 0, 0}, {4, 3, 1}), host);
    size_t height = 9;
    size_t layers = 0;
    EXPECT_EQ(clGetImageInfo(lines, CL_IMAGE_HEIGHT, sizeof height, &height, nullptr), CL_SUCCESS);
    EXPECT_EQ(clGetImageInfo(lines, CL_IMAGE_ARRAY_SIZE, sizeof layers, &layers, nullptr), CL_SUCCESS);
    EXPECT_EQ(height, 0U);
    EXPECT_EQ(layers, 3U);
}

TEST_F(Images, ColoursFillAsTheFormatHasThem) {
    const cl_mem plane = image(CL_MEM_OBJECT_IMAGE2D, {CL_RGBA, CL_UNORM_INT8}, {2, 2, 0});
    const std::array<float, 4> colour{1.0F, 0.5F, 0.0F, 2.0F};
    const Triple at{1, 0, 0};
    const Triple region{1, 2, 1};
    EXPECT_EQ(clEnqueueFillImage(queue, plane, colour.data(), at.data(), region.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(pixels(plane, {0, 0, 0}, {2, 1, 1}), (std::vector<cl_uint>{0, 0xff0080ff}));
}

TEST_F(Images, MapsTellPitches) {
    std::vector<cl_uint> host(18);
    std::iota(host.begin(), host.end(), 0U);
    const cl_mem cube = image(CL_MEM_OBJECT_IMAGE3D, r32, {3, 2, 3}, 0, host.data());
    const Triple at{1, 1, 2};
    const Triple one{1, 1, 1};
    size_t row = 0;
    size_t slice = 0;
    auto* shown = static_cast<cl_uint*>(clEnqueueMapImage(
        queue, cube, CL_TRUE, CL_MAP_READ, at.data(), one.data(), &row, &slice, 0, nullptr, nullptr, &code));
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(*shown, 16U);
    EXPECT_EQ(row, 12U);
    EXPECT_EQ(slice, 24U);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, cube, shown, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueMapImage(queue, cube, CL_TRUE, CL_MAP_READ, at.data(), one.data(), &row, nullptr, 0,
                                nullptr, nullptr, &code),
              nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
}

TEST_F(Images, KernelsSampleAndWrite) {
    const std::array<float, 4> host{0.0F, 1.0F, 2.0F, 3.0F};
    std::vector<float> copy(host.begin(), host.end());
    const cl_mem from =
        image(CL_MEM_OBJECT_IMAGE2D, {CL_R, CL_FLOAT}, {2, 2, 0}, 0, copy.data(), CL_MEM_READ_ONLY);
    const cl_mem to = image(CL_MEM_OBJECT_IMAGE2D, {CL_R, CL_FLOAT}, {2, 2, 0});
    const cl_sampler sampler =
        clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, &code);
    const cl_kernel kernel = kernel_of(
        "kernel void k(read_only image2d_t a, write_only image2d_t b, sampler_t s) {"
        "  int2 p = (int2)(get_global_id(0), get_global_id(1));"
        "  write_imagef(b, p, read_imagef(a, s, (float2)(0.5f, 0.25f + 0.5f * p.y)) + (float4)(p.x * 10)); }",
        "k");
    EXPECT_EQ(set(kernel, 0, from), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 1, to), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 2, sampler), CL_SUCCESS);
    const std::array<size_t, 2> global{2, 2};
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global.data(), nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    std::array<float, 4> out{};
    const Triple at{};
    const Triple all{2, 2, 1};
    EXPECT_EQ(
        clEnqueueReadImage(queue, to, CL_TRUE, at.data(), all.data(), 0, 0, out.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(out, (std::array<float, 4>{0.5F, 10.5F, 2.5F, 12.5F}));
    EXPECT_EQ(set(kernel, 1, from), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
}

TEST_F(Images, ABufferCanBeSeenAsAnImage) {
    const cl_mem bytes = buffer(std::vector<cl_uint>{1, 2, 3, 4, 5, 6, 7, 8});
    cl_image_desc wish{};
    wish.image_type = CL_MEM_OBJECT_IMAGE2D;
    wish.image_width = 2;
    wish.image_height = 2;
    wish.image_row_pitch = 16;
    wish.buffer = bytes;
    const cl_mem plane = keep(clCreateImage(context, 0, &r32, &wish, nullptr, &code));
    EXPECT_EQ(pixels(plane, {0, 1, 0}, {2, 1, 1}), (std::vector<cl_uint>{5, 6}));
    cl_mem told = nullptr;
    EXPECT_EQ(clGetImageInfo(plane, CL_IMAGE_BUFFER, sizeof told, &told, nullptr), CL_SUCCESS);
    EXPECT_EQ(told, bytes);
    wish.image_height = 4;
    EXPECT_EQ(clCreateImage(context, 0, &r32, &wish, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_IMAGE_DESCRIPTOR);
}

// As without a sampler, where the compiler's own code does that (ruling 143).
TEST_F(Images, ASamplerReadsDenormalsAsZeros) {
    const cl_kernel kernel = kernel_of(
        "kernel void k(read_only image1d_t in, sampler_t s, global uint4* with, global uint4* without)"
        "{ int i = get_global_id(0);\n"
        "  with[i] = as_uint4(read_imagef(in, s, i)); without[i] = as_uint4(read_imagef(in, i)); }",
        "k");
    std::vector<cl_uint> bits{0, 1, 0x007fffff, 0x80000001, 0x807fffff, 0x00800000, 0x80800000, 0x80000000};
    const std::vector<cl_uint> expected{0, 0, 0, 0x80000000, 0x80000000, 0x00800000, 0x80800000, 0x80000000};
    const cl_mem in = image(CL_MEM_OBJECT_IMAGE1D, {CL_RGBA, CL_FLOAT}, {2, 0, 0}, 0, bits.data());
    const cl_mem with = buffer(std::vector<cl_uint>(8, 7));
    const cl_mem without = buffer(std::vector<cl_uint>(8, 7));
    const cl_sampler sampler =
        clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(set(kernel, 0, in), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 1, sampler), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 2, with), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 3, without), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 2), CL_SUCCESS);
    EXPECT_EQ(content<cl_uint>(with, 8), expected);
    EXPECT_EQ(content<cl_uint>(without, 8), expected);
    EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
}

} // namespace

} // namespace visor::opencl_test
