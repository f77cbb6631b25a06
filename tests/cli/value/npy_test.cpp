#include "cli/value/npy.h"

#include "cli/value/array_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace visor::cli {
namespace {

using namespace std::string_literals;

// A file as NumPy's format description lays it out: magic, version, little-endian header length, header,
// data.
std::string file(const std::string& dictionary, const std::string& data, char version = 1) {
    std::string out = "\x93NUMPY"s + version + '\0';
    out += static_cast<char>(dictionary.size() & 0xff);
    out += static_cast<char>(dictionary.size() >> 8 & 0xff);
    if (version > 1)
        out += "\0\0"s;
    return out + dictionary + data;
}
std::string dictionary(const std::string& descr, const std::string& shape,
                       const std::string& order = "False") {
    return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}  \n", descr, order, shape);
}
std::expected<Array, std::string> read(const std::string& content) {
    return read_npy(std::as_bytes(std::span(content)));
}
std::string refusal(const std::string& content) {
    const auto array = read(content);
    EXPECT_FALSE(array.has_value());
    return array ? "" : array.error();
}

TEST(Npy, ReadsEveryVersion) {
    for (const char version : {'\1', '\2', '\3'}) {
        const auto array = read(file(dictionary("<i2", "(2, 3)"), "\1\0\2\0\3\0\4\0\5\0\6\0"s, version));
        ASSERT_TRUE(array.has_value()) << array.error();
        EXPECT_EQ(array->element, Element::i16);
        EXPECT_EQ(array->shape, (Shape{2, 3}));
        EXPECT_EQ(array->bytes.size(), 12U);
        EXPECT_EQ(array->bytes[10], std::byte{6});
    }
}

TEST(Npy, ReadsEveryElementType) {
    const std::vector<std::pair<const char*, Element>> types{
        {"|i1", Element::i8},  {"|u1", Element::u8},  {"|b1", Element::u8},  {"<i2", Element::i16},
        {"<u2", Element::u16}, {"<i4", Element::i32}, {"<u4", Element::u32}, {"<i8", Element::i64},
        {"<u8", Element::u64}, {"<f2", Element::f16}, {"<f4", Element::f32}, {"<f8", Element::f64},
        {"=f4", Element::f32}, {"<V2", Element::bf16}};
    for (const auto& [descr, element] : types) {
        const auto array = read(file(dictionary(descr, "(1,)"), std::string(size_of(element), '\1')));
        ASSERT_TRUE(array.has_value()) << descr << ": " << array.error();
        EXPECT_EQ(array->element, element) << descr;
    }
}

TEST(Npy, ShapesOfNoneAndManyDimensions) {
    EXPECT_EQ(read(file(dictionary("|u1", "()"), "x"))->shape, Shape{});
    EXPECT_EQ(read(file(dictionary("|u1", "(1, 2L, 1, 3)"), "abcdef"))->shape, (Shape{1, 2, 1, 3}));
    EXPECT_EQ(read(file(dictionary("|u1", "(0, 5)"), ""))->bytes.size(), 0U);
}

TEST(Npy, RefusesWhatAKernelCannotUse) {
    EXPECT_NE(refusal(file(dictionary("<f4", "(2, 2)", "True"), std::string(16, '\0'))).find("Fortran order"),
              std::string::npos);
    EXPECT_NE(refusal(file(dictionary(">f4", "(1,)"), "abcd")).find("big-endian"), std::string::npos);
    EXPECT_NE(refusal(file(dictionary("|O", "(1,)"), "abcdefgh")).find("Python objects"), std::string::npos);
    EXPECT_NE(refusal(file(dictionary("<U4", "(1,)"), std::string(16, 'a'))).find("`<U4` is not supported"),
              std::string::npos);
    EXPECT_NE(refusal(file(dictionary("<c8", "(1,)"), "abcdefgh")).find("supported are"), std::string::npos);
    const std::string records =
        "{'descr': [('x', '<f4'), ('y', '<i4', (2,))], 'fortran_order': False, 'shape': (1,), }\n";
    EXPECT_NE(refusal(file(records, std::string(12, 'a'))).find("records"), std::string::npos);
}

TEST(Npy, RefusesDamage) {
    const std::string good = file(dictionary("<f4", "(2,)"), "abcdefgh");
    ASSERT_TRUE(read(good).has_value());
    for (size_t length = 0; length < good.size(); ++length) // every truncation
        EXPECT_FALSE(read(good.substr(0, length)).has_value()) << length;
    EXPECT_NE(refusal(good.substr(0, 40)).find("cut off"), std::string::npos);
    EXPECT_NE(refusal(good + "x").find("needs 8 bytes of data, the file has 9"), std::string::npos);
    EXPECT_NE(refusal(file("{'descr': '<f4'}", "")).find("damaged"), std::string::npos);
    EXPECT_NE(refusal(file("{'descr': ", "")).find("damaged"), std::string::npos);
    EXPECT_NE(refusal(file(dictionary("<f4", "(2,"), "")).find("damaged"), std::string::npos);
    EXPECT_NE(refusal(file(dictionary("<f4", "(4294967296, 4294967296)"), "")).find("64 bits"),
              std::string::npos);
    EXPECT_NE(refusal(file(dictionary("<f4", "(2,)"), "abcdefgh", 9)).find("version is 9"),
              std::string::npos);
}

TEST(Npy, WritesWhatNumpyReads) {
    const std::string header = npy_header(Element::f32, {3, 4});
    EXPECT_EQ(header.size(), 128U) << "data starts at a multiple of 64";
    EXPECT_EQ(header.substr(0, 10), "\x93NUMPY\x01\0\x76\0"s);
    EXPECT_EQ(header.substr(10, 58), "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), ");
    EXPECT_EQ(header.back(), '\n');
    EXPECT_NE(npy_header(Element::u8, {5}).find("'|u1', 'fortran_order': False, 'shape': (5,), }"),
              std::string::npos);
    EXPECT_NE(npy_header(Element::bf16, {}).find("'<u2', 'fortran_order': False, 'shape': (), }"),
              std::string::npos);
    EXPECT_EQ(npy_header(Element::u8, Shape(12, 1000000)).size() % 64, 0U);
}

TEST(Npy, ReadsWhatItWrote) {
    const auto array = read(npy_header(Element::i64, {2, 1}) + std::string(16, '\7'));
    ASSERT_TRUE(array.has_value()) << array.error();
    EXPECT_EQ(array->element, Element::i64);
    EXPECT_EQ(array->shape, (Shape{2, 1}));
}

TEST(Reshaped, LastDimensionTakesTheChange) {
    EXPECT_EQ(reshaped(Element::u8, {6, 8}, Element::f32).value(), (Shape{6, 2}));
    EXPECT_EQ(reshaped(Element::f32, {6, 2}, Element::u8).value(), (Shape{6, 8}));
    EXPECT_EQ(reshaped(Element::u8, {4, 3}, Element::f32).value(), (Shape{3}))
        << "rows of 3 bytes hold no float";
    EXPECT_EQ(reshaped(Element::f32, {6, 2}, Element::u32).value(), (Shape{6, 2}));
    EXPECT_FALSE(reshaped(Element::u8, {3}, Element::f32).has_value());
}

} // namespace
} // namespace visor::cli
