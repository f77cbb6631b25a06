// The generator itself: the same seed gives the same module, and every row by itself can be drawn and
// survives printing.
#include "difference.h"
#include "generator.h"
#include "property.h"

#include "isa/table.h"
#include "text/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace visor::generator {
namespace {

TEST(Generator, GivesTheSameModuleForTheSameSeed) {
    for (const uint64_t seed : {0U, 1U, 77U, 1000U}) {
        const Module first = generate(seed, {});
        const Module second = generate(seed, {});
        EXPECT_TRUE(same(first, second)) << seed << ": " << difference(first, second);
    }
    EXPECT_FALSE(same(generate(1, {}), generate(2, {})));
}

TEST(Generator, DrawsEveryRowByItself) {
    constexpr uint64_t seeds = 25;
    for (const isa::Row* row : isa::table()) {
        const std::array only{row};
        for (uint64_t seed = 0; seed < seeds; ++seed) {
            const Module module = generate(seed, {.most_functions = 1, .most_instructions = 3, .rows = only});
            const std::vector<Instruction>& code = module.functions[0].code;
            ASSERT_TRUE(std::ranges::any_of(code, [&](const Instruction& one) { return one.row == row; }))
                << row->mnemonic;
            ASSERT_EQ(text_round_trip(module), "") << row->mnemonic << ", seed " << seed;
        }
    }
}

// What a module is made of, over many seeds: a generator that never makes something tests nothing of it.
TEST(Generator, MakesOperandsOfEveryKind) {
    constexpr uint64_t seeds = 300;
    std::set<OperandKind> kinds;
    std::set<isa::Type> immediates;
    std::set<SourceModifier> modifiers;
    size_t saturated = 0;
    size_t predicated = 0;
    size_t aliases = 0;
    for (uint64_t seed = 0; seed < seeds; ++seed) {
        const Module module = generate(seed, {});
        for (const Function& function : module.functions) {
            aliases += static_cast<size_t>(std::ranges::count_if(
                function.general, [](const GeneralVariable& one) { return one.alias != 0; }));
            for (const Instruction& instruction : function.code) {
                saturated += instruction.saturate ? 1 : 0;
                predicated += instruction.predicate.id != 0 ? 1 : 0;
                for (const Operand& operand : instruction.operands) {
                    kinds.insert(operand.kind);
                    modifiers.insert(operand.modifier);
                    if (operand.kind == OperandKind::immediate)
                        immediates.insert(operand.type);
                }
            }
        }
    }
    EXPECT_EQ(kinds.size(), static_cast<size_t>(OperandKind::literal) + 1);
    EXPECT_EQ(modifiers.size(), 5U);   // all but the saturation that is the instruction's
    EXPECT_EQ(immediates.size(), 16U); // ud to bf
    EXPECT_GT(saturated, 0U);
    EXPECT_GT(predicated, 0U);
    EXPECT_GT(aliases, 0U);
}

} // namespace
} // namespace visor::generator
