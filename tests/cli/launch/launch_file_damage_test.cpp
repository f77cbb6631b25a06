// Damaged launch files end in messages, or in a job: never in a crash. What good ones mean is tested end to
// end (launch_file_test.cpp).
#include "cli/launch/launch_file.h"

#include <gtest/gtest.h>
#include <random>

namespace visor::cli {
namespace {

constexpr std::string_view whole = R"({"version": 1, "device": "skl", "comment": [1, {"a": null}],
  "program": {"source": ["__kernel void k(__global float* y,", "float a) { y[0] = a; }"], "options": "-DN=4"},
  "arrays": {"y": "fill:f32:2x2:1", "x": {"type": "i8", "shape": [2, 2], "values": [1, -2, "0x3", true]}},
  "launches": [{"kernel": "k", "global": [4, 1], "local": 2, "offset": [0], "arguments": {"y": "y", "a": 2.5}},
    {"groups": 2, "hw_threads": 1, "simd": 16, "slm": 64, "bti": {"3": "x"}, "arguments": ["y", [1, "i8:2"]]}],
  "out": ["y=y.npy"], "print": ["y:3"],
  "expect": [{"array": "y", "equals": [1, 2, 3, 4], "abs": 1e-3, "rel": 0.5, "ulps": 2}, {"array": "x", "equals": 7}]})";

TEST(LaunchFileDamage, TheWholeOneIsGood) {
    const auto job = parse_launch_file("t.json", whole);
    ASSERT_TRUE(job) << job.error().text;
    EXPECT_EQ(job->launches.size(), 2U);
    EXPECT_EQ(job->launches[1].place, "launches[1]");
    EXPECT_EQ(job->arrays.size(), 2U);
    EXPECT_EQ(job->expectations[0].tolerance.ulps, 2U);
    EXPECT_EQ(job->outputs[0].path, "y.npy");
}

void check(const std::string& text) {
    const auto job = parse_launch_file("t.json", text);
    if (!job) {
        EXPECT_NE(job.error().text.find("t.json"), std::string::npos) << text;
        EXPECT_NE(job.error().code, ExitCode::clean);
    }
}

TEST(LaunchFileDamage, Cut) {
    for (size_t bytes = 0; bytes < whole.size(); ++bytes)
        EXPECT_FALSE(parse_launch_file("t.json", whole.substr(0, bytes))) << bytes;
}

TEST(LaunchFileDamage, BytesChanged) {
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::string text(whole);
        for (int edit = 0; edit <= round % 4; ++edit)
            text[random() % text.size()] = static_cast<char>(random() % 256);
        check(text);
    }
}

// Good JSON of the wrong kinds: each value in turn becomes another one.
TEST(LaunchFileDamage, ValuesOfOtherKinds) {
    for (const char* other : {"null", "[]", "{}", "[[[1]]]", "{\"a\": {\"b\": 1}}", "-1", "1e300", "\"\"",
                              "99999999999999999999", "true", "\"zeros:i32:4\""}) {
        for (size_t at = whole.find_first_of("[{:,"); at < whole.size() - 2;
             at = whole.find_first_of("[{:,", at + 1)) {
            const size_t end = whole.find_first_of(",]}", at + 1);
            check(std::string(whole.substr(0, at + 1)) + other + std::string(whole.substr(end)));
        }
    }
}

} // namespace
} // namespace visor::cli
