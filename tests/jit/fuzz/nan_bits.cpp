#include "nan_bits.h"

#include <array>
#include <cstring>

namespace visor::jit_fuzz {

namespace {

using isa::Type;

struct Format {
    uint64_t exponent, mantissa, quiet;
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

} // namespace

void OtherNans::instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                            uint32_t lanes) {
    Executed& last = last_.at(thread.index);
    if (last.instruction != nullptr)
        change(thread, last);
    last = {&instruction, lanes};
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
    if (operands.empty())
        return;
    const PreparedOperand& to = operands[0];
    const bool general = to.kind == OperandKind::general;
    if ((!general && to.kind != OperandKind::indirect) || !isa::is_float(to.type) ||
        is_copy(*executed.instruction, operands))
        return;
    const uint32_t size = isa::size_of(to.type);
    const Format format = format_of(to.type);
    const int64_t base = general ? to.base : int64_t{thread.addresses[to.base]} + to.offset;
    for (uint32_t lane = 0; lane < 32; ++lane) {
        const int64_t at = base + int64_t{lane} * to.vertical * size;
        if ((executed.lanes >> lane & 1U) == 0 || at < 0 || at + size > thread.program->register_bytes)
            continue;
        uint64_t bits = 0;
        std::memcpy(&bits, thread.registers + at, size);
        if ((bits & format.exponent) != format.exponent || (bits & format.mantissa) == 0)
            continue;
        const uint64_t sign = format.exponent + format.mantissa + 1;
        const uint64_t other = other_bits(sign);
        bits =
            (bits & (format.exponent | format.quiet)) | (other & (sign | (format.mantissa & ~format.quiet)));
        std::memcpy(thread.registers + at, &bits, size);
    }
}

} // namespace visor::jit_fuzz
