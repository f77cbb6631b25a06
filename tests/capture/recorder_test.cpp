#include "capture/recorder.h"

#include "file/file.h"

#include <array>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace visor::capture {
namespace {

namespace fs = std::filesystem;

class Recorded : public testing::Test {
protected:
    std::string folder_ = testing::TempDir() + "visor-recorder-" +
                          testing::UnitTest::GetInstance()->current_test_info()->name();
    std::array<std::byte, 8> memory_{};
    std::vector<std::string> told_;

    Recorded() { fs::remove_all(folder_); }
    ~Recorded() override { fs::remove_all(folder_); }

    [[nodiscard]] Tell tell() {
        return [this](std::string_view text) { told_.emplace_back(text); };
    }
    [[nodiscard]] Launch launch() const {
        Launch launch;
        launch.kernel = "k";
        launch.device = "skl";
        launch.code = "zebin";
        launch.arguments = {{"out", "int*", Object{.bytes = memory_, .number = 1}}};
        return launch;
    }
    [[nodiscard]] size_t folders() const {
        const auto count = std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
        return static_cast<size_t>(count);
    }
};

TEST_F(Recorded, EveryLaunchHasItsNumber) {
    Recorder recorder({.folder = folder_, .launches = {}}, tell());
    for (int k = 0; k < 3; ++k) {
        const auto recording = recorder.begin("k", [&] { return launch(); });
        ASSERT_TRUE(recording.has_value());
        recording->finish({.over = true, .failure = "", .local = {1, 1, 1}});
    }
    recorder.finish();
    EXPECT_TRUE(fs::exists(folder_ + "/Enqueue_2_k/Post"));
    EXPECT_EQ(folders(), 3U);
    EXPECT_TRUE(told_.empty());
    EXPECT_FALSE(recorder.failed());
}

TEST_F(Recorded, LaunchesThatAreNotChosenAreNotDescribed) {
    Recorder recorder({.folder = folder_, .launches = parse_selection("k:1,other").value_or(Selection{})},
                      tell());
    int described = 0;
    const auto describe = [&] {
        ++described;
        return launch();
    };
    EXPECT_FALSE(recorder.begin("k", describe).has_value());
    EXPECT_TRUE(recorder.begin("k", describe).has_value());
    EXPECT_FALSE(recorder.begin("k", describe).has_value());
    EXPECT_EQ(described, 1);
    EXPECT_TRUE(fs::exists(folder_ + "/Enqueue_1_k"));
    recorder.finish();
    EXPECT_TRUE(told_.empty());
}

TEST_F(Recorded, ASelectionThatChoosesNothingIsTold) {
    Recorder recorder({.folder = folder_, .launches = parse_selection("other").value_or(Selection{})},
                      tell());
    recorder.finish();
    EXPECT_TRUE(told_.empty()); // nothing was launched at all
    EXPECT_FALSE(recorder.begin("k", [&] { return launch(); }).has_value());
    recorder.finish();
    ASSERT_EQ(told_.size(), 1U);
    EXPECT_NE(told_[0].find("no launch is captured"), std::string::npos);
    EXPECT_FALSE(recorder.failed());
    EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(Recorded, BeyondTheLimitIsCounted) {
    Recorder recorder({.folder = folder_, .launches = {}, .mebibytes = 0}, tell());
    EXPECT_FALSE(recorder.begin("k", [&] { return launch(); }).has_value());
    recorder.finish();
    ASSERT_EQ(told_.size(), 1U);
    EXPECT_TRUE(told_[0].starts_with("1 launch is not captured: the limit is 0 MiB")) << told_[0];
    EXPECT_FALSE(recorder.failed());
}

TEST_F(Recorded, WhatCannotBeWrittenIsToldAndFails) {
    ASSERT_TRUE(write_file(folder_, {}, Content::binary).has_value());
    Recorder recorder({.folder = folder_, .launches = {}}, tell());
    EXPECT_FALSE(recorder.begin("k", [&] { return launch(); }).has_value());
    ASSERT_EQ(told_.size(), 1U);
    EXPECT_TRUE(told_[0].starts_with("launch 0 of `k` is not captured: ")) << told_[0];
    EXPECT_TRUE(recorder.failed());
}

TEST_F(Recorded, WhatALaunchFileCannotHoldIsTold) {
    Recorder recorder({.folder = folder_, .launches = {}}, tell());
    const auto empty = [&] {
        Launch out = launch();
        out.global = {0, 1, 1};
        return out;
    };
    EXPECT_FALSE(recorder.begin("k", empty).has_value());
    ASSERT_EQ(told_.size(), 1U);
    EXPECT_NE(told_[0].find("it has no work-items"), std::string::npos) << told_[0];
    EXPECT_TRUE(recorder.failed());
}

TEST_F(Recorded, TheProcessIsInTheFoldersName) {
    Recorder recorder({.folder = folder_ + "/%p", .launches = {}}, tell());
    ASSERT_TRUE(recorder.begin("k", [&] { return launch(); }).has_value());
    EXPECT_TRUE(fs::exists(folder_ + "/" + std::to_string(getpid()) + "/Enqueue_0_k"));
}

TEST_F(Recorded, AChildCountsFromZero) {
    Recorder recorder({.folder = folder_, .launches = parse_selection(":0").value_or(Selection{})}, tell());
    ASSERT_TRUE(recorder.begin("k", [&] { return launch(); }).has_value());
    fs::remove_all(folder_);
    recorder.reset_after_fork();
    EXPECT_TRUE(recorder.begin("k", [&] { return launch(); }).has_value());
}

TEST_F(Recorded, AFolderWithSomethingInItIsInUse) {
    EXPECT_FALSE(is_in_use(""));
    EXPECT_FALSE(is_in_use(folder_));
    fs::create_directory(folder_);
    EXPECT_FALSE(is_in_use(folder_));
    ASSERT_TRUE(write_file(folder_ + "/file", {}, Content::binary).has_value());
    EXPECT_TRUE(is_in_use(folder_));
}

} // namespace
} // namespace visor::capture
