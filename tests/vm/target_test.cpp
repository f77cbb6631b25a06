// Which device code by hand is for. What each device has is from the pages of LSC_LOAD (from dg2 on),
// QW_GATHER (from xehp on) and DPAS (16 lanes on pvc, 8 before), and registers of 64 bytes from the page on
// register files.
#include "vm/target.h"

#include <gtest/gtest.h>

namespace visor::vm {
namespace {

std::string kernel(const std::string& attributes, const std::string& code) {
    return ".version 4.1\n.kernel \"k\"\n"
           ".decl to v_type=G type=uq num_elts=1 align=qword\n"
           ".decl data v_type=G type=d num_elts=16 align=GRF\n"
           ".decl wide v_type=G type=uq num_elts=16 align=GRF\n"
           ".input to offset=64 size=8\n" +
           attributes + code + "    ret (M1, 1)\n";
}

std::string target(const std::string& text) {
    const Unit unit = read_text("k.visaasm", text, nullptr);
    EXPECT_TRUE(unit.module) << render(unit, Color::off);
    const auto found = target_of(unit);
    return found ? std::string(found->device->name) + ": " + found->reason : "";
}

constexpr const char* load = "    lsc_load.ugm (M1, 1) data:d32x8t flat[to]:a64\n";
// Two registers of 64 bytes, and four of 32.
constexpr const char* two_registers = "    mov (M1, 16) wide(0,0)<1> 0x0:uq\n";

TEST(Target, TheDefaultDeviceHasAll) {
    EXPECT_EQ(target(kernel("", "    mov (M1, 8) data(0,0)<1> 0x0:d\n")), "");
    EXPECT_EQ(target(kernel(".kernel_attr NumGRF=128\n", "")), "");
}

TEST(Target, ByTheInstructions) {
    EXPECT_EQ(target(kernel("", load)), "dg2: skl has no lsc_load");
    EXPECT_EQ(target(kernel("", std::string(load) + two_registers)), "pvc: skl has no lsc_load");
}

TEST(Target, ByTheRegistersAskedFor) {
    const char* const add = "    add (M1, 8) data(0,0)<1> data(0,0)<1;1,0> 0x1:d\n";
    EXPECT_EQ(target(kernel(".kernel_attr NumGRF=256\n", std::string(load) + add)),
              "dg2: skl does not give 256 registers");
    EXPECT_EQ(target(kernel(".kernel_attr NumGRF=512\n", add)), "cri: skl does not give 512 registers");
}

TEST(Target, OnlyARightDeviceIsQuieter) {
    const Unit narrow = read_text("k.visaasm", kernel("", load), nullptr);
    ASSERT_TRUE(target_of(narrow));
    EXPECT_FALSE(target_of(narrow)->quieter);
    const Unit wide = read_text("k.visaasm", kernel("", std::string(load) + two_registers), nullptr);
    ASSERT_TRUE(target_of(wide));
    EXPECT_TRUE(target_of(wide)->quieter);
}

TEST(Target, NothingIsGuessedOfOtherFiles) {
    EXPECT_FALSE(read_by_hand("k.cl", "kernel void k() {}"));
    EXPECT_FALSE(read_by_hand("k.spv", std::string("\x03\x02\x23\x07", 4)));
    const auto broken = read_by_hand("k.visaasm", ".version 4.1\n.kernel \"k\"\n    nonsense\n");
    ASSERT_TRUE(broken);
    EXPECT_FALSE(target_of(*broken));
}

std::string found(const std::string& name, const std::string& content) {
    const FoundDevice device = find_device(name, content, "and so on");
    return std::string(device.device->name) + ": " + device.remark;
}

TEST(FindDevice, OfAFileThatNobodyNamesOneFor) {
    EXPECT_EQ(found("k.visaasm", kernel("", std::string(load) + two_registers)),
              "pvc: k.visaasm: note: taken as code for pvc: skl has no lsc_load; and so on\n");
    EXPECT_EQ(found("k.visaasm", kernel("", "    mov (M1, 8) data(0,0)<1> 0x0:d\n")), "skl: ");
    EXPECT_EQ(found("k.cl", "kernel void k() {}"), "skl: ");
    EXPECT_EQ(found("k.visaasm", kernel("", load) + ".kernel \"broken\"\n    nonsense\n"),
              "dg2: k.visaasm: note: taken as code for dg2: skl has no lsc_load; and so on\n");
}

TEST(RefusedKernels, OnlyThoseWithErrors) {
    const std::string text =
        kernel("", "    cos (M1, 8) data(0,0)<1> data(0,0)<1;1,0>\n") + ".kernel \"good\"\n    ret (M1, 1)\n";
    const Unit unit = read_text("k.visaasm", text, &isa::device(isa::DeviceId::skl));
    ASSERT_TRUE(unit.module);
    EXPECT_EQ(refused_kernels(*unit.module, &isa::device(isa::DeviceId::skl)), std::vector<std::string>{"k"});
}

} // namespace
} // namespace visor::vm
