// The list of rules, what concerns a module as a whole, and how findings are reported.
#include "cases.h"
#include "text/text.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace visor::verify {

namespace {

using enum Expect;

const Case cases[] = {
    {.rule = "duplicate-function",
     .broken = "ret (M1, 1)\n{{.kernel \"k2\"}}",
     .message = "there are two functions of the name `k`",
     .damage = [](Module& module) { module.functions[1].name = "k"; },
     .note = "the first one is here"},
};

TEST(Modules, EachCase) {
    check(cases);
}

TEST(Rules, AreSortedAndSayWhatAndWhere) {
    EXPECT_TRUE(
        std::ranges::is_sorted(rules(), {}, [](const Rule& rule) { return std::string_view(rule.id); }));
    for (const Rule& rule : rules()) {
        EXPECT_NE(std::string_view(rule.line), "") << rule.id;
        EXPECT_NE(std::string_view(rule.page), "") << rule.id;
    }
}

// A rule without a case that breaks it, and a case without a rule, are both mistakes.
TEST(Rules, AllHaveACaseThatBreaksThem) {
    std::set<std::string> broken{"unknown-version"}; // below: it has no place
    for (const auto chapter : {declaration_cases(), input_cases(), attribute_cases(), execution_cases(),
                               operand_cases(), region_cases(), raw_cases(), type_cases(), literal_cases(),
                               atomic_cases(), lsc_cases(), move_cases(), flow_cases(), module_cases()}) {
        for (const Case& one : chapter)
            broken.insert(one.rule);
    }
    std::set<std::string> listed;
    for (const Rule& rule : rules())
        listed.insert(rule.id);
    EXPECT_EQ(broken, listed);
}

TEST(Rules, AreFoundByTheIdOfADiagnostic) {
    EXPECT_STREQ(rule_of("scatter-scaled-src-type")->id, "<instruction>-<operand>-type");
    EXPECT_STREQ(rule_of("scatter4-scaled-exec-size")->id, "<instruction>-exec-size");
    EXPECT_STREQ(rule_of("variable-type")->id, "variable-type");
    EXPECT_EQ(rule_of("bad-suffix"), nullptr);
}

Module empty_kernel(uint8_t major, uint8_t minor) {
    Diagnostics diagnostics;
    Module module = *text::parse(".version 4.1\n.kernel \"k\"\nret (M1, 1)\n", {}, diagnostics);
    module.major = major;
    module.minor = minor;
    return module;
}

TEST(Version, BeforeThreeIsRefusedAndAfterFourTwoDoubted) {
    const auto severity = [](uint8_t major, uint8_t minor) -> std::optional<Severity> {
        Diagnostics diagnostics;
        verify(empty_kernel(major, minor), {}, diagnostics);
        if (diagnostics.all().empty())
            return std::nullopt;
        EXPECT_EQ(diagnostics.all()[0].rule, "unknown-version");
        return diagnostics.all()[0].severity;
    };
    EXPECT_EQ(severity(2, 9), Severity::error);
    EXPECT_EQ(severity(3, 0), std::nullopt);
    EXPECT_EQ(severity(4, 2), std::nullopt);
    EXPECT_EQ(severity(4, 3), Severity::warning);
    EXPECT_EQ(severity(99, 9), Severity::error);
}

Diagnostics verified(const std::string& source, const Options& options) {
    Diagnostics diagnostics;
    const auto module = text::parse(source, {}, diagnostics);
    EXPECT_TRUE(module.has_value()) << render(diagnostics, {"k", source, false}, Color::off);
    if (module)
        verify(*module, options, diagnostics);
    return diagnostics;
}

// Declarations, code and flow are looked at one after another; the report goes from top to bottom.
TEST(Report, GoesFromTopToBottom) {
    const std::string source = std::string(prologue) + "mov (M1, 8) ud16(0,0)<0> 0x1:ud\n"
                                                       "goto (M1, 16) sub\n"
                                                       "mov (M1, 4) ud16(0,0)<1> ud16(0,0)<8;8,1>\n"
                                                       ".function \"sub\"\nsub:\nret (M1, 1)\n";
    const Diagnostics diagnostics = verified(source, {});
    std::vector<std::string> ids;
    for (const Diagnostic& diagnostic : diagnostics.all())
        ids.push_back(diagnostic.rule);
    EXPECT_EQ(ids, (std::vector<std::string>{"destination-stride", "label-kind", "region-width",
                                             "subroutine-fallthrough"}));
}

// What compilers emit against the pages is silent under `igc`, unless asked for.
TEST(Report, WarnsOfHabitsOnRequest) {
    const std::string source =
        std::string(prologue) + "shr (M1, 16) d16(0,0)<1> ud16(0,0)<1;1,0> 0x1:ud\nret (M1, 1)\n";
    EXPECT_EQ(verified(source, {.profile = Profile::igc}).all().size(), 0U);
    const Diagnostics asked = verified(source, {.profile = Profile::igc, .warn_of_habits = true});
    EXPECT_EQ(asked.errors(), 0U);
    EXPECT_EQ(asked.warnings(), 1U);
}

TEST(Report, ReadsLikeACompilersMessage) {
    const std::string source = ".version 4.1\n"
                               ".kernel \"k\"\n"
                               ".decl offsets v_type=G type=ud num_elts=16 align=GRF\n"
                               ".decl data v_type=G type=hf num_elts=32 align=GRF\n"
                               ".decl T6 v_type=T num_elts=1\n"
                               "    scatter_scaled.4 (M1, 16) T6 0x0:ud offsets.0 data.0\n"
                               "    ret (M1, 1)\n";
    EXPECT_EQ(render(verified(source, {}), {"k.visaasm", source, false}, Color::off),
              "k.visaasm:6:51: error: `src` of scatter_scaled has type hf; allowed: ud, d, f "
              "[scatter-scaled-src-type]\n"
              "        scatter_scaled.4 (M1, 16) T6 0x0:ud offsets.0 data.0\n"
              "                                                      ^~~~~~\n"
              "k.visaasm: note: see SCATTER_SCALED\n");
}

} // namespace

std::span<const Case> module_cases() {
    return cases;
}

} // namespace visor::verify
