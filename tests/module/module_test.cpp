#include "module/module.h"

#include "isa/table.h"

#include <gtest/gtest.h>

namespace visor {
namespace {

Function with_variables() {
    Function function;
    function.general = {{.name = "a", .type = isa::Type::uq, .elements = 8},
                        {.name = "b", .type = isa::Type::d, .elements = 4, .alias = 32, .alias_offset = 8},
                        {.name = "c", .type = isa::Type::w, .elements = 2, .alias = 33, .alias_offset = 4},
                        {.name = "d", .alias = 7, .alias_offset = 16}};
    function.surfaces = {{.name = "buffer"}};
    return function;
}

TEST(Align, Bytes) {
    const std::pair<Align, uint32_t> cases[] = {
        {Align::byte, 1}, {Align::word, 2},   {Align::dword, 4},  {Align::qword, 8},   {Align::oword, 16},
        {Align::grf, 64}, {Align::grf2, 128}, {Align::hword, 32}, {Align::word32, 64}, {Align::word64, 128},
    };
    for (const auto& [align, expected] : cases)
        EXPECT_EQ(bytes(align, 64), expected);
    EXPECT_EQ(bytes(Align::grf, 32), 32U);
}

TEST(Variables, DeclaredAndPredefined) {
    const Function function = with_variables();
    EXPECT_EQ(general_type(function, 32), isa::Type::uq);
    EXPECT_EQ(general_elements(function, 33, 32), 4U);
    EXPECT_EQ(general_name(function, 34), "c");
    EXPECT_EQ(general_type(function, 7), isa::Type::ud);
    EXPECT_EQ(general_name(function, 7), "%r0");
    EXPECT_EQ(general_elements(function, 7, 32), 8U);
    EXPECT_EQ(general_elements(function, 7, 64), 16U) << "a register's worth";
    EXPECT_EQ(general_elements(function, 6, 64), 5U);
    EXPECT_TRUE(general_exists(function, 0));
    EXPECT_TRUE(general_exists(function, 35));
    EXPECT_FALSE(general_exists(function, 36));
    EXPECT_FALSE(general_exists(function, 22)) << "the compiler's predefined variables end at 21";
    EXPECT_EQ(general_elements(function, 36, 32), 0U);
    EXPECT_EQ(surface_name(function, 0), "%slm");
    EXPECT_EQ(surface_name(function, 6), "buffer");
}

TEST(Root, FollowsAliasesAndAddsOffsets) {
    const Function function = with_variables();
    EXPECT_EQ(root_of(function, 32).id, 32U);
    EXPECT_EQ(root_of(function, 34).id, 32U);
    EXPECT_EQ(root_of(function, 34).offset, 12U);
    EXPECT_EQ(root_of(function, 35).id, 7U);
    EXPECT_EQ(root_of(function, 35).offset, 16U);
    EXPECT_EQ(root_of(function, 999).id, 999U);
}

TEST(Root, EndsOnACycle) {
    Function function;
    function.general = {{.name = "a", .alias = 33, .alias_offset = 4},
                        {.name = "b", .alias = 32, .alias_offset = 4}};
    const Root root = root_of(function, 32);
    EXPECT_TRUE(root.id == 32 || root.id == 33);
}

TEST(Attributes, ByName) {
    Function function;
    function.attributes = {{.name = "NoBarrier"},
                           {.name = "SimdSize", .has_number = true, .number = 16},
                           {.name = "OutputAsmPath", .has_text = true, .text = "x"}};
    ASSERT_NE(function.attribute("NoBarrier"), nullptr);
    EXPECT_EQ(function.attribute("Nothing"), nullptr);
    EXPECT_EQ(function.attribute_number("SimdSize", 8), 16);
    EXPECT_EQ(function.attribute_number("NoBarrier", 8), 8);
    EXPECT_EQ(function.attribute_number("Nothing", 8), 8);
}

TEST(Null, IsTheVariableZero) {
    EXPECT_TRUE(is_null({.kind = OperandKind::raw, .id = 0}));
    EXPECT_TRUE(is_null({.kind = OperandKind::general, .id = 0}));
    EXPECT_FALSE(is_null({.kind = OperandKind::raw, .id = 32}));
    EXPECT_FALSE(is_null({.kind = OperandKind::sampler, .id = 0}));
}

// Each member that counts makes a difference; locations make none.
TEST(Same, ComparesEverythingButLocations) {
    const auto module = [] {
        Module made;
        Function& function = made.functions.emplace_back();
        function = with_variables();
        function.name = "k";
        function.labels = {{"L", LabelKind::block, {}, true}};
        function.strings = {"s"};
        function.inputs = {{.id = 32, .offset = 4, .size = 8}};
        function.attributes = {{.name = "SimdSize", .has_number = true, .number = 16}};
        function.code = {{.row = isa::find("add"), .operands = {{.kind = OperandKind::general, .id = 32}}}};
        return made;
    };
    const auto differs = [&module](auto change) {
        Module changed = module();
        change(changed, changed.functions[0]);
        return !same(module(), changed);
    };
    EXPECT_TRUE(same(module(), module()));
    EXPECT_FALSE(differs([](Module&, Function& f) { f.code[0].where = {3, 4}; }));
    EXPECT_FALSE(differs([](Module&, Function& f) { f.general[0].where = {3, 4}; }));
    EXPECT_FALSE(differs([](Module&, Function& f) { f.code[0].operands[0].where = {3, 4}; }));
    EXPECT_TRUE(differs([](Module& m, Function&) { m.minor = 0; }));
    EXPECT_TRUE(differs([](Module& m, Function&) { m.functions.pop_back(); }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.name = "l"; }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.kind = FunctionKind::global_function; }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.general[1].alias_offset = 0; }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.general[0].align = Align::grf; }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.general[0].attributes.push_back({.name = "Output"}); }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.surfaces[0].v_name = "x"; }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.labels[0].kind = LabelKind::fc; }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.strings[0] = "t"; }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.inputs[0].implicit = 1; }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.attributes[0].number = 8; }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.code[0].row = isa::find("mul"); }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.code[0].saturate = true; }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.code[0].predicate.inverted = true; }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.code[0].execution.offset = 16; }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.code[0].operands[0].region.horizontal = 1; }));
    EXPECT_TRUE(differs([](Module&, Function& f) { f.code[0].operands[0].value = 1; }));
}

} // namespace
} // namespace visor
