// Pairs of texts, and what is said of them: by hand.
#include "compare/compare.h"

#include "parsed.h"

namespace visor::compare {
namespace {

TEST(Compare, NamesDeclarationsAndCommentsAreNoDifference) {
    const Module first = parsed(R"(.version 4.1
.kernel "k"
.decl A v_type=G type=d num_elts=8 align=GRF
.decl B v_type=G type=d num_elts=8 align=GRF
.decl P v_type=P num_elts=8
.input A offset=32 size=32
.kernel_attr SimdSize=8
    cmp.lt (M1, 8) P A(0,0)<1;1,0> 0x3:d
    (P) goto (M1, 8) out
    add (M1, 8) B(0,0)<1> A(0,0)<1;1,0> 0x1:d
out:
    ret (M1, 1)
)");
    const Module second = parsed(R"(.version 4.1
.kernel "k"
.decl unused v_type=G type=df num_elts=4
.decl less v_type=P num_elts=8
.decl B v_type=G type=d num_elts=8 align=GRF
.decl A v_type=G type=d num_elts=8 align=GRF
.input B offset=32 size=32
.kernel_attr SimdSize=8
nobody:
    .file "k.cl"
    .loc 3
    cmp.lt (M1, 8) less B(0,0)<1;1,0> 0x3:d // a comment
    (less) goto (M1, 8) end
    add (M1, 8) A(0,0)<1> B(0,0)<1;1,0> 0x1:d
end:
    ret (M1, 1)
)");
    EXPECT_EQ(first_difference(first, second), "");
    EXPECT_EQ(first_difference(second, first), "");
}

TEST(Compare, ANameStandsForOneThing) {
    EXPECT_TRUE(equal("mov (M1, 8) A(0,0)<1> B(0,0)<1;1,0>\n", "mov (M1, 8) B(0,0)<1> C(0,0)<1;1,0>\n"));
    EXPECT_FALSE(equal("mov (M1, 8) A(0,0)<1> B(0,0)<1;1,0>\n", "mov (M1, 8) A(0,0)<1> A(0,0)<1;1,0>\n"));
    EXPECT_FALSE(equal("mov (M1, 8) A(0,0)<1> A(0,0)<1;1,0>\n", "mov (M1, 8) A(0,0)<1> B(0,0)<1;1,0>\n"));
    // The name holds from block to block.
    EXPECT_TRUE(equal("mov (M1, 8) A(0,0)<1> 1:d\nmov (M1, 8) B(0,0)<1> 2:d\nagain:\n"
                      "mov (M1, 8) C(0,0)<1> A(0,0)<1;1,0>\ngoto (M1, 8) again\n",
                      "mov (M1, 8) B(0,0)<1> 1:d\nmov (M1, 8) C(0,0)<1> 2:d\nX1:\n"
                      "mov (M1, 8) A(0,0)<1> B(0,0)<1;1,0>\ngoto (M1, 8) X1\n"));
    EXPECT_FALSE(equal("mov (M1, 8) A(0,0)<1> 1:d\nmov (M1, 8) B(0,0)<1> 2:d\nagain:\n"
                       "mov (M1, 8) C(0,0)<1> A(0,0)<1;1,0>\ngoto (M1, 8) again\n",
                       "mov (M1, 8) A(0,0)<1> 1:d\nmov (M1, 8) B(0,0)<1> 2:d\nagain:\n"
                       "mov (M1, 8) C(0,0)<1> B(0,0)<1;1,0>\ngoto (M1, 8) again\n"));
}

TEST(Compare, IndependentInstructionsMayComeInAnyOrder) {
    EXPECT_TRUE(equal("mov (M1, 8) A(0,0)<1> 1:d\nmov (M1, 8) B(0,0)<1> 2:d\n",
                      "mov (M1, 8) B(0,0)<1> 2:d\nmov (M1, 8) A(0,0)<1> 1:d\n"));
    // Different bytes of one variable.
    EXPECT_TRUE(equal("mov (M1, 8) A(0,0)<1> 1:d\nmov (M1, 8) A(1,0)<1> 2:d\n",
                      "mov (M1, 8) A(1,0)<1> 2:d\nmov (M1, 8) A(0,0)<1> 1:d\n"));
    EXPECT_FALSE(equal("mov (M1, 8) A(0,0)<1> 1:d\nmov (M1, 8) A(0,4)<1> 2:d\n",
                       "mov (M1, 8) A(0,4)<1> 2:d\nmov (M1, 8) A(0,0)<1> 1:d\n"));
    // Loads pass loads, and nothing else of memory.
    const std::string load1 = "gather_scaled.4 (M1, 8) T6 0x0:ud A.0 B.0\n";
    const std::string load2 = "gather_scaled.4 (M1, 8) T6 0x4:ud A.0 C.0\n";
    const std::string store = "scatter_scaled.4 (M1, 8) T6 0x8:ud A.0 F.0\n";
    EXPECT_TRUE(equal(load1 + load2, load2 + load1));
    EXPECT_FALSE(equal(load1 + store, store + load1));
    EXPECT_FALSE(equal(load1 + "barrier\n" + load2, "barrier\n" + load1 + load2));
    EXPECT_FALSE(equal(load1 + "fence_global.E\n", "fence_global.E\n" + load1));
}

TEST(Compare, AChainStaysInItsOrder) {
    const std::string one = "add (M1, 8) A(0,0)<1> A(0,0)<1;1,0> 1:d\n";
    const std::string two = "mul (M1, 8) A(0,0)<1> A(0,0)<1;1,0> 2:d\n";
    EXPECT_FALSE(equal(one + two, two + one));
    // Read, then written; twice written.
    EXPECT_FALSE(equal("mov (M1, 8) B(0,0)<1> A(0,0)<1;1,0>\nmov (M1, 8) A(0,0)<1> 1:d\n",
                       "mov (M1, 8) A(0,0)<1> 1:d\nmov (M1, 8) B(0,0)<1> A(0,0)<1;1,0>\n"));
    EXPECT_FALSE(equal("mov (M1, 8) A(0,0)<1> 1:d\nmov (M1, 8) A(0,0)<1> 2:d\n",
                       "mov (M1, 8) A(0,0)<1> 2:d\nmov (M1, 8) A(0,0)<1> 1:d\n"));
    // The order of labels and branches counts.
    EXPECT_FALSE(equal("mov (M1, 8) A(0,0)<1> 1:d\nagain:\ngoto (M1, 8) again\n",
                       "again:\nmov (M1, 8) A(0,0)<1> 1:d\ngoto (M1, 8) again\n"));
}

TEST(Compare, AnAliasIsAPlaceInItsRoot) {
    EXPECT_TRUE(equal("mov (M1, 8) H(0,0)<1> 1:d\n", "mov (M1, 8) A(2,0)<1> 1:d\n"));
    EXPECT_FALSE(equal("mov (M1, 8) H(0,0)<1> 1:d\nmov (M1, 8) A(0,0)<1> 2:d\n",
                       "mov (M1, 8) A(0,0)<1> 1:d\nmov (M1, 8) A(0,0)<1> 2:d\n"));
    // Two halves of one variable are not two variables.
    EXPECT_FALSE(equal("mov (M1, 8) L(0,0)<1> 1:d\nmov (M1, 8) H(0,0)<1> 2:d\n",
                       "mov (M1, 8) L(0,0)<1> 1:d\nmov (M1, 8) B(2,0)<1> 2:d\n"));
    // Aliases that overlap keep their order.
    EXPECT_FALSE(equal("mov (M1, 8) L(0,0)<1> 1:d\nmov (M1, 8) A(0,0)<1> 2:d\n",
                       "mov (M1, 8) A(0,0)<1> 2:d\nmov (M1, 8) L(0,0)<1> 1:d\n"));
}

TEST(Compare, Predicates) {
    const std::string set_p = "cmp.lt (M1, 8) P A(0,0)<1;1,0> 3:d\n";
    const std::string set_q = "cmp.gt (M1, 8) Q A(0,0)<1;1,0> 5:d\n";
    EXPECT_TRUE(equal(set_p + set_q + "(P) mov (M1, 8) B(0,0)<1> 1:d\n",
                      set_q + set_p + "(P) mov (M1, 8) B(0,0)<1> 1:d\n"));
    EXPECT_FALSE(equal(set_p + set_q + "(P) mov (M1, 8) B(0,0)<1> 1:d\n",
                       set_p + set_q + "(Q) mov (M1, 8) B(0,0)<1> 1:d\n"));
    EXPECT_FALSE(
        equal(set_p + "(P) mov (M1, 8) B(0,0)<1> 1:d\n", set_p + "(!P) mov (M1, 8) B(0,0)<1> 1:d\n"));
    EXPECT_FALSE(
        equal(set_p + "(P.any) mov (M1, 8) B(0,0)<1> 1:d\n", set_p + "(P.all) mov (M1, 8) B(0,0)<1> 1:d\n"));
    EXPECT_FALSE(equal(set_p + "(P) mov (M1, 8) B(0,0)<1> 1:d\n", "(P) mov (M1, 8) B(0,0)<1> 1:d\n" + set_p));
    // Bits of P that Q's do not replace.
    EXPECT_FALSE(equal(set_p + "or (M1_NM, 8) P P Q\n", "or (M1_NM, 8) P P Q\n" + set_p));
    EXPECT_FALSE(equal("or (M1_NM, 8) P P Q\n", "or (M1_NM, 8) P Q Q\n"));
    EXPECT_TRUE(equal("or (M1_NM, 8) P P Q\n", "or (M1_NM, 8) Q Q P\n"));
}

TEST(Compare, PredefinedVariablesAreThemselves) {
    EXPECT_FALSE(equal("mov (M1, 8) A(0,0)<1> %r0(0,0)<1;1,0>\n", "mov (M1, 8) A(0,0)<1> B(0,0)<1;1,0>\n"));
    EXPECT_FALSE(equal("mov (M1, 1) A(0,0)<1> %group_id_x(0,0)<0;1,0>\n",
                       "mov (M1, 1) A(0,0)<1> %group_id_y(0,0)<0;1,0>\n"));
    EXPECT_FALSE(equal("scatter_scaled.4 (M1, 8) T6 0x0:ud A.0 B.0\n",
                       "scatter_scaled.4 (M1, 8) T1 0x0:ud A.0 B.0\n"));
    EXPECT_TRUE(equal("mov (M1, 8) A(0,0)<1> %r0(0,0)<1;1,0>\nmov (M1, 8) B(0,0)<1> %r0(0,0)<1;1,0>\n",
                      "mov (M1, 8) B(0,0)<1> %r0(0,0)<1;1,0>\nmov (M1, 8) A(0,0)<1> %r0(0,0)<1;1,0>\n"));
    // The clock tells the order; the control register is what other instructions go by.
    EXPECT_FALSE(equal("mov (M1, 1) A(0,0)<1> %tsc(0,0)<0;1,0>\nmov (M1, 8) B(0,0)<1> 1:d\n",
                       "mov (M1, 8) B(0,0)<1> 1:d\nmov (M1, 1) A(0,0)<1> %tsc(0,0)<0;1,0>\n"));
    EXPECT_FALSE(equal("mov (M1, 1) %cr0(0,0)<1> 0x10:ud\nadd (M1, 8) F(0,0)<1> F(0,0)<1;1,0> 0x1:f\n",
                       "add (M1, 8) F(0,0)<1> F(0,0)<1;1,0> 0x1:f\nmov (M1, 1) %cr0(0,0)<1> 0x10:ud\n"));
    // Nothing is written to %null, so that nothing waits for it.
    EXPECT_TRUE(equal("mov (M1, 8) %null(0,0)<1> A(0,0)<1;1,0>\nmov (M1, 8) %null(0,0)<1> 2:d\n",
                      "mov (M1, 8) %null(0,0)<1> 2:d\nmov (M1, 8) %null(0,0)<1> A(0,0)<1;1,0>\n"));
}

TEST(Compare, IndirectOperandsStayWhereTheyAre) {
    const std::string take = "addr_add (M1, 1) X(0)<1> &A[0] 0x0:uw\n";
    const std::string read = "mov (M1, 8) B(0,0)<1> r[X(0),0]<1;1,0>:d\n";
    EXPECT_TRUE(equal(take + read, take + read));
    EXPECT_FALSE(
        equal(take + "mov (M1, 8) A(0,0)<1> 1:d\n" + read, take + read + "mov (M1, 8) A(0,0)<1> 1:d\n"));
    EXPECT_FALSE(equal("addr_add (M1, 1) X(0)<1> &A[0] 0x0:uw\nmov (M1, 8) A(0,0)<1> 1:d\n",
                       "addr_add (M1, 1) X(0)<1> &B[0] 0x0:uw\nmov (M1, 8) A(0,0)<1> 1:d\n"));
    EXPECT_FALSE(equal("addr_add (M1, 1) X(0)<1> &A[0] 0x0:uw\n", "addr_add (M1, 1) X(0)<1> &H[0] 0x0:uw\n"));
}

TEST(Compare, DeadCodeCounts) {
    EXPECT_FALSE(equal("ret (M1, 1)\n", "mov (M1, 8) A(0,0)<1> 1:d\nret (M1, 1)\n"));
    EXPECT_FALSE(equal("ret (M1, 1)\nmov (M1, 8) A(0,0)<1> 1:d\n", "ret (M1, 1)\n"));
    EXPECT_FALSE(
        equal("ret (M1, 1)\nmov (M1, 8) A(0,0)<1> 1:d\n", "ret (M1, 1)\nmov (M1, 8) A(0,0)<1> 2:d\n"));
}

// What both variables are by their declarations.
TEST(Compare, DeclarationsOfWhatIsUsed) {
    const auto with = [](std::string_view declaration) {
        return parsed(".version 4.1\n.kernel \"k\"\n" + std::string(declaration) +
                      "\n    mov (M1, 8) A(0,0)<1> 1:d\n");
    };
    const Module base = with(".decl A v_type=G type=d num_elts=8 align=GRF");
    EXPECT_EQ(first_difference(base, with(".decl A v_type=G type=d num_elts=16 align=GRF")),
              "`A` and `A` are not the same by their declarations");
    EXPECT_EQ(first_difference(base, with(".decl A v_type=G type=d num_elts=8 align=dword")),
              "`A` and `A` are not the same by their declarations");
    EXPECT_EQ(first_difference(base, with(".decl A v_type=G type=ud num_elts=8 align=GRF")),
              "operand `dst` differs");
}

TEST(Compare, InputsAndAttributes) {
    const auto with = [](std::string_view lines) {
        return parsed(".version 4.1\n.kernel \"k\"\n.decl A v_type=G type=d num_elts=8 align=GRF\n"
                      ".decl B v_type=G type=d num_elts=8 align=GRF\n" +
                      std::string(lines) + "    mov (M1, 8) A(0,0)<1> B(0,0)<1;1,0>\n");
    };
    const Module base =
        with(".input A offset=32 size=32\n.input B offset=64 size=32\n.kernel_attr SimdSize=8\n");
    EXPECT_EQ(first_difference(base, with(".input B offset=64 size=32\n.input A offset=32 size=32\n"
                                          ".kernel_attr SimdSize=8\n")),
              "");
    EXPECT_EQ(first_difference(base, with(".input B offset=32 size=32\n.input A offset=64 size=32\n"
                                          ".kernel_attr SimdSize=8\n")),
              "`A` and `A` stand for other things elsewhere");
    EXPECT_EQ(first_difference(base, with(".input A offset=32 size=32\n.input B offset=96 size=32\n"
                                          ".kernel_attr SimdSize=8\n")),
              "the inputs differ");
    EXPECT_EQ(first_difference(base, with(".input A offset=32 size=32\n.kernel_attr SimdSize=8\n")),
              "only in the first");
    EXPECT_EQ(first_difference(base, with(".input A offset=32 size=32\n.input B offset=64 size=32\n"
                                          ".kernel_attr SimdSize=16\n")),
              "attribute `SimdSize` differs");
    EXPECT_EQ(first_difference(base, with(".input A offset=32 size=32\n.input B offset=64 size=32\n")),
              "attribute `SimdSize` differs");
}

TEST(Compare, OneChangeIsOneDifference) {
    std::string text;
    for (int i = 0; i < 20; ++i)
        text += "add (M1, 8) A(0,0)<1> A(0,0)<1;1,0> " + std::to_string(i) + ":d\n";
    std::string changed = text;
    changed.replace(changed.find(" 7:d"), 4, " 99:d");
    const Module a = code(text);
    const Module b = code(changed);
    const Comparison compared = compare(a.functions.front(), b.functions.front(), {});
    ASSERT_EQ(compared.differences.size(), 1U);
    EXPECT_EQ(compared.differences[0].message, "operand `src1` differs");
    EXPECT_EQ(compared.differences[0].first.text, "add (M1, 8) A(0,0)<1> A(0,0)<1;1,0> 0x7:d");
    EXPECT_EQ(compared.differences[0].second.text, "add (M1, 8) A(0,0)<1> A(0,0)<1;1,0> 0x63:d");

    const Module longer = code(text + "mov (M1, 8) B(0,0)<1> 1:d\n");
    const Comparison more = compare(a.functions.front(), longer.functions.front(), {});
    ASSERT_EQ(more.differences.size(), 1U);
    EXPECT_EQ(more.differences[0].message, "only in the second");
    EXPECT_FALSE(more.differences[0].first.where);
    EXPECT_TRUE(more.differences[0].second.where);
}

TEST(Compare, WithoutStepsTheOrderIsTakenLiterally) {
    const Module a = code("mov (M1, 8) A(0,0)<1> 1:d\nmov (M1, 8) B(0,0)<1> 2:d\n");
    const Module b = code("mov (M1, 8) B(0,0)<1> 2:d\nmov (M1, 8) A(0,0)<1> 1:d\n");
    Options few;
    few.most_steps = 1;
    const Comparison compared = compare(a.functions.front(), b.functions.front(), few);
    EXPECT_FALSE(compared.equal());
    EXPECT_TRUE(compared.order_taken_literally);
    EXPECT_TRUE(compare(a.functions.front(), a.functions.front(), few).equal());
    EXPECT_FALSE(compare(a.functions.front(), a.functions.front(), few).order_taken_literally);
}

TEST(Compare, AsManyAsAreWanted) {
    std::string one;
    std::string other;
    for (int i = 0; i < 30; ++i) {
        one += "add (M1, 8) A(0,0)<1> A(0,0)<1;1,0> 1:d\n";
        other += "mul (M1, 8) A(0,0)<1> A(0,0)<1;1,0> 1:d\n";
    }
    const Module a = code(one);
    const Module b = code(other);
    Options few;
    few.most = 3;
    const Comparison compared = compare(a.functions.front(), b.functions.front(), few);
    EXPECT_EQ(compared.differences.size(), 3U);
    EXPECT_TRUE(compared.more);
    few.most = 0;
    EXPECT_FALSE(compare(a.functions.front(), b.functions.front(), few).equal());
}

TEST(Compare, LabelsByPlace) {
    EXPECT_EQ(first_difference(code("one:\ntwo:\ngoto (M1, 8) one\ngoto (M1, 8) two\n"),
                               code("two:\none:\ngoto (M1, 8) two\ngoto (M1, 8) one\n")),
              "");
    EXPECT_EQ(
        first_difference(code("one:\nmov (M1, 8) A(0,0)<1> 1:d\ntwo:\ngoto (M1, 8) one\njmp (M1, 1) two\n"),
                         code("one:\nmov (M1, 8) A(0,0)<1> 1:d\ntwo:\ngoto (M1, 8) two\njmp (M1, 1) one\n")),
        "`one` and `two` stand for other things elsewhere");
}

TEST(Compare, NothingAtAll) {
    const Function none;
    EXPECT_TRUE(compare(none, none, {}).equal());
    EXPECT_FALSE(compare(none, code("ret (M1, 1)\n").functions.front(), {}).equal());
}

} // namespace
} // namespace visor::compare
