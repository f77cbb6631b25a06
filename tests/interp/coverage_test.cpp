// Walks the table: every row of the families that compute has a meaning, and none of them touches what is
// switched off.
#include "fixture.h"

#include "isa/table.h"

#include <algorithm>

namespace visor::alu_test {
namespace {

using isa::Type;

// Rows that nobody documents.
constexpr std::array<std::string_view, 2> without_meaning{"lfsr", "shfl_idx4"};

Values<const isa::Row*> computing_rows() {
    Values<const isa::Row*> rows;
    for (const isa::Row* row : isa::table()) {
        using enum isa::Family;
        if (row->family == arith || row->family == logic || row->family == compare || row->family == move ||
            row->family == address)
            rows.push_back(row);
    }
    return rows;
}

bool has_no_meaning(const isa::Row& row) {
    return std::ranges::find(without_meaning, row.mnemonic) != without_meaning.end();
}

// A type that all fields with types take, or for each field the first that it takes.
Type type_for(const isa::Row& row, const isa::Field& field) {
    constexpr std::array preferred{Type::d,  Type::ud, Type::f,  Type::uw, Type::ub,
                                   Type::hf, Type::df, Type::uq, Type::q};
    isa::TypeSet shared = ~isa::TypeSet{0};
    for (const isa::Field& other : row.format) {
        if (other.types != 0 && other.types != isa::types(Type::boolean))
            shared &= other.types;
    }
    const isa::TypeSet set = (shared & field.types) != 0 ? shared & field.types : field.types;
    const auto found = std::ranges::find_if(preferred, [&](Type type) { return isa::contains(set, type); });
    return found == preferred.end() ? Type::ud : *found;
}

Operand operand_for(const isa::Row& row, const isa::Field& field, uint32_t number) {
    Operand operand;
    const bool is_destination = field.kind == isa::FieldKind::vector_dst;
    if (field.kind != isa::FieldKind::vector_dst && field.kind != isa::FieldKind::vector_src) {
        operand.kind = OperandKind::literal;
        return operand;
    }
    const auto allows = [&](isa::OperandClass klass) { return (field.classes & klass) != 0; };
    if (allows(isa::class_general)) {
        operand.kind = OperandKind::general;
        operand.id = Alu::id(type_for(row, field), number);
        operand.region = is_destination ? Region{region_absent, region_absent, 1} : Region{1, 1, 0};
    } else if (allows(isa::class_predicate)) {
        operand.kind = OperandKind::predicate;
        operand.id = 1;
    } else if (allows(isa::class_address)) {
        operand.kind = OperandKind::address;
    }
    return operand;
}

Instruction example(const isa::Row& row) {
    Instruction instruction;
    instruction.row = &row;
    instruction.execution.size = 8;
    uint32_t number = 0;
    for (const isa::Field& field : row.format) {
        if (isa::is_operand(field.kind))
            instruction.operands.push_back(operand_for(row, field, number++ % 4));
    }
    const std::string_view mnemonic = row.mnemonic;
    if (mnemonic == "fcvt" || mnemonic == "srnd") // no type goes with itself
        instruction.operands[1].id = Alu::id(mnemonic == "fcvt" ? Type::hf : Type::hf, 1);
    if (mnemonic == "fcvt" || mnemonic == "srnd")
        instruction.operands[0].id = Alu::id(Type::ub, 0);
    if (mnemonic == "movs")
        instruction.operands[1] = Operand{.kind = OperandKind::state_surface, .id = 6};
    return instruction;
}

TEST(Coverage, EveryRowHasAMeaning) {
    for (const isa::Row* row : computing_rows())
        EXPECT_EQ(Alu(isa::DeviceId::pvc).executes(example(*row)), !has_no_meaning(*row)) << row->mnemonic;
}

TEST(Coverage, DisabledLanesAreNotTouched) {
    for (const isa::Row* row : computing_rows()) {
        const bool unmasked =
            isa::has(*row, isa::implicit_no_mask) || std::string_view(row->mnemonic) == "fcvt";
        if (unmasked || has_no_meaning(*row))
            continue;
        Alu alu(isa::DeviceId::pvc);
        alu.mask = 0;
        const auto before = alu.everything();
        alu.run(example(*row));
        EXPECT_TRUE(alu.everything() == before) << row->mnemonic;
        // With lanes on, something is written: the test above can fail.
        alu.mask = UINT32_MAX;
        alu.set<uint32_t>("D1", {1, 2, 3, 4, 5, 6, 7, 8});
        alu.set<float>("F1", {1, 2, 3, 4, 5, 6, 7, 8});
        const auto set = alu.everything();
        alu.run(example(*row));
        if (row->family != isa::Family::address) {
            EXPECT_FALSE(alu.everything() == set) << row->mnemonic;
        }
    }
}

} // namespace
} // namespace visor::alu_test
