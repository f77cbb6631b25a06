#include "capture/folder.h"

#include "capture/layout.h"
#include "file/file.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace visor::capture {
namespace {

namespace fs = std::filesystem;

class CapturedFolder : public testing::Test {
protected:
    std::string parent_ =
        testing::TempDir() + "visor-capture-" + testing::UnitTest::GetInstance()->current_test_info()->name();
    std::array<std::byte, 8> memory_{std::byte{1}, std::byte{2}};
    Launch launch_;

    CapturedFolder() {
        fs::remove_all(parent_);
        launch_.number = 3;
        launch_.kernel = "k";
        launch_.device = "skl";
        launch_.code = "zebin";
        launch_.options = "-cl-std=CL2.0";
        launch_.global = {8, 1, 1};
        launch_.arguments = {{"out", "int*", Object{.bytes = memory_, .number = 1}},
                             {"n", "uchar", std::vector<std::byte>{std::byte{7}}},
                             {"l", "int*", Local{32}},
                             {"none", "int*", Null{}}};
    }
    ~CapturedFolder() override { fs::remove_all(parent_); }

    [[nodiscard]] std::string content(const std::string& name) const {
        return read_file(parent_ + "/Enqueue_3_k/" + name).value_or("not there");
    }
};

TEST_F(CapturedFolder, HoldsWhatTheLaunchStartsFrom) {
    const auto folder = Folder::create(parent_, launch_);
    ASSERT_TRUE(folder.has_value()) << folder.error();
    EXPECT_EQ(content(kernel_name_file), "k");
    EXPECT_EQ(content(number_file), "3\n");
    EXPECT_EQ(content(options_file), "-cl-std=CL2.0\n");
    EXPECT_EQ(content(sizes_file), "8 \n0 \n0 \n");
    EXPECT_EQ(content(types_file), "int*\nuchar\nint*\nint*\n");
    EXPECT_EQ(content(binary_file), "zebin");
    EXPECT_EQ(content("Argument1.bin"), "\7");
    EXPECT_EQ(content("Argument3.bin"), std::string(8, '\0'));
    EXPECT_EQ(content("Local2.txt"), "32");
    EXPECT_EQ(content("Pre/Enqueue_0003_Kernel_k_Arg_0_Buffer_0001.bin"), std::string("\1\2\0\0\0\0\0\0", 8));
    EXPECT_NE(content(launch_file_name).find("its end was not seen"), std::string::npos);
    EXPECT_EQ(content(launch_file_name).find("expect"), std::string::npos);
    EXPECT_FALSE(fs::exists(parent_ + "/Enqueue_3_k/Post"));
}

TEST_F(CapturedFolder, HoldsWhatTheLaunchLeft) {
    const auto folder = Folder::create(parent_, launch_);
    ASSERT_TRUE(folder.has_value()) << folder.error();
    memory_[2] = std::byte{9};
    ASSERT_TRUE(folder->finish(launch_, {.over = true, .failure = "", .local = {4, 1, 1}}).has_value());
    EXPECT_EQ(content("Pre/Enqueue_0003_Kernel_k_Arg_0_Buffer_0001.bin"), std::string("\1\2\0\0\0\0\0\0", 8));
    EXPECT_EQ(content("Post/Enqueue_0003_Kernel_k_Arg_0_Buffer_0001.bin"),
              std::string("\1\2\11\0\0\0\0\0", 8));
    EXPECT_NE(content(launch_file_name).find("\"expect\""), std::string::npos);
    EXPECT_NE(content(launch_file_name).find("\"local\""), std::string::npos);
}

TEST_F(CapturedFolder, ALaunchThatFaultsHasNoExpectations) {
    const auto folder = Folder::create(parent_, launch_);
    ASSERT_TRUE(folder.has_value());
    ASSERT_TRUE(folder->finish(launch_, {.over = true, .failure = "a fault", .local = {}}).has_value());
    EXPECT_NE(content(launch_file_name).find("it ended so: a fault"), std::string::npos);
    EXPECT_EQ(content(launch_file_name).find("\"expect\""), std::string::npos);
    EXPECT_FALSE(fs::exists(parent_ + "/Enqueue_3_k/Post"));
}

TEST_F(CapturedFolder, IsNeverWrittenOver) {
    ASSERT_TRUE(Folder::create(parent_, launch_).has_value());
    const auto again = Folder::create(parent_, launch_);
    ASSERT_FALSE(again.has_value());
    EXPECT_NE(again.error().find("is there already"), std::string::npos);
    EXPECT_EQ(std::distance(fs::directory_iterator(parent_), fs::directory_iterator()), 1);
}

TEST_F(CapturedFolder, OfWhatCannotBeWrittenNothingIsLeft) {
    fs::create_directory(parent_);
    ASSERT_TRUE(write_file(parent_ + "/file", {}, Content::binary).has_value());
    const auto folder = Folder::create(parent_ + "/file", launch_);
    ASSERT_FALSE(folder.has_value());
    EXPECT_NE(folder.error().find(parent_), std::string::npos);
    EXPECT_EQ(std::distance(fs::directory_iterator(parent_), fs::directory_iterator()), 1);
}

TEST_F(CapturedFolder, PixelsAreKeptWithoutGaps) {
    std::array<std::byte, 16> pixels{};
    pixels[0] = std::byte{1};
    pixels[8] = std::byte{2};
    machine::Image image = machine::packed_image(
        machine::ImageShape::d2, {machine::ChannelOrder::r, machine::ChannelType::unorm_int8}, {2, 2, 1}, 1);
    image.row_pitch = 8;
    image.slice_pitch = 16;
    launch_.arguments = {{"in", "image2d_t", Pixels{image, pixels, 1}}};
    ASSERT_TRUE(Folder::create(parent_, launch_).has_value());
    EXPECT_EQ(content("Pre/Enqueue_0003_Kernel_k_Arg_0_Image_0001_2x2x1_8bpp.raw"),
              std::string("\1\0\2\0", 4));
}

} // namespace
} // namespace visor::capture
