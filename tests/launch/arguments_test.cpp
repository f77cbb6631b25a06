#include "launch/arguments.h"
#include "sample.h"

#include <gtest/gtest.h>

namespace visor::launch {
namespace {

class Arguments : public testing::Test {
protected:
    machine::Memory memory_{uint64_t{64} << 20U};
    uint64_t address_ = memory_.allocate(1024, "a").value();
    Signature saxpy_ = sample("saxpy.skl.zebin").kernels.at(0).signature;
    Signature values_ = sample("values.skl.zebin").kernels.at(0).signature;
    Signature locals_ = sample("locals.skl.zebin").kernels.at(0).signature;
    std::vector<ArgumentValue> good_{Buffer{address_, 512}, Buffer{address_ + 512, 512}, bytes_of(2.0F),
                                     bytes_of(128)};

    [[nodiscard]] auto check(const Signature& signature, const std::vector<ArgumentValue>& values) const {
        return check_arguments(signature, isa::device(isa::DeviceId::skl), values, memory_);
    }
    [[nodiscard]] std::string error_of(const Signature& signature,
                                       const std::vector<ArgumentValue>& values) const {
        const auto result = check(signature, values);
        EXPECT_FALSE(result);
        return result ? "" : result.error().message;
    }
    // The good arguments of saxpy but for one.
    [[nodiscard]] std::string error_with(size_t index, ArgumentValue value) const {
        std::vector<ArgumentValue> values = good_;
        values[index] = std::move(value);
        return error_of(saxpy_, values);
    }
};

TEST_F(Arguments, RightOnesPass) {
    EXPECT_TRUE(check(saxpy_, good_));
    std::vector<ArgumentValue> values = good_;
    values[0] = Buffer{}; // a null pointer
    EXPECT_TRUE(check(saxpy_, values));
}

TEST_F(Arguments, ErrorsNameTheArgument) {
    EXPECT_EQ(error_of(saxpy_, {good_[0]}), "kernel `saxpy` takes 4 arguments, not 1");
    EXPECT_EQ(error_with(3, std::monostate{}), "argument 3 `n` of kernel `saxpy` is not set");
    EXPECT_EQ(error_with(2, bytes_of(2.0)), "argument 2 `a` has 4 bytes (float), not 8");
    EXPECT_EQ(error_with(0, bytes_of(1)),
              "argument 0 `y` is a global pointer: it takes a buffer, not a value");
    EXPECT_EQ(error_with(2, good_[0]), "argument 2 `a` is passed by value: it takes bytes, not a buffer");
    EXPECT_EQ(error_with(1, LocalBytes{16}),
              "argument 1 `x` is a global pointer: it takes a buffer, not local memory");
    EXPECT_EQ(error_with(0, Buffer{16, 4}),
              "argument 0 `y` is a buffer of 4 bytes at 0x10, which is no memory of the device");
    EXPECT_EQ(error_with(0, Buffer{address_, 1025}).substr(0, 39), "argument 0 `y` is a buffer of 1025 byte")
        << "longer than its allocation";
}

TEST_F(Arguments, WithoutANameTheIndexDoes) {
    saxpy_.arguments[3].name.clear();
    EXPECT_EQ(error_with(3, std::monostate{}), "argument 3 of kernel `saxpy` is not set");
}

TEST_F(Arguments, VectorsOfThreeComeWithTwelveOrSixteenBytes) {
    std::vector<ArgumentValue> values{std::vector<std::byte>(32), std::vector<std::byte>(12), bytes_of('a'),
                                      bytes_of(int16_t{1}),       std::vector<std::byte>(4),  bytes_of(1.0),
                                      Buffer{address_, 64}};
    EXPECT_TRUE(check(values_, values));
    values[1] = std::vector<std::byte>(16);
    EXPECT_TRUE(check(values_, values));
    values[1] = std::vector<std::byte>(8);
    EXPECT_EQ(error_of(values_, values), "argument 1 `v` has 16 bytes (float3), not 8");
    values[1] = std::vector<std::byte>(16);
    values[4] = std::vector<std::byte>(3);
    EXPECT_EQ(error_of(values_, values), "argument 4 `u4` has 4 bytes (uchar4), not 3");
}

TEST_F(Arguments, LocalMemoryIsLaidOutBehindTheKernelsOwn) {
    const auto result = check(
        locals_, {Buffer{address_, 64}, LocalBytes{5}, LocalBytes{32}, LocalBytes{6}, Buffer{address_, 64}});
    ASSERT_TRUE(result) << result.error().message;
    // Offsets count from the end of the kernel's 32 bytes; alignments are 1, 16 and 4.
    EXPECT_EQ(result->local_offsets, (std::vector<uint32_t>{0, 0, 16, 48, 0}));
    EXPECT_EQ(result->slm_bytes, 96U) << "32 + 54, rounded up to an oword";
}

TEST_F(Arguments, LocalMemoryIsLimited) {
    const Buffer buffer{address_, 64};
    EXPECT_EQ(error_of(locals_, {buffer, LocalBytes{0}, LocalBytes{1}, LocalBytes{1}, buffer}),
              "argument 1 `a` asks for 0 bytes of local memory");
    EXPECT_EQ(error_of(locals_, {buffer, LocalBytes{70000}, LocalBytes{1}, LocalBytes{1}, buffer}),
              "argument 1 `a` asks for 70000 bytes of local memory: a work-group of skl has 65536");
    EXPECT_EQ(
        error_of(locals_, {buffer, LocalBytes{UINT64_MAX}, LocalBytes{UINT64_MAX}, LocalBytes{1}, buffer}),
        "argument 1 `a` asks for 18446744073709551615 bytes of local memory: a work-group of skl has 65536");
    EXPECT_EQ(error_of(locals_, {buffer, LocalBytes{32768}, LocalBytes{32768}, LocalBytes{4}, buffer}),
              "kernel `locals` needs 65572 bytes of local memory for a work-group: skl has 65536");
}

TEST_F(Arguments, ImagesFitTheirTypeAndTheirMemory) {
    using namespace machine;
    const Signature images = sample("images.skl.zebin").kernels.at(0).signature;
    const Buffer out{address_, 64};
    const ImageFormat bytes{ChannelOrder::r, ChannelType::unorm_int8};
    Image good = packed_image(ImageShape::d2, bytes, {8, 8, 1}, 1);
    good.address = address_;
    EXPECT_TRUE(check(images, {good, good, Sampler{}, out}));
    EXPECT_EQ(error_of(images, {bytes_of(1), good, Sampler{}, out}),
              "argument 0 `source` is an image, not a value");
    EXPECT_EQ(error_of(images, {good, good, bytes_of(1), out}),
              "argument 2 `sampler` is a sampler, not a value");
    Image volume = good;
    volume.shape = ImageShape::d3;
    EXPECT_EQ(error_of(images, {good, volume, Sampler{}, out}),
              "argument 1 `target` is an image2d_t, not an image3d_t");
    Image large = packed_image(ImageShape::d2, bytes, {1U << 20U, 1U << 20U, 1}, 1);
    large.address = address_;
    EXPECT_NE(error_of(images, {large, good, Sampler{}, out}).find("which is no memory of the device"),
              std::string::npos);
    Image odd = good;
    odd.format.order = ChannelOrder::rgb;
    EXPECT_EQ(error_of(images, {odd, good, Sampler{}, out}),
              "argument 0 `source` has a pixel format that OpenCL does not have");
    odd.format = {ChannelOrder::depth, ChannelType::float32};
    EXPECT_EQ(error_of(images, {odd, good, Sampler{}, out}),
              "argument 0 `source` is an image2d_t: its pixels are no depths, as those of d32f are");
    Image huge = good; // more bytes than 64 bits count
    huge.slice_pitch = UINT64_MAX / 2;
    huge.layers = 3;
    EXPECT_NE(error_of(images, {huge, good, Sampler{}, out}).find("its rows do not hold"), std::string::npos);
}

TEST_F(Arguments, ADeviceWithoutSamplerReadsNoImages) {
    using namespace machine;
    const Signature images = sample("images.skl.zebin").kernels.at(0).signature;
    Image good = packed_image(ImageShape::d2, {ChannelOrder::r, ChannelType::unorm_int8}, {8, 8, 1}, 1);
    good.address = address_;
    const std::vector<ArgumentValue> values{good, good, Sampler{}, Buffer{address_, 64}};
    const auto refused = check_arguments(images, isa::device(isa::DeviceId::pvc), values, memory_);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().unsupported);
    EXPECT_NE(
        refused.error().message.find("argument 0 `source` is an image to read from: pvc has no sampler"),
        std::string::npos);
}

} // namespace
} // namespace visor::launch
