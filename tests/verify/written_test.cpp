// Which registers count as written: by hand, from what each instruction names.
#include "verify/written.h"

#include "text/text.h"

#include <gtest/gtest.h>

namespace visor::verify {
namespace {

std::string lost(std::string_view code) {
    const std::string text = ".version 4.1\n.kernel \"k\"\n"
                             ".decl a v_type=G type=d num_elts=16 align=GRF\n"
                             ".decl b v_type=G type=d num_elts=16 align=GRF\n"
                             ".decl c v_type=G type=ud num_elts=16 align=GRF alias=<b, 0>\n"
                             ".decl in v_type=G type=d num_elts=16 align=GRF\n"
                             ".decl A0 v_type=A num_elts=1\n.decl P1 v_type=P num_elts=16\n"
                             ".input in offset=32 size=64\n" +
                             std::string(code) + "ret (M1, 1)\n";
    Diagnostics diagnostics;
    const auto module = text::parse(text, {.grf_bytes = 32}, diagnostics);
    EXPECT_TRUE(module && diagnostics.ok()) << code;
    std::string names;
    if (module)
        for (const NeverWritten& found : never_written(module->functions.at(0)))
            names += found.variable + '@' + std::to_string(found.read.length) + ' ';
    return names;
}

TEST(NeverWritten, IsWhatIsOnlyRead) {
    EXPECT_EQ(lost("mov (M1, 16) a(0,0)<1> b(0,0)<1;1,0>\n"), "b@13 ");
    EXPECT_EQ(lost("add (M1, 16) a(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>\n"), "b@13 ") << "a is written here";
    EXPECT_EQ(lost("oword_st (1) T5 0x0:ud a.0\n"), "a@3 ") << "payloads are read";
}

TEST(NeverWritten, WhatCountsAsWritten) {
    EXPECT_EQ(lost("mov (M1, 16) a(0,0)<1> in(0,0)<1;1,0>\n"), "") << "inputs";
    EXPECT_EQ(lost("mov (M1, 1) c(0,0)<1> 0x1:ud\nmov (M1, 16) a(0,0)<1> b(0,0)<1;1,0>\n"), "") << "aliases";
    EXPECT_EQ(lost("addr_add (M1, 1) A0(0)<1> &b 0x0:uw\nmov (M1, 16) a(0,0)<1> b(0,0)<1;1,0>\n"), "")
        << "variables whose address is taken";
    EXPECT_EQ(lost("mov (M1, 16) a(0,0)<1> b(0,0)<1;1,0>\noword_ld (1) T5 0x0:ud b.0\n"), "")
        << "results of messages";
    EXPECT_EQ(lost("cmp.eq (M1, 16) P1 b(0,0)<0;1,0> b(0,0)<0;1,0>\n"), "")
        << "a question for the lanes that are on";
    EXPECT_EQ(lost("cmp.eq (M1, 16) P1 b(0,0)<0;1,0> in(0,0)<0;1,0>\n"), "b@13 ");
}

} // namespace
} // namespace visor::verify
