#include "cli/value/output.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace visor::cli {
namespace {

OutputRequest output(std::string_view text) {
    const auto request = parse_output(text);
    EXPECT_TRUE(request.has_value()) << text << ": " << request.error();
    return request.value_or(OutputRequest{});
}
std::string output_refusal(std::string_view text) {
    const auto request = parse_output(text);
    EXPECT_FALSE(request.has_value()) << text;
    return request ? "" : request.error();
}
std::string settle_refusal(std::string_view text, const ArrayFacts& array) {
    const auto settled = settle(output(text), array);
    EXPECT_FALSE(settled.has_value()) << text;
    return settled ? "" : settled.error();
}

TEST(Output, FileTypeShape) {
    const auto plain = output("y=y.npy");
    EXPECT_EQ(plain.name, "y");
    EXPECT_EQ(plain.path, "y.npy");
    EXPECT_EQ(plain.form, FileForm::npy);
    const auto full = output("0=out/a=b.bin:f16:4x2");
    EXPECT_EQ(full.name, "0");
    EXPECT_EQ(full.path, "out/a=b.bin");
    EXPECT_EQ(full.form, FileForm::bin);
    EXPECT_EQ(full.element, Element::f16);
    EXPECT_EQ(full.shape, (Shape{4, 2}));
    const auto picture = output("img=m.png:rgba8:512x256");
    EXPECT_EQ(picture.form, FileForm::png);
    EXPECT_EQ(picture.pixels, Pixels::rgba8);
    EXPECT_EQ(output("img=-:gray8:4x4").form, FileForm::terminal);
    EXPECT_EQ(output("img=-").form, FileForm::bin);
    EXPECT_EQ(output("y=y.npy:4").shape, (Shape{4}));
}

TEST(Output, Refusals) {
    EXPECT_NE(output_refusal("y").find("NAME=FILE"), std::string::npos);
    EXPECT_NE(output_refusal("=y.npy").find("NAME=FILE"), std::string::npos);
    EXPECT_NE(output_refusal("y=y.txt").find(".npy, .bin or .png"), std::string::npos);
    EXPECT_NE(output_refusal("y=y.png:rgba9:4x4").find("did you mean `rgba8`"), std::string::npos);
    EXPECT_NE(output_refusal("y=y.npy:f32:4xx4").find("no shape"), std::string::npos);
}

TEST(Output, TakesTypeAndShapeFromTheArray) {
    const auto settled = settle(output("y=y.npy"), {Element::f32, {4, 2}});
    EXPECT_EQ(settled->element, Element::f32);
    EXPECT_EQ(settled->shape, (Shape{4, 2}));
    EXPECT_EQ(settle(output("y=y.npy:u8"), {Element::f32, {4, 2}})->shape, (Shape{4, 8}));
    EXPECT_EQ(settle(output("y=m.png"), {Element::u8, {4, 6, 3}})->pixels, Pixels::rgb8);
    EXPECT_EQ(settle(output("y=m.png"), {Element::u8, {4, 6, 3}})->shape, (Shape{6, 4})) << "width x height";
    EXPECT_EQ(settle(output("y=m.png"), {Element::u8, {4, 6}})->pixels, Pixels::gray8);
    EXPECT_TRUE(settle(output("y=m.png:rgba8:8x1"), {Element::u32, {8}}).has_value());
}

TEST(Output, WhatDoesNotFit) {
    EXPECT_NE(settle_refusal("y=y.npy:f32:9", {Element::f32, {8}}).find("has 36 bytes, the array has 32"),
              std::string::npos);
    EXPECT_NE(settle_refusal("y=y.npy:f64", {Element::f32, {3}}).find("no whole number"), std::string::npos);
    EXPECT_NE(settle_refusal("y=m.png:rgba8:3x3", {Element::u8, {32}}).find("36 bytes"), std::string::npos);
    EXPECT_NE(settle_refusal("y=m.png", {Element::f32, {8}}).find("pixel format"), std::string::npos);
    EXPECT_NE(settle_refusal("y=m.png:f32:2x4", {Element::f32, {8}}).find("TYPE is one of"),
              std::string::npos);
    EXPECT_NE(settle_refusal("y=m.png", {Element::u8, {4, 4, 2}}).find("channels"), std::string::npos);
    EXPECT_NE(settle_refusal("y=m.png:gray8:70000x70000", {Element::u8, {8}}).find("pixels a side"),
              std::string::npos);
    EXPECT_NE(settle_refusal("y=y.bin:rgba8", {Element::u8, {8}}).find(".png"), std::string::npos);
}

PrintRequest print(std::string_view text) {
    const auto request = parse_print(text);
    EXPECT_TRUE(request.has_value()) << text << ": " << request.error();
    return request.value_or(PrintRequest{});
}

TEST(Print, Request) {
    EXPECT_EQ(print("y").name, "y");
    EXPECT_EQ(print("y").count, std::nullopt);
    EXPECT_EQ(print("y:8").count, 8U);
    EXPECT_EQ(print("y:8:u32").element, Element::u32);
    EXPECT_EQ(print("y:u32").element, Element::u32);
    for (const char* text : {"", ":8", "y:", "y:8:9", "y:f33", "y:8:u32:1", "y:99999999999999999999"})
        EXPECT_FALSE(parse_print(text).has_value()) << text;
}

std::string line(std::string_view text, const std::vector<float>& values) {
    const auto settled = settle(print(text), {Element::f32, {values.size()}});
    EXPECT_TRUE(settled.has_value());
    return print_line(*settled, std::as_bytes(std::span(values)));
}

TEST(Print, OneLine) {
    EXPECT_EQ(line("y", {1, 2.5F, -0.1F}), "y = 1 2.5 -0.1\n");
    EXPECT_EQ(line("y:2", {1, 2, 3}), "y = 1 2\n");
    EXPECT_EQ(line("y:9", {1, 2, 3}), "y = 1 2 3\n");
    EXPECT_EQ(line("0:1:u32", {1, 2}), "0 = 1065353216\n");
    EXPECT_EQ(line("y:0", {1}), "y =\n");
}

TEST(Print, CutsLongArraysAndSaysSo) {
    const std::vector<float> many(65, 1);
    std::string expected = "y =";
    for (int i = 0; i < 64; ++i)
        expected += " 1";
    EXPECT_EQ(line("y", many), expected + " ...\n");
    EXPECT_EQ(line("y:65", many), expected + " 1\n");
}

TEST(Print, TypeMustDivideTheBytes) {
    EXPECT_FALSE(settle(print("y:f64"), {Element::f32, {3}}).has_value());
}

} // namespace
} // namespace visor::cli
