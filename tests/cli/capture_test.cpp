// `visor run --capture DIR` of kernels alone: what was launched is launched again from its folder, and leaves
// the same bits. Expected numbers are worked out by hand.
#include "end_to_end.h"

#include <algorithm>
#include <set>
#include <unistd.h>

namespace visor::cli {
namespace {

namespace fs = std::filesystem;

class Capture : public EndToEnd {
protected:
    [[nodiscard]] std::string captured() const { return file("captured"); }
    // What was captured, by name.
    [[nodiscard]] std::set<std::string> names() const {
        std::set<std::string> out;
        if (fs::exists(captured()))
            for (const auto& entry : fs::directory_iterator(captured()))
                out.insert(entry.path().filename().string());
        return out;
    }
    [[nodiscard]] test::Finished capture(std::vector<std::string> words,
                                         const std::vector<std::string>& more = {}) const {
        words.insert(words.begin(), {"run", "--capture", captured()});
        words.insert(words.end(), more.begin(), more.end());
        return visor(words);
    }
    // Both engines leave what the folder has.
    void expect_again(const std::string& name, const std::string& expectations) const {
        for (const char* engine : {"interp", "jit"}) {
            const auto ran = visor({"run", captured() + "/" + name, "--engine", engine});
            EXPECT_EQ(ran.exit_code, 0) << name << '\n' << ran.err;
            EXPECT_TRUE(has(ran.err, ", " + expectations + " met")) << ran.err;
        }
    }
};

TEST_F(Capture, AKernelOfOpenCLC) {
    for (const char* device : {"skl", "pvc"}) {
        const auto ran = visor({"run", saxpy, "-k", "saxpy", "-g", "4", "--device", device, "--capture",
                                captured(), "-a", "y=fill:f32:4:1", "x=iota:f32:4", "a=2.5", "n=4"});
        ASSERT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_EQ(names(), std::set<std::string>{"Enqueue_0_saxpy"});
        const std::string folder = captured() + "/Enqueue_0_saxpy/";
        EXPECT_EQ(test::read_file(folder + "kernel.cl"), test::read_file(saxpy));
        EXPECT_TRUE(has(test::read_file(folder + "launch.json"), device));
        fs::remove(folder + "kernel.cl"); // the zebin is what is launched
        expect_again("Enqueue_0_saxpy", "2 expectations");
        fs::remove_all(captured());
    }
}

TEST_F(Capture, AnotherByteBeforeIsAnotherResult) {
    ASSERT_EQ(visor({"run", saxpy, "-k", "saxpy", "-g", "4", "--capture", captured(), "-a", "y=fill:f32:4:1",
                     "x=iota:f32:4", "a=2.5", "n=4"})
                  .exit_code,
              0);
    const std::string x = captured() + "/Enqueue_0_saxpy/Pre/Enqueue_0000_Kernel_saxpy_Arg_1_Buffer_0002.bin";
    std::string bytes = test::read_file(x);
    ASSERT_EQ(bytes.size(), 16U);
    bytes[4 * 3 + 2] = '\x00'; // 3.0 becomes 2.0
    test::write_file(x, bytes);
    const auto ran = visor({"run", captured() + "/Enqueue_0_saxpy"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.err, "y[3] is 6, expected 8.5")) << ran.err;
}

// Two launches that share an array, one of them a part of it.
constexpr const char* several = R"({"version": 1, "program": {"source": [
  "int counted = 40;",
  "kernel void add(global int* to, int n) { to[get_global_id(0)] += n; }",
  "kernel void count(global int* to) { to[0] = counted; counted += 2; }"],
  "options": "-cl-std=CL2.0"},
  "arrays": {"a": "iota:i32:8"},
  "launches": [
    {"kernel": "add", "global": 8, "arguments": ["a", 10]},
    {"kernel": "count", "global": 1, "arguments": [{"array": "a", "offset": 16, "bytes": 8}]},
    {"kernel": "count", "global": 1, "arguments": [{"array": "a", "offset": 4}]},
    {"kernel": "add", "global": 4, "arguments": ["a", 1]}],
  "expect": [{"array": "a", "equals": [11, 43, 13, 14, 40, 15, 16, 17]}]})";

TEST_F(Capture, EachLaunchOfALaunchFile) {
    ASSERT_EQ(capture({source("several.json", several)}).exit_code, 0);
    EXPECT_EQ(names(), (std::set<std::string>{"Enqueue_0_add", "Enqueue_1_count", "Enqueue_2_count",
                                              "Enqueue_3_add"}));
    expect_again("Enqueue_0_add", "2 expectations"); // the array, and the program's variable
    expect_again("Enqueue_1_count", "2 expectations");
    expect_again("Enqueue_2_count", "2 expectations");
    expect_again("Enqueue_3_add", "2 expectations");
    EXPECT_EQ(test::read_file(captured() + "/Enqueue_2_count/Pre/Variables.bin"),
              std::string("\x2a\0\0\0", 4));
    // The array as the second launch left it: the fourth begins with it.
    const std::string before =
        test::read_file(captured() + "/Enqueue_3_add/Pre/Enqueue_0003_Kernel_add_Arg_0_Buffer_0001.bin");
    EXPECT_EQ(before.substr(4, 4), std::string("\x2a\0\0\0", 4));
}

TEST_F(Capture, OnlyTheChosenOnes) {
    ASSERT_EQ(capture({source("several.json", several)}, {"--capture-launches", "count:1,:3"}).exit_code, 0);
    EXPECT_EQ(names(), (std::set<std::string>{"Enqueue_2_count", "Enqueue_3_add"}));
}

TEST_F(Capture, AChoiceOfNothingIsTold) {
    const auto ran = capture({source("several.json", several)}, {"--capture-launches", "counts,add:2"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(has(ran.err, "warning: no launch is captured: --capture-launches")) << ran.err;
    EXPECT_FALSE(fs::exists(captured()));
}

TEST_F(Capture, BeyondTheLimitIsTold) {
    const auto ran = capture({source("several.json", several)}, {"--capture-limit", "0"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(has(ran.err, "4 launches are not captured: the limit is 0 MiB")) << ran.err;
    EXPECT_FALSE(fs::exists(captured()));
}

TEST_F(Capture, ACapturedLaunchIsCapturedAgain) {
    ASSERT_EQ(capture({source("several.json", several)}, {"--capture-launches", "count:1"}).exit_code, 0);
    const std::string again = file("again");
    ASSERT_EQ(visor({"run", captured() + "/Enqueue_2_count", "--capture", again}).exit_code, 0);
    for (const char* name : {"Pre/Variables.bin", "Post/Variables.bin", "DeviceBinary0.bin"})
        EXPECT_EQ(test::read_file(again + "/Enqueue_0_count/" + name),
                  test::read_file(captured() + "/Enqueue_2_count/" + name));
    EXPECT_EQ(visor({"run", again + "/Enqueue_0_count"}).exit_code, 0);
}

// ---- programs of every kind

TEST_F(Capture, AZebinAndSpirv) {
    for (const char* kind : {"zebin", "spv"}) {
        const std::string program = file(std::string("program.") + kind);
        ASSERT_EQ(visor({"cc", saxpy, "--emit", kind, "-o", program}).exit_code, 0);
        const auto ran =
            capture({program, "-k", "saxpy", "-g", "4", "-a", "iota:f32:4:1", "iota:f32:4", "2.5", "4"});
        ASSERT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_EQ(fs::exists(captured() + "/Enqueue_0_saxpy/kernel.spv"), std::string(kind) == "spv");
        expect_again("Enqueue_0_saxpy", "2 expectations");
        fs::remove_all(captured());
    }
}

TEST_F(Capture, ACompilersTextAndAReplacedOne) {
    const std::string text = file("edited.visaasm");
    ASSERT_EQ(visor({"cc", saxpy, "--emit", "visaasm", "-k", "saxpy", "-o", text}).exit_code, 0);
    const std::vector<std::string> launch{"-k",           "saxpy",      "-g",  "4", "-a",
                                          "iota:f32:4:1", "iota:f32:4", "2.5", "4"};
    std::vector<std::string> words{text};
    words.insert(words.end(), launch.begin(), launch.end());
    auto ran = capture(words);
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(test::read_file(captured() + "/Enqueue_0_saxpy/kernel.visaasm"), test::read_file(text));
    expect_again("Enqueue_0_saxpy", "2 expectations");
    fs::remove_all(captured());
    words[0] = saxpy;
    ran = capture(words, {"--text", "saxpy=" + text});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(test::read_file(captured() + "/Enqueue_0_saxpy/Text_0.visaasm"), test::read_file(text));
    expect_again("Enqueue_0_saxpy", "2 expectations");
}

TEST_F(Capture, AHandWrittenKernelAndItsBinary) {
    const std::string text = source("add5.visaasm", hand_written);
    ASSERT_EQ(visor({"as", text, "-o", file("add5.isa")}).exit_code, 0);
    for (const char* name : {"add5.visaasm", "add5.isa"}) {
        const auto ran =
            capture({file(name), "--hw-threads", "1", "-a", "to=iota:i32:8", "amount=5", "--print", "to"});
        ASSERT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_EQ(ran.out, "to = 5 6 7 8 9 10 11 12\n");
        expect_again("Enqueue_0_add5", "1 expectation");
        fs::remove_all(captured());
    }
}

// Lanes from a filler, and a surface of a binding-table index: 7 + lane at four places.
constexpr const char* by_index = R"(.version 4.1
.kernel "store"
.decl lanes v_type=G type=ud num_elts=8 align=GRF
.decl offsets v_type=G type=ud num_elts=8 align=GRF
.decl out v_type=T num_elts=1
.decl index v_type=G type=ud num_elts=1 align=dword
.input lanes offset=32 size=32
.kernel_attr SimdSize=8
    shl (M1, 8) offsets(0,0)<1> lanes(0,0)<1;1,0> 0x2:ud
    add (M1, 8) lanes(0,0)<1> lanes(0,0)<1;1,0> 0x7:ud
    movs (M1, 1) out(0) 0x3:ud
    scatter_scaled.4 (M1, 8) out 0x0:ud offsets.0 lanes.0
    ret (M1, 1)
)";

TEST_F(Capture, ASurfaceOfABindingTableIndex) {
    const auto ran = capture({source("store.visaasm", by_index), "--groups", "1", "-a", "lanes=lane", "--bti",
                              "3=zeros:u32:8", "--print", "bti3"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "bti3 = 7 8 9 10 11 12 13 14\n");
    expect_again("Enqueue_0_store", "1 expectation");
}

// ---- what does not end well

TEST_F(Capture, ALaunchThatFaultsFaultsAgain) {
    const std::string outside =
        source("outside.cl", "kernel void outside(global int* p) { *(global int*)0x1000ul = p[0]; }");
    EXPECT_EQ(capture({outside, "-g", "1", "-a", "zeros:i32:1"}).exit_code, 1);
    EXPECT_FALSE(fs::exists(captured() + "/Enqueue_0_outside/Post"));
    const auto replayed = visor({"run", captured() + "/Enqueue_0_outside"});
    EXPECT_EQ(replayed.exit_code, 1);
    EXPECT_TRUE(has(replayed.err, "memory access outside every allocation")) << replayed.err;
}

TEST_F(Capture, AFolderThatIsInUseIsRefused) {
    fs::create_directory(file("in_use"));
    test::write_file(file("in_use/file"), "something");
    const auto ran = visor({"run", "--capture", file("in_use"), saxpy, "-k", "saxpy", "-g", "4", "-a",
                            "iota:f32:4", "iota:f32:4", "2.5", "4", "--print", "y"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_TRUE(has(ran.err, "the folder is not empty")) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(test::read_file(file("in_use/file")), "something");
}

// Nobody can make a folder there, not even root.
TEST_F(Capture, APlaceThatCannotBeWrittenIsToldAndTheRunGoesOn) {
    test::write_file(file("a_file"), "");
    for (const std::string& place : {file("a_file") + "/below", std::string("/proc/visor-captured")}) {
        const auto ran = visor({"run", "--capture", place, saxpy, "-k", "saxpy", "-g", "4", "-a",
                                "fill:f32:4:1", "iota:f32:4", "2.5", "4", "--print", "y"});
        EXPECT_EQ(ran.exit_code, 1);
        EXPECT_EQ(ran.out, "y = 1 3.5 6 8.5\n");
        EXPECT_TRUE(has(ran.err, "launch 0 of `saxpy` is not captured: ")) << ran.err;
        EXPECT_TRUE(has(ran.err, "--capture: not every launch could be written")) << ran.err;
    }
}

TEST_F(Capture, AReadOnlyFolderIsTold) {
    if (geteuid() == 0)
        GTEST_SKIP() << "root may write everywhere";
    fs::create_directory(captured());
    fs::permissions(captured(), fs::perms::owner_read | fs::perms::owner_exec);
    const auto ran = capture({saxpy, "-k", "saxpy", "-g", "4", "-a", "iota:f32:4", "iota:f32:4", "2.5", "4"});
    fs::permissions(captured(), fs::perms::owner_all);
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.err, "is not captured: ")) << ran.err;
    EXPECT_TRUE(names().empty());
}

TEST_F(Capture, AFullDiskLeavesNothingThatIsNotWhole) {
    // Files of more than 8 blocks of 512 bytes cannot be written: the program's binary is one.
    const std::string command =
        "ulimit -f 8; trap '' XFSZ; exec \"$0\" run --capture \"$1\" \"$2\" -k saxpy -g 4 "
        "-a fill:f32:4:1 iota:f32:4 2.5 4 --print y";
    const auto ran = test::run({"/bin/sh", "-c", command, VISOR_PROGRAM, captured(), saxpy});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_EQ(ran.out, "y = 1 3.5 6 8.5\n");
    EXPECT_TRUE(has(ran.err, "is not captured: ")) << ran.err;
    EXPECT_TRUE(names().empty());
}

TEST_F(Capture, ResultsThatAFullDiskHasNoRoomForAreTold) {
    // A hand-written program is small; its array of 8 KiB fits before the launch no more than after it.
    const std::string text = source("add5.visaasm", hand_written);
    const std::string command = "ulimit -f 8; trap '' XFSZ; exec \"$0\" run --capture \"$1\" \"$2\" "
                                "--hw-threads 1 -a to=iota:i32:2048 amount=5 --print to:2";
    const auto ran = test::run({"/bin/sh", "-c", command, VISOR_PROGRAM, captured(), text});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_EQ(ran.out, "to = 5 6\n");
    EXPECT_TRUE(has(ran.err, "is not captured: ")) << ran.err;
    EXPECT_TRUE(names().empty());
}

TEST_F(Capture, MistakesOnTheCommandLine) {
    const std::vector<std::pair<std::vector<std::string>, const char*>> all{
        {{"--capture", captured(), "--capture-launches", "a:b"}, "--capture-launches"},
        {{"--capture", captured(), "--capture-limit", "x"}, "--capture-limit"},
        {{"--capture-limit", "7"}, "go with --capture DIR"},
        {{"--capture-launches", "saxpy"}, "go with --capture DIR"}};
    for (const auto& [options, told] : all) {
        std::vector<std::string> words{"run", saxpy,        "-k",         "saxpy", "-g", "4",
                                       "-a",  "iota:f32:4", "iota:f32:4", "2.5",   "4"};
        words.insert(words.end(), options.begin(), options.end());
        const auto ran = visor(words);
        EXPECT_EQ(ran.exit_code, 2) << ran.err;
        EXPECT_TRUE(has(ran.err, told)) << ran.err;
    }
    EXPECT_FALSE(fs::exists(captured()));
}

TEST_F(Capture, OfSeveralSchedulesTheFirstIsCaptured) {
    const auto ran = capture(
        {saxpy, "-k", "saxpy", "-g", "4", "-a", "iota:f32:4", "iota:f32:4", "2.5", "4", "--seeds", "0..2"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(names(), std::set<std::string>{"Enqueue_0_saxpy"});
}

TEST_F(Capture, WithTheCheckersToo) {
    const auto ran = capture(
        {saxpy, "-k", "saxpy", "-g", "4", "-a", "iota:f32:4", "iota:f32:4", "2.5", "4", "--check=all"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    expect_again("Enqueue_0_saxpy", "2 expectations");
}

} // namespace
} // namespace visor::cli
