// Images lie in the memory that they are made of: whatever sizes and pitches they are asked for, an image
// that is made can be written and read from its first pixel to its last, and what would leave its memory, or
// wrap in 64 bits, is refused.
#include "fixture.h"

#include <array>
#include <limits>
#include <optional>

namespace visor::opencl_test {

namespace {

constexpr size_t two_to(unsigned n) {
    return size_t{1} << n;
}
constexpr size_t host_bytes = two_to(20);

struct Shape {
    cl_mem_object_type type = 0;
    size_t width = 0;
    size_t height = 0;
    size_t depth = 0;
    size_t layers = 0;
};

constexpr std::array<Shape, 6> shapes{{
    {CL_MEM_OBJECT_IMAGE1D, 16, 0, 0, 0},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, 16, 0, 0, 0},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, 16, 0, 0, 4},
    {CL_MEM_OBJECT_IMAGE2D, 16, 4, 0, 0},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, 16, 4, 0, 4},
    {CL_MEM_OBJECT_IMAGE3D, 16, 4, 4, 0},
}};

constexpr cl_image_format four_bytes{CL_RGBA, CL_UNSIGNED_INT8};
constexpr cl_image_format sixteen_bytes{CL_RGBA, CL_UNSIGNED_INT32};

// Pitches of which some product with four rows or slices, or with the pixels of a row, leaves 64 bits or any
// memory; and good ones, and those beside them.
const std::array<size_t, 22>& pitches() {
    static const std::array<size_t, 22> all{0,
                                            1,
                                            63,
                                            64,
                                            65,
                                            68,
                                            128,
                                            256,
                                            1024,
                                            two_to(20),
                                            two_to(31),
                                            two_to(32),
                                            two_to(32) + 64,
                                            two_to(48),
                                            two_to(61),
                                            two_to(62),
                                            two_to(62) + 64,
                                            two_to(63),
                                            two_to(63) + 64,
                                            std::numeric_limits<size_t>::max() - 63,
                                            std::numeric_limits<size_t>::max() - 3,
                                            std::numeric_limits<size_t>::max()};
    return all;
}

class ImageMemory : public OpenCl {
protected:
    enum class Form : uint8_t { plain, with_properties };

    static cl_image_desc wish_of(const Shape& shape) {
        cl_image_desc wish{};
        wish.image_type = shape.type;
        wish.image_width = shape.width;
        wish.image_height = shape.height;
        wish.image_depth = shape.depth;
        wish.image_array_size = shape.layers;
        return wish;
    }
    cl_mem make(Form form, cl_mem_flags flags, const cl_image_format& format, const cl_image_desc& wish,
                void* pixels) {
        code = 1;
        const cl_mem made = form == Form::plain ? clCreateImage(context, flags, &format, &wish, pixels, &code)
                                                : clCreateImageWithProperties(context, nullptr, flags,
                                                                              &format, &wish, pixels, &code);
        EXPECT_EQ(made == nullptr, code != CL_SUCCESS);
        return made;
    }
    // Every pixel of it, and all that is its host's.
    void use(cl_mem image, const Shape& shape, size_t pixel) {
        const std::array<size_t, 3> origin{};
        std::array<size_t, 3> region{shape.width, std::max<size_t>(shape.height, 1),
                                     std::max({shape.depth, shape.layers, size_t{1}})};
        if (shape.type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
            std::swap(region[1], region[2]);
        const size_t bytes = region[0] * region[1] * region[2] * pixel;
        const std::vector<unsigned char> wanted(bytes, 0x5a);
        EXPECT_EQ(clEnqueueWriteImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0,
                                      wanted.data(), 0, nullptr, nullptr),
                  CL_SUCCESS);
        std::vector<unsigned char> found(bytes);
        EXPECT_EQ(clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0, found.data(),
                                     0, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(found, wanted);
        size_t row = 0;
        size_t slice = 0;
        void* const shown =
            clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin.data(), region.data(),
                              &row, &slice, 0, nullptr, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        if (shown != nullptr) {
            EXPECT_EQ(clEnqueueUnmapMemObject(queue, image, shown, 0, nullptr, nullptr), CL_SUCCESS);
        }
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    }
    void use_if_made(cl_mem image, const Shape& shape, size_t pixel) {
        if (image == nullptr) {
            EXPECT_TRUE(code == CL_INVALID_IMAGE_DESCRIPTOR || code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR ||
                        code == CL_INVALID_IMAGE_SIZE || code == CL_INVALID_HOST_PTR)
                << code;
            return;
        }
        use(image, shape, pixel);
        EXPECT_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
    // Bytes of the host's memory that such an image takes; nothing: it cannot be described in 64 bits.
    static std::optional<size_t> host_extent(const Shape& shape, size_t row, size_t slice) {
        const __uint128_t rows = std::max<size_t>(shape.height, 1);
        const __uint128_t slices = std::max({shape.depth, shape.layers, size_t{1}});
        const __uint128_t packed_row = std::max<size_t>(row, 64);
        const __uint128_t all = std::max<__uint128_t>(slice, packed_row * rows) * slices;
        return all > host_bytes ? std::nullopt : std::optional(static_cast<size_t>(all));
    }

    std::vector<unsigned char> host = std::vector<unsigned char>(host_bytes);
};

TEST_F(ImageMemory, ImagesOfBuffers) {
    for (const size_t bytes : {size_t{1}, size_t{63}, size_t{64}, size_t{255}, size_t{256}, size_t{4096}}) {
        const cl_mem memory = keep(clCreateBuffer(context, 0, bytes, nullptr, &code));
        for (const Shape& shape : shapes)
            for (const size_t row : pitches())
                for (const size_t slice : {size_t{0}, size_t{256}, two_to(62), two_to(63)})
                    for (const Form form : {Form::plain, Form::with_properties}) {
                        cl_image_desc wish = wish_of(shape);
                        wish.buffer = memory;
                        wish.image_row_pitch = row;
                        wish.image_slice_pitch = slice;
                        const cl_mem made = make(form, 0, four_bytes, wish, nullptr);
                        const size_t rows = std::max<size_t>(shape.height, 1);
                        const bool fits =
                            bytes / rows >= std::max<size_t>(row, 64); // also without a pitch: 64 bytes a row
                        EXPECT_TRUE(fits || made == nullptr)
                            << shape.type << ": " << bytes << " bytes, rows " << row << " apart";
                        use_if_made(made, shape, 4);
                    }
    }
}

TEST_F(ImageMemory, ImagesOfImages) {
    for (const Shape& shape : shapes) {
        cl_image_desc wish = wish_of(shape);
        if (shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
            wish.buffer = keep(clCreateBuffer(context, 0, 64, nullptr, &code));
        const cl_mem parent = keep(make(Form::plain, 0, four_bytes, wish, nullptr));
        for (const Shape& seen : shapes)
            for (const cl_image_format& format :
                 {four_bytes, sixteen_bytes, cl_image_format{CL_RGBA, CL_UNORM_INT8},
                  cl_image_format{CL_R, CL_UNSIGNED_INT8}, cl_image_format{CL_RGBA, CL_FLOAT}}) {
                cl_image_desc other = wish_of(seen);
                other.buffer = parent;
                const cl_mem made = make(Form::plain, 0, format, other, nullptr);
                const bool same = format.image_channel_order == CL_RGBA &&
                                  format.image_channel_data_type == CL_UNSIGNED_INT8;
                const bool planes = shape.type == CL_MEM_OBJECT_IMAGE2D && seen.type == CL_MEM_OBJECT_IMAGE2D;
                EXPECT_EQ(made != nullptr, same && planes);
                if (planes && !same) {
                    EXPECT_EQ(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
                }
                use_if_made(made, seen, 4);
            }
    }
}

TEST_F(ImageMemory, HostPointersWithPitches) {
    for (const Shape& shape : shapes) {
        if (shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
            continue;
        const bool has_slices = shape.layers != 0 || shape.depth != 0;
        for (const size_t row : pitches())
            for (const size_t slice : pitches()) {
                // Of one slice the slice pitch says nothing.
                const auto extent = host_extent(shape, row, has_slices ? slice : 0);
                // What is described well, but is longer than the memory that this test has, would be its own
                // mistake. No memory is as long as others say.
                if (!extent && std::max(row, has_slices ? slice : 0) < two_to(48))
                    continue;
                cl_image_desc wish = wish_of(shape);
                wish.image_row_pitch = row;
                wish.image_slice_pitch = slice;
                for (const cl_mem_flags flag :
                     {cl_mem_flags{CL_MEM_USE_HOST_PTR}, cl_mem_flags{CL_MEM_COPY_HOST_PTR}}) {
                    const Form form = slice % 2 == 0 ? Form::plain : Form::with_properties;
                    const cl_mem made = make(form, flag, four_bytes, wish, host.data());
                    EXPECT_TRUE(extent || made == nullptr) << shape.type << ": " << row << ", " << slice;
                    use_if_made(made, shape, 4);
                }
            }
    }
}

// Pitches say how the host's memory lies: without any they are refused.
TEST_F(ImageMemory, PitchesWithoutAPointer) {
    for (const Shape& shape : shapes)
        for (const size_t pitch : pitches()) {
            cl_image_desc wish = wish_of(shape);
            (pitch % 2 == 0 ? wish.image_row_pitch : wish.image_slice_pitch) = pitch;
            const cl_mem made = make(Form::plain, 0, four_bytes, wish, nullptr);
            if (pitch != 0) {
                EXPECT_EQ(made, nullptr);
            }
            if (made != nullptr) {
                EXPECT_EQ(clReleaseMemObject(made), CL_SUCCESS);
            }
        }
}

TEST_F(ImageMemory, SizesWhoseProductWraps) {
    const std::array<size_t, 9> sizes{1,          two_to(16), two_to(31),     two_to(32), two_to(33),
                                      two_to(62), two_to(63), two_to(32) + 1, SIZE_MAX};
    for (const Shape& shape : shapes)
        for (const size_t width : sizes)
            for (const size_t height : sizes)
                for (const size_t depth : sizes) {
                    cl_image_desc wish{};
                    wish.image_type = shape.type;
                    wish.image_width = width;
                    wish.image_height = height;
                    wish.image_depth = wish.image_array_size = depth;
                    const cl_mem made = make(Form::plain, 0, sixteen_bytes, wish, nullptr);
                    if (made != nullptr) {
                        size_t told = 0;
                        EXPECT_EQ(clGetImageInfo(made, CL_IMAGE_WIDTH, sizeof told, &told, nullptr),
                                  CL_SUCCESS);
                        EXPECT_EQ(told, width); // no number of fewer bits
                        EXPECT_EQ(clReleaseMemObject(made), CL_SUCCESS);
                    }
                }
}

TEST_F(ImageMemory, OlderFormsOfCreation) {
    for (const size_t pitch : pitches()) {
        if (pitch > 1024 && pitch < two_to(48))
            continue;
        const bool fits = pitch <= 1024;
        const cl_mem plane =
            clCreateImage2D(context, CL_MEM_USE_HOST_PTR, &four_bytes, 16, 4, pitch, host.data(), &code);
        if (!fits) {
            EXPECT_EQ(plane, nullptr) << pitch;
        }
        if (plane != nullptr) {
            use(plane, {CL_MEM_OBJECT_IMAGE2D, 16, 4, 0, 0}, 4);
            EXPECT_EQ(clReleaseMemObject(plane), CL_SUCCESS);
        }
        const cl_mem solid = clCreateImage3D(context, CL_MEM_COPY_HOST_PTR, &four_bytes, 16, 4, 4, 64, pitch,
                                             host.data(), &code);
        if (!fits) {
            EXPECT_EQ(solid, nullptr) << pitch;
        }
        if (solid != nullptr) {
            use(solid, {CL_MEM_OBJECT_IMAGE3D, 16, 4, 4, 0}, 4);
            EXPECT_EQ(clReleaseMemObject(solid), CL_SUCCESS);
        }
    }
}

// The host's side of a command, too: pitches whose products have more than 64 bits.
TEST_F(ImageMemory, HostPitchesOfCommands) {
    const Shape shape{CL_MEM_OBJECT_IMAGE3D, 16, 4, 4, 0};
    const cl_mem solid = keep(make(Form::plain, 0, four_bytes, wish_of(shape), nullptr));
    const cl_mem bytes = keep(clCreateBuffer(context, 0, 4096, nullptr, &code));
    const std::array<size_t, 3> origin{};
    const std::array<size_t, 3> region{16, 4, 4};
    for (const size_t row : {two_to(61), two_to(62) + 64, two_to(63), SIZE_MAX})
        for (const size_t slice : {size_t{0}, two_to(62), two_to(63), SIZE_MAX}) {
            EXPECT_EQ(clEnqueueReadImage(queue, solid, CL_TRUE, origin.data(), region.data(), row, slice,
                                         host.data(), 0, nullptr, nullptr),
                      CL_INVALID_VALUE);
            EXPECT_EQ(clEnqueueWriteImage(queue, solid, CL_TRUE, origin.data(), region.data(), row, slice,
                                          host.data(), 0, nullptr, nullptr),
                      CL_INVALID_VALUE);
            EXPECT_EQ(clEnqueueReadBufferRect(queue, bytes, CL_TRUE, origin.data(), origin.data(),
                                              region.data(), 0, 0, row, slice, host.data(), 0, nullptr,
                                              nullptr),
                      CL_INVALID_VALUE);
            EXPECT_EQ(clEnqueueWriteBufferRect(queue, bytes, CL_TRUE, origin.data(), origin.data(),
                                               region.data(), row, slice, 0, 0, host.data(), 0, nullptr,
                                               nullptr),
                      CL_INVALID_VALUE);
        }
    EXPECT_EQ(clEnqueueReadImage(queue, solid, CL_TRUE, origin.data(), region.data(), 64, two_to(62) + 64,
                                 host.data(), 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    const std::array<size_t, 3> far{0, two_to(62), two_to(62)};
    EXPECT_EQ(clEnqueueReadBufferRect(queue, bytes, CL_TRUE, origin.data(), far.data(), region.data(), 0, 0,
                                      64, 256, host.data(), 0, nullptr, nullptr),
              CL_INVALID_VALUE);
}

} // namespace

} // namespace visor::opencl_test
