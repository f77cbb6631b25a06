// What a binary cannot hold is an error that names it, where the text has it.
#include "sample.h"

#include "isa/table.h"
#include "text/text.h"

#include <gtest/gtest.h>

namespace visor::test {
namespace {

std::string refusal(const Module& module) {
    Diagnostics diagnostics;
    EXPECT_FALSE(binary::write(module, {}, diagnostics).has_value());
    return messages(diagnostics);
}

// The only message, about this rule, at the byte of `text` where `at` stands.
void expect_refused(const std::string& text, std::string_view rule, std::string_view at,
                    std::string_view words) {
    SCOPED_TRACE(text);
    const Module module = parsed(text);
    Diagnostics diagnostics;
    EXPECT_FALSE(binary::write(module, {}, diagnostics).has_value());
    ASSERT_EQ(diagnostics.all().size(), 1U) << messages(diagnostics);
    const Diagnostic& only = diagnostics.all().front();
    EXPECT_EQ(only.rule, rule);
    EXPECT_NE(only.message.find(words), std::string::npos) << only.message;
    ASSERT_TRUE(only.where.has_value());
    EXPECT_EQ(only.where->offset, text.find(at));
}

TEST(Refusal, OfTypesWithoutACode) {
    expect_refused(kernel_text(".decl V32 v_type=G type=tf32 num_elts=16 align=GRF", "    ret (M1, 1)"),
                   "no-binary-form", "V32", "tf32");
}

TEST(Refusal, OfTooManyPredicates) {
    std::string declarations;
    for (int i = 1; i <= 4096; ++i)
        declarations += ".decl P" + std::to_string(i) + " v_type=P num_elts=16\n";
    declarations += ".decl V32 v_type=G type=d num_elts=16 align=GRF";
    const std::string goto_last = "    (P4096) goto (M1, 16) L\nL:\n    ret (M1, 1)";
    expect_refused(kernel_text(declarations, goto_last), "number-out-of-range", "(P4096)", "4096");
    const std::string setp_last = "    setp (M1, 16) P4096 0x1:ud\n    ret (M1, 1)";
    expect_refused(kernel_text(declarations, setp_last), "number-out-of-range", "setp", "4095");
    const std::string allowed =
        "    setp (M1, 16) P4095 0x1:ud\n    (P4095) goto (M1, 16) L\nL:\n    ret (M1, 1)";
    EXPECT_FALSE(written(parsed(kernel_text(declarations, allowed))).empty());
}

TEST(Refusal, OfLongNames) {
    const std::string long_name(1024, 'n');
    expect_refused(kernel_text(".decl " + long_name + " v_type=A num_elts=1", "    ret (M1, 1)"),
                   "string-too-long", long_name, "1024 bytes");
    const std::string allowed =
        kernel_text(".decl " + long_name.substr(1) + " v_type=A num_elts=1", "    ret (M1, 1)");
    EXPECT_EQ(reread(written(parsed(allowed))).functions[0].addresses[0].name.size(), 1023U);
}

// Text refuses such numbers itself; a module can be built with them.
TEST(Refusal, OfLargeVariables) {
    Module module = parsed(kernel_text(".decl V32 v_type=G type=ub num_elts=8 align=GRF", "    ret (M1, 1)"));
    module.functions[0].general[0].elements = 65536;
    EXPECT_NE(refusal(module).find("65536"), std::string::npos) << refusal(module);
}

TEST(Refusal, OfInputsThatAreFarAway) {
    const std::string declaration = ".decl V32 v_type=G type=d num_elts=8 align=GRF\n";
    Module module = parsed(kernel_text(declaration + ".input V32 offset=32 size=32", "    ret (M1, 1)"));
    module.functions[0].inputs[0].offset = 32768;
    EXPECT_NE(refusal(module).find("32768"), std::string::npos) << refusal(module);
}

TEST(Refusal, OfPredicatesThatOnlyTextHas) {
    const std::string variables =
        ".decl V32 v_type=G type=f num_elts=16 align=GRF\n.decl P1 v_type=P num_elts=16";
    expect_refused(kernel_text(variables, "    (P1) min (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> V32(1,0)<1;1,0>\n"
                                          "    ret (M1, 1)"),
                   "no-binary-form", "(P1)", "predicate");
}

TEST(Refusal, OfAddressesBetweenElements) {
    const std::string variables =
        ".decl V32 v_type=G type=uq num_elts=64 align=GRF\n.decl A0 v_type=A num_elts=1";
    const auto code = [](const char* offset) {
        return std::string("    addr_add (M1, 1) A0(0)<1> &V32[") + offset + "] 0x4:uw\n    ret (M1, 1)";
    };
    expect_refused(kernel_text(variables, code("12")), "no-binary-form", "addr_add", "12");
    // The last one is in row 255, column 255: 255 * 32 + 255 * 8.
    expect_refused(kernel_text(variables, code("10208")), "no-binary-form", "addr_add", "10208");
    for (const char* offset : {"40", "8160", "8192", "10200"}) {
        const Module module = parsed(kernel_text(variables, code(offset)));
        EXPECT_TRUE(same(reread(written(module)), carried(module))) << offset;
    }
}

Module with_add() {
    return parsed(
        kernel_text(".decl V32 v_type=G type=f num_elts=16 align=GRF",
                    "    add (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> V32(1,0)<1;1,0>\n    ret (M1, 1)"));
}

TEST(Refusal, OfModulesThatAreWronglyBuilt) {
    const auto broken = [](auto change) {
        Module module = with_add();
        change(module.functions[0].code[0]);
        return refusal(module);
    };
    EXPECT_NE(broken([](Instruction& add) { add.operands.pop_back(); }).find("`src1` is missing"),
              std::string::npos);
    EXPECT_NE(broken([](Instruction& add) { add.operands.push_back(add.operands[0]); }).find("4 operands"),
              std::string::npos);
    EXPECT_NE(broken([](Instruction& add) { add.operands[1].kind = OperandKind::raw; }).find("wrong kind"),
              std::string::npos);
    EXPECT_NE(broken([](Instruction& add) { add.operands[1].region.width = 3; }).find("region"),
              std::string::npos);
    EXPECT_NE(broken([](Instruction& add) { add.execution.size = 12; }).find("12 lanes"), std::string::npos);
    EXPECT_NE(broken([](Instruction& add) { add.row = nullptr; }).find("without a row"), std::string::npos);
    EXPECT_NE(
        broken([](Instruction& add) { add.operands[0].modifier = SourceModifier::neg; }).find("modifier"),
        std::string::npos);
}

TEST(Refusal, OfSaturationWithoutADestination) {
    Module module = with_add();
    module.functions[0].code[1].saturate = true;
    EXPECT_NE(refusal(module).find(".sat"), std::string::npos);
}

TEST(Refusal, FindsEverythingAtOnce) {
    Module module = parsed(kernel_text(".decl V32 v_type=G type=tf32 num_elts=16 align=GRF\n"
                                       ".decl V33 v_type=G type=hf8 num_elts=16",
                                       "    ret (M1, 1)"));
    module.functions[0].general[1].elements = 70000;
    Diagnostics diagnostics;
    EXPECT_FALSE(binary::write(module, {}, diagnostics).has_value());
    EXPECT_EQ(diagnostics.errors(), 3U) << messages(diagnostics);
}

TEST(Refusal, OfNumbersThatDoNotFitAnAttribute) {
    const Module module = parsed(kernel_text(".kernel_attr SLMSize=0x80000000", "    ret (M1, 1)"));
    EXPECT_NE(refusal(module).find("SLMSize"), std::string::npos);
}

// A reader takes a value for a number or a string by its name and its bytes.
TEST(Refusal, OfAttributesOfAnotherKind) {
    const auto refused = [](const std::string& attribute, std::string_view words) {
        SCOPED_TRACE(attribute);
        const Module module = parsed(kernel_text(".kernel_attr " + attribute, "    ret (M1, 1)"));
        const std::string message = refusal(module);
        EXPECT_NE(message.find("[ambiguous-attribute]"), std::string::npos) << message;
        EXPECT_NE(message.find(words), std::string::npos) << message;
    };
    refused("X=\"ab\"", "a number");
    refused("X=\"\"", "none");
    refused("Target=\"ab\"", "a number");
    refused("AsmName=3", "a string");
    refused("AsmName", "a string");
    for (const char* const attribute :
         {"X=\"abc\"", "X=3", "X", "AsmName=\"ab\"", "AsmName=\"\"", "Target=\"3d\""}) {
        SCOPED_TRACE(attribute);
        const Module module =
            parsed(kernel_text(std::string(".kernel_attr ") + attribute, "    ret (M1, 1)"));
        EXPECT_TRUE(same(reread(written(module)), carried(module)));
    }
}

TEST(Refusal, OfDestinationsWithMoreThanAStride) {
    const std::string variables =
        ".decl V32 v_type=G type=d num_elts=64 align=GRF\n.decl A0 v_type=A num_elts=8";
    for (const char* const region : {"<2,1>", "<4;2,1>"})
        expect_refused(kernel_text(variables, std::string("    mov (M1, 8) r[A0(0),0]") + region +
                                                  ":d V32(0,0)<1;1,0>\n    ret (M1, 1)"),
                       "no-binary-form", "mov", "horizontal stride");
}

} // namespace
} // namespace visor::test
