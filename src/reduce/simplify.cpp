#include "reduce/simplify.h"

#include <array>

namespace visor::reduce {

namespace {

constexpr std::array<uint8_t, 5> fewer_lanes{1, 2, 4, 8, 16};

// Of the whole instruction, in the order in which they are tried.
enum Step : size_t { no_predicate, no_saturation, lanes, operands = lanes + fewer_lanes.size() };
// Of each operand.
enum OperandStep : size_t { no_modifier, zero, one, scalar, first_element, literal, operand_steps };

bool is_vector_source(const Instruction& instruction, size_t operand) {
    const isa::FieldKind kind = isa::field_of_operand(*instruction.row, operand).kind;
    return kind == isa::FieldKind::vector_src || kind == isa::FieldKind::scalar_src;
}

Operand immediate(isa::Type type, uint64_t value) {
    Operand out;
    out.kind = OperandKind::immediate;
    out.type = type;
    out.value = value;
    return out;
}

isa::Type type_of(const Function& function, const Operand& operand) {
    return operand.kind == OperandKind::general ? general_type(function, operand.id) : operand.type;
}

// The value in the operand's place; false: it is as simple already.
bool to_number(const Function& function, Operand& operand, uint64_t value) {
    switch (operand.kind) {
    case OperandKind::general:
    case OperandKind::indirect:
        operand = immediate(type_of(function, operand), value);
        return true;
    case OperandKind::immediate:
        if (operand.value <= value)
            return false;
        operand.value = value;
        return true;
    default:
        return false;
    }
}

bool to_scalar(const Instruction& instruction, size_t index, Operand& operand) {
    if (operand.kind != OperandKind::general)
        return false;
    Region simplest = operand.region;
    if (is_vector_source(instruction, index))
        simplest = {0, 1, 0};
    else
        simplest.horizontal = 1;
    if (operand.region == simplest)
        return false;
    operand.region = simplest;
    return true;
}

bool to_first_element(Operand& operand) {
    const bool changes = operand.row != 0 || operand.column != 0 || operand.offset != 0;
    operand.row = 0;
    operand.column = 0;
    operand.offset = 0;
    return changes;
}

// The first channel, one block, no hint: what a literal means is its codec's affair, and a code that is none
// is refused.
bool to_first_code(Operand& operand) {
    if (operand.kind != OperandKind::literal || operand.value <= 1)
        return false;
    operand.value = 1;
    return true;
}

bool simplify_operand(const Function& function, Instruction& instruction, size_t index, size_t step) {
    Operand& operand = instruction.operands[index];
    switch (step) {
    case no_modifier: {
        const bool changes = operand.modifier != SourceModifier::none;
        operand.modifier = SourceModifier::none;
        return changes;
    }
    case zero:
        return is_vector_source(instruction, index) && to_number(function, operand, 0);
    case one:
        return is_vector_source(instruction, index) && to_number(function, operand, 1);
    case scalar:
        return to_scalar(instruction, index, operand);
    case literal:
        return to_first_code(operand);
    default:
        return to_first_element(operand);
    }
}

} // namespace

size_t simplification_steps(const Instruction& instruction) {
    return operands + instruction.operands.size() * operand_steps;
}

std::optional<Instruction> simplified(const Function& function, const Instruction& instruction, size_t step) {
    Instruction out = instruction;
    bool changes = false;
    if (step == no_predicate) {
        changes = out.predicate.id != 0;
        out.predicate = {};
    } else if (step == no_saturation) {
        changes = out.saturate;
        out.saturate = false;
    } else if (step < operands) {
        const uint8_t size = fewer_lanes[step - lanes];
        changes = size < out.execution.size;
        out.execution.size = size;
    } else {
        const size_t at = step - operands;
        changes = simplify_operand(function, out, at / operand_steps, at % operand_steps);
    }
    if (!changes)
        return std::nullopt;
    return out;
}

} // namespace visor::reduce
