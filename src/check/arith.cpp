// Arithmetic that the pages or OpenCL leave undefined: integer division by zero, conversions whose result the
// type cannot hold, shift counts past the width.
#include "check/checkers.h"
#include "isa/opcode.h"
#include "isa/row.h"
#include "machine/element.h"
#include "number/half.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace visor::check {

namespace {

namespace opcode = isa::opcode;

using isa::Type;
using machine::Thread;

// A lane's source as it stands, before any modifier.
std::optional<uint64_t> element(const Thread& thread, const PreparedOperand& operand, uint32_t lane) {
    if (operand.kind == OperandKind::immediate)
        return operand.value;
    if (operand.null || (operand.kind != OperandKind::general && operand.kind != OperandKind::indirect))
        return std::nullopt;
    const int64_t place = machine::element_offset(thread, operand, lane);
    const size_t size = isa::size_of(operand.type);
    if (place < 0 || place + static_cast<int64_t>(size) > int64_t{thread.program->register_bytes})
        return std::nullopt;
    uint64_t bits = 0;
    std::memcpy(&bits, thread.registers + place, size);
    return bits;
}

std::optional<double> real(uint64_t bits, Type type) {
    switch (type) {
    case Type::f:
        return std::bit_cast<float>(static_cast<uint32_t>(bits));
    case Type::df:
        return std::bit_cast<double>(bits);
    case Type::hf:
        return number::half_to_float(static_cast<uint16_t>(bits));
    default:
        return std::nullopt;
    }
}

// Whether the integer type holds the truncated value.
bool holds(double value, Type type) {
    const int bits = static_cast<int>(8 * isa::size_of(type));
    const bool is_signed = isa::is_signed(type);
    const double above = std::ldexp(1.0, is_signed ? bits - 1 : bits);
    const double truncated = std::trunc(value);
    return truncated < above && truncated >= (is_signed ? -above : 0.0);
}

constexpr size_t nearby = 64; // instructions

// Whether what stands there before this instruction came out of a comparison: all ones or zero.
bool is_mask(const Program& program, size_t before, uint32_t base) {
    for (size_t i = before, end = before - std::min(before, nearby); i > end; --i) {
        const PreparedInstruction& last = program.code[i - 1];
        const auto operands = program.operands_of(last);
        for (size_t k = 0; k < operands.size(); ++k)
            if (isa::field_of_operand(*last.row, k).kind == isa::FieldKind::vector_dst &&
                operands[k].kind == OperandKind::general && operands[k].base == base)
                return last.row->opcode == opcode::cmp;
    }
    return false;
}

// An `and` with what a comparison says chooses between a value and zero.
bool chooses_by_mask(const Program& program, size_t at) {
    if (program.code[at].row->opcode != opcode::and_)
        return false;
    const auto operands = program.operands_of(program.code[at]);
    return std::any_of(operands.begin() + 1, operands.end(), [&](const PreparedOperand& operand) {
        return operand.kind == OperandKind::general && is_mask(program, at, operand.base);
    });
}

// Whether the result, and copies of it, are only chosen between, with another value on the other side: so
// compilers saturate where `.sat` does not do it.
bool is_one_choice(const Program& program, const PreparedInstruction& conversion) {
    std::vector<uint32_t> bases{program.operands_of(conversion).front().base};
    bool chosen = false;
    const auto begin = static_cast<size_t>(&conversion - program.code.data()) + 1;
    for (size_t i = begin; i < std::min(begin + nearby, program.code.size()) && !bases.empty(); ++i) {
        const PreparedInstruction& next = program.code[i];
        const auto operands = program.operands_of(next);
        const auto is_copy = [&](const PreparedOperand& operand) {
            return operand.kind == OperandKind::general &&
                   std::ranges::find(bases, operand.base) != bases.end();
        };
        if (operands.empty())
            continue;
        const PreparedOperand& destination = operands.front();
        const bool reads = std::any_of(operands.begin() + 1, operands.end(), is_copy);
        const bool selects = (isa::has(*next.row, isa::predicate_selects) && next.predicate.id != 0) ||
                             (reads && chooses_by_mask(program, i));
        const uint8_t code = next.row->opcode;
        if (reads && !selects && code != opcode::mov &&
            code != opcode::asr) // asr: the upper half of a wider one
            return false;
        chosen = chosen || (reads && selects);
        if (is_copy(destination))
            std::erase(bases, destination.base);
        if (reads && !selects)
            bases.push_back(destination.base);
    }
    return chosen;
}

class ArithChecker final : public machine::Watcher {
public:
    explicit ArithChecker(Findings& findings) : findings_(findings) {}

    void instruction(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes) override {
        const Check check = checks_[instruction.row->opcode];
        if (check != nullptr && lanes != 0)
            (this->*check)(thread, instruction, lanes);
    }

private:
    using Check = void (ArithChecker::*)(const Thread&, const PreparedInstruction&, uint32_t);

    static std::array<Check, 256> checks_by_opcode() {
        std::array<Check, 256> checks{};
        for (const uint8_t code : {opcode::div, opcode::mod})
            checks.at(code) = &ArithChecker::check_division;
        for (const uint8_t code : {opcode::shl, opcode::shr, opcode::asr})
            checks.at(code) = &ArithChecker::check_shift;
        checks.at(opcode::mov) = &ArithChecker::check_conversion;
        return checks;
    }

    void check_division(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes) {
        const PreparedOperand& divisor = thread.program->operands_of(instruction)[2];
        if (!isa::is_integer(divisor.type))
            return;
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            if (element(thread, divisor, lane) == 0U)
                return add(thread, instruction, lane, Severity::error, "division-by-zero",
                           "integer division by zero");
        }
    }

    void check_conversion(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes) {
        const auto operands = thread.program->operands_of(instruction);
        if (instruction.saturate || !isa::is_integer(operands[0].type) || !isa::is_float(operands[1].type) ||
            operands[0].kind != OperandKind::general)
            return;
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            const auto bits = element(thread, operands[1], lane);
            const auto value = bits ? real(*bits, operands[1].type) : std::nullopt;
            if (value && !holds(modified(*value, operands[1].modifier), operands[0].type))
                return add(thread, instruction, lane,
                           is_one_choice(*thread.program, instruction) ? Severity::note : Severity::error,
                           "conversion-out-of-range",
                           fmt::format("{} does not fit in {}: the result is what the device makes of it",
                                       *value, isa::facts(operands[0].type).name));
        }
    }

    static double modified(double value, SourceModifier modifier) {
        switch (modifier) {
        case SourceModifier::neg:
            return -value;
        case SourceModifier::abs:
            return std::fabs(value);
        case SourceModifier::neg_abs:
            return -std::fabs(value);
        default:
            return value;
        }
    }

    void check_shift(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes) {
        const auto operands = thread.program->operands_of(instruction);
        const uint64_t width = isa::size_of(operands[0].type) == 8 ? 64 : 32;
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            const auto count = element(thread, operands[2], lane);
            if (count && *count >= width)
                return add(thread, instruction, lane, Severity::note, "shift-count",
                           fmt::format("a shift by {}: only the low {} bits of the count are used", *count,
                                       width == 64 ? 6 : 5));
        }
    }

    void add(const Thread& thread, const PreparedInstruction& instruction, unsigned lane, Severity severity,
             std::string_view rule, std::string message) {
        if (const auto number = findings_.claim(thread, rule, instruction.source))
            findings_.add(*number, thread,
                          {.kind = Kind::arith,
                           .severity = severity,
                           .rule = rule,
                           .message = std::move(message),
                           .party = party(thread, instruction, channel(instruction, lane))});
    }

    Findings& findings_;
    const std::array<Check, 256> checks_ = checks_by_opcode(); // nullptr: nothing is undefined in it
};

} // namespace

std::unique_ptr<machine::Watcher> arith_checker(Findings& findings) {
    return std::make_unique<ArithChecker>(findings);
}

} // namespace visor::check
