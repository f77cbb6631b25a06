// Operand access of the lane-wise families: loads values from registers and stores them. Integers have a
// width that the caller chooses, modulo 2^n; floats are single or double, exactly as stored.
#pragma once

#include "jit/translate/translator.h"

#include "number/round.h"

#include <span>

namespace visor::jit {

// The element type of what load_bits returns: w, uw and f for packed immediates.
[[nodiscard]] constexpr isa::Type element_type(isa::Type type) {
    return type == isa::Type::v    ? isa::Type::w
           : type == isa::Type::uv ? isa::Type::uw
           : type == isa::Type::vf ? isa::Type::f
                                   : type;
}
[[nodiscard]] inline bool is_integer(const PreparedOperand& operand) {
    return isa::is_integer(element_type(operand.type));
}
[[nodiscard]] constexpr bool is_computed_float(isa::Type type) {
    return type == isa::Type::f || type == isa::Type::df || type == isa::Type::hf || type == isa::Type::bf;
}
[[nodiscard]] inline bool is_float(const PreparedOperand& operand) {
    return is_computed_float(element_type(operand.type));
}
// Operand kinds that the lane-wise families support.
[[nodiscard]] inline bool is_vector_source(const PreparedOperand& operand) {
    const bool known = operand.kind == OperandKind::general || operand.kind == OperandKind::immediate ||
                       operand.kind == OperandKind::indirect;
    return known && (is_integer(operand) || is_float(operand));
}
[[nodiscard]] inline bool is_vector_destination(const PreparedOperand& operand) {
    return operand.kind == OperandKind::general ||
           (operand.kind == OperandKind::indirect && !operand.multi_address);
}
[[nodiscard]] inline uint32_t bits_of_type(const PreparedOperand& operand) {
    return 8U * isa::size_of(element_type(operand.type));
}

// %cr0 (launch ABI 3): bits 5..4: rounding mode; 6, 7, 10: keep denormals of df, f, hf; 12: conversions to
// integers use the rounding mode.
struct FloatMode {
    uint32_t bits;
    [[nodiscard]] number::Rounding rounding() const { return static_cast<number::Rounding>(bits >> 4U & 3U); }
    [[nodiscard]] bool to_nearest() const { return (bits & 0x30U) == 0; }
    [[nodiscard]] bool integers_to_zero() const { return (bits & 0x1000U) == 0; }
    [[nodiscard]] bool keeps(isa::Type type) const {
        const uint32_t bit = type == isa::Type::df ? 0x40U : type == isa::Type::hf ? 0x400U : 0x80U;
        return (bits & bit) != 0;
    }
};

class Values {
public:
    using Value = llvm::Value;
    using Sources = std::span<Value*>;

    // `first`: index of the destination operand; the sources follow it.
    Values(Translator& translator, const PreparedInstruction& instruction, size_t first = 0);

    [[nodiscard]] uint32_t lanes() const { return lanes_; }
    [[nodiscard]] const PreparedOperand& destination() const {
        return translator_.operand(instruction_, first_);
    }
    [[nodiscard]] const PreparedOperand& source(size_t k) const {
        return translator_.operand(instruction_, first_ + 1 + k);
    }
    // Whether `count` sources follow that can be loaded, and the destination can be stored.
    [[nodiscard]] bool fits(size_t count) const;
    [[nodiscard]] bool integers(size_t count) const; // all, destination included
    [[nodiscard]] bool floats(size_t count) const;
    [[nodiscard]] uint32_t widest(size_t count) const; // bits of the widest source
    [[nodiscard]] bool any_modifier(size_t count) const;

    // The source's value modulo 2^bits, with its modifier.
    Value* integer(size_t k, uint32_t bits);
    // The bits as stored.
    Value* raw(size_t k);
    // As float (`single`) or double, with its modifier; not flushed.
    Value* real(size_t k, bool single);
    Value* flushed(Value* value, isa::Type type); // float or double lanes with values of `type`

    // Stores the low bits to the integer destination.
    bool store_integer(Value* value, const Mask& mask) { return store_integer(destination(), value, mask); }
    bool store_integer(const PreparedOperand& to, Value* value, const Mask& mask);
    // Stores an exact, signed number to the integer destination, saturated.
    bool store_clamped(Value* value, const Mask& mask);
    // store_clamped if the instruction saturates, else store_integer.
    bool store_integer_result(Value* value, const Mask& mask) {
        return instruction_.saturate ? store_clamped(value, mask) : store_integer(value, mask);
    }
    // Stores a float, or a double that is exact or rounded to odd, to the float destination. Rounds in the
    // mode, saturates and flushes as the instruction demands.
    bool store_real(Value* value, const Mask& mask);
    // Whether store_real supports the destination's format.
    [[nodiscard]] bool can_store_real() const;
    [[nodiscard]] bool can_load_real(size_t count) const;
    [[nodiscard]] Mask enabled() { return translator_.enabled(instruction_); }
    [[nodiscard]] std::optional<FloatMode> mode() const;

private:
    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    const PreparedInstruction& instruction_;
    size_t first_;
    uint32_t lanes_;
};

} // namespace visor::jit
