#include "compile/spirv_builtins.h"

#include "compile/spirv_words.h"
#include "spirv_module.h"

#include <gtest/gtest.h>
#include <random>

namespace visor::compile {
namespace {

using namespace test::spirv;

constexpr uint32_t a = free_id;
constexpr uint32_t b = free_id + 1;
constexpr uint32_t c = free_id + 2;
constexpr uint32_t d = free_id + 3;

using Instructions = std::vector<std::vector<uint32_t>>;

// As number() writes it with these instructions and this bound.
std::string module_of(const Instructions& instructions, uint32_t bound, const Instructions& globals = {},
                      uint32_t storage = 1) {
    return number(
        {.bound = bound, .index = b, .globals = globals, .instructions = instructions, .storage = storage});
}

// The ids of number() itself stand right below the bound, which the rewrite raises: put back to compare.
std::string with_bound(std::string module, uint32_t bound) {
    std::memcpy(module.data() + size_t{spirv::header_bound} * 4, &bound, sizeof bound);
    return module;
}

TEST(WholeBuiltins, ABitcastBecomesAnExtract) {
    constexpr uint32_t bound = free_id + 4;
    const auto out = with_builtins_loaded_whole(number_by_bitcast());
    ASSERT_TRUE(out);
    const Instructions wanted{{61, vector_id, bound, global_id}, {81, ulong_id, b, bound, 0}};
    EXPECT_EQ(*out, with_bound(module_of(wanted, bound), bound + 1));
}

TEST(WholeBuiltins, WhatTheCompilerTakesStaysAsItIs) {
    EXPECT_FALSE(with_builtins_loaded_whole(number_by_extract()));
}

TEST(WholeBuiltins, ChainsCountComponents) {
    constexpr uint32_t bound = free_id + 20;
    constexpr uint32_t one = free_id + 10;
    constexpr uint32_t two = free_id + 11;
    constexpr uint32_t minus_one = free_id + 12;
    constexpr uint32_t zero = free_id + 13;
    const Instructions constants{{43, uint_id, one, 1},
                                 {43, ulong_id, two, 2, 0},
                                 {43, uint_id, minus_one, 0xffffffff},
                                 {46, ulong_id, zero}};
    struct Case {
        Instructions made; // of the pointer c
        uint32_t component;
    };
    const std::vector<Case> cases{
        // a cast, then elements behind it
        {{{124, ulong_pointer_id, a, global_id}, {70, ulong_pointer_id, c, a, two}}, 2},
        {{{124, ulong_pointer_id, a, global_id}, {67, ulong_pointer_id, c, a, one}}, 1},
        // two steps, one of them back
        {{{124, ulong_pointer_id, a, global_id},
          {70, ulong_pointer_id, d, a, two},
          {70, ulong_pointer_id, c, d, minus_one}},
         1},
        // straight into the vector
        {{{65, ulong_pointer_id, c, global_id, two}}, 2},
        {{{66, ulong_pointer_id, c, global_id, zero}}, 0},
        {{{70, ulong_pointer_id, c, global_id, zero, one}}, 1},
        // of a copy
        {{{83, vector_pointer_id, a, global_id}, {65, ulong_pointer_id, c, a, one}}, 1},
    };
    for (size_t i = 0; i < cases.size(); ++i) {
        Instructions given = cases[i].made;
        given.push_back({61, ulong_id, b, c, 2, 8});
        const auto out = with_builtins_loaded_whole(module_of(given, bound, constants));
        ASSERT_TRUE(out) << i;
        const Instructions wanted{{61, vector_id, bound, global_id},
                                  {81, ulong_id, b, bound, cases[i].component}};
        EXPECT_EQ(*out, with_bound(module_of(wanted, bound, constants), bound + 1)) << i;
    }
}

TEST(WholeBuiltins, BytesAreCountedInPointersToOtherTypes) {
    constexpr uint32_t bound = free_id + 20;
    constexpr uint32_t uchar_id = free_id + 10;
    constexpr uint32_t uchar_pointer_id = free_id + 11;
    constexpr uint32_t eight = free_id + 12;
    const Instructions globals{
        {21, uchar_id, 8, 0}, {32, uchar_pointer_id, 1, uchar_id}, {43, ulong_id, eight, 8, 0}};
    const auto out = with_builtins_loaded_whole(module_of({{124, uchar_pointer_id, a, global_id},
                                                           {70, uchar_pointer_id, c, a, eight},
                                                           {124, ulong_pointer_id, d, c},
                                                           {61, ulong_id, b, d}},
                                                          bound, globals));
    ASSERT_TRUE(out);
    const Instructions wanted{{61, vector_id, bound, global_id}, {81, ulong_id, b, bound, 1}};
    EXPECT_EQ(*out, with_bound(module_of(wanted, bound, globals), bound + 1));
}

TEST(WholeBuiltins, OtherStorageClassesAndCastsBetweenThem) {
    constexpr uint32_t bound = free_id + 20;
    constexpr uint32_t generic_id = free_id + 10;
    constexpr uint32_t cross = 5;
    const Instructions globals{{32, generic_id, 8, ulong_id}};
    const auto out = with_builtins_loaded_whole(module_of(
        {{124, ulong_pointer_id, a, global_id}, {121, generic_id, c, a}, {61, ulong_id, b, c, 2, 8}}, bound,
        globals, cross));
    ASSERT_TRUE(out);
    const Instructions wanted{{61, vector_id, bound, global_id}, {81, ulong_id, b, bound, 0}};
    EXPECT_EQ(*out, with_bound(module_of(wanted, bound, globals, cross), bound + 1));
}

TEST(WholeBuiltins, SeveralLoadsOfOnePointerAndOfTheWholeVariable) {
    constexpr uint32_t bound = free_id + 20;
    constexpr uint32_t back = free_id + 10;
    const auto out = with_builtins_loaded_whole(module_of({{124, ulong_pointer_id, a, global_id},
                                                           {61, ulong_id, b, a, 2, 32},
                                                           {61, ulong_id, c, a, 1},
                                                           {124, vector_pointer_id, back, a},
                                                           {61, vector_id, d, back, 2, 32}},
                                                          bound));
    ASSERT_TRUE(out);
    const Instructions wanted{{61, vector_id, bound, global_id},
                              {81, ulong_id, b, bound, 0},
                              {61, vector_id, bound + 1, global_id},
                              {81, ulong_id, c, bound + 1, 0},
                              {61, vector_id, d, global_id}};
    EXPECT_EQ(*out, with_bound(module_of(wanted, bound), bound + 2));
}

TEST(WholeBuiltins, WhatElseUsesThePointerKeepsIt) {
    constexpr uint32_t bound = free_id + 20;
    // OpFunctionCall with the pointer; OpSelect between two.
    for (const std::vector<uint32_t>& user : {std::vector<uint32_t>{57, ulong_id, d, main_id, a},
                                              std::vector<uint32_t>{169, ulong_pointer_id, d, c, a, a}}) {
        const auto out = with_builtins_loaded_whole(
            module_of({{124, ulong_pointer_id, a, global_id}, {61, ulong_id, b, a}, user}, bound));
        ASSERT_TRUE(out);
        const Instructions wanted{{124, ulong_pointer_id, a, global_id},
                                  {61, vector_id, bound, global_id},
                                  {81, ulong_id, b, bound, 0},
                                  user};
        EXPECT_EQ(*out, with_bound(module_of(wanted, bound), bound + 1));
    }
}

// A constant whose value is the pointer's id is no use of it, nor is an alignment, nor its name.
TEST(WholeBuiltins, NumbersThatLookLikeThePointerAreNone) {
    constexpr uint32_t bound = free_id + 20;
    const Instructions globals{{43, uint_id, free_id + 10, a}, {5, a, 0x70}, {71, a, 44, 8}};
    const Instructions left{{43, uint_id, free_id + 10, a}};
    const auto out = with_builtins_loaded_whole(
        module_of({{124, ulong_pointer_id, a, global_id}, {61, ulong_id, b, a, 2, a}}, bound, globals));
    ASSERT_TRUE(out);
    const Instructions wanted{{61, vector_id, bound, global_id}, {81, ulong_id, b, bound, 0}};
    EXPECT_EQ(*out, with_bound(module_of(wanted, bound, left), bound + 1));
}

TEST(WholeBuiltins, WhatIsNotUnderstoodStaysAsItIs) {
    constexpr uint32_t bound = free_id + 20;
    constexpr uint32_t three = free_id + 10;
    constexpr uint32_t huge = free_id + 11;
    constexpr uint32_t uint_here = free_id + 12;
    const Instructions globals{{43, ulong_id, three, 3, 0},
                               {43, ulong_id, huge, 0xffffffff, 0x7fffffff},
                               {32, uint_here, 1, uint_id}};
    const std::vector<Instructions> cases{
        // the fourth component; far outside; an index nobody knows
        {{65, ulong_pointer_id, a, global_id, three}, {61, ulong_id, b, a}},
        {{124, ulong_pointer_id, c, global_id}, {70, ulong_pointer_id, a, c, huge}, {61, ulong_id, b, a}},
        {{65, ulong_pointer_id, a, global_id, out_id}, {61, ulong_id, b, a}},
        // half a component
        {{124, uint_here, a, global_id}, {61, uint_id, b, a}},
        // too many indices, and a result of another type
        {{65, ulong_pointer_id, a, global_id, three, three}, {61, ulong_id, b, a}},
        {{65, vector_pointer_id, a, global_id, three}, {61, vector_id, b, a}},
    };
    for (size_t i = 0; i < cases.size(); ++i)
        EXPECT_FALSE(with_builtins_loaded_whole(module_of(cases[i], bound, globals))) << i;
}

TEST(WholeBuiltins, ScalarsOfThirtyTwoBits) {
    constexpr uint32_t bound = free_id + 20;
    constexpr uint32_t variable = free_id + 10;
    constexpr uint32_t here = free_id + 11;
    constexpr uint32_t generic = free_id + 12;
    // SubgroupId (40) through a generic pointer.
    const Instructions globals{
        {71, variable, 11, 40}, {32, here, 1, uint_id}, {32, generic, 8, uint_id}, {59, here, variable, 1}};
    const auto out = with_builtins_loaded_whole(
        module_of({{121, generic, a, variable}, {61, uint_id, b, a, 2, 4}}, bound, globals));
    ASSERT_TRUE(out);
    EXPECT_EQ(*out, module_of({{61, uint_id, b, variable}}, bound, globals));
}

TEST(WholeBuiltins, DamagedModules) {
    EXPECT_FALSE(with_builtins_loaded_whole(""));
    EXPECT_FALSE(with_builtins_loaded_whole("SPIR"));
    EXPECT_FALSE(with_builtins_loaded_whole(std::string(400, '\xff')));
    EXPECT_FALSE(with_builtins_loaded_whole(Module(0).bytes()));
    const std::string good = number_by_bitcast();
    // No id is left for another one; ids that are past the bound.
    EXPECT_FALSE(with_builtins_loaded_whole(with_bound(good, 0xffffffff)));
    EXPECT_FALSE(with_builtins_loaded_whole(with_bound(good, global_id)));
    EXPECT_FALSE(with_builtins_loaded_whole(with_bound(good, 0)));
    // A length of nothing, and one past the end: what is before is rewritten, the rest stays.
    for (const uint32_t last : {0U, 0xffffU << 16U | 61U}) {
        std::string cut = good;
        cut.append(reinterpret_cast<const char*>(&last), sizeof last);
        const auto out = with_builtins_loaded_whole(cut);
        ASSERT_TRUE(out);
        EXPECT_EQ(out->substr(out->size() - 4), cut.substr(cut.size() - 4));
        EXPECT_EQ(out->substr(0, out->size() - 4), with_builtins_loaded_whole(good));
    }
}

// Vectors of vectors of ..., arrays of arrays, none of them with a size that could be divided by.
TEST(WholeBuiltins, TypesWithoutEnd) {
    Module module(5000);
    module.add(21, {1, 32, 0}).add(71, {4000, 11, 28}).add(43, {1, 2, 0}).add(43, {1, 3, 0xffff});
    for (uint32_t id = 10; id < 2000; ++id)
        module.add(id % 2 == 0 ? 23 : 28, {id, id == 10 ? 1 : id - 1, id % 3 == 0 ? 2U : 3U});
    module.add(23, {2000, 2000, 3}).add(23, {2001, 0, 3}).add(28, {2002, 1, 2});
    module.add(32, {3000, 1, 2002}).add(59, {3000, 4000, 1}).add(124, {3000, 4001, 4000});
    module.add(61, {1, 4002, 4001});
    const auto out = with_builtins_loaded_whole(module.bytes());
    EXPECT_FALSE(out);
}

// Whatever a word is changed to: no crash, and a module that is one still.
TEST(WholeBuiltins, AnyWordMayBeWrong) {
    const std::string good = number_by_bitcast();
    std::mt19937 random(1);
    for (size_t at = 4; at + 4 <= good.size(); at += 4) {
        for (const uint32_t word : {0U, 1U, global_id + 0U, 0xffffffffU, static_cast<uint32_t>(random())}) {
            std::string bad = good;
            std::memcpy(bad.data() + at, &word, sizeof word);
            const auto out = with_builtins_loaded_whole(bad);
            if (out) {
                EXPECT_TRUE(spirv::is_module(*out));
                EXPECT_LE(out->size(), bad.size() + 64);
            }
        }
    }
}

} // namespace
} // namespace visor::compile
