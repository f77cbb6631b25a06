#include "instructions.h"

#include "isa/codec.h"
#include "literals.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace visor::generator {

namespace {

using isa::Field;
using isa::FieldKind;
using isa::Row;

bool takes_predicate(const Field& field) {
    return (field.classes & isa::class_predicate) != 0;
}

// Whether source and destination may both be predicates: then all are, or none.
bool works_on_predicates(const Row& row) {
    const auto is_dst = [](const Field& f) { return f.kind == FieldKind::vector_dst && takes_predicate(f); };
    const auto is_src = [](const Field& f) { return f.kind == FieldKind::vector_src && takes_predicate(f); };
    return std::ranges::any_of(row.format, is_dst) && std::ranges::any_of(row.format, is_src);
}

// The names of a `counted` item are those of the parameters, in order.
size_t words(std::string_view text) {
    return static_cast<size_t>(std::ranges::count(text, ' ')) + 1;
}

} // namespace

Instruction Instructions::make(const Row& row) {
    Instruction instruction;
    instruction.row = &row;
    works_on_predicates_ = works_on_predicates(row);
    predicates_only_ = works_on_predicates_ && random_.one_in(4);
    for (const Field& field : row.format) {
        if (field.kind == FieldKind::counted)
            break;
        if (field.kind == FieldKind::exec)
            instruction.execution = execution(row);
        else if (isa::is_operand(field.kind))
            add_operand(instruction, field);
    }
    add_repeated(instruction);
    instruction.predicate = predicate(row);
    instruction.saturate = may_saturate(instruction) && random_.one_in(3);
    settle(instruction);
    return instruction;
}

void Instructions::finish() {
    variables_.add_extras();
    marks_.finish();
}

Execution Instructions::execution(const Row& row) {
    std::array<uint8_t, 6> sizes{};
    size_t count = 0;
    for (unsigned power = 0; power < sizes.size(); ++power) {
        if ((row.exec_sizes >> power & 1U) != 0)
            sizes[count++] = static_cast<uint8_t>(1U << power);
    }
    Execution made;
    made.size = sizes[random_.below(count)];
    made.offset = mask_offset(random_, made.size);
    made.no_mask = random_.one_in(3);
    return made;
}

Predicate Instructions::predicate(const Row& row) {
    const bool possible = isa::has_predicate(row) || (!in_binary() && isa::has(row, isa::predicate_in_text));
    if (!possible || !random_.one_in(3))
        return {};
    Predicate made;
    made.id = static_cast<uint16_t>(variables_.predicate(static_cast<uint32_t>(1U << random_.below(6))));
    made.control = static_cast<PredicateControl>(random_.below(3));
    made.inverted = random_.one_in(2);
    return made;
}

void Instructions::add_operand(Instruction& instruction, const Field& field) {
    const bool is_switched_off = [&] {
        const int mode = field.present_if == 0 ? -1 : isa::operand_index(*instruction.row, "mode");
        return mode >= 0 && (instruction.operands[static_cast<size_t>(mode)].value & field.present_if) == 0;
    }();
    instruction.operands.push_back(is_switched_off ? Operand{} : operand(instruction, field));
}

void Instructions::add_repeated(Instruction& instruction) {
    const std::span<const Field> format = instruction.row->format;
    const auto mark = std::ranges::find(format, FieldKind::counted, &Field::kind);
    if (mark == format.end())
        return;
    const Field& field = *(mark + 1);
    const size_t most = field.kind == FieldKind::label ? 8 : words(mark->name);
    const size_t count = 1 + random_.below(most);
    for (size_t i = 0; i < count; ++i)
        instruction.operands.push_back(operand(instruction, field));
    // The last literal in front counts them.
    size_t index = 0;
    size_t counter = 0;
    for (auto before = format.begin(); before != mark; ++before) {
        if (!isa::is_operand(before->kind))
            continue;
        if (is_literal(before->kind))
            counter = index;
        ++index;
    }
    instruction.operands[counter].value = count;
}

bool Instructions::may_saturate(const Instruction& instruction) const {
    const Row& row = *instruction.row;
    if (!isa::has(row, isa::can_saturate))
        return false;
    const int index = isa::operand_index(row, "dst");
    if (index < 0)
        return false;
    const Operand& dst = instruction.operands[static_cast<size_t>(index)];
    const isa::Type type = dst.kind == OperandKind::indirect ? dst.type : general_type(function_, dst.id);
    return !isa::has(row, isa::saturates_floats_only) || isa::is_float(type);
}

} // namespace visor::generator
