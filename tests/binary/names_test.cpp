// Names that text cannot tell apart: a binary is read under names that it can, and that is said.
#include "sample.h"

#include "text/text.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace visor::test {
namespace {

struct Read {
    std::optional<Module> module;
    Diagnostics diagnostics;

    [[nodiscard]] const Function& function() const { return module->functions.at(0); }
};

// A variable of each class under these names, two labels, an input of each class that may be one, and code
// that names them all.
Module with(std::string_view general, std::string_view address, std::string_view predicate,
            std::string_view sampler, std::string_view surface, std::string_view label,
            std::string_view other_label) {
    Module module = parsed(kernel_text(".decl g v_type=G type=ud num_elts=16 align=GRF\n"
                                       ".decl h v_type=G type=ud num_elts=8 align=GRF alias=<g, 32>\n"
                                       ".decl a v_type=A num_elts=1\n"
                                       ".decl p v_type=P num_elts=16\n"
                                       ".decl s v_type=S num_elts=1\n"
                                       ".decl t v_type=T num_elts=1\n"
                                       ".input g offset=32 size=64\n"
                                       ".input s offset=96 size=4\n"
                                       ".input t offset=100 size=4\n",
                                       "L:\n"
                                       "    addr_add (M1, 1) a(0)<1> &g 0x0:uw\n"
                                       "    mov (M1, 8) h(0,0)<1> r[a(0), 0]<1,0>:ud\n"
                                       "    scatter_scaled.4 (M1, 8) t 0x0:ud g.0 h.0\n"
                                       "    (p) goto (M1, 8) L\n"
                                       "    goto (M1, 8) M\n"
                                       "M:\n"
                                       "    movs (M1, 1) s(0) 0x0:ud\n"
                                       "    ret (M1, 1)\n"));
    Function& function = module.functions[0];
    function.general[0].name = general;
    function.addresses[0].name = address;
    function.predicates[0].name = predicate;
    function.samplers[0].name = sampler;
    function.surfaces[0].name = surface;
    function.labels[0].name = label;
    function.labels[1].name = other_label;
    return module;
}

Read read(const Module& module) {
    Read out;
    out.module = binary::read(written(module), {}, out.diagnostics);
    return out;
}

using Names = std::array<std::string_view, 7>;

Names names(const Function& function) {
    return {function.general.at(0).name,  function.addresses.at(0).name, function.predicates.at(0).name,
            function.samplers.at(0).name, function.surfaces.at(0).name,  function.labels.at(0).name,
            function.labels.at(1).name};
}

// As text and back it is the same module, and the same binary.
void expect_round_trip(const Module& module) {
    const std::string printed = text::print(module);
    const Module again = parsed(printed);
    EXPECT_TRUE(same(carried(module), carried(again))) << printed;
    EXPECT_EQ(written(again), written(module)) << printed;
}

TEST(Names, OfEachClassThatAreOneAnothers) {
    const Read found = read(with("h", "h", "x", "x", "x", "L", "L"));
    ASSERT_TRUE(found.module.has_value()) << messages(found.diagnostics);
    EXPECT_EQ(names(found.function()), (Names{"h", "h_2", "x", "x_1", "x_2", "L", "L_1"}));
    EXPECT_EQ(found.function().general.at(1).name, "h_1");
    EXPECT_EQ(count_rule(found.diagnostics, "name-changed"), 5U) << messages(found.diagnostics);
    EXPECT_EQ(found.diagnostics.all().at(0).severity, Severity::warning);
    EXPECT_EQ(found.diagnostics.all().at(0).message,
              "`h` is the name of another one as well: this one is called `h_1` here");
    expect_round_trip(*found.module);
}

TEST(Names, OfEachClassThatArePredefined) {
    const Read found = read(with("%null", "%r0", "%slm", "TSS", "T1", "%null", "%sp"));
    ASSERT_TRUE(found.module.has_value()) << messages(found.diagnostics);
    EXPECT_EQ(names(found.function()),
              (Names{"%null_1", "%r0_1", "%slm_1", "TSS_1", "T1_1", "%null", "%sp"})); // labels have a space
    EXPECT_EQ(count_rule(found.diagnostics, "name-changed"), 5U) << messages(found.diagnostics);
    EXPECT_EQ(found.diagnostics.all().at(0).message,
              "`%null` is the name of something predefined: this one is called `%null_1` here");
    expect_round_trip(*found.module);
}

TEST(Names, OfEachClassThatAreMissing) {
    const Read found = read(with("", "", "", "", "", "", ""));
    ASSERT_TRUE(found.module.has_value()) << messages(found.diagnostics);
    EXPECT_EQ(names(found.function()), (Names{"V0032", "A0", "P1", "S0", "T6", "L0", "L1"}));
    EXPECT_EQ(found.diagnostics.warnings(), 0U);
    EXPECT_EQ(count_rule(found.diagnostics, "name-made"), 1U) << messages(found.diagnostics);
    EXPECT_EQ(found.diagnostics.all().at(0).severity, Severity::note);
    expect_round_trip(*found.module);
}

// What no name of text can be stands in quotes; words of the language are names like others.
TEST(Names, ThatAreQuotedOrWordsStay) {
    for (const Names& given :
         {Names{"two words", "quo\"te", "back\\slash", "line\nfeed", "\x01\x7f\xff", "a b", "a:b"},
          Names{"add", "r", "M1", "flat", "bss", "mov", "FILE"},
          Names{"any", "NoMask", "sat", "decl", "T0", "ret", "LOC"},
          Names{".decl", "0x10", "// no", "-5", "<1>", ".function", "}"}}) {
        SCOPED_TRACE(given[0]);
        const Read found = read(with(given[0], given[1], given[2], given[3], given[4], given[5], given[6]));
        ASSERT_TRUE(found.module.has_value()) << messages(found.diagnostics);
        EXPECT_EQ(names(found.function()), given);
        EXPECT_EQ(messages(found.diagnostics), "");
        expect_round_trip(*found.module);
    }
}

TEST(Names, OfKernelsAndFunctions) {
    for (const std::string_view name : {"", "add", "two words", "quo\"te\n", "\xff", ".kernel"}) {
        SCOPED_TRACE(name);
        Module module = parsed(kernel_text("", "    ret (M1, 1)"));
        module.functions.push_back(module.functions[0]);
        module.functions[0].name = name;
        module.functions[1].name = "f";
        module.functions[1].kind = FunctionKind::global_function;
        const Read found = read(module);
        ASSERT_TRUE(found.module.has_value()) << messages(found.diagnostics);
        EXPECT_EQ(found.function().name, name);
        expect_round_trip(*found.module);
    }
}

// 1023 bytes fit into a binary: a number behind such a name takes the place of its end.
TEST(Names, AsLongAsABinaryHolds) {
    const std::string longest(1023, 'n');
    const Read found = read(with(longest, longest, "p", "s", "t", longest, longest));
    ASSERT_TRUE(found.module.has_value()) << messages(found.diagnostics);
    const std::string shorter = std::string(1012, 'n') + "_1";
    EXPECT_EQ(names(found.function()), (Names{longest, shorter, "p", "s", "t", longest, shorter}));
    expect_round_trip(*found.module);
}

// The kernel's name stands in front of the pool as well, with a length of its own.
TEST(Names, OfAKernelThatAreTooLong) {
    Bytes file = written(parsed(kernel_text("", "    ret (M1, 1)")));
    constexpr size_t length_at = 4 + 2 + 2; // magic, version, number of kernels
    ASSERT_EQ(file.at(length_at), std::byte{1});
    ASSERT_EQ(file.at(length_at + 2), std::byte{'k'});
    const auto renamed = [&](unsigned length) {
        Bytes out(file.begin(), file.begin() + length_at);
        out.push_back(static_cast<std::byte>(length & 0xffU));
        out.push_back(static_cast<std::byte>(length >> 8U));
        out.insert(out.end(), length, std::byte{'k'});
        out.insert(out.end(), file.begin() + length_at + 3, file.end());
        return out;
    };
    Diagnostics diagnostics;
    EXPECT_FALSE(binary::read(renamed(1024), {}, diagnostics).has_value());
    EXPECT_EQ(count_rule(diagnostics, "string-too-long"), 1U) << messages(diagnostics);
    Diagnostics shorter; // reaches the next check: the offsets are wrong now
    EXPECT_FALSE(binary::read(renamed(1023), {}, shorter).has_value());
    EXPECT_EQ(count_rule(shorter, "string-too-long"), 0U) << messages(shorter);
}

TEST(Names, OfAttributesAreWords) {
    for (const std::string_view name : {"", "a b", "1x", "x=1, y", "x}\n.decl z"}) {
        SCOPED_TRACE(name);
        Module module = parsed(kernel_text(".decl v v_type=G type=ud num_elts=1", "    ret (M1, 1)"));
        module.functions[0].general[0].attributes.push_back({.name = std::string(name)});
        const Read found = read(module);
        EXPECT_FALSE(found.module.has_value());
        EXPECT_EQ(count_rule(found.diagnostics, "bad-name"), 1U) << messages(found.diagnostics);
    }
    Module module = parsed(kernel_text(".decl v v_type=G type=ud num_elts=1", "    ret (M1, 1)"));
    module.functions[0].attributes.push_back({.name = "_x1"});
    const Read found = read(module);
    ASSERT_TRUE(found.module.has_value()) << messages(found.diagnostics);
    expect_round_trip(*found.module);
}

TEST(Names, TextOfAnAttributeHasNoNul) {
    Module module = parsed(kernel_text("", "    ret (M1, 1)"));
    module.functions[0].attributes.push_back(
        {.name = "AsmName", .has_text = true, .text = std::string("a\0b", 3)});
    const Read found = read(module);
    EXPECT_FALSE(found.module.has_value());
    EXPECT_EQ(count_rule(found.diagnostics, "bad-name"), 1U) << messages(found.diagnostics);
}

// Text has a string once, whatever the pool has.
TEST(Names, OfFunctionsThatStandTwiceInThePool) {
    Bytes file = written(parsed(kernel_text("", "    FILE \"ab\"\n    FILE \"ac\"\n    ret (M1, 1)")));
    const Bytes second{std::byte{0}, std::byte{'a'}, std::byte{'c'}, std::byte{0}};
    const auto found = std::ranges::search(file, second);
    ASSERT_FALSE(found.empty());
    found[2] = std::byte{'b'};
    const Module module = reread(file);
    EXPECT_EQ(module.functions.at(0).strings, std::vector<std::string>{"ab"});
    EXPECT_EQ(module.functions[0].code.at(1).operands.at(0).id, 0U);
    expect_round_trip(module);
}

// What a label is, text says by its definition and its uses.
TEST(Names, OfLabelsAreKeptWhateverTheirNumbers) {
    Module module = with("g", "a", "p", "s", "t", "L", "M");
    Function& function = module.functions[0];
    std::swap(function.labels[0], function.labels[1]);
    function.labels.push_back({.name = "M"}); // nothing names it
    for (Instruction& instruction : function.code) {
        for (Operand& operand : instruction.operands) {
            if (operand.kind == OperandKind::label)
                operand.id ^= 1U;
        }
    }
    const Read found = read(module);
    ASSERT_TRUE(found.module.has_value()) << messages(found.diagnostics);
    EXPECT_EQ(found.function().labels.at(2).name, "M_1");
    const std::string printed = text::print(*found.module);
    EXPECT_NE(printed.find("goto (M1, 8) L\n    goto (M1, 8) M\n\nM:"), std::string::npos) << printed;
}

} // namespace
} // namespace visor::test
