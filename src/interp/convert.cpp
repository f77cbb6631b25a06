// Conversions from elements of every type to lane values, and back (2_datatypes.md, Type Conversion and
// Saturation).
#include "interp/lanes.h"

#include "number/half.h"

#include <algorithm>

namespace visor::interp {

namespace {

using isa::Type;
using machine::Thread;
using number::Format;
using number::Rounding;
using number::Wide;

// An operand that an instruction reads or writes, for the enabled lanes.
struct OperandAccess {
    Thread& thread;
    const PreparedInstruction& instruction;
    const PreparedOperand& operand;
    uint32_t enabled;

    [[nodiscard]] uint32_t lanes() const { return instruction.execution.size; }
};

template <class E, class T, class Decode>
void decode_lanes(const OperandAccess& access, Lanes<T>& out, Decode value_of) {
    Lanes<E> elements;
    load_raw(access.thread, access.instruction, access.operand, access.enabled, elements);
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): bytes are numbers
    each_lane(access.lanes(), [&](uint32_t k) { out[k] = static_cast<T>(value_of(elements[k])); });
}

template <class E, class T, class Encode>
void encode_lanes(const OperandAccess& access, const Lanes<T>& values, Encode bits_of) {
    Lanes<E> elements;
    each_lane(access.lanes(), [&](uint32_t k) { elements[k] = static_cast<E>(bits_of(values[k])); });
    store_raw(access.thread, access.instruction, access.operand, access.enabled, elements);
}

// ---- from elements

template <std::integral I, class T>
void decode_integers(const OperandAccess& access, Lanes<T>& out) {
    decode_lanes<std::make_unsigned_t<I>>(access, out, [](auto bits) { return static_cast<I>(bits); });
}

template <class T>
void load_integers(const OperandAccess& access, Lanes<T>& out) {
    switch (element_type(access.operand.type)) {
    case Type::ub:
        return decode_integers<uint8_t>(access, out);
    case Type::b:
        return decode_integers<int8_t>(access, out);
    case Type::uw:
        return decode_integers<uint16_t>(access, out);
    case Type::w:
        return decode_integers<int16_t>(access, out);
    case Type::ud:
        return decode_integers<uint32_t>(access, out);
    case Type::d:
        return decode_integers<int32_t>(access, out);
    case Type::q:
        return decode_integers<int64_t>(access, out);
    default:
        return decode_integers<uint64_t>(access, out);
    }
}

template <class T>
void load_floats_from(const OperandAccess& access, Lanes<T>& out) {
    switch (element_type(access.operand.type)) {
    case Type::df:
        return decode_lanes<uint64_t>(access, out, [](uint64_t bits) { return std::bit_cast<double>(bits); });
    case Type::hf:
        return decode_lanes<uint16_t>(access, out, number::half_to_float);
    case Type::bf:
        return decode_lanes<uint16_t>(access, out, number::bfloat_to_float);
    default:
        return decode_lanes<uint32_t>(access, out, [](uint32_t bits) { return std::bit_cast<float>(bits); });
    }
}

// ---- integers to elements

template <std::integral I, class T>
void encode_integers(const OperandAccess& access, const Lanes<T>& values) {
    using E = std::make_unsigned_t<I>;
    if (access.instruction.saturate)
        encode_lanes<E>(access, values, [](T value) { return number::saturate<I>(value); });
    else
        encode_lanes<E>(access, values, [](T value) { return value; });
}

template <class T>
void store_integers(const OperandAccess& access, const Lanes<T>& values) {
    switch (access.operand.type) {
    case Type::ub:
        return encode_integers<uint8_t>(access, values);
    case Type::b:
        return encode_integers<int8_t>(access, values);
    case Type::uw:
        return encode_integers<uint16_t>(access, values);
    case Type::w:
        return encode_integers<int16_t>(access, values);
    case Type::ud:
        return encode_integers<uint32_t>(access, values);
    case Type::d:
        return encode_integers<int32_t>(access, values);
    case Type::q:
        return encode_integers<int64_t>(access, values);
    default:
        return encode_integers<uint64_t>(access, values);
    }
}

// No source integer has a magnitude beyond 64 bits, negated ones included.
template <class T, class Encode>
auto from_integer(Encode encode, bool saturate, Rounding rounding) {
    return [=](T value) {
        Wide wide = static_cast<Wide>(value);
        if (saturate)
            wide = std::clamp<Wide>(wide, 0, 1);
        const bool negative = wide < 0;
        return encode(negative, static_cast<uint64_t>(negative ? -wide : wide), rounding);
    };
}

template <class T>
void store_integers_as_floats(const OperandAccess& access, Rounding rounding, const Lanes<T>& values) {
    const bool saturate = access.instruction.saturate;
    const bool by_host = rounding == Rounding::nearest_even && !saturate && is_element<T>;
    switch (access.operand.type) {
    case Type::df:
        if (by_host)
            return encode_lanes<uint64_t>(
                access, values, [](T v) { return std::bit_cast<uint64_t>(static_cast<double>(v)); });
        return encode_lanes<uint64_t>(
            access, values, [convert = from_integer<T>(number::integer_to_double, saturate, rounding)](T v) {
                return std::bit_cast<uint64_t>(convert(v));
            });
    case Type::hf:
        return encode_lanes<uint16_t>(access, values,
                                      from_integer<T>(number::integer_to_half, saturate, rounding));
    case Type::bf:
        return encode_lanes<uint16_t>(access, values,
                                      from_integer<T>(number::integer_to_bfloat, saturate, rounding));
    default:
        if (by_host)
            return encode_lanes<uint32_t>(access, values,
                                          [](T v) { return std::bit_cast<uint32_t>(static_cast<float>(v)); });
        return encode_lanes<uint32_t>(
            access, values, [convert = from_integer<T>(number::integer_to_float, saturate, rounding)](T v) {
                return std::bit_cast<uint32_t>(convert(v));
            });
    }
}

// ---- floats to elements

template <std::integral I, class T>
void encode_clamped(const OperandAccess& access, Rounding rounding, const Lanes<T>& values) {
    encode_lanes<std::make_unsigned_t<I>>(access, values, [rounding](T value) {
        return number::to_integer<I>(static_cast<double>(value), rounding);
    });
}

template <class T>
void store_floats_as_integers(const OperandAccess& access, Rounding rounding, const Lanes<T>& values) {
    switch (access.operand.type) {
    case Type::ub:
        return encode_clamped<uint8_t>(access, rounding, values);
    case Type::b:
        return encode_clamped<int8_t>(access, rounding, values);
    case Type::uw:
        return encode_clamped<uint16_t>(access, rounding, values);
    case Type::w:
        return encode_clamped<int16_t>(access, rounding, values);
    case Type::ud:
        return encode_clamped<uint32_t>(access, rounding, values);
    case Type::d:
        return encode_clamped<int32_t>(access, rounding, values);
    case Type::q:
        return encode_clamped<int64_t>(access, rounding, values);
    default:
        return encode_clamped<uint64_t>(access, rounding, values);
    }
}

// Encodes in `format`; flushes denormals unless `keep_denormals`.
template <Format format, class E, class T, class Encode>
void encode_floats(const OperandAccess& access, bool keep_denormals, const Lanes<T>& values, Encode encode) {
    const bool saturate = access.instruction.saturate;
    encode_lanes<E>(access, values, [=](T value) {
        const uint64_t bits = encode(saturate ? number::saturate_unit(value) : value);
        const bool flushed = !keep_denormals && (bits & format.infinity()) == 0;
        return flushed ? bits & format.sign() : bits;
    });
}

template <class T>
uint64_t single_bits(T value, Rounding rounding) {
    if constexpr (std::same_as<T, float>) {
        return std::bit_cast<uint32_t>(value);
    } else {
        // The host converts to nearest even; other modes use the integer encoder.
        const float narrowed = rounding == Rounding::nearest_even ? static_cast<float>(value)
                                                                  : number::to_float(value, rounding);
        return std::bit_cast<uint32_t>(narrowed);
    }
}

template <class T>
void store_floats(const OperandAccess& access, FloatMode mode, const Lanes<T>& values) {
    const Rounding rounding = mode.rounding();
    const bool keep = mode.keeps_denormals(access.operand.type);
    switch (access.operand.type) {
    case Type::df:
        return encode_floats<number::binary64, uint64_t>(
            access, keep, values, [](T v) { return std::bit_cast<uint64_t>(static_cast<double>(v)); });
    case Type::hf:
        return encode_floats<number::binary16, uint16_t>(access, keep, values, [rounding](T v) {
            return number::to_half(static_cast<double>(v), rounding);
        });
    case Type::bf:
        return encode_floats<number::bfloat16, uint16_t>(access, keep, values, [rounding](T v) {
            return number::to_bfloat(static_cast<double>(v), rounding);
        });
    default:
        return encode_floats<number::binary32, uint32_t>(
            access, keep, values, [rounding](T v) { return single_bits(v, rounding); });
    }
}

} // namespace

template <class T>
void apply_modifier(SourceModifier modifier, isa::Type type, uint32_t lanes, Lanes<T>& values) {
    const auto apply = [&](auto change) {
        each_lane(lanes, [&](uint32_t k) { values[k] = static_cast<T>(change(values[k])); });
    };
    if constexpr (std::floating_point<T>) {
        // Sign-bit operations: they apply to NaN too.
        if (modifier == SourceModifier::neg)
            return apply([](T v) { return -v; });
        if (modifier == SourceModifier::abs)
            return apply([](T v) { return std::abs(v); });
        if (modifier == SourceModifier::neg_abs)
            return apply([](T v) { return -std::abs(v); });
    } else {
        // Signed lane types are wider than the elements whose modified values they hold; unsigned ones
        // wrap.
        using Modular = number::Unsigned<T>;
        const bool is_signed = isa::is_signed(type);
        const auto magnitude = [is_signed](T v) {
            constexpr Modular sign = static_cast<Modular>(Modular{1} << (sizeof(T) * 8 - 1));
            const auto m = static_cast<Modular>(v);
            return is_signed && (m & sign) != 0 ? static_cast<Modular>(Modular{0} - m) : m;
        };
        if (modifier == SourceModifier::neg) {
            // The smallest number of a signed type stays itself (ruling 146).
            const uint32_t bits = 8U * isa::size_of(element_type(type));
            const bool is_wider = is_signed && sizeof(T) * 8 > bits;
            const auto smallest =
                is_wider ? static_cast<Modular>(Modular{0} - (Modular{1} << (bits - 1))) : Modular{0};
            return apply([smallest](T v) {
                const auto m = static_cast<Modular>(v);
                return m == smallest ? m : static_cast<Modular>(Modular{0} - m);
            });
        }
        if (modifier == SourceModifier::abs)
            return apply(magnitude);
        if (modifier == SourceModifier::neg_abs)
            return apply([&](T v) { return Modular{0} - magnitude(v); });
        if (modifier == SourceModifier::bit_not)
            return apply([](T v) { return ~static_cast<Modular>(v); });
    }
}

template <class T>
void load_converted(Thread& thread, const PreparedInstruction& instruction, const PreparedOperand& operand,
                    uint32_t enabled, Lanes<T>& out) {
    const OperandAccess access{thread, instruction, operand, enabled};
    if constexpr (is_element<T>) {
        if (operand.kind == OperandKind::immediate && holds<T>(operand.type)) {
            const auto value = std::bit_cast<T>(static_cast<Bits<T>>(operand.value));
            return each_lane(access.lanes(), [&](uint32_t k) { out[k] = value; });
        }
    }
    if constexpr (std::floating_point<T>)
        load_floats_from(access, out);
    else
        load_integers(access, out);
}

template <class T>
void store_converted(Thread& thread, const PreparedInstruction& instruction, const PreparedOperand& operand,
                     uint32_t enabled, const Lanes<T>& values) {
    const OperandAccess access{thread, instruction, operand, enabled};
    const FloatMode mode(thread);
    if constexpr (std::floating_point<T>) {
        if (isa::is_float(operand.type))
            store_floats(access, mode, values);
        else
            store_floats_as_integers(access, mode.to_integer(), values);
    } else if (isa::is_float(operand.type)) {
        store_integers_as_floats(access, mode.rounding(), values);
    } else {
        store_integers(access, values);
    }
}

template <class T>
void flush_denormals(Type type, uint32_t lanes, Lanes<T>& values) {
    using B = Bits<T>;
    constexpr B sign = B{1} << (8 * sizeof(T) - 1);
    const B smallest = std::bit_cast<B>(type == Type::df   ? static_cast<T>(0x1p-1022)
                                        : type == Type::hf ? static_cast<T>(0x1p-14)
                                                           : static_cast<T>(0x1p-126));
    each_lane(lanes, [&](uint32_t k) {
        const auto bits = std::bit_cast<B>(values[k]);
        // Magnitudes have the order of their bits. Compares them as signed numbers, which vector units
        // support.
        const bool small =
            static_cast<std::make_signed_t<B>>(bits & ~sign) < static_cast<std::make_signed_t<B>>(smallest);
        values[k] = std::bit_cast<T>(bits & (small ? sign : ~B{0}));
    });
}

template void apply_modifier(SourceModifier, isa::Type, uint32_t, Lanes<uint8_t>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<uint8_t>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<uint8_t>&);
template void apply_modifier(SourceModifier, isa::Type, uint32_t, Lanes<uint16_t>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<uint16_t>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<uint16_t>&);
template void apply_modifier(SourceModifier, isa::Type, uint32_t, Lanes<uint32_t>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<uint32_t>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<uint32_t>&);
template void apply_modifier(SourceModifier, isa::Type, uint32_t, Lanes<uint64_t>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<uint64_t>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<uint64_t>&);
template void apply_modifier(SourceModifier, isa::Type, uint32_t, Lanes<int32_t>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<int32_t>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<int32_t>&);
template void apply_modifier(SourceModifier, isa::Type, uint32_t, Lanes<int64_t>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<int64_t>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<int64_t>&);
template void apply_modifier(SourceModifier, isa::Type, uint32_t, Lanes<Wide>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<Wide>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<Wide>&);
template void apply_modifier(SourceModifier, isa::Type, uint32_t, Lanes<float>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<float>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<float>&);
template void apply_modifier(SourceModifier, isa::Type, uint32_t, Lanes<double>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<double>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<double>&);
template void flush_denormals(Type, uint32_t, Lanes<float>&);
template void flush_denormals(Type, uint32_t, Lanes<double>&);

} // namespace visor::interp
