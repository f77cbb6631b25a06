#include "file/file.h"

#include "cli/value/array_file.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace visor::cli {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "visor-files-XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
    void put(const std::string& name, const std::string& content) const {
        std::ofstream(path(name)) << content;
    }
    [[nodiscard]] size_t count() const {
        return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    fs::path folder_;
};

TEST_F(Files, ReadsWhole) {
    put("a", std::string(3'000'000, 'x') + "end");
    const auto content = read_file(path("a"));
    ASSERT_TRUE(content.has_value());
    EXPECT_EQ(content->size(), 3'000'003U);
    EXPECT_TRUE(content->ends_with("xend"));
    put("empty", "");
    EXPECT_EQ(read_file(path("empty")).value(), "");
}

TEST_F(Files, SaysWhyItCannotRead) {
    EXPECT_NE(read_file(path("none")).error().find("No such file"), std::string::npos);
    EXPECT_NE(read_file(folder_).error().find("folder"), std::string::npos);
}

TEST_F(Files, WhatHasNoEndIsNotReadForEver) {
    EXPECT_EQ(read_file("/dev/zero").error(), "cannot read `/dev/zero`: it has more than 67108864 bytes");
    EXPECT_EQ(read_file("/dev/null").value(), "");
    put("small", "1234");
    EXPECT_EQ(read_file(path("small"), 4).value(), "1234");
    EXPECT_EQ(read_file(path("small"), 3).error(),
              "cannot read `" + path("small") + "`: it has more than 3 bytes");
    fs::resize_file(path("small"), most_file_bytes + 1); // a hole: no disk is used
    EXPECT_NE(read_file(path("small")).error().find("more than 4294967296 bytes"), std::string::npos);
}

TEST_F(Files, OfWhatAFileNames) {
    put("file", "1");
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    EXPECT_TRUE(check_regular(path("file")).has_value());
    EXPECT_TRUE(check_regular(path("none")).has_value()) << "opening it says more";
    EXPECT_TRUE(check_regular("-").has_value());
    EXPECT_FALSE(check_regular(path("pipe")).has_value());
    EXPECT_FALSE(check_regular("/dev/zero").has_value());
}

TEST_F(Files, AppearsWhenCommitted) {
    auto file = OutputFile::create(path("y"));
    ASSERT_TRUE(file.has_value());
    ASSERT_TRUE(file->write("hello").has_value());
    EXPECT_FALSE(fs::exists(path("y")));
    ASSERT_TRUE(file->commit().has_value());
    EXPECT_EQ(read_file(path("y")).value(), "hello");
    EXPECT_EQ(count(), 1U) << "no temporary file stays";
}

TEST_F(Files, NotCommittedIsNotThere) {
    put("y", "old");
    {
        auto file = OutputFile::create(path("y"));
        ASSERT_TRUE(file.has_value());
        ASSERT_TRUE(file->write("new").has_value());
    }
    EXPECT_EQ(read_file(path("y")).value(), "old");
    EXPECT_EQ(count(), 1U);
}

TEST_F(Files, KeepsTheModeOfWhatItReplaces) {
    put("y", "old");
    ASSERT_EQ(chmod(path("y").c_str(), 0640), 0);
    auto file = OutputFile::create(path("y"));
    ASSERT_TRUE(file.has_value() && file->commit().has_value());
    EXPECT_EQ(fs::status(path("y")).permissions(), static_cast<fs::perms>(0640));
}

TEST_F(Files, FollowsLinks) {
    put("real", "old");
    fs::create_symlink("real", path("link"));
    auto file = OutputFile::create(path("link"));
    ASSERT_TRUE(file.has_value() && file->write("new").has_value() && file->commit().has_value());
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(read_file(path("real")).value(), "new");
}

TEST_F(Files, SaysWhyItCannotWrite) {
    EXPECT_NE(OutputFile::create(path("none/y")).error().find("No such file"), std::string::npos);
    EXPECT_FALSE(OutputFile::probe(path("none/y")).has_value());
    EXPECT_FALSE(OutputFile::create(folder_).has_value());
}

TEST_F(Files, ProbeLeavesNothing) {
    EXPECT_TRUE(OutputFile::probe(path("y")).has_value());
    EXPECT_EQ(count(), 0U);
}

TEST_F(Files, DevicesAreWrittenDirectly) {
    auto file = OutputFile::create("/dev/null");
    ASSERT_TRUE(file.has_value());
    EXPECT_TRUE(file->write("x").has_value());
    EXPECT_TRUE(file->commit().has_value());
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    auto full = OutputFile::create("/dev/full");
    ASSERT_TRUE(full.has_value());
    EXPECT_NE(full->write("x").error().find("No space"), std::string::npos);
}

TEST_F(Files, RawArrays) {
    put("x.bin", "abcdefgh");
    const auto raw = read_array({path("x.bin"), std::nullopt});
    ASSERT_TRUE(raw.has_value());
    EXPECT_FALSE(raw->typed);
    EXPECT_EQ(raw->array.shape, (Shape{8}));
    const auto typed = read_array({path("x.bin"), Element::f32});
    ASSERT_TRUE(typed.has_value());
    EXPECT_TRUE(typed->typed);
    EXPECT_EQ(typed->array.shape, (Shape{2}));
    put("y.bin", "abc");
    EXPECT_NE(read_array({path("y.bin"), Element::f32}).error().find("no whole number"), std::string::npos);
    put("empty.bin", "");
    EXPECT_NE(read_array({path("empty.bin"), std::nullopt}).error().find("no elements"), std::string::npos);
}

TEST_F(Files, NpyByContentAndByName) {
    put("short.npy", "abc");
    EXPECT_NE(read_array({path("short.npy"), std::nullopt}).error().find("no NumPy file"), std::string::npos);
    EXPECT_NE(read_array({path("short.npy"), std::nullopt}).error().find("short.npy"), std::string::npos);
}

} // namespace
} // namespace visor::cli
