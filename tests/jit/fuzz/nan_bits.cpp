#include "nan_bits.h"

#include <algorithm>
#include <cstring>

namespace visor::jit_fuzz {

namespace {

using isa::Type;

// A sign that is the same in all of them by chance would pass for a difference.
constexpr uint64_t drawn_ways = 48;

// What the ways behind those hand on: the first NaN from operand `source` on, in a circle, since engines may
// swap operands; with the sign it has or the one its modifier gives it, or the other one, since they may move
// signs from one operand to another: everywhere, or where an operand has a modifier. Where lanes mix (dot
// products), the lane's own or the one that was made of what the sources were given.
enum class Negated : uint8_t { nowhere, everywhere, where_modified };
struct Choice {
    uint64_t source;
    bool modified;
    Negated negated;
    bool own_where_mixed;
};
constexpr uint64_t choices = uint64_t{3} * 2 * 3 * 2;
static_assert(OtherNans::ways == drawn_ways + choices);

constexpr Choice choice_of(uint64_t way) {
    const uint64_t number = way - drawn_ways;
    return {number / 6 % 3, number / 3 % 2 != 0, static_cast<Negated>(number % 3), number < choices / 2};
}

struct Format {
    uint64_t exponent, mantissa, quiet;

    [[nodiscard]] constexpr uint64_t sign() const { return exponent + mantissa + 1; }
    [[nodiscard]] constexpr bool is_nan(uint64_t bits) const {
        return (bits & exponent) == exponent && (bits & mantissa) != 0;
    }
};

constexpr Format format_of(Type type) {
    switch (type) {
    case Type::hf:
        return {0x7c00, 0x3ff, 0x200};
    case Type::bf:
        return {0x7f80, 0x7f, 0x40};
    case Type::f:
        return {0x7f800000, 0x7fffff, 0x400000};
    default:
        return {0x7ff0000000000000, 0xfffffffffffff, 0x8000000000000};
    }
}

// Bits are moved, not computed.
bool is_copy(const PreparedInstruction& instruction, std::span<const PreparedOperand> operands) {
    if (instruction.row->family != isa::Family::move || instruction.saturate)
        return false;
    for (const PreparedOperand& operand : operands.subspan(1))
        if (operand.modifier != SourceModifier::none || operand.type != operands[0].type)
            return false;
    return true;
}

// A lane's element; nullptr: it is in no register.
std::byte* element_of(const machine::Thread& thread, const PreparedOperand& operand, uint32_t lane) {
    const bool general = operand.kind == OperandKind::general;
    if ((!general && operand.kind != OperandKind::indirect) || operand.null)
        return nullptr;
    const uint32_t width = std::max<uint32_t>(operand.width, 1);
    const uint32_t row = lane / width;
    int64_t element = int64_t{lane % width} * operand.horizontal;
    if (!operand.multi_address)
        element += int64_t{row} * operand.vertical;
    const uint32_t address = operand.base + (operand.multi_address ? row : 0);
    const int64_t base = general ? operand.base : int64_t{thread.addresses[address]} + operand.offset;
    const int64_t size = isa::size_of(operand.type);
    const int64_t at = base + element * size;
    return at < 0 || at + size > thread.program->register_bytes ? nullptr : thread.registers + at;
}

uint64_t bits_of(const machine::Thread& thread, const PreparedOperand& operand, uint32_t lane) {
    if (operand.kind == OperandKind::immediate)
        return operand.value;
    uint64_t bits = 0;
    if (const std::byte* const element = element_of(thread, operand, lane))
        std::memcpy(&bits, element, isa::size_of(operand.type));
    return bits;
}

uint64_t modified(uint64_t bits, SourceModifier modifier, uint64_t sign) {
    switch (modifier) {
    case SourceModifier::abs:
        return bits & ~sign;
    case SourceModifier::neg:
        return bits ^ sign;
    case SourceModifier::neg_abs:
        return bits | sign;
    default:
        return bits;
    }
}

bool is_negated(Negated negated, std::span<const PreparedOperand> sources) {
    return negated == Negated::everywhere || (negated == Negated::where_modified &&
                                              std::ranges::any_of(sources, [](const PreparedOperand& source) {
                                                  return source.modifier != SourceModifier::none;
                                              }));
}

} // namespace

void OtherNans::instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                            uint32_t lanes) {
    Executed& last = last_.at(thread.index);
    if (last.instruction != nullptr)
        change(thread, last);
    last = {&instruction, lanes, to_hand_on(thread, instruction)};
}

std::array<uint64_t, 32> OtherNans::to_hand_on(const machine::Thread& thread,
                                               const PreparedInstruction& instruction) const {
    std::array<uint64_t, 32> nans{};
    const auto operands = thread.program->operands_of(instruction);
    if (way_ < drawn_ways || operands.size() < 2 || !isa::is_float(operands[0].type))
        return nans;
    const auto sources = operands.subspan(1);
    const Choice choice = choice_of(way_);
    if (!choice.own_where_mixed && !isa::has(*instruction.row, isa::lane_wise))
        return nans;
    const Format format = format_of(operands[0].type);
    for (uint32_t lane = 0; lane < instruction.execution.size; ++lane) {
        for (size_t i = 0; i < sources.size() && nans.at(lane) == 0; ++i) {
            const PreparedOperand& source = sources[(choice.source + i) % sources.size()];
            const uint64_t bits = bits_of(thread, source, lane);
            if (source.type == operands[0].type && format.is_nan(bits))
                nans.at(lane) =
                    format.quiet | (choice.modified ? modified(bits, source.modifier, format.sign()) : bits);
        }
    }
    return nans;
}

uint64_t OtherNans::other_bits(uint64_t sign) {
    const std::array<uint64_t, 4> ends{0, sign, UINT64_MAX & ~sign, UINT64_MAX};
    if (way_ < ends.size())
        return ends.at(way_);
    const uint64_t drawn = random_.next();
    return way_ % 2 == 0 ? drawn : ends.at(drawn >> 62U);
}

void OtherNans::change(const machine::Thread& thread, const Executed& executed) {
    const auto operands = thread.program->operands_of(*executed.instruction);
    if (operands.empty() || !isa::is_float(operands[0].type) || is_copy(*executed.instruction, operands))
        return;
    const Format format = format_of(operands[0].type);
    const uint64_t free = format.sign() | (format.mantissa & ~format.quiet);
    for (uint32_t lane = 0; lane < executed.handed_on.size(); ++lane) {
        std::byte* const element = element_of(thread, operands[0], lane);
        uint64_t bits = bits_of(thread, operands[0], lane);
        if ((executed.lanes >> lane & 1U) == 0 || element == nullptr || !format.is_nan(bits))
            continue;
        if (way_ < drawn_ways) {
            bits = (bits & ~free) | (other_bits(format.sign()) & free);
        } else {
            // What was made of numbers stays, for later instructions to hand on.
            bits = executed.handed_on.at(lane) != 0 ? executed.handed_on.at(lane) : bits;
            bits ^= is_negated(choice_of(way_).negated, operands.subspan(1)) ? format.sign() : 0;
        }
        std::memcpy(element, &bits, isa::size_of(operands[0].type));
    }
}

} // namespace visor::jit_fuzz
