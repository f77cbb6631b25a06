// Resolves scalar sources and surfaces for the message handlers. It determines the bytes of an operand,
// not what they are used for.
#include "interp/operand.h"

#include "isa/predefined.h"
#include "isa/type.h"
#include "machine/state_handle.h"

#include <fmt/format.h>

namespace visor::interp {
namespace {

// The dispatcher's initial value of surface variables without a preset.
constexpr uint32_t never_moved = UINT32_MAX;

// The low bytes of `bits` as a value of this type, extended to 64 bits.
uint64_t extended(uint64_t bits, isa::Type type) {
    if (type == isa::Type::v || type == isa::Type::uv) { // the first of the packed nibbles
        const uint64_t nibble = bits & 0xfU;
        return type == isa::Type::v && nibble >= 8 ? nibble - 16 : nibble;
    }
    const unsigned unused = 64 - 8U * isa::size_of(type);
    if (unused == 0 || unused == 64)
        return bits;
    bits <<= unused;
    if (isa::is_integer(type) && isa::is_signed(type))
        return static_cast<uint64_t>(static_cast<int64_t>(bits) >> unused);
    return bits >> unused;
}

// Signed integers are negated at their own width (ruling 146).
uint64_t modified(uint64_t value, SourceModifier modifier, isa::Type type) {
    const bool is_signed = isa::is_signed(type);
    const bool wraps = is_signed && isa::is_integer(type) && type != isa::Type::v;
    const bool negative = is_signed && static_cast<int64_t>(value) < 0;
    switch (modifier) {
    case SourceModifier::abs:
        return negative ? 0 - value : value;
    case SourceModifier::neg:
        return wraps ? extended(0 - value, type) : 0 - value;
    case SourceModifier::neg_abs:
        return negative ? value : 0 - value;
    case SourceModifier::bit_not:
        return ~value;
    default:
        return value;
    }
}

uint64_t element(const std::byte* from, isa::Type type) {
    uint64_t bits = 0;
    std::memcpy(&bits, from, isa::size_of(type));
    return bits;
}

uint64_t raw_bits(machine::Thread& thread, const PreparedInstruction& instruction,
                  const PreparedOperand& operand) {
    switch (operand.kind) {
    case OperandKind::immediate:
    case OperandKind::literal:
        return operand.value;
    case OperandKind::general:
    case OperandKind::raw:
        return operand.null ? 0 : element(registers(thread, operand), operand.type);
    case OperandKind::address:
        return thread.addresses[operand.base];
    case OperandKind::indirect: {
        // An address register can hold any number (ruling 147).
        const int64_t at = int64_t{thread.addresses[operand.base]} + operand.offset;
        if (!thread.program->addressable.contains(at, isa::size_of(operand.type))) {
            thread.fail(machine::FaultKind::bad_register, instruction);
            return 0;
        }
        return element(thread.registers + at, operand.type);
    }
    default:
        return 0;
    }
}

} // namespace

uint64_t scalar(machine::Thread& thread, const PreparedInstruction& instruction,
                const PreparedOperand& operand) {
    const uint64_t value = extended(raw_bits(thread, instruction, operand), operand.type);
    return modified(value, operand.modifier, operand.type);
}

uint32_t surface_state(machine::Thread& thread, const PreparedInstruction& instruction, uint64_t handle) {
    const uint32_t number = machine::surface_of_handle(*thread.launch, handle);
    if (number == UINT32_MAX)
        thread.fail(machine::FaultKind::bad_state, instruction,
                    fmt::format("the handle 0x{:x} names no surface state", handle));
    return number;
}

SurfaceView surface(machine::Thread& thread, const PreparedInstruction& instruction,
                    const PreparedOperand& operand) {
    if (operand.kind != OperandKind::surface) // its handle in a general variable
        return surface_at(thread, surface_state(thread, instruction, scalar(thread, instruction, operand)));
    const uint32_t index = thread.surfaces[operand.base];
    if (is_bindless(operand)) {
        if (index == isa::bti_bindless)
            thread.fail(machine::FaultKind::bad_state, instruction,
                        "%bss names no surface state: nothing moved a handle there");
        return surface_at(thread,
                          index == isa::bti_bindless ? index : surface_state(thread, instruction, index));
    }
    if (index == never_moved && thread.undefined_watcher != nullptr) [[unlikely]]
        thread.undefined_watcher->undefined({.thread = thread,
                                             .instruction = instruction,
                                             .kind = machine::UndefinedKind::unset_surface,
                                             .lanes = enabled_lanes(thread, instruction),
                                             .address = 0});
    return surface_at(thread, index);
}

} // namespace visor::interp
