// `visor diff`, as its users run it.
#include "end_to_end.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace visor::cli {
namespace {

// The same as `hand_written` under other names, with its declarations in another order.
constexpr const char* other_names = R"(.version 4.1
.kernel "add5"
.decl numbers v_type=G type=d num_elts=8 align=GRF
.decl nothing v_type=G type=f num_elts=8 align=GRF
.decl five v_type=G type=d num_elts=1 align=dword
.decl at v_type=G type=uq num_elts=1 align=qword
.input five offset=40 size=4
.input at offset=32 size=8
.kernel_attr SimdSize=8
    svm_block_ld (2) at(0,0)<0;1,0> numbers.0 // what is there
    add (M1, 8) numbers(0,0)<1> numbers(0,0)<1;1,0> five(0,0)<0;1,0>
    svm_block_st (2) at(0,0)<0;1,0> numbers.0
    ret (M1, 1)
)";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    text.replace(text.find(from), from.size(), to);
    return text;
}

class Diff : public EndToEnd {
protected:
    [[nodiscard]] test::Finished diff(const std::string& first, const std::string& second,
                                      const std::vector<std::string>& options = {}) const {
        std::vector<std::string> words{"diff", source("a.visaasm", first), source("b.visaasm", second)};
        words.insert(words.end(), options.begin(), options.end());
        return visor(words);
    }
};

TEST_F(Diff, TheSameUnderOtherNames) {
    const auto same = diff(hand_written, other_names);
    EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
    EXPECT_EQ(same.out, "kernel add5: same\n");
    EXPECT_NE(same.err.find("1 kernel, all the same"), std::string::npos) << same.err;
}

TEST_F(Diff, ATextAndItsBinary) {
    ASSERT_EQ(visor({"as", source("a.visaasm", hand_written), "-o", file("a.isa")}).exit_code, 0);
    const auto same = visor({"diff", file("a.visaasm"), file("a.isa")});
    EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
    const auto changed =
        visor({"diff", file("a.isa"), source("b.visaasm", replaced(hand_written, "add (", "mul ("))});
    EXPECT_EQ(changed.exit_code, 1);
    EXPECT_NE(changed.out.find("`add` here, `mul` there\n  < " + file("a.isa") + ":0x"), std::string::npos)
        << changed.out;
}

TEST_F(Diff, TheLinesThatDiffer) {
    const auto changed = diff(hand_written, replaced(other_names, "add (M1", "add.sat (M1"));
    EXPECT_EQ(changed.exit_code, 1);
    EXPECT_EQ(changed.out,
              "kernel add5: different\nthe saturation differs\n  < " + file("a.visaasm") +
                  ":10:5: add (M1, 8) data(0,0)<1> data(0,0)<1;1,0> amount(0,0)<0;1,0>\n  > " +
                  file("b.visaasm") +
                  ":11:5: add.sat (M1, 8) numbers(0,0)<1> numbers(0,0)<1;1,0> five(0,0)<0;1,0>\n");
    EXPECT_NE(changed.err.find("1 kernel, 1 different"), std::string::npos) << changed.err;
}

TEST_F(Diff, AsJson) {
    const auto same = nlohmann::json::parse(diff(hand_written, other_names, {"--json"}).out);
    EXPECT_EQ(same["equal"], true);
    EXPECT_EQ(same["functions"][0]["state"], "same");
    const auto longer = replaced(hand_written, "    ret", "    barrier\n    ret");
    const auto changed = nlohmann::json::parse(diff(hand_written, longer, {"--json"}).out);
    EXPECT_EQ(changed["verb"], "diff");
    EXPECT_EQ(changed["equal"], false);
    EXPECT_EQ(changed["first"], file("a.visaasm"));
    const auto& function = changed["functions"][0];
    EXPECT_EQ(function["name"], "add5");
    EXPECT_EQ(function["kind"], "kernel");
    EXPECT_EQ(function["state"], "different");
    ASSERT_EQ(function["differences"].size(), 1U);
    const auto& difference = function["differences"][0];
    EXPECT_EQ(difference["message"], "only in the second");
    EXPECT_TRUE(difference["first"].is_null());
    EXPECT_EQ(difference["second"]["line"], 12);
    EXPECT_EQ(difference["second"]["column"], 5);
    EXPECT_EQ(difference["second"]["text"], "barrier");
}

TEST_F(Diff, KernelsByName) {
    const std::string second = ".kernel \"other\"\n.kernel_attr SimdSize=8\n    ret (M1, 1)\n";
    const auto more = diff(hand_written, hand_written + ("\n" + second));
    EXPECT_EQ(more.exit_code, 1);
    EXPECT_EQ(more.out, "kernel add5: same\nkernel other: only in " + file("b.visaasm") + "\n");
    EXPECT_EQ(diff(hand_written, hand_written + ("\n" + second), {"-k", "add5"}).exit_code, 0);
    const auto missing = diff(hand_written, hand_written, {"-k", "nobody"});
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_NE(missing.err.find("has a kernel `nobody`"), std::string::npos) << missing.err;
}

TEST_F(Diff, AsManyAsAreWanted) {
    std::string changed = replaced(other_names, "add (M1", "add.sat (M1");
    changed = replaced(changed, "SimdSize=8", "SimdSize=16");
    const auto one = diff(hand_written, changed, {"--most", "1"});
    EXPECT_EQ(one.exit_code, 1);
    EXPECT_NE(one.out.find("attribute `SimdSize` differs\n"), std::string::npos) << one.out;
    EXPECT_NE(one.out.find("and more\n"), std::string::npos) << one.out;
    EXPECT_EQ(one.out.find("saturation"), std::string::npos) << one.out;
}

// Registers of 64 bytes, which only such a device's instruction tells: row 1 is what column 16 is, too.
TEST_F(Diff, ForTheDeviceThatTheTextNeeds) {
    const auto text = [](const std::string& stores) {
        return ".version 4.1\n.kernel \"k\"\n.decl A v_type=G type=d num_elts=64 align=GRF\n"
               ".decl at v_type=G type=uq num_elts=16 align=GRF\n.kernel_attr SimdSize=16\n" +
               stores + "    lsc_store.ugm (M1, 16) flat[at]:a64 A:d32\n    ret (M1, 1)\n";
    };
    const std::string one = "    mov (M1, 8) A(0,16)<1> 0x1:d\n";
    const std::string two = "    mov (M1, 8) A(1,0)<1> 0x2:d\n";
    const auto swapped = diff(text(one + two), text(two + one), {"--device", "pvc"});
    EXPECT_EQ(swapped.exit_code, 1) << swapped.err;
    EXPECT_EQ(diff(text(one + two), text(one + two)).exit_code, 0);
    EXPECT_EQ(diff(text(one + two), text(two + one), {"--device", "dg2"}).exit_code, 0);
}

// ---- by running

constexpr const char* sum = "kernel void k(global float* y, global const float* x, int n) {\n"
                            "  int i = get_global_id(0); if (i < n) y[i] = x[i] + y[i]; }\n";

class DiffByRunning : public Diff {
protected:
    [[nodiscard]] test::Finished runs(const std::string& first, const std::string& second,
                                      const std::vector<std::string>& options = {}) const {
        std::vector<std::string> words{"diff", source("a.cl", first), source("b.cl", second), "--runs", "12"};
        words.insert(words.end(), options.begin(), options.end());
        return visor(words);
    }
};

TEST_F(DiffByRunning, OtherCodeThatDoesTheSameIsNoDifference) {
    const auto ran = runs(sum, replaced(sum, "x[i] + y[i]", "y[i] - -x[i]"));
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    EXPECT_EQ(ran.out, "kernel k: same in 12 runs on drawn inputs\n");
    EXPECT_NE(ran.err.find("no difference found"), std::string::npos) << ran.err;
}

TEST_F(DiffByRunning, AnotherResultIsToldWithItsPlace) {
    const auto ran = runs(sum, replaced(sum, "i < n", "i <= n"));
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_NE(ran.out.find("kernel k: different\nwith input "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("argument 0 `y`: the dword at byte "), std::string::npos) << ran.out;
    EXPECT_EQ(runs(sum, replaced(sum, "y[i] = ", "((global float*)x)[i] = ")).exit_code, 1);
}

TEST_F(DiffByRunning, AFaultOnOneSideIsADifference) {
    const auto ran = runs(sum, replaced(sum, "y[i] = x", "y[i + (1 << 28)] = x"), {"--device", "pvc"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_NE(ran.out.find("it finishes here, and there: "), std::string::npos) << ran.out;
}

TEST_F(DiffByRunning, WhatNeverFinishesTellsNothing) {
    const char* const lost = "kernel void k(global int* p) { *(global int*)(ulong)(p[0] + 16) = 1; }";
    const auto ran = runs(lost, lost);
    EXPECT_EQ(ran.exit_code, 3);
    EXPECT_NE(ran.out.find("kernel k: not told: no run finished: "), std::string::npos) << ran.out;
    const auto json = nlohmann::json::parse(runs(lost, lost, {"--json"}).out);
    EXPECT_EQ(json["functions"][0]["state"], "untold");
    EXPECT_EQ(json["equal"], false);
}

TEST_F(DiffByRunning, OtherParametersAreADifference) {
    const auto ran = runs(sum, "kernel void k(global float* y) { }");
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_NE(ran.out.find("it has 3 parameters here and 1 there"), std::string::npos) << ran.out;
    EXPECT_EQ(runs(sum, "kernel void other(global float* y) { }").exit_code, 1);
    EXPECT_EQ(runs(sum, sum, {"-k", "none"}).exit_code, 1);
}

TEST_F(DiffByRunning, TextByHand) {
    const auto same = diff(hand_written, other_names, {"--runs", "5"});
    EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
    const auto other = diff(hand_written, replaced(other_names, "add (", "mul ("), {"--runs", "5"});
    EXPECT_EQ(other.exit_code, 1) << other.out << other.err;
}

TEST_F(Diff, Refusals) {
    const auto unreadable = diff(hand_written, "no vISA at all");
    EXPECT_EQ(unreadable.exit_code, 1);
    EXPECT_NE(unreadable.err.find("visor: nothing was compared"), std::string::npos) << unreadable.err;
    EXPECT_EQ(unreadable.out, "");
    const auto wrong = diff(hand_written, replaced(hand_written, "data(0,0)", "dada(0,0)"));
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_NE(wrong.err.find("`dada` is not declared"), std::string::npos) << wrong.err;
    EXPECT_EQ(visor({"diff", file("a.visaasm"), file("missing.visaasm")}).exit_code, 1);
    EXPECT_EQ(visor({"diff", file("a.visaasm")}).exit_code, 2);
    EXPECT_EQ(visor({"diff", "-", "-"}).exit_code, 2);
    EXPECT_EQ(diff(hand_written, hand_written, {"--most", "0"}).exit_code, 2);
    EXPECT_EQ(diff(hand_written, hand_written, {"--device", "none"}).exit_code, 2);
}

} // namespace
} // namespace visor::cli
