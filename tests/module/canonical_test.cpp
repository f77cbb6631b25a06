// What text says of an instruction, place by place; the expected operands are worked out from the pages'
// formats and from what text spells.
#include "module/canonical.h"

#include "isa/table.h"

#include <gtest/gtest.h>

#include <string>

namespace visor {
namespace {

Instruction blank(const isa::Row& row) {
    Instruction instruction;
    instruction.row = &row;
    for (const isa::Field& field : row.format) {
        if (field.kind == isa::FieldKind::counted)
            break;
        if (!isa::is_operand(field.kind))
            continue;
        Operand& operand = instruction.operands.emplace_back();
        const bool raw = field.kind == isa::FieldKind::raw_dst || field.kind == isa::FieldKind::raw_src;
        operand.kind = raw ? OperandKind::raw : OperandKind::literal;
        operand.value = raw ? 0 : field.fallback;
    }
    return instruction;
}
Operand& named(Instruction& instruction, std::string_view name) {
    return instruction.operands.at(static_cast<size_t>(isa::operand_index(*instruction.row, name)));
}
std::string dropped(Instruction& instruction) {
    std::string names;
    for (const Dropped& item : make_canonical(instruction))
        names += std::string(names.empty() ? "" : " ") + item.field;
    return names;
}

Instruction mov() {
    Instruction instruction = blank(*isa::find("mov"));
    instruction.operands[0] = {.kind = OperandKind::general, .region = {.horizontal = 1}, .id = 32};
    instruction.operands[1] = {.kind = OperandKind::general, .region = {1, 1, 0}, .id = 33};
    return instruction;
}

TEST(Canonical, WhatTextSaysStays) {
    Instruction instruction = mov();
    instruction.saturate = true;
    instruction.operands[1].modifier = SourceModifier::neg;
    const Instruction before = instruction;
    EXPECT_EQ(dropped(instruction), "");
    EXPECT_TRUE(instruction.same(before));
}

TEST(Canonical, ADestinationHasAStrideAlone) {
    Instruction instruction = mov();
    instruction.operands[0].region = {8, 8, 2};
    instruction.operands[0].modifier = SourceModifier::abs;
    EXPECT_EQ(dropped(instruction), "dst");
    EXPECT_EQ(instruction.operands[0].region, (Region{region_absent, region_absent, 2}));
    EXPECT_EQ(instruction.operands[0].modifier, SourceModifier::none);
}

TEST(Canonical, PartsThatAreNotThereAreNoLoss) {
    Instruction instruction = mov();
    instruction.operands[1].region = {};
    EXPECT_EQ(dropped(instruction), "");
    EXPECT_EQ(instruction.operands[1].region, (Region{0, 0, 0}));
    instruction.operands[1] = {.kind = OperandKind::indirect, .region = {region_absent, 4, 1}};
    EXPECT_EQ(dropped(instruction), "");
    EXPECT_EQ(instruction.operands[1].region, (Region{region_absent, 4, 1})) << "an address for each row";
}

// Each kind of operand with every member set: only what its spelling has is left.
TEST(Canonical, EachKindHasItsOwnMembers) {
    const auto full = [](OperandKind kind) {
        return Operand{.kind = kind,
                       .modifier = SourceModifier::abs,
                       .type = isa::Type::w,
                       .region = {4, 2, 1},
                       .row = 1,
                       .column = 2,
                       .width = 4,
                       .klass = 3,
                       .id = 5,
                       .offset = 6,
                       .value = 7};
    };
    const Operand expected[]{
        {.kind = OperandKind::general,
         .modifier = SourceModifier::abs,
         .region = {4, 2, 1},
         .row = 1,
         .column = 2,
         .id = 5},
        {.kind = OperandKind::indirect,
         .modifier = SourceModifier::abs,
         .type = isa::Type::w,
         .region = {4, 2, 1},
         .column = 2,
         .id = 5,
         .offset = 6},
        {.kind = OperandKind::address, .column = 2, .width = 4, .id = 5},
        {.kind = OperandKind::predicate, .id = 5},
        {.kind = OperandKind::immediate, .type = isa::Type::w, .value = 7},
        {.kind = OperandKind::address_of, .klass = 3, .id = 5, .offset = 6},
        {.kind = OperandKind::state_surface, .column = 2, .id = 5},
        {.kind = OperandKind::state_sampler, .column = 2, .id = 5},
    };
    for (const Operand& operand : expected) {
        Instruction instruction = mov();
        instruction.operands[1] = full(operand.kind);
        EXPECT_EQ(dropped(instruction), "src0");
        EXPECT_TRUE(instruction.operands[1].same(operand)) << static_cast<int>(operand.kind);
    }
}

TEST(Canonical, SaturationWhereThereIsNone) {
    Instruction instruction = mov();
    instruction.row = isa::find("not");
    instruction.saturate = true;
    EXPECT_EQ(dropped(instruction), "dst");
    EXPECT_FALSE(instruction.saturate);
}

TEST(Canonical, NullHasNoOffset) {
    Instruction instruction = blank(*isa::find("svm_atomic"));
    named(instruction, "src0") = {.kind = OperandKind::raw, .offset = 8};
    EXPECT_EQ(dropped(instruction), "src0");
    EXPECT_EQ(named(instruction, "src0").offset, 0);
    named(instruction, "src0") = {.kind = OperandKind::raw, .id = 32, .offset = 8};
    EXPECT_EQ(dropped(instruction), "");
}

// "The wire has every operand": those that a load does not use are the null variable, unsaid.
TEST(Canonical, OperandsThatTextDoesNotHave) {
    Instruction instruction = blank(*isa::find("lsc_load"));
    named(instruction, "addr_type").value = 1;
    named(instruction, "data_elems_per_addr").value = 1;
    named(instruction, "surface") = {};
    named(instruction, "src1_data") = {.kind = OperandKind::raw, .id = 40};
    EXPECT_EQ(dropped(instruction), "src1_data");
    EXPECT_TRUE(is_null(named(instruction, "src1_data")));
}

TEST(Canonical, ScalarsOfMessagesHaveNoRegionAndNoType) {
    Instruction instruction = blank(*isa::find("lsc_load"));
    named(instruction, "addr_type").value = 4; // bti
    named(instruction, "data_elems_per_addr").value = 1;
    Operand& surface = named(instruction, "surface");
    surface = {.kind = OperandKind::general, .region = {8, 8, 1}, .row = 1, .column = 2, .id = 33};
    EXPECT_EQ(dropped(instruction), "surface");
    EXPECT_TRUE(
        surface.same({.kind = OperandKind::general, .region = {0, 1, 0}, .row = 1, .column = 2, .id = 33}));
    surface = {.kind = OperandKind::immediate, .type = isa::Type::w, .value = 0xfff1};
    EXPECT_EQ(dropped(instruction), "") << "the same number of another type";
    EXPECT_TRUE(surface.same({.kind = OperandKind::immediate, .type = isa::Type::ud, .value = 0xfffffff1}));
    named(instruction, "addr_type").value = 6; // surf: 64 bits
    surface = {.kind = OperandKind::immediate, .type = isa::Type::w, .value = 0xfff1};
    EXPECT_EQ(dropped(instruction), "");
    EXPECT_TRUE(
        surface.same({.kind = OperandKind::immediate, .type = isa::Type::uq, .value = 0xfffffffffffffff1}));
    named(instruction, "addr_type").value = 5; // arg has none
    EXPECT_EQ(dropped(instruction), "surface");
    EXPECT_EQ(surface.kind, OperandKind::absent);
}

TEST(Canonical, ChannelsOrElements) {
    Instruction instruction = blank(*isa::find("lsc_load"));
    named(instruction, "surface") = {};
    named(instruction, "ch_mask").value = 3;
    named(instruction, "data_elems_per_addr").value = 4;
    EXPECT_EQ(dropped(instruction), "ch_mask");
    EXPECT_EQ(named(instruction, "data_elems_per_addr").value, 4U);
    instruction.row = isa::find("lsc_load_quad");
    named(instruction, "ch_mask").value = 0x13;
    EXPECT_EQ(dropped(instruction), "ch_mask data_elems_per_addr") << "there are four channels";
    EXPECT_EQ(named(instruction, "ch_mask").value, 3U);
    EXPECT_EQ(named(instruction, "data_elems_per_addr").value, 0U);
}

TEST(Canonical, AScaleThatIsNotGivenIsOne) {
    Instruction instruction = blank(*isa::find("lsc_load"));
    named(instruction, "surface") = {};
    named(instruction, "addr_scale").value = 0;
    EXPECT_EQ(dropped(instruction), "");
    EXPECT_EQ(named(instruction, "addr_scale").value, 1U);
}

TEST(Canonical, TheStateOfASurfaceIsReadByOneLane) {
    Instruction instruction = blank(*isa::find("lsc_read_state_info"));
    named(instruction, "surface") = {.kind = OperandKind::immediate};
    instruction.execution = {16, 0, false};
    named(instruction, "src0_addrs_v") = {.kind = OperandKind::raw, .id = 33};
    EXPECT_EQ(dropped(instruction), "exec_size src0_addrs_v");
    EXPECT_EQ(instruction.execution, (Execution{1, 0, true}));
    EXPECT_TRUE(is_null(named(instruction, "src0_addrs_v")));
}

TEST(Canonical, VectorsOfAMatrixHaveAnImpliedRegion) {
    Instruction instruction = blank(*isa::find("dpas"));
    named(instruction, "info").value = 0x08080909; // .bf.bf.8.8
    named(instruction, "src2") = {.kind = OperandKind::general,
                                  .modifier = SourceModifier::neg,
                                  .region = {8, 8, 1},
                                  .row = 2,
                                  .id = 35};
    EXPECT_EQ(dropped(instruction), "src2");
    EXPECT_TRUE(named(instruction, "src2")
                    .same({.kind = OperandKind::general, .region = {1, 1, 0}, .row = 2, .id = 35}));
}

TEST(Canonical, WhatNobodyReadsIsKept) { // ruling 8
    Instruction instruction = blank(*isa::find("scatter_scaled"));
    named(instruction, "scale").value = 5;
    EXPECT_EQ(dropped(instruction), "");
    EXPECT_EQ(named(instruction, "scale").value, 5U);
}

TEST(Canonical, AnOffsetWithoutAnAlias) {
    GeneralVariable variable{.alias = 32, .alias_offset = 8};
    EXPECT_FALSE(make_canonical(variable));
    EXPECT_EQ(variable.alias_offset, 8U);
    variable.alias = 0;
    EXPECT_TRUE(make_canonical(variable));
    EXPECT_EQ(variable.alias_offset, 0U);
}

} // namespace
} // namespace visor
