// bench/compare/public_set: descriptions of kernels that are not in this repository, and their arguments.
#include "compare/builder.h"
#include "compare/public_set.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

namespace visor::compare {

namespace {

namespace fs = std::filesystem;

template <class T>
std::vector<T> content_of(const Work& work, size_t buffer) {
    const std::vector<std::byte>& bytes = work.buffers.at(buffer).content;
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

template <class T>
std::vector<T> filled(const std::string& description) {
    Work work;
    EXPECT_EQ(add_argument(work, description, true), "") << description;
    return work.buffers.empty() ? std::vector<T>() : content_of<T>(work, 0);
}

std::string error_of(const std::string& description) {
    Work work;
    return add_argument(work, description, true);
}

// A folder with one brought project and one checkout, each with a file.
class PublicSet : public testing::Test {
protected:
    void SetUp() override {
        root_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(root_);
        write("brought/images/blur.cl", "a");
        write("brought/images/more.cl", "b");
        write("sources/suite/sort.cl", "c");
        write("sources/suite/.git/HEAD", "ref: refs/heads/master\n");
        write("sources/suite/.git/refs/heads/master", "0123abcd\n");
    }
    void TearDown() override { fs::remove_all(root_); }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((root_ / name).parent_path());
        std::ofstream(root_ / name) << text;
    }
    [[nodiscard]] std::string folder(const std::string& name) const { return (root_ / name).string(); }
    [[nodiscard]] auto read(const std::string& json, bool with_sources = true) const {
        const Places places{.brought = folder("brought"),
                            .sources = with_sources ? folder("sources") : "",
                            .own = folder("own")};
        return read_public_set("set.json", json, places, [](const std::string&) { return true; });
    }
    // The errors of a file with the two projects and this kernel.
    [[nodiscard]] std::vector<std::string> errors(const std::string& kernel) const {
        const auto set = read(with_kernels(kernel));
        return set ? std::vector<std::string>() : set.error();
    }
    static std::string with_kernels(const std::string& kernels) {
        return R"({"projects": {"images": {"from": "PyPI", "version": "1", "licence": "MIT", "url": "u",
                                           "archive": "a.whl", "sha256": "0"},
                                "suite": {"from": "checkout", "version": "1", "licence": "MIT", "url": "u",
                                          "commit": "0123abcd"}}, "kernels": [)" +
               kernels + "]}";
    }

private:
    fs::path root_;
};

constexpr const char* blur = R"({"name": "a blur", "project": "images", "files": ["blur.cl", "more.cl"],
    "kernel": "blur", "options": "-DN=3 -I{folder}", "global": [64, 8], "local": [16, 4], "tolerance": 0.5,
    "arguments": ["in f32 2*3 step 0.5 from 1", "out i16 4", "i32 -7", "local 2*8", "f32 1 2"]})";
constexpr const char* sort = R"({"name": "a sort", "project": "suite", "files": ["sort.cl", "images:more.cl"],
    "kernel": "sort", "global": [8], "local": [8], "pocl_is_wrong": "it is", "arguments": ["inout u32 8 shuffled"]})";

// A description of one kernel, with one member replaced by another text.
std::string changed(const std::string& from, const std::string& to) {
    std::string text = blur;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST_F(PublicSet, AKernelHasItsFilesSizesAndArguments) {
    const auto set = read(with_kernels(blur));
    ASSERT_TRUE(set) << set.error().front();
    ASSERT_EQ(set->work.size(), 1U);
    const Work& work = set->work.front();
    EXPECT_EQ(work.name, "a blur");
    EXPECT_EQ(work.kernel, "blur");
    EXPECT_EQ(work.files, (std::vector{folder("brought/images/blur.cl"), folder("brought/images/more.cl")}));
    EXPECT_EQ(work.options, "-DN=3 -I" + folder("brought/images"));
    EXPECT_EQ(work.dimensions, 2U);
    EXPECT_EQ(work.global, (Sizes{64, 8, 1}));
    EXPECT_EQ(work.local, (Sizes{16, 4, 1}));
    EXPECT_EQ(work.tolerance, 0.5);
    ASSERT_EQ(work.buffers.size(), 2U);
    EXPECT_EQ(content_of<float>(work, 0), (std::vector<float>{1, 1.5, 2, 2.5, 3, 3.5}));
    EXPECT_FALSE(work.buffers[0].is_result);
    EXPECT_EQ(work.buffers[0].compared, Compared::single_floats);
    EXPECT_EQ(content_of<int16_t>(work, 1), (std::vector<int16_t>{0, 0, 0, 0}));
    EXPECT_TRUE(work.buffers[1].is_result);
    EXPECT_EQ(work.buffers[1].compared, Compared::bits);
    ASSERT_EQ(work.arguments.size(), 5U);
    EXPECT_EQ(work.arguments[1].buffer, 1U);
    EXPECT_EQ(work.arguments[2].kind, Argument::Kind::value);
    EXPECT_EQ(work.arguments[2].value,
              (std::vector<std::byte>{std::byte{0xf9}, std::byte{0xff}, std::byte{0xff}, std::byte{0xff}}));
    EXPECT_EQ(work.arguments[3].kind, Argument::Kind::local);
    EXPECT_EQ(work.arguments[3].local_bytes, 16U);
    EXPECT_EQ(work.arguments[4].value.size(), 8U);
}

TEST_F(PublicSet, ACheckoutAtItsCommitIsUsed) {
    const auto set = read(with_kernels(sort));
    ASSERT_TRUE(set) << set.error().front();
    ASSERT_EQ(set->work.size(), 1U);
    EXPECT_EQ(set->work[0].files,
              (std::vector{folder("sources/suite/sort.cl"), folder("brought/images/more.cl")}));
    EXPECT_EQ(set->work[0].pocl_is_wrong, "it is");
    EXPECT_TRUE(set->left_out.empty());
}

TEST_F(PublicSet, WhatIsNotThereIsLeftOutAloud) {
    const auto without = read(with_kernels(std::string(blur) + ", " + sort), false);
    ASSERT_TRUE(without);
    EXPECT_EQ(without->work.size(), 1U);
    EXPECT_EQ(
        without->left_out,
        (std::vector<std::string>{"1 kernels left out: `--sources FOLDER` names no folder with checkouts"}));
    write("sources/suite/.git/refs/heads/master", "4567\n");
    const auto other = read(with_kernels(sort));
    ASSERT_TRUE(other);
    EXPECT_TRUE(other->work.empty());
    EXPECT_EQ(other->left_out, (std::vector<std::string>{"1 kernels left out: " + folder("sources/suite") +
                                                         " is at commit 4567 instead of 0123abcd"}));
    fs::remove_all(folder("brought/images"));
    const auto none = read(with_kernels(blur));
    ASSERT_TRUE(none);
    EXPECT_EQ(none->left_out,
              (std::vector<std::string>{"1 kernels left out: `scripts/setup kernels` brings them"}));
}

TEST_F(PublicSet, OnlyWantedKernelsGetBuffers) {
    const Places places{.brought = folder("brought"), .sources = folder("sources"), .own = folder("own")};
    const auto set = read_public_set("set.json", with_kernels(std::string(blur) + ", " + sort), places,
                                     [](const std::string& name) { return name == "a sort"; });
    ASSERT_TRUE(set);
    ASSERT_EQ(set->work.size(), 1U);
    EXPECT_EQ(set->work[0].name, "a sort");
    EXPECT_EQ(set->work[0].buffers[0].content.size(), 32U);
}

TEST_F(PublicSet, ErrorsNameTheFileTheKernelAndTheMember) {
    const auto only = [this](const std::string& from, const std::string& to) {
        const std::vector<std::string> found = errors(changed(from, to));
        return found.size() == 1 ? found[0] : fmt::format("{} errors", found.size());
    };
    const std::string at = "set.json: kernel `a blur`: ";
    EXPECT_EQ(only("\"kernel\": \"blur\"", "\"kernel\": \"\""), at + "`kernel` is empty");
    EXPECT_EQ(only("\"images\"", "\"none\""), at + "there is no project `none`");
    EXPECT_EQ(only("more.cl", "none.cl"), at + "there is no file " + folder("brought/images/none.cl"));
    EXPECT_EQ(only("[16, 4]", "[16, 3]"), at + "the global size 8 is no multiple of the local size 3");
    EXPECT_EQ(only("[16, 4]", "[16]"), at + "`global` and `local` have different numbers of dimensions");
    EXPECT_EQ(only("[64, 8], \"local\": [16, 4]", "[4096, 8], \"local\": [1024, 2]"),
              at + "a work-group has more than 1024 items, or all have more than 1073741824");
    EXPECT_EQ(only("0.5,", "-1,"), at + "`tolerance` is a number from 0 to below 1");
    EXPECT_EQ(only("\"i32 -7\"", "\"i33 -7\""), at + "argument 2: `i33` is no type");
    EXPECT_EQ(only("\"out i16 4\"", "\"in i16 4 zero\""), at + "no argument is a result (out, inout)");
    EXPECT_EQ(only("\"name\"", "\"title\": 1, \"name\""),
              "set.json: kernel 0: the member `title` is unknown");
}

TEST_F(PublicSet, AFileThatIsNoneIsAnError) {
    EXPECT_FALSE(read("{"));
    EXPECT_FALSE(read("[]"));
    EXPECT_FALSE(read(R"({"projects": {}, "kernels": []})"));
    EXPECT_FALSE(errors(std::string(blur) + ", " + blur).empty()); // the same name
    EXPECT_FALSE(errors(changed("blur.cl", "../blur.cl")).empty());
    EXPECT_FALSE(errors("7").empty());
}

TEST(PublicArguments, GeneratorsFillBuffers) {
    EXPECT_EQ(filled<uint8_t>("in u8 3 zero"), (std::vector<uint8_t>{0, 0, 0}));
    EXPECT_EQ(filled<int32_t>("in i32 4 all -2"), (std::vector<int32_t>{-2, -2, -2, -2}));
    EXPECT_EQ(filled<int32_t>("in i32 4 step 3 from -1"), (std::vector<int32_t>{-1, 2, 5, 8}));
    EXPECT_EQ(filled<uint16_t>("in u16 5 step 3 from 1 below 8"), (std::vector<uint16_t>{1, 4, 7, 2, 5}));
    EXPECT_EQ(filled<double>("in f64 3 step -0.5 from 1"), (std::vector<double>{1, 0.5, 0}));
    // The first output of SplitMix64 from 1 is 0x910a2dec89025cc1; its last step is left out, which may
    // change a bit.
    EXPECT_EQ(filled<uint32_t>("in u32 1 any").at(0) >> 1U, 0x910a2decU >> 1U);
    std::vector<uint32_t> order = filled<uint32_t>("in u32 100 shuffled");
    EXPECT_FALSE(std::ranges::is_sorted(order));
    std::ranges::sort(order);
    for (uint32_t i = 0; i < 100; ++i)
        EXPECT_EQ(order[i], i);
    for (const float value : filled<float>("in f32 1000 -1 3")) {
        EXPECT_GE(value, -1);
        EXPECT_LT(value, 3);
    }
    for (const int8_t value : filled<int8_t>("in i8 1000 -3 3")) {
        EXPECT_GE(value, -3);
        EXPECT_LT(value, 3);
    }
}

TEST(PublicArguments, WordsThatMakeNoneAreErrors) {
    for (const char* const text : {"",
                                   "in",
                                   "in f32",
                                   "in f32 0 zero",
                                   "in f32 4",
                                   "in f32 4 1",
                                   "in f32 4 2 1",
                                   "in f32 4 any",
                                   "in u8 4 0 256",
                                   "in u8 4 -1 5",
                                   "in f32 -4 zero",
                                   "in f32 4*x zero",
                                   "in f64 99999999999 zero",
                                   "in i32 4 step 1",
                                   "in i32 4 step 1 from 0 below 0",
                                   "in f32 4 step 1 from 0 below 2",
                                   "in f32 4 all nan",
                                   "local",
                                   "local 0",
                                   "local 65537",
                                   "u8 256",
                                   "u8",
                                   "f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17",
                                   "out f32 4 zero zero",
                                   "in image rgba f32 4",
                                   "in image rgba f16 4 4 0 1",
                                   "in image abgr f32 4 4 0 1",
                                   "in image r unorm8 0 4 any",
                                   "in image r unorm8 4 16385 any",
                                   "in image r unorm8 4 4 sometimes",
                                   "inout image r unorm8 4 4 any"})
        EXPECT_NE(error_of(text), "") << text;
}

// The file of this repository, without any source.
TEST(FifthSet, ItsDescriptionsAreFine) {
    for (const char* const file : {fifth_set_file, public_images_file}) {
        testing::internal::CaptureStderr();
        const auto set = public_set(file, "", "");
        const std::string said = testing::internal::GetCapturedStderr();
        ASSERT_TRUE(set) << said;
        EXPECT_TRUE(set->empty());
        EXPECT_NE(said.find("kernels left out"), std::string::npos) << said;
    }
}

TEST(FifthSet, ImagesHaveAnOrderATypeAndSizes) {
    Work work;
    ASSERT_EQ(add_argument(work, "in image rg unorm16 3 2 step 1 from 5", true), "");
    ASSERT_EQ(add_argument(work, "out image r f32 4*2 1", true), "");
    ASSERT_EQ(work.buffers.size(), 2U);
    const std::vector<uint16_t> wanted{5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    EXPECT_EQ(work.buffers[0].content, bytes_of(wanted));
    EXPECT_EQ(work.buffers[0].image->order, cl_channel_order{CL_RG});
    EXPECT_EQ(work.buffers[0].image->size, (std::array<size_t, 3>{3, 2, 1}));
    EXPECT_FALSE(work.buffers[0].is_result);
    EXPECT_EQ(work.buffers[1].content.size(), 32U);
    EXPECT_EQ(work.buffers[1].image->type, cl_channel_type{CL_FLOAT});
    EXPECT_TRUE(work.buffers[1].is_result);
}

// Kernels of this repository need no version, licence or address.
TEST_F(PublicSet, OwnKernelsAreBesideTheDescriptions) {
    write("own/kernels/sum.cl", "d");
    const auto set = read(R"({"projects": {"kernels": {"from": "repository"}}, "kernels": [
        {"name": "sum", "project": "kernels", "files": ["sum.cl"], "kernel": "sum", "global": [64], "local": [8],
         "arguments": ["out i32 64"]}]})");
    ASSERT_TRUE(set) << set.error().front();
    ASSERT_EQ(set->work.size(), 1U);
    EXPECT_EQ(set->work.front().files, std::vector{folder("own/kernels/sum.cl")});
    EXPECT_TRUE(set->left_out.empty());
}

} // namespace

} // namespace visor::compare
