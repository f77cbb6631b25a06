// The lanes of an instruction as values. Vector operands (5_operands.md: regions, indirect addresses,
// packed immediates, modifiers) become arrays of one C++ type. Results are converted, saturated and stored
// to enabled lanes only. A handler loads every lane of every source before it stores, so a destination may
// overlap its sources. No instruction is defined here.
#pragma once

#include "interp/operand.h"
#include "machine/each_lane.h"
#include "number/integer.h"
#include "number/round.h"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <type_traits>

namespace visor::interp {

inline constexpr uint32_t max_lanes = machine::most_lanes;

// Lane types: unsigned integers for what is computed modulo 2^n, signed and wide ones for exact values, float
// and double.
template <class T>
using Lanes = machine::EachLane<T>;

// The first loop is one that compilers vectorize: contiguous lanes, a multiple of eight.
template <class Body>
void each_lane(uint32_t lanes, Body body) {
    const uint32_t whole = std::min(lanes, max_lanes) & ~7U;
    for (uint32_t lane = 0; lane < whole; ++lane)
        body(lane);
    for (uint32_t lane = whole; lane < lanes; ++lane)
        body(lane);
}

// The control register's floating-point modes (launch ABI 3: bits 5..4 rounding, 6, 7, 10 keep denormals
// of df, f, hf; 12 conversions to integers use that rounding).
class FloatMode {
public:
    explicit FloatMode(const machine::Thread& thread)
        : bits_(read_as<uint32_t>(thread.registers + thread.program->register_base(isa::Predefined::cr0))) {}

    [[nodiscard]] number::Rounding rounding() const {
        return static_cast<number::Rounding>(bits_ >> 4U & 3U);
    }
    [[nodiscard]] bool to_nearest() const { return (bits_ & 0x30U) == 0; }
    [[nodiscard]] number::Rounding to_integer() const {
        return (bits_ & 0x1000U) != 0 ? rounding() : number::Rounding::zero;
    }
    // bf has the exponent range and the mode of f.
    [[nodiscard]] bool keeps_denormals(isa::Type type) const {
        const uint32_t bit = type == isa::Type::df ? 0x40U : type == isa::Type::hf ? 0x400U : 0x80U;
        return (bits_ & bit) != 0;
    }

private:
    uint32_t bits_;
};

// ---- elements: bytes between the register file and arrays

// Elements of a source region, in lane order.
template <size_t bytes>
void load_elements(const std::byte* from, const PreparedOperand& operand, uint32_t lanes, std::byte* out);
// Enabled lanes' elements, `stride` elements apart.
template <size_t bytes>
void store_elements(std::byte* to, uint32_t stride, uint32_t lanes, uint32_t enabled, const std::byte* from);

// The bits of each lane's element, zero-extended, without modifier. For packed immediates: the bits of the
// element that they encode. An indirect lane outside Program::addressable faults when it is enabled and
// reads zero.
void load_bits(machine::Thread& thread, const PreparedInstruction& instruction,
               const PreparedOperand& operand, uint32_t enabled, Lanes<uint64_t>& out);
// Stores the low bytes of each enabled lane to the destination, general or indirect. Writes nothing when a
// lane faults.
void store_bits(machine::Thread& thread, const PreparedInstruction& instruction,
                const PreparedOperand& operand, uint32_t enabled, const Lanes<uint64_t>& bits);

// A general operand's elements; T has their size.
template <class T>
void load_in_place(const machine::Thread& thread, const PreparedInstruction& instruction,
                   const PreparedOperand& operand, Lanes<T>& out) {
    load_elements<sizeof(T)>(thread.registers + operand.base, operand, instruction.execution.size,
                             std::as_writable_bytes(std::span(out.at)).data());
}
template <class T>
void store_in_place(machine::Thread& thread, const PreparedInstruction& instruction,
                    const PreparedOperand& operand, uint32_t enabled, const Lanes<T>& values) {
    store_elements<sizeof(T)>(thread.registers + operand.base, operand.vertical, instruction.execution.size,
                              enabled, std::as_bytes(std::span(values.at)).data());
}

// The elements' bits as unsigned integers of their size, for operands of any class.
template <std::unsigned_integral E>
void load_raw(machine::Thread& thread, const PreparedInstruction& instruction, const PreparedOperand& operand,
              uint32_t enabled, Lanes<E>& out) {
    if (operand.kind == OperandKind::general && !operand.null) [[likely]]
        return load_in_place(thread, instruction, operand, out);
    Lanes<uint64_t> bits;
    load_bits(thread, instruction, operand, enabled, bits);
    each_lane(instruction.execution.size, [&](uint32_t lane) { out[lane] = static_cast<E>(bits[lane]); });
}
template <std::unsigned_integral E>
void store_raw(machine::Thread& thread, const PreparedInstruction& instruction,
               const PreparedOperand& operand, uint32_t enabled, const Lanes<E>& values) {
    if (operand.kind == OperandKind::general && !operand.null) [[likely]]
        return store_in_place(thread, instruction, operand, enabled, values);
    Lanes<uint64_t> bits;
    each_lane(instruction.execution.size, [&](uint32_t lane) { bits[lane] = values[lane]; });
    store_bits(thread, instruction, operand, enabled, bits);
}

// ---- values
// The type whose bits load_bits gives: packed immediates encode vectors of w, uw and f.
[[nodiscard]] constexpr isa::Type element_type(isa::Type type) {
    switch (type) {
    case isa::Type::v:
        return isa::Type::w;
    case isa::Type::uv:
        return isa::Type::uw;
    case isa::Type::vf:
        return isa::Type::f;
    default:
        return type;
    }
}

// Whether an element's bits are a lane value without conversion.
template <class T>
[[nodiscard]] constexpr bool holds(isa::Type type) {
    if constexpr (std::same_as<T, float>)
        return type == isa::Type::f;
    else if constexpr (std::same_as<T, double>)
        return type == isa::Type::df;
    else
        return isa::is_integer(type) && isa::size_of(type) == sizeof(T);
}

template <class T>
void load_converted(machine::Thread& thread, const PreparedInstruction& instruction,
                    const PreparedOperand& operand, uint32_t enabled, Lanes<T>& out);
template <class T>
void store_converted(machine::Thread& thread, const PreparedInstruction& instruction,
                     const PreparedOperand& operand, uint32_t enabled, const Lanes<T>& values);
template <class T>
void apply_modifier(SourceModifier modifier, isa::Type type, uint32_t lanes, Lanes<T>& values);

// Elements that are lane values without conversion, at a fixed offset in the register file.
template <class T>
[[nodiscard]] bool in_place(const PreparedOperand& operand) {
    return operand.kind == OperandKind::general && holds<T>(operand.type) && !operand.null;
}
// Unsigned integer of an element's size.
template <class T>
using Bits = std::conditional_t<
    sizeof(T) == 1, uint8_t,
    std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;

// No element is as wide as the widest lane type.
template <class T>
inline constexpr bool is_element = sizeof(T) <= 8;

// A source's values, with its modifier: integers modulo 2^n for unsigned lane types, exact otherwise.
template <class T>
void load(machine::Thread& thread, const PreparedInstruction& instruction, const PreparedOperand& operand,
          uint32_t enabled, Lanes<T>& out) {
    if constexpr (std::integral<T> && sizeof(T) < 8) {
        // A magnitude depends on the sign of the whole element.
        if (operand.modifier != SourceModifier::none && isa::size_of(operand.type) > sizeof(T)) [[unlikely]] {
            Lanes<uint64_t> wide;
            load(thread, instruction, operand, enabled, wide);
            each_lane(instruction.execution.size, [&](uint32_t k) { out[k] = static_cast<T>(wide[k]); });
            return;
        }
    }
    bool loaded = false;
    if constexpr (is_element<T>) {
        if (in_place<T>(operand)) [[likely]] {
            load_in_place(thread, instruction, operand, out);
            loaded = true;
        }
    }
    if (!loaded)
        load_converted(thread, instruction, operand, enabled, out);
    if (operand.modifier != SourceModifier::none) [[unlikely]]
        apply_modifier(operand.modifier, operand.type, instruction.execution.size, out);
}

// Integer results: the destination's low bits, or with .sat its nearest value. Conversions from integers
// to floats round by the mode. Floats: rounded by the mode, with .sat clamped to [0, 1]; to integers
// clamped.
template <class T>
void store(machine::Thread& thread, const PreparedInstruction& instruction, const PreparedOperand& operand,
           uint32_t enabled, const Lanes<T>& values) {
    if constexpr (is_element<T>) {
        if (in_place<T>(operand) && !instruction.saturate) [[likely]] {
            store_in_place(thread, instruction, operand, enabled, values);
            return;
        }
    }
    store_converted(thread, instruction, operand, enabled, values);
}

// Flushes values below the smallest normal number of `type` to zeros of the same sign. For float and
// double lanes that hold values of `type`.
template <class T>
void flush_denormals(isa::Type type, uint32_t lanes, Lanes<T>& values);

// A float result of arithmetic or of a conversion: as `store`, denormals flushed when the mode of the
// destination's type says so.
template <class T>
void store_float(machine::Thread& thread, const PreparedInstruction& instruction,
                 const PreparedOperand& operand, uint32_t enabled, Lanes<T>& values, FloatMode mode) {
    if (holds<T>(operand.type) && !mode.keeps_denormals(operand.type))
        flush_denormals(operand.type, instruction.execution.size, values);
    store(thread, instruction, operand, enabled, values);
}

// ---- predicates

// Stores lane k's bit in the instruction's slice of a predicate, for enabled lanes.
inline void store_predicate(machine::Thread& thread, const PreparedInstruction& instruction,
                            uint32_t predicate, uint32_t enabled, uint32_t bits) {
    uint32_t& word = thread.predicates[predicate];
    const uint32_t offset = instruction.execution.offset;
    word = (word & ~(enabled << offset)) | (bits & enabled) << offset;
}
[[nodiscard]] inline uint32_t load_predicate(const machine::Thread& thread,
                                             const PreparedInstruction& instruction, uint32_t predicate) {
    return thread.predicates[predicate] >> instruction.execution.offset;
}

} // namespace visor::interp
