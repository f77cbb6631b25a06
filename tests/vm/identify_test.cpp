#include "vm/vm.h"

#include <gtest/gtest.h>

namespace visor::vm {
namespace {

using namespace std::string_view_literals;

TEST(Identify, ByContentFirst) {
    EXPECT_EQ(identify("\x7f"
                       "ELF\2\1\1"sv,
                       "k.cl"),
              InputKind::zebin);
    EXPECT_EQ(identify("\x03\x02\x23\x07\0\0\1\0"sv, "k"), InputKind::spirv);
    EXPECT_EQ(identify("\x07\x23\x02\x03"sv, "big-endian"), InputKind::spirv);
    EXPECT_EQ(identify("CISA\4\1"sv, "k.visaasm"), InputKind::visa_binary);
    EXPECT_EQ(identify(".version 4.1\n.kernel \"k\"\n", "k.cl"), InputKind::visa_text);
    EXPECT_EQ(identify("// a comment\n\n  /* another\n one */ .version 4.1", "-"), InputKind::visa_text);
    EXPECT_EQ(identify("\n {\"version\": 1}", "-"), InputKind::launch_file);
    EXPECT_EQ(identify("__kernel void k() {}", "-"), InputKind::opencl_c);
}

TEST(Identify, ByNameWhereTheContentDoesNotTell) {
    EXPECT_EQ(identify("", "k.cl"), InputKind::opencl_c);
    EXPECT_EQ(identify("int f() { return 1; }", "k.cl"), InputKind::opencl_c);
    EXPECT_EQ(identify("EL", "dir.cl/k.zebin"), InputKind::zebin);
    EXPECT_EQ(identify("", "k.spv"), InputKind::spirv);
    EXPECT_EQ(identify("mov (8)", "k.visaasm"), InputKind::visa_text);
    EXPECT_EQ(identify("", "k.isa"), InputKind::visa_binary);
    EXPECT_EQ(identify("", "k.json"), InputKind::launch_file);
}

TEST(Identify, UnknownOtherwise) {
    EXPECT_EQ(identify("", "k"), InputKind::unknown);
    EXPECT_EQ(identify("buy milk", "notes.txt"), InputKind::unknown);
    EXPECT_EQ(identify("\0kernel"sv, "k"), InputKind::unknown);
    EXPECT_EQ(identify("/* never ends", "k"), InputKind::unknown);
    EXPECT_EQ(identify("// ends here", "k"), InputKind::unknown);
    EXPECT_EQ(identify("/*/", "k"), InputKind::unknown);
}

} // namespace
} // namespace visor::vm
