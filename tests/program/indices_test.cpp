#include "program/indices.h"

#include "program/program.h"
#include "text/text.h"

#include <gtest/gtest.h>

#include <functional>

namespace visor::program {
namespace {

// A kernel with a variable of each class and operands of every kind.
Function whole_function() {
    constexpr const char* text = ".version 4.1\n.kernel \"k\"\n"
                                 ".decl V32 v_type=G type=ud num_elts=16 align=GRF\n"
                                 ".decl V33 v_type=G type=ud num_elts=8 alias=<V32, 32>\n"
                                 ".decl A0 v_type=A num_elts=16\n"
                                 ".decl P1 v_type=P num_elts=16\n"
                                 ".decl S0 v_type=S num_elts=1\n"
                                 ".decl T6 v_type=T num_elts=1\n"
                                 ".input V32 offset=32 size=64\n\n"
                                 "    addr_add (M1, 1) A0(0)<1> &V33 0x4:uw\n"
                                 "    mov (M1, 8) V32(0,0)<1> r[A0(0),0]<8;8,1>:ud\n"
                                 "    movs (M1, 1) T6(0) V32(0,0)<0;1,0>\n"
                                 "    movs (M1, 1) S0(0) V32(0,0)<0;1,0>\n"
                                 "    setp (M1, 16) P1 0x1:ud\n"
                                 "    sample_3d.A (M1, 8) 0x0:uw S0 T6 V32.0 V33.0\n"
                                 "    (P1) goto (M1, 16) end\n"
                                 "end:\n"
                                 "    ret (M1, 1)\n";
    Diagnostics diagnostics;
    auto module = text::parse(text, {32}, diagnostics);
    EXPECT_TRUE(module && diagnostics.ok());
    return std::move(module->functions.front());
}

// The rules that are broken after a change.
std::vector<std::string> broken(const std::function<void(Function&)>& change) {
    Function function = whole_function();
    change(function);
    Diagnostics diagnostics;
    const bool good = check_indices(function, diagnostics);
    EXPECT_EQ(good, diagnostics.ok());
    // Nothing is prepared of it, and preparing indexes with none of it.
    const bool prepared =
        prepare(std::make_shared<const Function>(function), *isa::device_named("skl"), diagnostics)
            .has_value();
    std::vector<std::string> rules;
    for (const Diagnostic& one : diagnostics.all())
        if (rules.empty() || rules.back() != one.rule)
            rules.push_back(one.rule);
    EXPECT_EQ(prepared, rules.empty());
    return rules;
}

using Rules = std::vector<std::string>;
const Rules undeclared{"undeclared-variable"};

TEST(Indices, AllOfAWholeFunctionExist) {
    EXPECT_EQ(broken([](Function&) {}), Rules{});
}

// Every operand of every instruction, one after the other, with ids that name nothing.
TEST(Indices, EveryOperandIsLookedUp) {
    const Function whole = whole_function();
    size_t tried = 0;
    for (size_t i = 0; i < whole.code.size(); ++i)
        for (size_t k = 0; k < whole.code[i].operands.size(); ++k) {
            const OperandKind kind = whole.code[i].operands[k].kind;
            if (kind == OperandKind::immediate || kind == OperandKind::literal || kind == OperandKind::absent)
                continue;
            for (const uint32_t id : {64U, 4096U, 0x7fffffffU, UINT32_MAX}) {
                const Rules rules = broken([&](Function& function) { function.code[i].operands[k].id = id; });
                const bool label = kind == OperandKind::label;
                EXPECT_EQ(rules, label ? Rules{"undefined-label"} : undeclared) << i << " " << k << " " << id;
                ++tried;
            }
        }
    EXPECT_GE(tried, 4U * 14);
}

// &X: each class is looked up in its own list, and no other number is a class.
TEST(Indices, AddressesOfEveryClass) {
    for (unsigned klass = 0; klass < 256; ++klass)
        for (const uint32_t id : {0U, 1U, 5U, 6U, 31U, 33U, 34U, UINT32_MAX}) {
            const bool exists = (klass == 0 && (id < 22 || id == 33)) || (klass == 1 && id == 0) ||
                                (klass == 2 && id <= 1) || (klass == 3 && (id == 0 || id == 31)) ||
                                (klass == 4 && id <= 6);
            const Rules rules = broken([&](Function& function) {
                function.code[0].operands[1].klass = static_cast<uint8_t>(klass);
                function.code[0].operands[1].id = id;
            });
            EXPECT_EQ(rules, exists ? Rules{} : undeclared) << klass << " " << id;
        }
}

TEST(Indices, PredicatesAndLanes) {
    EXPECT_EQ(broken([](Function& function) { function.code[6].predicate.id = 2; }), undeclared);
    EXPECT_EQ(broken([](Function& function) { function.code[1].execution.size = 0; }),
              Rules{"execution-width"});
    EXPECT_EQ(broken([](Function& function) { function.code[1].execution.offset = 28; }),
              Rules{"execution-width"});
}

TEST(Indices, InputsOfEveryClass) {
    for (const auto& [klass, id] : {std::pair{InputClass::general, 34U},
                                    {InputClass::sampler, 1U},
                                    {InputClass::surface, 7U},
                                    {static_cast<InputClass>(3), 0U},
                                    {InputClass::general, UINT32_MAX}})
        EXPECT_EQ(broken([&](Function& function) {
                      function.inputs[0].klass = klass;
                      function.inputs[0].id = id;
                  }),
                  undeclared);
}

TEST(Indices, Aliases) {
    EXPECT_EQ(broken([](Function& function) { function.general[1].alias = 34; }), undeclared);
    EXPECT_EQ(broken([](Function& function) { function.general[1].alias = 25; }), undeclared);
    EXPECT_EQ(broken([](Function& function) { function.general[1].alias = 33; }), Rules{"alias-cycle"});
    EXPECT_EQ(broken([](Function& function) { function.general[0].alias = 33; }), Rules{"alias-cycle"});
    EXPECT_EQ(broken([](Function& function) { function.general[1].alias_offset = UINT32_MAX; }),
              Rules{"alias-offset"});
    // A sum that is small again modulo 2^32.
    EXPECT_EQ(broken([](Function& function) {
                  function.general[1].alias_offset = 0x80000000U;
                  function.general.push_back(function.general[1]);
                  function.general[2].alias = 33;
              }),
              Rules{"alias-offset"});
}

// Chains are walked once, however long they are.
TEST(Indices, LongChainsOfAliases) {
    Function function = whole_function();
    constexpr uint32_t count = 200'000;
    for (uint32_t k = 0; k < count; ++k) {
        function.general.push_back(function.general[1]);
        function.general.back().alias = isa::first_user_general + 1 + k;
        function.general.back().alias_offset = 0;
    }
    Diagnostics diagnostics;
    EXPECT_TRUE(check_indices(function, diagnostics));
}

TEST(Indices, ALabelThatNothingFollows) {
    EXPECT_EQ(broken([](Function& function) { function.code.pop_back(); }), Rules{"label-at-the-end"});
    // One that nobody goes to is nobody's mistake.
    EXPECT_EQ(broken([](Function& function) {
                  function.code.pop_back();
                  function.code.erase(function.code.begin() + 6);
              }),
              Rules{});
}

TEST(Indices, TheBindlessSamplerIsNoDeclaredOne) {
    EXPECT_EQ(broken([](Function& function) { function.samplers.resize(32); }), Rules{"too-many-variables"});
    Function function = whole_function();
    for (Operand& operand : function.code[5].operands)
        if (operand.kind == OperandKind::sampler)
            operand.id = isa::bindless_sampler;
    Diagnostics diagnostics;
    const auto program =
        prepare(std::make_shared<const Function>(function), *isa::device_named("tgllp"), diagnostics);
    ASSERT_TRUE(program);
    EXPECT_EQ(program->bindless_sampler + 1, program->sampler_elements);
    for (const PreparedOperand& operand : program->operands_of(program->code[5])) {
        if (operand.kind == OperandKind::sampler) {
            EXPECT_EQ(operand.base, program->bindless_sampler);
        }
    }
}

} // namespace
} // namespace visor::program
