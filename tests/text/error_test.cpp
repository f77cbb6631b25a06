// Every rule, with the line and column of its report. Lines under test begin at line 13 (reading.h).
#include "reading.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace visor::text {
namespace {

using Reports = std::vector<std::string>;

struct Bad {
    std::string_view lines;
    std::string_view report;     // "line:column rule"
    std::string_view words = ""; // part of the message
};

void expect(std::span<const Bad> cases) {
    for (const Bad& item : cases) {
        const Reading reading = read_lines(item.lines);
        EXPECT_FALSE(reading.module.has_value()) << item.lines;
        ASSERT_EQ(reading.reports(), Reports{std::string(item.report)}) << item.lines << '\n'
                                                                        << reading.rendered();
        EXPECT_NE(reading.diagnostics.all()[0].message.find(item.words), std::string::npos)
            << reading.rendered();
    }
}

TEST(Error, Files) {
    EXPECT_EQ(read("").reports(), Reports{"1:1 missing-version"});
    EXPECT_EQ(read("// nothing\n").reports(), Reports{"2:1 missing-version"});
    EXPECT_EQ(read(".version 4.1\n").reports(), Reports{"2:1 no-kernel"});
    EXPECT_EQ(read("\n.kernel k\nret (M1, 1)\n").reports(), Reports{"2:1 missing-version"});
    EXPECT_EQ(read(".version 99.9\n.kernel k\n").reports(), Reports{"1:10 unknown-version"});
    EXPECT_EQ(read(".version 4\n.kernel k\n").reports(), Reports{"1:11 syntax"});
    EXPECT_EQ(read(".version 4.1 .kernel k\n.kernel k\n").reports(), Reports{"1:14 syntax"});
    EXPECT_EQ(read(".version 4.1\nret (M1, 1)\nbarrier\n").reports(), Reports{"2:1 outside-kernel"});
    EXPECT_EQ(read(".version 4.1\n.kernel k\n.kernel k\n").reports(), Reports{"3:1 duplicate-function"});
    EXPECT_EQ(read(".version 4.1\n.kernel \"k\n").reports(), Reports{"2:9 unterminated-string"});
    EXPECT_EQ(read(".version 4.1\n.kernel\n.kernel k\n.version 4.1\n").reports(),
              (Reports{"2:8 syntax", "4:1 syntax"}));
}

// Each of them once vanished with its instruction, or was a name that nothing could name.
TEST(Error, EmptyNames) {
    constexpr Bad cases[] = {
        {".decl \"\" v_type=G type=ud num_elts=1", "13:7 empty-name"},
        {".input \"\" offset=3", "13:8 empty-name"},
        {"\"\":", "13:1 empty-name"},
        {".function \"\"", "13:11 empty-name"},
        {"mov (M1, 1) \"\"(0,0)<1> 0x0:d", "13:13 empty-name"},
        {"mov (M1, 1) V0036(0,0)<1> r[\"\"(0), 0]<0;1,0>:d", "13:29 empty-name"},
        {"(\"\") mov (M1, 1) V0036(0,0)<1> 0x0:d", "13:2 empty-name"},
        {"goto (M1, 1) \"\"", "13:14 empty-name"},
        {"oword_st (1) \"\" 0x0:ud V0032.0", "13:14 empty-name"},
    };
    expect(cases);
}

TEST(Error, Declarations) {
    constexpr Bad cases[] = {
        {".decl V0032 v_type=G type=ud num_elts=1", "13:7 duplicate-variable", "`V0032` is declared twice"},
        {".decl T1 v_type=T num_elts=1", "13:7 duplicate-variable", "predefined"},
        {".decl \"%r0\" v_type=G type=ud num_elts=1", "13:7 duplicate-variable", "predefined"},
        {".decl \"%slm\" v_type=P num_elts=1", "13:7 duplicate-variable", "predefined"},
        {".decl x v_type=G type=xx num_elts=1", "13:23 unknown-type", "`xx`"},
        {".decl x v_type=G type=v num_elts=1", "13:23 bad-declaration"},
        {".decl x v_type=G num_elts=1", "13:7 incomplete-declaration", "`type=`"},
        {".decl x v_type=G type=ud", "13:7 incomplete-declaration", "`num_elts=`"},
        {".decl x", "13:7 incomplete-declaration", "`v_type=`"},
        {".decl", "13:6 syntax", "the variable's name"},
        {".decl x v_type=Q num_elts=1", "13:16 syntax"},
        {".decl x v_type=G type=ud num_elts=0", "13:35 num-elts"},
        {".decl x v_type=G type=ud num_elts=70000", "13:35 num-elts"},
        {".decl x v_type=G type=uq num_elts=8193", "13:35 num-elts", "65544"},
        {".decl x v_type=P num_elts=33", "13:27 num-elts"},
        {".decl x v_type=G type=ud num_elts=1 align=dwrod", "13:43 bad-align", "`dword`"},
        {".decl x v_type=G type=ud num_elts=1 align=3", "13:43 bad-align"},
        {".decl x v_type=G type=ud num_elts=1 alias=<V99,0>", "13:44 undeclared-variable"},
        {".decl x v_type=G type=ud num_elts=1 alias=<x,0>", "13:44 alias-loop"},
        {".decl x v_type=G type=ud num_elts=1 alias=<P1,0>", "13:44 wrong-variable-class"},
        {".decl x v_type=G type=ud num_elts=1 alias=<V0032,-4>", "13:50 number-out-of-range"},
        {".decl x v_type=P type=ud num_elts=1", "13:23 bad-declaration", "a predicate"},
        {".decl x v_type=A num_elts=1 v_name=y", "13:36 bad-declaration", "`v_name=`"},
        {".decl x v_type=G type=ud num_elts=1 foo=3", "13:37 syntax", "`foo`"},
        {".decl x v_type=G type=ud num_elts=1 attrs={Output", "13:50 syntax", "`}`"},
        {".input V99 offset=3", "13:8 undeclared-variable"},
        {".input P1 offset=3", "13:8 wrong-variable-class"},
        {".input V0032 offset=40000", "13:21 number-out-of-range"},
        {".input V0032 ofset=4", "13:14 syntax", "`offset=`"},
        {".implicit_LOCAL_SZIE V0032", "13:1 unknown-directive", "`LOCAL_SIZE`"},
        {".kernel_atr SimdSize=8", "13:1 unknown-directive", "`.kernel_attr`"},
        {".kernel_attr", "13:13 syntax"},
        {".kernel_attr SLMSize=1\n.kernel_attr SLMSize=2", "14:14 duplicate-attribute"},
    };
    expect(cases);
    EXPECT_EQ(read_lines(".decl x v_type=G type=uq num_elts=8192").reports(), Reports{})
        << "64 KiB are allowed";
    EXPECT_EQ(read_lines(".decl x v_type=G type=uq num_elts=8192\n.input x").reports(),
              Reports{"14:8 number-out-of-range"});
}

TEST(Error, Scopes) {
    constexpr Bad cases[] = {
        {"}", "13:1 unbalanced-scope"},
        {"{\n barrier", "13:1 unbalanced-scope", "has no `}`"},
        {"{ barrier } }", "13:13 unbalanced-scope"},
    };
    expect(cases);
}

TEST(Error, Names) {
    constexpr Bad cases[] = {
        {"mov (M1, 1) V0036(0,0)<1> V0037(0,0)<0;1,0>", "13:27 undeclared-variable", "`V0032`"},
        {"mov (M1, 1) V0036(0,0)<1> %r1(0,0)<0;1,0>", "13:27 undeclared-variable", "`%r1`"},
        {"(P9) mov (M1, 1) V0036(0,0)<1> 0x0:d", "13:2 undeclared-variable", "`P1`"},
        {"(V0032) mov (M1, 1) V0036(0,0)<1> 0x0:d", "13:2 wrong-variable-class", "expected a predicate"},
        {"oword_st (1) T9 0x0:ud V0032.0", "13:14 undeclared-variable"},
        {"oword_st (1) V0032 0x0:ud V0032.0", "13:14 wrong-variable-class", "expected a surface"},
        {"oword_st (1) T6 0x0:ud T6.0", "13:24 wrong-variable-class"},
        {"mov (M1, 1) V0036(0,0)<1> r[V0036(0),0]<1;1,0>:d", "13:29 wrong-variable-class"},
        {"goto (M1, 1) nowhere", "13:14 undefined-label"},
        {"goto (M1, 1) lable\nlabel:", "13:14 undefined-label", "`label`"},
        {"a:\na:", "14:1 duplicate-label"},
        {".function \"a\"\na:\nbarrier\na:", "16:1 duplicate-label"},
        {".function a\n.function a", "14:11 duplicate-label"},
        {"ad (M1, 1) V0036(0,0)<1> V0036(0,0)<0;1,0> 0x1:d", "13:1 unknown-mnemonic", "`add`"},
        {"MOV (M1, 1) V0036(0,0)<1> 0x1:d", "13:1 unknown-mnemonic", "`mov`"},
        {"label (M1, 1)", "13:1 unknown-mnemonic"},
        {"file \"x\"", "13:1 unknown-mnemonic"},
        {"%r0", "13:1 syntax", "expected an instruction, a label or a directive, found `%r0`"},
    };
    expect(cases);
}

TEST(Error, AnUnknownNameIsReportedOnce) {
    EXPECT_EQ(read_lines("mov (M1, 1) V0036(0,0)<1> foo(0,0)<0;1,0>\n"
                         "add (M1, 1) foo(0,0)<1> foo(0,0)<0;1,0> bar(0,0)<0;1,0>\n"
                         "oword_st (1) T6 0x0:ud foo.32")
                  .reports(),
              (Reports{"13:27 undeclared-variable", "14:41 undeclared-variable"}));
}

TEST(Error, ExecutionAndSuffixes) {
    constexpr Bad cases[] = {
        {"mov (M1, 6) V0036(0,0)<1> 0x1:d", "13:10 bad-exec-size", "not 6"},
        {"mov (64) V0036(0,0)<1> 0x1:d", "13:6 bad-exec-size"},
        {"mov (M9, 8) V0036(0,0)<1> 0x1:d", "13:6 bad-mask", "`M9`"},
        {"mov (M1 8) V0036(0,0)<1> 0x1:d", "13:9 syntax", "expected `,`, found `8`"},
        {"mov (M1, 8 V0036(0,0)<1> 0x1:d", "13:12 syntax", "expected `)`"},
        {"mov V0036(0,0)<1> 0x1:d", "13:5 syntax", "`(M1, n)`"},
        {"svm_block_ld (3) V0033(0,0)<0;1,0> V0032.0", "13:15 bad-exec-size"},
        {"svm_block_ld (M5, 4) V0033(0,0)<0;1,0> V0032.0", "13:19 bad-mask"},
        {"oword_st T6 0x0:ud V0032.0", "13:10 syntax"},
        {"gather4_scaled (M1, 8) T6 0x0:ud V0032.0 V0032.0", "13:1 missing-suffix", "`channels`"},
        {"gather4_scaled.GR (M1, 8) T6 0x0:ud V0032.0 V0032.0", "13:16 bad-suffix", "`.GR`"},
        {"gather4_scaled.RR (M1, 8) T6 0x0:ud V0032.0 V0032.0", "13:16 bad-suffix"},
        {"scatter_scaled.3 (M1, 8) T6 0x0:ud V0032.0 V0032.0", "13:16 bad-suffix"},
        {"gather4_scaled.R.G (M1, 8) T6 0x0:ud V0032.0 V0032.0", "13:18 bad-suffix"},
        {"mov.foo (M1, 8) V0036(0,0)<1> 0x1:d", "13:5 bad-suffix", "`.foo`"},
        {"and.sat (M1, 8) V0036(0,0)<1> 0x1:d 0x1:d", "13:5 bad-suffix"},
        {"mov. (M1, 8) V0036(0,0)<1> 0x1:d", "13:6 syntax", "a suffix"},
        {"cmp.xx (M1, 8) P1 0x1:d 0x1:d", "13:5 bad-suffix"},
        {"bfn.x100 (M1, 8) V0036(0,0)<1> 0x1:d 0x1:d 0x1:d", "13:5 number-out-of-range"},
        {"svm_atomic.mul (M1, 8) V0033.0 V0032.0 V0032.0 %null.0", "13:12 bad-suffix"},
        {"svm_atomic.add.8 (M1, 8) V0033.0 V0032.0 V0032.0 %null.0", "13:16 bad-suffix"},
        {"dpas.bf.bf.3.8 (M1, 16) V0034.0 V0034.0 V0032.0 V0032(0,0)", "13:6 bad-suffix"},
        {"fence_global.XY", "13:14 bad-suffix"},
        {"fence_sw.E", "13:10 bad-suffix"},
        {"raw_sends.1.2.3 (M1, 16) 0x1:ud 0x2:ud V0032.0 V0032.0 V0032.0", "13:1 missing-suffix"},
        {"(P1) cmp.eq (M1, 8) P1 0x1:d 0x1:d", "13:1 no-predicate"},
        {"(P1) barrier", "13:1 no-predicate"},
        {"(P1.some) ret (M1, 8)", "13:5 syntax"},
    };
    expect(cases);
}

TEST(Error, Operands) {
    constexpr Bad cases[] = {
        {"add (M1, 8) V0036(0,0)<1> V0036(0,0)<1;1,0>", "13:44 missing-operand", "`src1`"},
        {"add (M1, 8)", "13:12 missing-operand", "`dst`"},
        {"mov (M1, 8) V0036(0,0)<1> 0x1:d 0x2:d", "13:33 extra-operand"},
        {"barrier 1", "13:9 extra-operand"},
        {"barrier ]", "13:9 syntax", "the end of the line"},
        {"nbarrier.signal 0x1:ub", "13:23 missing-operand"},
        {"nbarrier.wait 0x1:ub 0x2:ub", "13:22 extra-operand"},
        {"mov (M1, 8) V0036(0,0)<1> V0036", "13:27 missing-region"},
        {"mov (M1, 8) V0036(0,0)<1> V0036(0,0)", "13:27 missing-region"},
        {"mov (M1, 8) V0036(0,0)<1> V0036(0,0)<1>", "13:37 missing-region", "three parts"},
        {"mov (M1, 8) V0036(0,0)<1> r[A0(0),0]:d", "13:37 syntax", "expected `<`"},
        {"mov (M1, 8) V0036(0,0) 0x1:d", "13:24 syntax", "expected `<`"},
        {"mov (M1, 8) V0036(0,0)<1>:d 0x1:d", "13:26 syntax", "have a type"},
        {"mov (M1, 8) V0036(0,0)<1> V0036(0,0)<1;1,0>:d", "13:44 syntax", "have a type"},
        {"mov (M1, 8) 0x1:d 0x1:d", "13:13 operand-not-allowed", "an immediate cannot stand as `dst`"},
        {"mov (M1, 8) (-)V0036(0,0)<1> 0x1:d", "13:13 operand-not-allowed"},
        {"mov (M1, 8) V0036(0,0)<1> T6(0)", "13:27 operand-not-allowed", "a surface"},
        {"add (M1, 8) V0036(0,0)<1> P1 0x1:d", "13:27 operand-not-allowed", "a predicate"},
        {"add (M1, 8) V0036(0,0)<1> &V0036 0x1:d", "13:28 operand-not-allowed", "the address of"},
        {"addr_add (M1, 8) A0(0)<8> &P1 0x1:uw", "13:28 operand-not-allowed"},
        {"mov (M1, 8) V0036(0,0)<1> (-)0x1:d", "13:30 syntax", "behind the source modifier"},
        {"not (M1, 8) P1 (~)P2", "13:16 operand-not-allowed", "source modifier"},
        {"mov (M1, 8) V0036(0,0)<1> V0036(0,0)<3;1,0>", "13:38 bad-region"},
        {"mov (M1, 8) V0036(0,0)<5> 0x1:d", "13:24 bad-region"},
        {"addr_add (M1, 8) A0(0)<3> &V0036 0x1:uw", "13:24 bad-exec-size"},
        {"add (M1, 8) A0(0)<8> V0035(0,0)<1;1,0> 0x1:uw", "13:13 operand-not-allowed", "an address variable"},
        {"mov (M1, 8) V0036(300,0)<1> 0x1:d", "13:19 number-out-of-range", "a row"},
        {"mov (M1, 8) V0036(0,0-1)<1> 0x1:d", "13:21 number-out-of-range", "a column"},
        {"mov (M1, 8) V0036(0,0)<1> r[A0(0),40000]<1;1,0>:d", "13:35 number-out-of-range"},
        {"oword_st (1) T6 0x0:ud V0032", "13:24 missing-offset", "`V0032.0`"},
        {"oword_st (1) T6 0x0:ud V0032.70000", "13:30 number-out-of-range"},
        {"oword_st (1) T6 0x0:ud %null.4", "13:24 number-out-of-range"},
        {"oword_st (1) T6 0x0:ud V0032.x", "13:30 syntax", "a byte offset"},
        {"fcall (M1, 8) f 300 0", "13:17 number-out-of-range"},
        {"avs.R S0 T6 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f 0x0:ud 0x0:ud AVS_9 0x0:f AVS_8x4 0x0:ud V0032.0",
         "13:57 bad-literal"},
        {"goto (M1, 8)", "13:13 missing-operand", "`label`"},
        {"goto (M1, 8) 5", "13:14 syntax", "a label"},
        {"sample_lz.R (M1, 8) 0x0:uw S0 (T6, 1) V0034.0 V0034.0", "13:36 number-out-of-range"},
        {"mov (M1, 8) V0036(0,0)<1> @", "13:27 syntax", "found `@`"},
    };
    expect(cases);
}

TEST(Error, Lsc) {
    constexpr Bad cases[] = {
        {"lsc_load (M1, 8) V0032:d32 flat[V0033]:a64", "13:1 missing-suffix"},
        {"lsc_load.foo (M1, 8) V0032:d32 flat[V0033]:a64", "13:10 bad-suffix"},
        {"lsc_load.tgm (M1, 8) V0032:d32 flat[V0033]:a64", "13:10 bad-suffix", "no typed form"},
        {"lsc_load_quad_msrt.ugm (M1, 8) V0032:d32.x bti(0)[V0033]:a64", "13:20 bad-suffix", "`.tgm`"},
        {"lsc_load.ugm.ca.zz (M1, 8) V0032:d32 flat[V0033]:a64", "13:17 bad-suffix"},
        {"lsc_load.ugm (M1, 8) V0032:d33 flat[V0033]:a64", "13:28 bad-shape"},
        {"lsc_load.ugm (M1, 8) V0032:d32x5 flat[V0033]:a64", "13:28 bad-shape"},
        {"lsc_load.ugm (M1, 8) V0032:d32.yx flat[V0033]:a64", "13:32 syntax"},
        {"lsc_load.ugm (M1, 8) V0032 flat[V0033]:a64", "13:28 syntax", "expected `:`"},
        {"lsc_load.ugm (M1, 8) V0032:d32 flut[V0033]:a64", "13:32 syntax", "an address"},
        {"lsc_load.ugm (M1, 8) V0032:d32 bti[V0033]:a64", "13:35 syntax", "expected `(`"},
        {"lsc_load.ugm (M1, 8) V0032:d32 bti(0x100000000)[V0033]:a64", "13:36 immediate-out-of-range"},
        {"lsc_load.ugm (M1, 8) V0032:d32 bti(P1)[V0033]:a64", "13:36 wrong-variable-class"},
        {"lsc_load.ugm (M1, 8) V0032:d32 flat[0*V0033]:a64", "13:37 number-out-of-range", "a scale"},
        {"lsc_load.ugm (M1, 8) V0032:d32 flat[V0033+0x80000000]:a64", "13:42 number-out-of-range"},
        {"lsc_load.ugm (M1, 8) V0032:d32 flat[V0033:a64", "13:42 syntax", "expected `]`"},
        {"lsc_load.ugm (M1, 8) V0032:d32 flat[V0033]", "13:43 syntax", "expected `:`"},
        {"lsc_load.ugm (M1, 8) V0032:d32 flat[V0033]:a65", "13:44 syntax", "`a64`"},
        {"lsc_load.ugm (M1, 8) V0032:d32 flat[V0033]:a64 V0032", "13:48 extra-operand"},
        {"lsc_load_block2d.ugm (M1, 1) V0032:d16.8 flat[V0033+(0,0)]", "13:40 bad-shape"},
        {"lsc_load_block2d.ugm (M1, 1) V0032:d16.0x8 flat[V0033+(0,0)]", "13:40 bad-shape"},
        {"lsc_load_block2d.ugm (M1, 1) V0032:d16.1x2x3x4 flat[V0033+(0,0)]", "13:40 bad-shape"},
        {"lsc_load_block2d.ugm (M1, 1) V0032:d16.1x2x3nq flat[V0033+(0,0)]", "13:45 bad-shape"},
        {"lsc_load_block2d.ugm (M1, 1) V0032:d16.2x3 bti(0)[V0033+(0,0)]", "13:44 syntax", "`flat[`"},
        {"lsc_fence.ugm.none", "13:1 missing-suffix"},
        {"lsc_extended_cache_ctrl.ugm.64B (M1, 8) flat[V0033]:a64", "13:29 bad-suffix", "it can be reset"},
        {"lsc_extended_cache_ctrl.ugm.set.64B (M1, 8) flat[V0033]:a64", "13:29 bad-suffix", "`.set`"},
        {"lsc_extended_cache_ctrl.ugm.reset.128B (M1, 8) flat[V0033]:a64", "13:35 bad-suffix", "64B"},
        {"lsc_extended_cache_ctrl.ugm.reset (M1, 8) flat[V0033]:a64", "13:1 missing-suffix", "`size`"},
        {"lsc_extended_cache_ctrl.ugm.ca.reset.64B (M1, 8) flat[V0033]:a64", "13:32 bad-suffix",
         "`caching_l2`"},
        {"lsc_extended_cache_ctrl.ugm.ca.uc.reset.64B (M1, 8) flat[V0033]:a64", "13:35 bad-suffix",
         "`caching_l3`"},
        {"lsc_extended_cache_ctrl.tgm.reset.64B (M1, 8) flat[V0033]:a64", "13:25 bad-suffix",
         "no typed form"},
        {"lsc_extended_cache_ctrl.ugm.reset.64B (M1, 8) flat[4*V0033]:a64", "13:52 syntax"},
        {"lsc_extended_cache_ctrl.ugm.reset.64B (M1, 8) flat[V0033+4]:a64", "13:57 syntax", "expected `]`"},
        {"lsc_extended_cache_ctrl.ugm.reset.64B (M1, 8) flat(V0033)[V0033]:a64", "13:51 syntax",
         "expected `[`"},
        {"lsc_extended_cache_ctrl.ugm.reset.64B (M1, 8) flat[V0033]:a64 V0032:d32", "13:63 extra-operand"},
    };
    expect(cases);
}

TEST(Error, BytesAndStrings) {
    EXPECT_EQ(read(kernel("mov (M1, 8) V0036(0,0)<1> ") + std::string(1, '\0')).reports(),
              (Reports{"13:26 missing-operand", "14:1 nul-byte"}));
    EXPECT_EQ(read_lines(std::string("bar") + '\0' + "rier").reports(), Reports{"13:1 unknown-mnemonic"});
    EXPECT_EQ(read_lines(std::string("barrier ") + '\0').reports(), Reports{"13:9 nul-byte"});
    EXPECT_EQ(read_lines(std::string("FILE \"a") + '\0' + "\"").reports(), Reports{"13:8 nul-byte"});
    EXPECT_EQ(read_lines("FILE \"open").reports(), Reports{"13:6 unterminated-string"});
    EXPECT_EQ(read_lines("FILE \"\\q\"").reports(), Reports{"13:7 bad-escape"});
    EXPECT_EQ(read_lines("FILE \"\\000\"").reports(), Reports{"13:7 bad-escape"});
    EXPECT_EQ(read_lines("FILE \"" + std::string(5000, 'x') + "\"").reports(), Reports{"13:6 name-too-long"});
    EXPECT_EQ(read_lines(".decl " + std::string(5000, 'x') + " v_type=G type=d num_elts=1").reports(),
              Reports{"13:7 name-too-long"});
    EXPECT_EQ(read_lines("barrier /* open").reports(), Reports{"13:9 unterminated-comment"});
    EXPECT_EQ(read_lines("goto (M1, 8) \"\"").reports(), Reports{"13:14 empty-name"});
}

TEST(Error, AllOfThemAreReported) {
    const Reading reading = read_lines("mov (M1, 7) V0036(0,0)<1> 0x1:d\n"
                                       "foo (M1, 8)\n"
                                       "mov (M1, 8) nix(0,0)<1> 300:ub\n"
                                       "goto (M1, 8) away\n"
                                       "mov (M1, 8) V0036(0,0)<1> 0x1:d");
    EXPECT_EQ(reading.reports(),
              (Reports{"13:10 bad-exec-size", "14:1 unknown-mnemonic", "15:13 undeclared-variable",
                       "15:25 immediate-out-of-range", "16:14 undefined-label"}));
}

TEST(Error, ReportsNameTheDeclaration) {
    EXPECT_EQ(read_lines("oword_st (1) V0032 0x0:ud V0032.0").rendered(),
              "k.visaasm:13:14: error: expected a surface, but `V0032` is a general variable "
              "[wrong-variable-class]\n"
              "    oword_st (1) V0032 0x0:ud V0032.0\n"
              "                 ^~~~~\n"
              "k.visaasm:3:7: note: declared here\n"
              "    .decl V0032 v_type=G type=ud num_elts=64 align=GRF\n"
              "          ^~~~~\n");
}

TEST(Error, TooManyPredicates) {
    std::string lines;
    for (int i = 0; i < 65535; ++i)
        lines += fmt::format(".decl p{} v_type=P num_elts=1\n", i);
    const Reading reading = read_lines(lines);
    ASSERT_EQ(reading.diagnostics.errors(), 2U) << "two are there already";
    EXPECT_EQ(reading.diagnostics.all()[0].rule, "too-many-variables");
}

} // namespace
} // namespace visor::text
