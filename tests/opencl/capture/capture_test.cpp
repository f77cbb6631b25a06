// `visor run --capture` and `visor run FOLDER`, from outside: what an application launched is launched again
// from its folder alone, and what it has to leave is worked out by hand.
#include "process/process.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

namespace visor::opencl_test {
namespace {

namespace fs = std::filesystem;

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

class Captures : public testing::Test {
protected:
    std::string folder_ = testing::UnitTest::GetInstance()->current_test_info()->name();

    Captures() {
        std::ranges::replace(folder_, '/', '-');
        folder_.insert(0, testing::TempDir() + "visor-captures-");
        fs::remove_all(folder_);
    }
    ~Captures() override { fs::remove_all(folder_); }

    [[nodiscard]] test::Finished capture(const char* what, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{VISOR_PROGRAM, "run", "--capture", folder_};
        words.insert(words.end(), more.begin(), more.end());
        words.insert(words.end(), {"--", VISOR_APPLICATION, what});
        return test::run(words);
    }
    [[nodiscard]] static test::Finished again(const std::string& folder,
                                              const std::vector<std::string>& more = {}) {
        std::vector<std::string> words{VISOR_PROGRAM, "run", folder};
        words.insert(words.end(), more.begin(), more.end());
        return test::run(words);
    }
    [[nodiscard]] std::set<std::string> names(const std::string& below = "") const {
        std::set<std::string> out;
        for (const auto& entry : fs::directory_iterator(folder_ + below))
            out.insert(entry.path().filename().string());
        return out;
    }
    [[nodiscard]] std::vector<int> ints(const std::string& name) const {
        const std::string bytes = test::read_file(folder_ + "/" + name);
        std::vector<int> out(bytes.size() / sizeof(int));
        std::memcpy(out.data(), bytes.data(), out.size() * sizeof(int));
        return out;
    }
};

const std::set<std::string> all_launches{"Enqueue_0_add",    "Enqueue_1_nothing",   "Enqueue_2_same",
                                         "Enqueue_3_count",  "Enqueue_4_count",     "Enqueue_5_parts",
                                         "Enqueue_6_inside", "Enqueue_7_local_sum", "Enqueue_8_picture"};

class CapturesOn : public Captures, public testing::WithParamInterface<const char*> {};

TEST_P(CapturesOn, EveryKindOfArgumentIsLaunchedAgain) {
    const auto ran = capture("all", {"--device", GetParam()});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "inside 31 16\n");
    std::set<std::string> launched = all_launches;
    if (std::string_view(GetParam()) == "pvc") // which has no images
        launched.erase("Enqueue_8_picture");
    EXPECT_EQ(names(), launched);
    for (const std::string& name : launched)
        for (const char* engine : {"interp", "jit"}) {
            const auto replayed = again(folder_ + "/" + name, {"--engine", engine});
            EXPECT_EQ(replayed.exit_code, 0) << name << '\n' << replayed.err;
            EXPECT_TRUE(has(replayed.err, "expectation")) << replayed.err;
        }
}
INSTANTIATE_TEST_SUITE_P(Devices, CapturesOn, testing::Values("skl", "pvc"),
                         [](const auto& one) { return std::string(one.param); });

TEST_F(Captures, MemoryBeforeAndAfterIsThatOfTheLaunch) {
    ASSERT_EQ(capture("all").exit_code, 0);
    std::vector<int> before(32);
    for (int i = 0; i < 32; ++i)
        before[static_cast<size_t>(i)] = i;
    EXPECT_EQ(ints("Enqueue_6_inside/Pre/Enqueue_0006_Kernel_inside_Arg_0_Buffer_0001.bin"), before);
    std::vector<int> after = before; // p points to number 16: p[-1 - i] = p[i]
    for (int i = 0; i < 16; ++i)
        after[static_cast<size_t>(15 - i)] = 16 + i;
    EXPECT_EQ(ints("Enqueue_6_inside/Post/Enqueue_0006_Kernel_inside_Arg_0_Buffer_0001.bin"), after);
    EXPECT_EQ(test::read_file(folder_ + "/Enqueue_6_inside/SVM_Arg_Offset_0.txt"), "64\n");
    // The variable of the program is 5 in the first launch, and counts by two.
    EXPECT_EQ(ints("Enqueue_4_count/Pre/Variables.bin"), std::vector<int>{7});
    EXPECT_EQ(ints("Enqueue_4_count/Post/Variables.bin"), std::vector<int>{9});
    EXPECT_EQ(ints("Enqueue_4_count/Post/Enqueue_0004_Kernel_count_Arg_0_Buffer_0001.bin")[0], 7);
    EXPECT_EQ(test::read_file(folder_ + "/Enqueue_7_local_sum/Local1.txt"), "32");
    EXPECT_EQ(ints("Enqueue_7_local_sum/Post/Enqueue_0007_Kernel_local_sum_Arg_0_Buffer_0001.bin"),
              (std::vector<int>{17, 16, 15, 14, 13, 12, 11, 10, 17, 16, 15, 14, 13, 12, 11, 10}));
}

TEST_F(Captures, AnotherByteBeforeIsAnotherResult) {
    ASSERT_EQ(capture("all", {"--capture-launches", "add"}).exit_code, 0);
    const std::string x = folder_ + "/Enqueue_0_add/Pre/Enqueue_0000_Kernel_add_Arg_1_Buffer_0002.bin";
    std::string bytes = test::read_file(x);
    bytes[4 * 3 + 3] = 0x41; // 3.0 becomes 12.0
    bytes[4 * 3 + 2] = 0x40;
    test::write_file(x, bytes);
    const auto ran = again(folder_ + "/Enqueue_0_add");
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.err, "y[3] is 33, expected 10.5")) << ran.err;
    EXPECT_TRUE(has(ran.err, "x[3] is 12, expected 3")) << ran.err;
}

// What the layout of the Intercept Layer cannot say is in the launch file alone: variables of the program,
// and parts of buffers that overlap.
TEST_F(Captures, WithoutTheirLaunchFileTheyAreThoseOfTheInterceptLayer) {
    ASSERT_EQ(capture("all").exit_code, 0);
    for (const std::string& name : all_launches) {
        fs::remove(folder_ + "/" + name + "/launch.json");
        const bool is_told = name != "Enqueue_4_count" && name != "Enqueue_5_parts";
        const auto ran = again(folder_ + "/" + name);
        EXPECT_EQ(ran.exit_code, is_told ? 0 : 1) << name << '\n' << ran.err;
    }
}

TEST_F(Captures, OnlyTheChosenOnes) {
    const auto ran = capture("many", {"--capture-launches", "count:2..3,:7,other"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(names(), (std::set<std::string>{"Enqueue_2_count", "Enqueue_3_count", "Enqueue_7_count"}));
}

TEST_F(Captures, ASelectionThatMatchesNothingIsReported) {
    const auto ran = capture("many", {"--capture-launches", "other,:10"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(has(ran.err, "no launch is captured: --capture-launches (VISOR_CAPTURE_LAUNCHES)"))
        << ran.err;
    EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(Captures, ALaunchThatFaultsFaultsAgain) {
    const auto ran = capture("fault");
    EXPECT_EQ(ran.exit_code, 1);
    const auto replayed = again(folder_ + "/Enqueue_0_fault");
    EXPECT_EQ(replayed.exit_code, 1);
    EXPECT_TRUE(has(replayed.err, "memory access outside every allocation")) << replayed.err;
}

TEST_F(Captures, BeyondTheLimitIsTold) {
    const auto ran = capture("many", {"--capture-limit", "0"});
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_TRUE(has(ran.err, "10 launches are not captured: the limit is 0 MiB")) << ran.err;
    EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(Captures, AFolderThatCannotBeWrittenIsToldAndTheApplicationGoesOn) {
    test::write_file(folder_, "a file");
    const auto ran = test::run(
        {"/usr/bin/env", "VISOR_CAPTURE=" + folder_, VISOR_PROGRAM, "run", "--", VISOR_APPLICATION, "all"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "inside 31 16\n");
    EXPECT_TRUE(has(ran.err, "launch 0 of `add` is not captured: ")) << ran.err;
}

TEST_F(Captures, AFullDiskLeavesWhatWasWholeBefore) {
    // Files of more than 40 blocks of 512 bytes cannot be written: the program's binary is one.
    const auto ran = test::run({"/bin/sh", "-c",
                                "ulimit -f 8; trap '' XFSZ; exec \"$0\" run --capture \"$1\" -- \"$2\" all",
                                VISOR_PROGRAM, folder_, VISOR_APPLICATION});
    EXPECT_EQ(ran.out, "inside 31 16\n");
    EXPECT_TRUE(has(ran.err, "is not captured: ")) << ran.err;
    EXPECT_TRUE(!fs::exists(folder_) || fs::is_empty(folder_));
}

TEST_F(Captures, OfTwoRunsDoNotLieInOneFolder) {
    ASSERT_EQ(capture("many", {"--capture-launches", ":0"}).exit_code, 0);
    const auto ran = capture("many");
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_TRUE(has(ran.err, "the folder is not empty")) << ran.err;
}

TEST_F(Captures, AChildHasAFolderOfItsOwn) {
    const auto ran =
        test::run({VISOR_PROGRAM, "run", "--capture", folder_ + "/%p", "--", VISOR_APPLICATION, "fork"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    ASSERT_EQ(names().size(), 2U);
    std::set<std::string> launches;
    for (const std::string& process : names())
        launches.merge(names("/" + process));
    EXPECT_EQ(launches, (std::set<std::string>{"Enqueue_0_inside", "Enqueue_0_local_sum"}));
}

TEST_F(Captures, MistakesOnTheCommandLine) {
    EXPECT_EQ(capture("many", {"--capture-launches", "a:b"}).exit_code, 2);
    EXPECT_EQ(capture("many", {"--capture-limit", "x"}).exit_code, 2);
    EXPECT_EQ(
        test::run({VISOR_PROGRAM, "run", "--capture-limit", "7", "--", VISOR_APPLICATION, "many"}).exit_code,
        2);
    EXPECT_FALSE(fs::exists(folder_));
}

// ---- folders that the Intercept Layer itself recorded

TEST_F(Captures, OfTheInterceptLayerAreLaunchedAgain) {
    for (const char* name : {"Enqueue_0_add", "Enqueue_6_inside", "Enqueue_7_local_sum", "Enqueue_8_picture"})
        for (const char* device : {"skl", "dg2"}) {
            const auto ran = again(std::string(VISOR_INTERCEPTED) + name, {"--device", device});
            EXPECT_EQ(ran.exit_code, 0) << name << '\n' << ran.err;
            EXPECT_TRUE(has(ran.err, "met; exact")) << ran.err;
        }
}

class Damaged : public Captures, public testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(Damaged, FoldersAreRefusedWithAReason) {
    fs::copy(std::string(VISOR_INTERCEPTED) + "Enqueue_8_picture", folder_, fs::copy_options::recursive);
    const auto& [file, content] = GetParam();
    if (content == nullptr)
        fs::remove_all(folder_ + "/" + file);
    else
        test::write_file(folder_ + "/" + file, content);
    const auto ran = again(folder_);
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
    EXPECT_TRUE(has(ran.err, "error")) << ran.err;
}
INSTANTIATE_TEST_SUITE_P(
    Files, Damaged,
    testing::Values(std::pair{"kernelName.txt", static_cast<const char*>(nullptr)},
                    std::pair{"kernelName.txt", "another"}, std::pair{"worksizes.txt", "5 3"},
                    std::pair{"worksizes.txt", "99999999999 3\n0 0\n0 0\n"},
                    std::pair{"kernel.cl", "no kernel"},
                    std::pair{"kernel.cl", static_cast<const char*>(nullptr)},
                    std::pair{"Image_MetaData_0.txt", "5\n3\n"},
                    std::pair{"Image_MetaData_0.txt", "5000\n3000\n1\n4\n20\n0\n4306\n4277\n4337"},
                    std::pair{"Sampler1.txt", static_cast<const char*>(nullptr)},
                    std::pair{"Pre", static_cast<const char*>(nullptr)}, std::pair{"launch.json", "{"}));

TEST_F(Captures, AFolderWithoutALaunchIsNone) {
    fs::create_directory(folder_);
    const auto ran = again(folder_);
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.err, "holds no captured launch")) << ran.err;
}

// ---- and ours by a script that knows nothing but the layout, on another implementation

TEST_F(Captures, AreLaunchedAgainOnPoCL) {
    ASSERT_EQ(capture("all").exit_code, 0);
    std::string command =
        "OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd exec /usr/bin/python3 -B " VISOR_REPLAY;
    // Not `nothing`: what a NaN's bits become is each implementation's own.
    for (const char* name : {"Enqueue_0_add", "Enqueue_2_same", "Enqueue_3_count", "Enqueue_6_inside",
                             "Enqueue_7_local_sum", "Enqueue_8_picture"})
        command += fmt::format(" {}/{}", folder_, name);
    const auto ran = test::run({"/bin/sh", "-c", command});
    if (ran.exit_code == 77 || !fs::exists("/etc/OpenCL/vendors/pocl.icd"))
        GTEST_SKIP() << "no pyopencl, or no PoCL";
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    EXPECT_TRUE(has(ran.out, "Portable Computing Language")) << ran.out;
}

} // namespace
} // namespace visor::opencl_test
