#include "cli/value/value.h"

#include <cstring>
#include <gtest/gtest.h>

namespace visor::cli {
namespace {

template <class T>
T parsed(std::string_view text) {
    const auto value = parse_value(text);
    EXPECT_TRUE(value.has_value()) << text << ": " << value.error();
    const T* form = value ? std::get_if<T>(&*value) : nullptr;
    EXPECT_NE(form, nullptr) << text;
    return form == nullptr ? T{} : *form;
}
std::string refusal(std::string_view text) {
    const auto value = parse_value(text);
    EXPECT_FALSE(value.has_value()) << text;
    return value ? "" : value.error();
}

TEST(Value, Numbers) {
    const auto plain = parsed<Numbers>("7");
    ASSERT_EQ(plain.size(), 1U);
    EXPECT_EQ(plain[0].text, "7");
    EXPECT_EQ(plain[0].element, std::nullopt);
    EXPECT_EQ(parsed<Numbers>("-2.5")[0].text, "-2.5");
    EXPECT_EQ(parsed<Numbers>("i32:7")[0].element, Element::i32);
    const auto vector = parsed<Numbers>("1, 2,3,-4");
    ASSERT_EQ(vector.size(), 4U);
    EXPECT_EQ(vector[3].text, "-4");
    const auto mixed = parsed<Numbers>("i32:1,2,f32:3.5");
    ASSERT_EQ(mixed.size(), 3U);
    EXPECT_EQ(mixed[1].element, Element::i32) << "a type holds until the next";
    EXPECT_EQ(mixed[2].element, Element::f32);
    EXPECT_NE(refusal("1,,2").find("missing"), std::string::npos);
    EXPECT_NE(refusal("f33:1").find("did you mean `f32`"), std::string::npos);
    EXPECT_NE(refusal("1,f33:1").find("no element type"), std::string::npos);
}

TEST(Value, Generators) {
    const auto zeros = parsed<Generator>("zeros:f32:512x256");
    EXPECT_EQ(zeros.kind, Generator::Kind::zeros);
    EXPECT_EQ(zeros.element, Element::f32);
    EXPECT_EQ(zeros.shape, (Shape{512, 256}));
    EXPECT_EQ(parsed<Generator>("iota:i32:64:5").parameter, 5U);
    EXPECT_EQ(parsed<Generator>("iota:i32:64").parameter, 0U);
    EXPECT_EQ(parsed<Generator>("fill:f32:4:1.5").parameter, 0x3fc00000U);
    EXPECT_EQ(parsed<Generator>("fill:i8:4:-1").parameter, 0xffU);
    EXPECT_EQ(parsed<Generator>("rand:u8:4:9").parameter, 9U);
}

TEST(Value, GeneratorsRefuse) {
    EXPECT_NE(refusal("zeros:f32").find("expected zeros:TYPE:SHAPE"), std::string::npos);
    EXPECT_NE(refusal("zeros:f32:4:1").find("expected zeros:TYPE:SHAPE"), std::string::npos);
    EXPECT_NE(refusal("fill:f32:4").find("expected fill:TYPE:SHAPE:value"), std::string::npos);
    EXPECT_NE(refusal("zeros:f99:4").find("`f99` is no element type"), std::string::npos);
    EXPECT_NE(refusal("zeros:f32:4x").find("no shape"), std::string::npos);
    EXPECT_NE(refusal("zeros:f32:-4").find("no shape"), std::string::npos);
    EXPECT_NE(refusal("zeros:f32:0").find("at least one element"), std::string::npos);
    EXPECT_NE(refusal("zeros:f32:4294967296x4294967296").find("64 bits"), std::string::npos);
    EXPECT_NE(refusal("zeros:f64:4611686018427387904").find("64 bits"), std::string::npos);
    EXPECT_NE(refusal("fill:u8:4:256").find("does not fit"), std::string::npos);
    EXPECT_NE(refusal("zero:f32:4").find("did you mean `zeros`"), std::string::npos);
}

TEST(Value, Files) {
    EXPECT_EQ(parsed<ArrayFile>("@x.npy").path, "x.npy");
    EXPECT_EQ(parsed<ArrayFile>("@x.npy").element, std::nullopt);
    EXPECT_EQ(parsed<ArrayFile>("@dir/x.bin:f16").path, "dir/x.bin");
    EXPECT_EQ(parsed<ArrayFile>("@dir/x.bin:f16").element, Element::f16);
    EXPECT_EQ(parsed<FileBytes>("bytes:@s.bin").path, "s.bin");
    EXPECT_NE(refusal("@x.bin:f17").find("`f17` is no element type"), std::string::npos);
    EXPECT_NE(refusal("bytes:s.bin").find("expected bytes:@file"), std::string::npos);
    EXPECT_FALSE(parse_value("@").has_value());
}

TEST(Value, WordsAndLocalMemory) {
    EXPECT_EQ(parsed<LocalMemory>("local:1024").bytes, 1024U);
    EXPECT_EQ(parsed<SameAs>("@=y").name, "y");
    parsed<Null>("null");
    EXPECT_EQ(parsed<Filler>("lid.y").filler, machine::Filler::local_id_y);
    EXPECT_EQ(parsed<Filler>("tid").filler, machine::Filler::thread);
    EXPECT_EQ(parsed<Filler>("lane").filler, machine::Filler::lane);
    EXPECT_FALSE(parse_value("local:many").has_value());
    EXPECT_FALSE(parse_value("").has_value());
    EXPECT_FALSE(parse_value("@=").has_value());
}

TEST(Value, Images) {
    using machine::ChannelOrder;
    using machine::ChannelType;
    const auto zeros = parsed<ImageValue>("image:rgba8:4x3");
    EXPECT_EQ(zeros.format, (machine::ImageFormat{ChannelOrder::rgba, ChannelType::unorm_int8}));
    EXPECT_EQ(zeros.size, (ImageSize{2, {4, 3, 1}, 0}));
    EXPECT_EQ(zeros.path, "");
    EXPECT_EQ(parsed<ImageValue>("image:r32f:4x3x2").size, (ImageSize{3, {4, 3, 2}, 0}));
    EXPECT_EQ(parsed<ImageValue>("image:r32f:7/2").size, (ImageSize{1, {7, 1, 1}, 2}));
    EXPECT_EQ(parsed<ImageValue>("image:r32f:134217728").size.size[0], 134217728U);
    EXPECT_EQ(parsed<ImageValue>("image:rg16i:4x3:@p.bin").path, "p.bin");
    const auto picture = parsed<ImageValue>("@a/x.png");
    EXPECT_EQ(picture.path, "a/x.png");
    EXPECT_FALSE(picture.format);
    const auto wide = parsed<ImageValue>("@x.png:rgba32f");
    EXPECT_EQ(wide.path, "x.png");
    EXPECT_EQ(wide.format, (machine::ImageFormat{ChannelOrder::rgba, ChannelType::float32}));
}

TEST(Value, ImagesRefuse) {
    EXPECT_NE(refusal("image:rgba8").find("expected image:FORMAT"), std::string::npos);
    EXPECT_NE(refusal("image:rgba9:4x4").find("`rgba9` is no image format"), std::string::npos);
    EXPECT_NE(refusal("@x.png:rgb8").find("`rgb8` is no image format"), std::string::npos);
    for (const char* size : {"0", "4x", "4x0", "x", "1x2x3x4", "16385x1", "134217729", "4x4/0", "4x4/2049",
                             "4x4x4/2", "99999999999999999999", "-1"})
        EXPECT_NE(refusal(std::string("image:r8:") + size).find("no image size"), std::string::npos) << size;
    EXPECT_NE(refusal("image:rgba32f:16384x16384x16384").find("at most 4 GiB"), std::string::npos);
    EXPECT_NE(refusal("image:r8:4:x").find("@FILE"), std::string::npos);
}

TEST(Value, Samplers) {
    const auto plain = parsed<machine::Sampler>("sampler:nearest,clamp");
    EXPECT_EQ(plain.address, machine::AddressMode::clamp);
    EXPECT_EQ(plain.filter, machine::FilterMode::nearest);
    EXPECT_FALSE(plain.normalized);
    const auto other = parsed<machine::Sampler>("sampler:linear,mirror,normalized,compare_less");
    EXPECT_EQ(other.address, machine::AddressMode::mirrored_repeat);
    EXPECT_EQ(other.filter, machine::FilterMode::linear);
    EXPECT_TRUE(other.normalized);
    EXPECT_EQ(other.comparison, machine::Comparison::less);
    EXPECT_NE(refusal("sampler:nearest").find("needs a filter"), std::string::npos);
    EXPECT_NE(refusal("sampler:clamp").find("needs a filter"), std::string::npos);
    EXPECT_NE(refusal("sampler:nearest,clmp").find("did you mean `clamp`"), std::string::npos);
    EXPECT_NE(refusal("sampler:nearest,repeat").find("only normalized"), std::string::npos);
    EXPECT_NE(refusal("sampler:").find("no property"), std::string::npos);
}

TEST(Argument, TargetIsWhatPrecedesTheFirstEqualsSign) {
    EXPECT_EQ(parse_argument("y=zeros:f32:4")->target, "y");
    EXPECT_EQ(parse_argument("2=5")->target, "2");
    EXPECT_EQ(parse_argument("y=@=x")->target, "y");
    EXPECT_EQ(parse_argument("@=x")->target, "");
    EXPECT_EQ(parse_argument("@a=b.npy")->target, "");
    EXPECT_EQ(std::get<ArrayFile>(parse_argument("@a=b.npy")->value).path, "a=b.npy");
    EXPECT_EQ(parse_argument("bytes:@a=b")->target, "");
    EXPECT_EQ(parse_argument("V0037=1,2,3")->text, "1,2,3");
    EXPECT_FALSE(parse_argument("y=").has_value());
}

template <class T>
std::vector<T> generated(std::string_view text, size_t count) {
    std::vector<T> out(count);
    generate(parsed<Generator>(text), std::as_writable_bytes(std::span(out)));
    return out;
}

TEST(Generate, IotaAndFill) {
    EXPECT_EQ(generated<int32_t>("iota:i32:4:-2", 4), (std::vector<int32_t>{-2, -1, 0, 1}));
    EXPECT_EQ(generated<float>("iota:f32:3:0.5", 3), (std::vector<float>{0.5F, 1.5F, 2.5F}));
    EXPECT_EQ(generated<uint8_t>("iota:u8:3:254", 3), (std::vector<uint8_t>{254, 255, 0}));
    EXPECT_EQ(generated<uint16_t>("iota:f16:3", 3), (std::vector<uint16_t>{0x0000, 0x3c00, 0x4000}));
    EXPECT_EQ(generated<uint16_t>("iota:bf16:3", 3), (std::vector<uint16_t>{0x0000, 0x3f80, 0x4000}));
    EXPECT_EQ(generated<double>("fill:f64:2:-1.5", 2), (std::vector<double>{-1.5, -1.5}));
    EXPECT_EQ(generated<uint16_t>("fill:u16:3:0x1234", 3), (std::vector<uint16_t>{0x1234, 0x1234, 0x1234}));
}

// The first numbers of SplitMix64 from the state 0, as its reference implementation gives them.
TEST(Generate, RandomIsSplitMix64) {
    EXPECT_EQ(generated<uint64_t>("rand:u64:3:0", 3),
              (std::vector<uint64_t>{0xe220a8397b1dcdafU, 0x6e789e6aa1b965f4U, 0x06c45d188009454fU}));
    EXPECT_EQ(generated<uint8_t>("rand:u8:1:0", 1), std::vector<uint8_t>{0xaf});
}

TEST(Generate, RandomIsInRangeAndReproducible) {
    const auto floats = generated<float>("rand:f32:1000:3", 1000);
    EXPECT_TRUE(std::all_of(floats.begin(), floats.end(), [](float x) { return x >= 0 && x < 1; }));
    EXPECT_NE(floats[0], floats[1]);
    EXPECT_EQ(floats, generated<float>("rand:f32:1000:3", 1000));
    EXPECT_NE(floats, generated<float>("rand:f32:1000:4", 1000));
    const auto halves = generated<_Float16>("rand:f16:1000", 1000);
    EXPECT_TRUE(std::all_of(halves.begin(), halves.end(), [](_Float16 x) { return x >= 0 && x < 1; }));
    const auto bytes = generated<uint8_t>("rand:u8:1000", 1000);
    EXPECT_GT(*std::max_element(bytes.begin(), bytes.end()), 200);
}

TEST(Bytes, NumbersOneAfterTheOther) {
    const auto bytes = number_bytes(parsed<Numbers>("1,2"), Element::i16);
    EXPECT_EQ(*bytes, (std::vector<std::byte>{std::byte{1}, std::byte{0}, std::byte{2}, std::byte{0}}));
    EXPECT_FALSE(number_bytes(parsed<Numbers>("1,x"), Element::i16).has_value());
}

TEST(Bytes, StructsAreLaidOutAsCDoes) {
    struct S {
        char a;
        int b;
        double c;
        char d;
    };
    const auto bytes = struct_bytes(parsed<Numbers>("i8:1,i32:-2,f64:0.5,i8:3"));
    ASSERT_TRUE(bytes.has_value());
    ASSERT_EQ(bytes->size(), sizeof(S));
    EXPECT_EQ((*bytes)[offsetof(S, a)], std::byte{1});
    int b = 0;
    std::memcpy(&b, bytes->data() + offsetof(S, b), sizeof b);
    EXPECT_EQ(b, -2);
    double c = 0;
    std::memcpy(&c, bytes->data() + offsetof(S, c), sizeof c);
    EXPECT_EQ(c, 0.5);
    EXPECT_EQ((*bytes)[offsetof(S, d)], std::byte{3});
    EXPECT_EQ(struct_bytes(parsed<Numbers>("1,2.5"))->size(), 8U) << "untyped: int and float";
}

} // namespace
} // namespace visor::cli
