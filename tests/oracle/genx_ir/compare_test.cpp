// The comparison itself: it overlooks what a binary does not keep and nothing else.
#include "compare.h"

#include "text/text.h"

#include <gtest/gtest.h>

#include <string>

namespace visor::oracle {
namespace {

const std::string sent = R"(.version 4.1
.kernel "kernel"
// a remark
.decl V0032 v_type=G type=d num_elts=8 align=hword
.decl P1 v_type=P num_elts=16
.decl S0 v_type=S num_elts=1 v_name=S000
.decl T6 v_type=T num_elts=1 v_name=T006
.input V0032 offset=32 size=32
.kernel_attr SimdSize=16
.function "_main_0"

_main_0:
    (P1) goto (M1, 16) here                                 /// $1
    add (M1, 8) V0032(0,0)<1> V0032(0,0)<1;1,0> 0x1:d       /// $2

here:
    (!P1) goto (M1, 16) there                               /// $3

there:
    ret (M1, 1)                                             /// $4
)";

std::string with(std::string text, const std::string& old, const std::string& fresh) {
    const size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return text.replace(at, old.size(), fresh);
}

Module parsed(const std::string& text) {
    Diagnostics diagnostics;
    auto module = text::parse(text, {}, diagnostics);
    EXPECT_TRUE(module.has_value()) << text;
    return module.value_or(Module{});
}

std::string relabeled() {
    std::string text = sent;
    for (const auto& [old, fresh] : {std::pair{"\"_main_0\"", "\"_main_0_7\""},
                                     {"_main_0:", "_main_0_7:"},
                                     {") here", ") here_8"},
                                     {"here:", "here_8:"},
                                     {") there", ") there_9"},
                                     {"there:", "there_9:"}})
        text = with(text, old, fresh);
    return text;
}

TEST(Compare, OverlooksWhatABinaryDoesNotKeep) {
    std::string received = relabeled();
    for (const auto& [old, fresh] : {std::pair{".version 4.1", ".version 4.0"},
                                     {"S000", "S0"},
                                     {"T006", "T6"},
                                     {"// a remark\n", ""},
                                     {"/// $1", "/// $9"}})
        received = with(received, old, fresh);
    EXPECT_EQ(module_difference(parsed(sent), parsed(received)), "");
    EXPECT_EQ(line_difference(sent, received), "");
}

struct Change {
    const char* old;
    const char* fresh;
};
class EveryOther : public testing::TestWithParam<Change> {};

TEST_P(EveryOther, ChangeIsFound) {
    const std::string received = with(sent, GetParam().old, GetParam().fresh);
    EXPECT_NE(module_difference(parsed(sent), parsed(received)), "");
    EXPECT_NE(line_difference(sent, received), "");
}

INSTANTIATE_TEST_SUITE_P(
    Compare, EveryOther,
    testing::Values(Change{"type=d num", "type=f num"}, Change{"num_elts=8", "num_elts=9"},
                    Change{"align=hword", "align=dword"}, Change{"P num_elts=16", "P num_elts=8"},
                    Change{"size=32", "size=16"}, Change{"offset=32", "offset=64"},
                    Change{"SimdSize=16", "SimdSize=8"}, Change{"0x1:d", "0x2:d"}, Change{"0x1:d", "0x1:ud"},
                    Change{"(M1, 8)", "(M2, 8)"}, Change{"(!P1)", "(P1)"},
                    Change{"V0032(0,0)<1>", "V0032(0,1)<1>"}, Change{"<1;1,0>", "<2;1,0>"},
                    Change{"add ", "avg "}, Change{") there", ") here"},
                    Change{"    ret", "    barrier\n    ret"},
                    Change{".kernel \"kernel\"", ".kernel \"other\""}));

} // namespace
} // namespace visor::oracle
