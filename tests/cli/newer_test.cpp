// Files that a newer compiler might write, made of today's by changing a name in place: refused by name with
// the exit code for what is not supported, and nothing else of the file with it.
#include "end_to_end.h"

#include <gtest/gtest.h>

namespace visor::cli {
namespace {

constexpr int not_supported = 3;

class NewerFile : public EndToEnd {
protected:
    std::string zebin() const {
        EXPECT_EQ(visor({"cc", saxpy, "-o", file("saxpy.zebin")}).exit_code, 0);
        return test::read_file(file("saxpy.zebin"));
    }
    test::Finished scale(const std::string& content) const {
        return visor({"run", source("newer.zebin", content), "-k", "scale", "-g", "2", "-a", "iota:f32:2:1",
                      "3", "--print", "0"});
    }
    test::Finished run_both(const std::string& content) const {
        return visor({"run", source("newer.zebin", content), "-k", "saxpy", "-g", "4", "-a", "fill:f32:4:1",
                      "iota:f32:4", "2.5", "3", "--print", "y"});
    }
};

TEST_F(NewerFile, AKeyOfOneKernelLeavesTheOther) {
    const auto refused = run_both(replaced(zebin(), "grf_count:", "gpf_count:")); // the first kernel's
    EXPECT_EQ(refused.exit_code, not_supported) << refused.err;
    EXPECT_EQ(refused.out, "");
    EXPECT_TRUE(has(refused.err, "kernel `saxpy` comes with `gpf_count` in `execution_env`")) << refused.err;
    const auto other = scale(replaced(zebin(), "grf_count:", "gpf_count:"));
    EXPECT_EQ(other.exit_code, 0) << other.err;
    EXPECT_EQ(other.out, "0 = 3 6\n");
}

TEST_F(NewerFile, ASectionIsOfEveryKernel) {
    const std::string content = replaced(zebin(), ".note.intelgt.metrics", ".note.intelgt.matrixx");
    for (const auto& ran : {run_both(content), scale(content)}) {
        EXPECT_EQ(ran.exit_code, not_supported) << ran.err;
        EXPECT_TRUE(has(ran.err, "section `.note.intelgt.matrixx` of type 0x7")) << ran.err;
    }
}

TEST_F(NewerFile, APayloadKind) {
    const auto ran = run_both(replaced(zebin(), "enqueued_local_size", "enqueued_local_sign"));
    EXPECT_EQ(ran.exit_code, not_supported) << ran.err;
    EXPECT_TRUE(has(ran.err, "`saxpy` wants `enqueued_local_sign`")) << ran.err;
}

TEST_F(NewerFile, AProductFamily) {
    using namespace std::string_literals;
    const std::string note = "\x04\0\0\0\x01\0\0\0IntelGT\0"s;
    const std::string content = replaced(zebin(), note + "\x12\0\0\0"s, note + "\x0a\x05\0\0"s); // 18, 1290
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--device", "dg2"}}) {
        std::vector<std::string> words{
            "run", source("newer.zebin", content), "-k", "scale", "-g", "2", "-a", "iota:f32:2:1", "3"};
        words.insert(words.end(), more.begin(), more.end());
        const auto ran = visor(words);
        EXPECT_EQ(ran.exit_code, not_supported) << ran.err;
        EXPECT_TRUE(has(ran.err, "product family 1290: Visor knows 18 to 23 (skl), ")) << ran.err;
    }
}

// Newer compilers print one more operand of sampler messages. Without room for it `u` was the null variable,
// and pixels were wrong without a word.
TEST_F(NewerFile, APairedResource) {
    const std::string kernel =
        source("copy.cl", "__kernel void copy(read_only image2d_t a, __global uint* o) {"
                          " int2 p = (int2)(get_global_id(0), get_global_id(1));"
                          " o[p.y * 4 + p.x] = read_imageui(a, p).x; }\n");
    ASSERT_EQ(visor({"cc", kernel, "--emit", "visaasm", "-o", file("copy.visaasm")}).exit_code, 0);
    std::string text = test::read_file(file("copy.visaasm"));
    const auto run = [&](const std::string& of) {
        std::string pixels;
        for (char i = 0; i < 16; ++i)
            pixels += i;
        const auto ran =
            visor({"run", source("copied.visaasm", of), "-g", "4,4", "-a",
                   "image:r8u:4x4:@" + source("pixels.bin", pixels), "zeros:u32:16", "--print", "1"});
        EXPECT_EQ(ran.exit_code, 0) << ran.err;
        return ran.out;
    };
    constexpr const char* copied = "1 = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n";
    EXPECT_EQ(run(text), copied);
    size_t messages = 0;
    for (size_t at = text.find("load_lz."); at != std::string::npos; at = text.find("load_lz.", at + 1)) {
        const size_t result = text.find(' ', text.find(" T", at) + 1); // behind the surface
        text.insert(text.find(' ', result + 1), " %null.0");
        ++messages;
    }
    EXPECT_GT(messages, 0U);
    EXPECT_EQ(run(text), copied);
}

// A device that contradicts the file is no silent choice.
TEST_F(NewerFile, AnotherDeviceThanTheFiles) {
    const auto ran = visor({"run", source("skl.zebin", zebin()), "--device", "dg2", "-k", "scale", "-g", "2",
                            "-a", "iota:f32:2:1", "3"});
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
    EXPECT_TRUE(has(ran.err, "this was compiled for skl, not for dg2: use --device skl")) << ran.err;
}

} // namespace
} // namespace visor::cli
