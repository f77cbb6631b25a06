// Which registers count as written: by hand, from what each instruction names.
#include "verify/written.h"

#include "text/text.h"

#include <gtest/gtest.h>

namespace visor::verify {
namespace {

// `V@N`: no instruction writes V, which the operand of N characters reads; `V[begin,end)@N`: those bytes of
// it.
std::string lost(std::string_view code, uint32_t grf_bytes = 32) {
    const std::string text = ".version 4.1\n.kernel \"k\"\n"
                             ".decl a v_type=G type=d num_elts=16 align=GRF\n"
                             ".decl b v_type=G type=d num_elts=16 align=GRF\n"
                             ".decl c v_type=G type=ud num_elts=16 align=GRF alias=<b, 0>\n"
                             ".decl in v_type=G type=d num_elts=16 align=GRF\n"
                             ".decl pair v_type=G type=f num_elts=32 align=GRF\n"
                             ".decl second v_type=G type=f num_elts=16 align=GRF alias=<pair, 64>\n"
                             ".decl words v_type=G type=w num_elts=32 align=GRF alias=<b, 0>\n"
                             ".decl bytes v_type=G type=ub num_elts=64 align=GRF alias=<b, 0>\n"
                             ".decl quads v_type=G type=f num_elts=64 align=GRF\n"
                             ".decl wide v_type=G type=q num_elts=16 align=GRF\n"
                             ".decl A0 v_type=A num_elts=1\n.decl P1 v_type=P num_elts=16\n"
                             ".input in offset=32 size=64\n" +
                             std::string(code) + "ret (M1, 1)\n";
    Diagnostics diagnostics;
    const auto module = text::parse(text, {.grf_bytes = grf_bytes}, diagnostics);
    EXPECT_TRUE(module && diagnostics.ok()) << code;
    std::string names;
    if (module)
        for (const NeverWritten& found : never_written(module->functions.at(0), grf_bytes)) {
            names += found.variable;
            if (!found.whole())
                names += '[' + std::to_string(found.begin) + ',' + std::to_string(found.end) + ')';
            names += '@' + std::to_string(found.read.length) + ' ';
        }
    return names;
}

TEST(NeverWritten, IsWhatIsOnlyRead) {
    EXPECT_EQ(lost("mov (M1, 16) a(0,0)<1> b(0,0)<1;1,0>\n"), "b@13 ");
    EXPECT_EQ(lost("add (M1, 16) a(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>\n"), "b@13 ") << "a is written here";
    EXPECT_EQ(lost("oword_st (1) T5 0x0:ud a.0\n"), "a@3 ") << "payloads are read";
}

TEST(NeverWritten, WhatCountsAsWritten) {
    EXPECT_EQ(lost("mov (M1, 16) a(0,0)<1> in(0,0)<1;1,0>\n"), "") << "inputs";
    EXPECT_EQ(lost("mov (M1, 16) c(0,0)<1> 0x1:ud\nmov (M1, 16) a(0,0)<1> b(0,0)<1;1,0>\n"), "") << "aliases";
    EXPECT_EQ(lost("addr_add (M1, 1) A0(0)<1> &b 0x0:uw\nmov (M1, 16) a(0,0)<1> b(0,0)<1;1,0>\n"), "")
        << "variables whose address is taken";
    EXPECT_EQ(lost("mov (M1, 16) a(0,0)<1> b(0,0)<1;1,0>\noword_ld (4) T5 0x0:ud b.0\n"), "")
        << "results of messages";
    EXPECT_EQ(lost("cmp.eq (M1, 16) P1 b(0,0)<0;1,0> b(0,0)<0;1,0>\n"), "")
        << "a question for the lanes that are on";
    EXPECT_EQ(lost("cmp.eq (M1, 16) P1 b(0,0)<0;1,0> in(0,0)<0;1,0>\n"), "b@13 ");
}

// fma of a vector of two as IGC 1.0.17791 makes it: of the 128 bytes of `pair` the second half is lost.
const std::string first_half = "mad (M1, 16) pair(0,0)<1> in(0,0)<1;1,0> in(0,0)<1;1,0> in(0,0)<1;1,0>\n";
const std::string store_both = "scatter4_scaled.RG (M1, 16) T5 0x0:ud in.0 pair.0\n";

TEST(NeverWritten, IsAPartThatIsOnlyRead) {
    EXPECT_EQ(lost(first_half + store_both), "pair[64,128)@6 ") << "by a payload alone";
    EXPECT_EQ(lost(first_half + "add (M1, 8) quads(0,0)<1> pair(2,0)<1;1,0> 0x1:f\n"), "pair[64,96)@16 ")
        << "the first 8 of its 16 lanes";
    EXPECT_EQ(lost(first_half + "add (M1, 16) quads(0,0)<1> second(0,0)<1;1,0> 0x1:f\n"), "pair[64,128)@18 ")
        << "by another name";
    EXPECT_EQ(lost(first_half + "add (M1, 1) quads(0,0)<1> second(0,15)<0;1,0> 0x1:f\n"),
              "pair[124,128)@19 ");
    EXPECT_EQ(lost(first_half + "add (M1, 8) quads(0,0)<1> pair(1,6)<2;1,0> 0x1:f\n"), "pair[64,68)@16 ")
        << "bytes 56, 64, 72 ... 112";
    EXPECT_EQ(lost(first_half + "add (M1, 16) quads(0,0)<1> pair(0,0)<1;1,0> 0x1:f\n"), "");
    EXPECT_EQ(lost(first_half + "oword_st (4) T5 0x0:ud pair.0\n"), "") << "64 bytes";
    EXPECT_EQ(lost(first_half + "oword_st (2) T5 0x0:ud pair.64\n"), "pair[64,96)@7 ");
    EXPECT_EQ(lost(first_half + "oword_st (8) T5 0x0:ud pair.64\n"), "pair[64,128)@7 ")
        << "of the variable; what lies behind it is another rule's";
}

TEST(NeverWritten, PartsThatAreWritten) {
    const auto with = [](const std::string& more) { return lost(first_half + more + store_both); };
    EXPECT_EQ(with("mov (M1, 16) pair(2,0)<1> in(0,0)<1;1,0>\n"), "") << "by the other half";
    EXPECT_EQ(with("mov (M1, 8) pair(3,0)<1> in(0,0)<1;1,0>\n"), "pair[64,96)@6 ") << "by half of it";
    EXPECT_EQ(with("mov (M1, 16) second(0,0)<1> in(0,0)<1;1,0>\n"), "") << "by an alias";
    EXPECT_EQ(with("(P1) mov (M1, 16) second(0,0)<1> in(0,0)<1;1,0>\n"), "") << "for some lanes";
    EXPECT_EQ(with("addr_add (M1, 1) A0(0)<1> &pair 0x40:uw\nmov (M1, 8) r[A0(0),0]<1>:f 0x0:f\n"), "")
        << "by an address";
    EXPECT_EQ(with("oword_ld (4) T5 0x0:ud pair.64\n"), "") << "by a message";
    EXPECT_EQ(lost(first_half + "oword_ld (1) T5 0x0:ud pair.64\n" + "oword_st (2) T5 0x0:ud pair.64\n"), "")
        << "which answers in whole registers";
    EXPECT_EQ(with("madw (M1, 8) second(0,0)<1> in(0,0)<1;1,0> in(0,0)<1;1,0> in(0,0)<1;1,0>\n"), "")
        << "by what has two results";
}

TEST(NeverWritten, PartsOfEachElement) {
    const std::string low = "mov (M1, 16) words(0,0)<2> 0x1:w\n";
    const std::string high = "mov (M1, 16) words(0,1)<2> 0x1:w\n";
    const std::string read = "add (M1, 16) a(0,0)<1> b(0,0)<1;1,0> 0x1:d\n";
    EXPECT_EQ(lost(low + high + read), "");
    EXPECT_EQ(lost(low + read), "b[2,4)@13 ");
    EXPECT_EQ(lost(high + read), "b[0,2)@13 ");
    EXPECT_EQ(lost(low + "scatter_scaled.2 (M1, 16) T5 0x0:ud in.0 b.0\n"), "") << "two bytes of each dword";
    EXPECT_EQ(lost(low + "scatter_scaled.4 (M1, 16) T5 0x0:ud in.0 b.0\n"), "b[2,4)@3 ");
}

// Channels lie max(lanes, GRF/4) dwords apart: 8 lanes 32 bytes of 32, or of 64.
TEST(NeverWritten, PartsInLargerRegisters) {
    const std::string first = "mov (M1, 8) pair(0,0)<1> in(0,0)<1;1,0>\n";
    const std::string second = "mov (M1, 8) pair(1,0)<1> in(0,0)<1;1,0>\n"; // from byte 32, or 64
    const std::string store = "scatter4_scaled.RG (M1, 8) T5 0x0:ud in.0 pair.0\n";
    EXPECT_EQ(lost(first + second + store, 32), "");
    EXPECT_EQ(lost(first + second + store, 64), "");
    EXPECT_EQ(lost(first + store, 32), "pair[32,64)@6 ");
    EXPECT_EQ(lost(first + store, 64), "pair[64,96)@6 ");
    const std::string flat = "mov (M1, 16) wide(0,0)<1> 0x0:q\n"
                             "lsc_store.ugm (M1, 16) flat[wide]:a64 pair:d32x2\n";
    EXPECT_EQ(lost("mov (M1, 16) pair(0,0)<1> in(0,0)<1;1,0>\n" + flat, 64), "pair[64,128)@4 ");
    EXPECT_EQ(lost("mov (M1, 16) pair(0,0)<1> in(0,0)<1;1,0>\nmov (M1, 16) pair(1,0)<1> 0x0:f\n" + flat, 64),
              "");
}

TEST(NeverWritten, MovesMakeNothingOfWhatTheyCopy) {
    const std::string copy = "mov (M1, 16) quads(0,0)<1> second(0,0)<1;1,0>\n";
    const std::string use = "add (M1, 16) a(0,0)<1> quads(0,0)<1;1,0> 0x1:f\n";
    EXPECT_EQ(lost(first_half + copy), "") << "compilers move what nobody defined";
    EXPECT_EQ(lost(first_half + copy + use), "quads[0,64)@17 ");
    EXPECT_EQ(lost(first_half + copy + "mov (M1, 16) quads(0,0)<1> 0x0:f\n" + use), "");
    EXPECT_EQ(lost(first_half + copy + "mov (M1, 16) quads(2,0)<1> quads(0,0)<1;1,0>\n" +
                   "add (M1, 16) a(0,0)<1> quads(2,0)<1;1,0> 0x1:f\n"),
              "quads[64,128)@17 ");
}

// Vectors of three are stored as vectors of four.
TEST(NeverWritten, FourthComponents) {
    const auto components = [](unsigned count, const std::string& lanes, unsigned rows) {
        std::string code;
        for (unsigned i = 0; i < count; ++i)
            code += "mov (M1, " + lanes + ") quads(" + std::to_string(i * rows) + ",0)<1> 0x0:f\n";
        return code;
    };
    const std::string store = "scatter4_scaled.RGBA (M1, 16) T5 0x0:ud in.0 quads.0\n";
    EXPECT_EQ(lost(components(3, "16", 2) + store), "");
    EXPECT_EQ(lost(components(2, "16", 2) + store), "quads[128,256)@7 ");
    EXPECT_EQ(lost(components(1, "16", 2) + store), "quads[64,256)@7 ");
    const std::string store_8 = "scatter4_scaled.RGBA (M1, 8) T5 0x0:ud in.0 quads.0\n";
    EXPECT_EQ(lost(components(3, "8", 1) + store_8, 64), "") << "with room between the components";
    EXPECT_EQ(lost(components(2, "8", 1) + store_8, 64), "quads[128,160)@7 ");
    const std::string move = "mov (M1, 16) pair(0,0)<1> quads(6,0)<1;1,0>\n";
    EXPECT_EQ(lost(components(3, "16", 2) + move + "scatter4_scaled.R (M1, 16) T5 0x0:ud in.0 pair.0\n"), "")
        << "moved first";
    EXPECT_EQ(lost(components(3, "16", 2) + "add (M1, 16) pair(0,0)<1> quads(6,0)<1;1,0> 0x1:f\n"),
              "quads[192,256)@17 ")
        << "arithmetic has no use for it";
}

// Three bytes of each dword.
TEST(NeverWritten, FourthComponentsOfBytes) {
    const std::string two = "mov (M1, 16) bytes(0,0)<4> 0x1:ub\nmov (M1, 16) bytes(0,1)<4> 0x1:ub\n";
    const std::string three = two + "mov (M1, 16) bytes(0,2)<4> 0x1:ub\n";
    const std::string store = "scatter_scaled.4 (M1, 16) T5 0x0:ud in.0 b.0\n";
    EXPECT_EQ(lost(three + store), "");
    EXPECT_EQ(lost(two + store), "b[2,4)@3 ");
}

TEST(NeverWritten, ReadsThatAreNotKnownToTheByte) {
    EXPECT_EQ(lost(first_half + "line (M1, 16) quads(0,0)<1> pair(2,0)<0;1,0> in(0,0)<1;1,0>\n"), "");
    EXPECT_EQ(lost(first_half + "lrp (M1, 16) quads(0,0)<1> second(0,0)<1;1,0> 0x0:f 0x0:f\n"), "");
    EXPECT_EQ(lost("line (M1, 16) quads(0,0)<1> pair(2,0)<0;1,0> in(0,0)<1;1,0>\n"), "pair@16 ")
        << "of the variable nothing is written";
}

} // namespace
} // namespace visor::verify
