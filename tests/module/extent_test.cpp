// Which bytes operands reach: by hand, from rows, regions and literals.
#include "module/extent.h"

#include "isa/table.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace visor {
namespace {

class Extents : public testing::Test {
protected:
    // Variable 32: 64 dwords.
    Extents() {
        GeneralVariable variable;
        variable.elements = 64;
        function.general.push_back(variable);
    }
    static Instruction make(std::string_view mnemonic, uint8_t lanes) {
        Instruction out;
        out.row = isa::find(mnemonic);
        out.execution.size = lanes;
        for (const isa::Field& field : out.row->format)
            if (isa::is_operand(field.kind))
                out.operands.emplace_back();
        return out;
    }
    static Operand& operand(Instruction& instruction, std::string_view name) {
        return instruction.operands.at(static_cast<size_t>(isa::operand_index(*instruction.row, name)));
    }
    static void set_literal(Instruction& instruction, std::string_view name, uint64_t value) {
        operand(instruction, name).kind = OperandKind::literal;
        operand(instruction, name).value = value;
    }
    static Operand variable(OperandKind kind) {
        Operand out;
        out.kind = kind;
        out.id = 32;
        return out;
    }
    static Operand general(uint8_t row, uint8_t column, Region region) {
        Operand out = variable(OperandKind::general);
        out.region = region;
        out.row = row;
        out.column = column;
        return out;
    }
    static Operand raw(int32_t offset) {
        Operand out = variable(OperandKind::raw);
        out.offset = offset;
        return out;
    }

    // The first byte of each element, and what all have.
    static std::pair<std::multiset<uint64_t>, uint32_t> elements(const std::optional<Footprint>& bytes) {
        std::multiset<uint64_t> out;
        if (!bytes)
            return {};
        for (uint32_t row = 0; row < bytes->rows; ++row)
            for (uint32_t column = 0; column < bytes->columns; ++column)
                out.insert(bytes->begin + uint64_t{row} * bytes->row_pitch +
                           uint64_t{column} * bytes->column_pitch);
        return {out, bytes->bytes};
    }
    using Elements = std::pair<std::multiset<uint64_t>, uint32_t>;

    Function function;
};

TEST_F(Extents, ASourceReadsItsRegion) {
    Instruction add = make("add", 4);
    operand(add, "src0") = general(1, 2, {.vertical = 4, .width = 2, .horizontal = 1});
    const auto index = static_cast<size_t>(isa::operand_index(*add.row, "src0"));
    // Register 1, dword 2; rows of two, four dwords apart.
    EXPECT_EQ(elements(bytes_read(function, add, index, 32)), (Elements{{40, 44, 56, 60}, 4}));
    EXPECT_EQ(elements(bytes_read(function, add, index, 64)), (Elements{{72, 76, 88, 92}, 4}));
    EXPECT_EQ(general_extent(function, add, index, 32), 24U) << "40 up to 64";
}

TEST_F(Extents, ADestinationWritesItsStride) {
    Instruction add = make("add", 4);
    operand(add, "dst") = general(0, 1, {.horizontal = 2});
    const auto index = static_cast<size_t>(isa::operand_index(*add.row, "dst"));
    EXPECT_EQ(elements(bytes_written(function, add, index, 32)), (Elements{{4, 12, 20, 28}, 4}));
}

TEST_F(Extents, APayloadReadsTheBytesThatAreStored) {
    Instruction scatter = make("scatter_scaled", 8);
    operand(scatter, "src") = raw(32);
    const auto index = static_cast<size_t>(isa::operand_index(*scatter.row, "src"));
    set_literal(scatter, "num_blocks", 1); // two bytes
    EXPECT_EQ(elements(bytes_read(function, scatter, index, 32)),
              (Elements{{32, 36, 40, 44, 48, 52, 56, 60}, 2}));
    set_literal(scatter, "num_blocks", 2); // four
    EXPECT_EQ(bytes_read(function, scatter, index, 32)->bytes, 4U);
    EXPECT_EQ(extent(scatter, index, 32), 32U);
}

// Channels begin max(lanes, GRF/4) dwords apart: 8 of 32 bytes, 16 of 64.
TEST_F(Extents, ChannelsOfAPayload) {
    Instruction scatter = make("scatter4_scaled", 8);
    operand(scatter, "src") = raw(0);
    set_literal(scatter, "channels", 0b0011);
    const auto index = static_cast<size_t>(isa::operand_index(*scatter.row, "src"));
    const auto small = bytes_read(function, scatter, index, 32);
    const auto large = bytes_read(function, scatter, index, 64);
    ASSERT_TRUE(small && large);
    EXPECT_EQ(small->rows, 2U);
    EXPECT_EQ(small->row_pitch, 32U);
    EXPECT_EQ(large->row_pitch, 64U);
    EXPECT_EQ(large->end(), 96U);
}

TEST_F(Extents, WhatIsNotKnownToTheByte) {
    Instruction line = make("line", 8);
    operand(line, "src0") = general(0, 0, {.vertical = 0, .width = 1, .horizontal = 0});
    operand(line, "dst") = general(0, 0, {.horizontal = 1});
    EXPECT_FALSE(bytes_read(function, line, 1, 32)) << "four singles, whatever the region says";
    EXPECT_FALSE(bytes_written(function, line, 0, 32));
    EXPECT_EQ(general_extent(function, line, 1, 32), 16U);
    Instruction dpas = make("dpas", 8);
    for (Operand& each : dpas.operands)
        each = raw(0);
    EXPECT_FALSE(bytes_read(function, dpas, 1, 32));
    EXPECT_FALSE(bytes_written(function, dpas, 0, 32));
}

// A message answers in whole registers.
TEST_F(Extents, AResultFillsItsRegister) {
    Instruction load = make("oword_ld", 1);
    operand(load, "dst") = raw(32);
    const auto index = static_cast<size_t>(isa::operand_index(*load.row, "dst"));
    EXPECT_EQ(bytes_written(function, load, index, 32)->end(), 64U);
    EXPECT_EQ(bytes_written(function, load, index, 64)->end(), 96U);
    EXPECT_EQ(extent(load, index, 32), 16U);
}

} // namespace
} // namespace visor
