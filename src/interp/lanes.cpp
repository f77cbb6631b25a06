#include "interp/lanes.h"

#include "number/half.h"

#include <algorithm>

namespace visor::interp {

namespace {

using isa::Type;
using machine::Thread;
using number::Rounding;
using number::Wide;

// ---- regions
// ---------------------------------------------------------------------------------------------------------

bool is_scalar(const PreparedOperand& operand) {
    return operand.vertical == 0 && (operand.width == 1 || operand.horizontal == 0);
}

bool is_contiguous(const PreparedOperand& operand, uint32_t lanes) {
    return operand.width == 1
               ? operand.vertical == 1
               : operand.horizontal == 1 && (operand.vertical == operand.width || lanes <= operand.width);
}

// Copies of a fixed size are instructions, others calls.
template <size_t bytes>
void copy(std::byte* to, const std::byte* from, uint32_t lanes) {
    uint32_t lane = 0;
    for (; lane + 8 <= lanes; lane += 8)
        std::memcpy(to + lane * bytes, from + lane * bytes, 8 * bytes);
    for (; lane < lanes; ++lane)
        std::memcpy(to + lane * bytes, from + lane * bytes, bytes);
}

template <size_t bytes>
using Element = std::conditional_t<
    bytes == 1, uint8_t,
    std::conditional_t<bytes == 2, uint16_t, std::conditional_t<bytes == 4, uint32_t, uint64_t>>>;

template <class Body>
void each_row(const PreparedOperand& operand, uint32_t lanes, Body body) {
    const uint32_t width = std::max<uint32_t>(operand.width, 1);
    for (uint32_t first = 0, row = 0; first < lanes; first += width, ++row)
        body(row, first, std::min(width, lanes - first));
}

// ---- indirect operands
// -------------------------------------------------------------------------------------------

// Byte offset of an element in the register file; the sum may lie anywhere.
int64_t indirect_offset(const Thread& thread, const PreparedOperand& operand, uint32_t address,
                        int64_t element) {
    return int64_t{thread.addresses[operand.base + address]} + operand.offset +
           element * isa::size_of(operand.type);
}

bool in_registers(Thread& thread, const PreparedInstruction& instruction, int64_t offset, uint32_t bytes) {
    if (offset >= 0 && offset + bytes <= int64_t{thread.program->register_bytes})
        return true;
    thread.fail(machine::FaultKind::bad_register, instruction);
    return false;
}

uint64_t read_bits(const std::byte* from, uint32_t bytes) {
    uint64_t bits = 0;
    std::memcpy(&bits, from, bytes); // little-endian hosts only, as all of Visor
    return bits;
}

void load_indirect(Thread& thread, const PreparedInstruction& instruction, const PreparedOperand& operand,
                   uint32_t enabled, Lanes<uint64_t>& out) {
    const uint32_t bytes = isa::size_of(operand.type);
    each_row(operand, instruction.execution.size, [&](uint32_t row, uint32_t first, uint32_t count) {
        for (uint32_t i = 0; i < count; ++i) {
            const int64_t offset =
                operand.multi_address
                    ? indirect_offset(thread, operand, row, int64_t{i} * operand.horizontal)
                    : indirect_offset(thread, operand, 0,
                                      int64_t{row} * operand.vertical + int64_t{i} * operand.horizontal);
            // The page wants valid addresses in disabled lanes too; nothing is read there, so nothing can go
            // wrong.
            const bool reads =
                (enabled >> (first + i) & 1U) != 0 && in_registers(thread, instruction, offset, bytes);
            out[first + i] = reads ? read_bits(thread.registers + offset, bytes) : 0;
        }
    });
}

// ---- immediates
// ------------------------------------------------------------------------------------------------------

void load_immediate(const PreparedOperand& operand, uint32_t lanes, Lanes<uint64_t>& out) {
    const uint64_t value = operand.value;
    switch (operand.type) {
    case Type::v:
        each_lane(lanes, [&](uint32_t k) {
            const auto nibble = static_cast<int>(value >> (4 * (k % 8)) & 0xfU);
            out[k] = static_cast<uint16_t>(nibble < 8 ? nibble : nibble - 16);
        });
        return;
    case Type::uv:
        each_lane(lanes, [&](uint32_t k) { out[k] = value >> (4 * (k % 8)) & 0xfU; });
        return;
    case Type::vf:
        each_lane(lanes, [&](uint32_t k) {
            out[k] = std::bit_cast<uint32_t>(
                number::restricted_to_float(static_cast<uint8_t>(value >> (8 * (k % 4)))));
        });
        return;
    default:
        each_lane(lanes, [&](uint32_t k) { out[k] = value; });
    }
}

// ---- conversions
// -----------------------------------------------------------------------------------------------------

template <class From, class T>
void widen(uint32_t lanes, const Lanes<uint64_t>& bits, Lanes<T>& out) {
    each_lane(lanes, [&](uint32_t k) { out[k] = static_cast<T>(static_cast<From>(bits[k])); });
}

template <class T>
void integers_from_bits(Type type, uint32_t lanes, const Lanes<uint64_t>& bits, Lanes<T>& out) {
    switch (type) {
    case Type::ub:
        return widen<uint8_t>(lanes, bits, out);
    case Type::b:
        return widen<int8_t>(lanes, bits, out);
    case Type::uw:
        return widen<uint16_t>(lanes, bits, out);
    case Type::w:
        return widen<int16_t>(lanes, bits, out);
    case Type::d:
        return widen<int32_t>(lanes, bits, out);
    case Type::q:
        return widen<int64_t>(lanes, bits, out);
    case Type::ud:
        return widen<uint32_t>(lanes, bits, out);
    default:
        return widen<uint64_t>(lanes, bits, out);
    }
}

template <class T>
void floats_from_bits(Type type, uint32_t lanes, const Lanes<uint64_t>& bits, Lanes<T>& out) {
    const auto convert = [&](auto value_of) {
        each_lane(lanes, [&](uint32_t k) { out[k] = static_cast<T>(value_of(bits[k])); });
    };
    switch (type) {
    case Type::df:
        return convert([](uint64_t b) { return std::bit_cast<double>(b); });
    case Type::hf:
        return convert([](uint64_t b) { return number::half_to_float(static_cast<uint16_t>(b)); });
    case Type::bf:
        return convert([](uint64_t b) { return number::bfloat_to_float(static_cast<uint16_t>(b)); });
    case Type::hf8:
        return convert([](uint64_t b) { return number::hf8_to_float(static_cast<uint8_t>(b)); });
    case Type::bf8:
        return convert([](uint64_t b) { return number::bf8_to_float(static_cast<uint8_t>(b)); });
    default: // f, tf32
        return convert([](uint64_t b) { return std::bit_cast<float>(static_cast<uint32_t>(b)); });
    }
}

template <class I, class T>
void clamp_or_cut(bool saturate, uint32_t lanes, const Lanes<T>& values, Lanes<uint64_t>& out) {
    if (saturate)
        each_lane(lanes, [&](uint32_t k) { out[k] = static_cast<uint64_t>(number::saturate<I>(values[k])); });
    else
        each_lane(lanes, [&](uint32_t k) { out[k] = static_cast<uint64_t>(values[k]); });
}

template <class T>
void integers_to_bits(Type type, bool saturate, uint32_t lanes, const Lanes<T>& values,
                      Lanes<uint64_t>& out) {
    switch (type) {
    case Type::ub:
        return clamp_or_cut<uint8_t>(saturate, lanes, values, out);
    case Type::b:
        return clamp_or_cut<int8_t>(saturate, lanes, values, out);
    case Type::uw:
        return clamp_or_cut<uint16_t>(saturate, lanes, values, out);
    case Type::w:
        return clamp_or_cut<int16_t>(saturate, lanes, values, out);
    case Type::d:
        return clamp_or_cut<int32_t>(saturate, lanes, values, out);
    case Type::q:
        return clamp_or_cut<int64_t>(saturate, lanes, values, out);
    case Type::ud:
        return clamp_or_cut<uint32_t>(saturate, lanes, values, out);
    default:
        return clamp_or_cut<uint64_t>(saturate, lanes, values, out);
    }
}

// No source integer has a magnitude beyond 64 bits, negated ones included.
template <class T>
void integers_to_floats(Type type, bool saturate, Rounding rounding, uint32_t lanes, const Lanes<T>& values,
                        Lanes<uint64_t>& out) {
    each_lane(lanes, [&](uint32_t k) {
        Wide value = static_cast<Wide>(values[k]);
        if (saturate)
            value = std::clamp<Wide>(value, 0, 1);
        const bool negative = value < 0;
        const auto magnitude = static_cast<uint64_t>(negative ? -value : value);
        switch (type) {
        case Type::df:
            out[k] = std::bit_cast<uint64_t>(number::integer_to_double(negative, magnitude, rounding));
            break;
        case Type::hf:
            out[k] = number::integer_to_half(negative, magnitude, rounding);
            break;
        case Type::bf:
            out[k] = number::integer_to_bfloat(negative, magnitude, rounding);
            break;
        default:
            out[k] = std::bit_cast<uint32_t>(number::integer_to_float(negative, magnitude, rounding));
        }
    });
}

// The same for what the host converts as the mode wants it.
template <class To, class Bits, class T>
void integers_to_host(uint32_t lanes, const Lanes<T>& values, Lanes<uint64_t>& out) {
    each_lane(lanes, [&](uint32_t k) { out[k] = std::bit_cast<Bits>(static_cast<To>(values[k])); });
}

template <class I, class T>
void clamp_floats(Rounding rounding, uint32_t lanes, const Lanes<T>& values, Lanes<uint64_t>& out) {
    each_lane(lanes, [&](uint32_t k) {
        out[k] = static_cast<uint64_t>(number::to_integer<I>(static_cast<double>(values[k]), rounding));
    });
}

template <class T>
void floats_to_integers(Type type, Rounding rounding, uint32_t lanes, const Lanes<T>& values,
                        Lanes<uint64_t>& out) {
    switch (type) {
    case Type::ub:
        return clamp_floats<uint8_t>(rounding, lanes, values, out);
    case Type::b:
        return clamp_floats<int8_t>(rounding, lanes, values, out);
    case Type::uw:
        return clamp_floats<uint16_t>(rounding, lanes, values, out);
    case Type::w:
        return clamp_floats<int16_t>(rounding, lanes, values, out);
    case Type::d:
        return clamp_floats<int32_t>(rounding, lanes, values, out);
    case Type::q:
        return clamp_floats<int64_t>(rounding, lanes, values, out);
    case Type::ud:
        return clamp_floats<uint32_t>(rounding, lanes, values, out);
    default:
        return clamp_floats<uint64_t>(rounding, lanes, values, out);
    }
}

template <class T>
uint64_t single_bits(T value, Rounding rounding) {
    if constexpr (std::same_as<T, float>) {
        return std::bit_cast<uint32_t>(value);
    } else {
        // The host converts to nearest even; other modes take the integer encoder.
        const float narrowed = rounding == Rounding::nearest_even ? static_cast<float>(value)
                                                                  : number::to_float(value, rounding);
        return std::bit_cast<uint32_t>(narrowed);
    }
}

template <class T>
void floats_to_bits(Type type, Rounding rounding, uint32_t lanes, const Lanes<T>& values,
                    Lanes<uint64_t>& out) {
    const auto convert = [&](auto bits_of) {
        each_lane(lanes, [&](uint32_t k) { out[k] = bits_of(values[k]); });
    };
    switch (type) {
    case Type::df:
        return convert([](T v) { return std::bit_cast<uint64_t>(static_cast<double>(v)); });
    case Type::hf:
        return convert([&](T v) { return number::to_half(static_cast<double>(v), rounding); });
    case Type::bf:
        return convert([&](T v) { return number::to_bfloat(static_cast<double>(v), rounding); });
    case Type::hf8:
        return convert([&](T v) { return number::to_hf8(static_cast<double>(v), rounding); });
    case Type::bf8:
        return convert([&](T v) { return number::to_bf8(static_cast<double>(v), rounding); });
    case Type::tf32:
        return convert([&](T v) { return number::to_tf32(static_cast<double>(v), rounding); });
    default:
        return convert([&](T v) { return single_bits(v, rounding); });
    }
}

// Bits of a number in this format with all exponent bits zero become a zero.
template <number::Format format>
void flush_bits(uint32_t lanes, Lanes<uint64_t>& bits) {
    each_lane(lanes, [&](uint32_t k) {
        const bool small = (bits[k] & format.infinity()) == 0;
        bits[k] = small ? bits[k] & format.sign() : bits[k];
    });
}

// The 8-bit formats and tf32 have no mode: fcvt's page says what becomes of their denormals.
void flush_bits(Type type, uint32_t lanes, Lanes<uint64_t>& bits) {
    switch (type) {
    case Type::df:
        return flush_bits<number::binary64>(lanes, bits);
    case Type::f:
        return flush_bits<number::binary32>(lanes, bits);
    case Type::hf:
        return flush_bits<number::binary16>(lanes, bits);
    case Type::bf:
        return flush_bits<number::bfloat16>(lanes, bits);
    default:
        return;
    }
}

template <class T>
void saturate_lanes(uint32_t lanes, const Lanes<T>& values, Lanes<T>& out) {
    each_lane(lanes, [&](uint32_t k) { out[k] = number::saturate_unit(values[k]); });
}

} // namespace

// ---- elements
// --------------------------------------------------------------------------------------------------------

template <size_t bytes>
void load_elements(const std::byte* from, const PreparedOperand& operand, uint32_t lanes, std::byte* out) {
    if (lanes == 1) {
        std::memcpy(out, from, bytes);
    } else if (is_scalar(operand)) {
        Element<bytes> value;
        std::memcpy(&value, from, bytes);
        each_lane(lanes, [&](uint32_t k) { std::memcpy(out + k * bytes, &value, bytes); });
    } else if (is_contiguous(operand, lanes)) {
        copy<bytes>(out, from, lanes);
    } else {
        each_row(operand, lanes, [&](uint32_t row, uint32_t first, uint32_t count) {
            const std::byte* element = from + size_t{row} * operand.vertical * bytes;
            for (uint32_t i = 0; i < count; ++i)
                std::memcpy(out + (first + i) * bytes, element + size_t{i} * operand.horizontal * bytes,
                            bytes);
        });
    }
}

template <size_t bytes>
void store_elements(std::byte* to, uint32_t stride, uint32_t lanes, uint32_t enabled, const std::byte* from) {
    if (stride == 1 && enabled == machine::lane_bits(lanes)) {
        copy<bytes>(to, from, lanes);
        return;
    }
    for (uint32_t left = enabled; left != 0; left &= left - 1) {
        const auto lane = static_cast<size_t>(std::countr_zero(left));
        std::memcpy(to + lane * stride * bytes, from + lane * bytes, bytes);
    }
}

template void load_elements<1>(const std::byte*, const PreparedOperand&, uint32_t, std::byte*);
template void load_elements<2>(const std::byte*, const PreparedOperand&, uint32_t, std::byte*);
template void load_elements<4>(const std::byte*, const PreparedOperand&, uint32_t, std::byte*);
template void load_elements<8>(const std::byte*, const PreparedOperand&, uint32_t, std::byte*);
template void store_elements<1>(std::byte*, uint32_t, uint32_t, uint32_t, const std::byte*);
template void store_elements<2>(std::byte*, uint32_t, uint32_t, uint32_t, const std::byte*);
template void store_elements<4>(std::byte*, uint32_t, uint32_t, uint32_t, const std::byte*);
template void store_elements<8>(std::byte*, uint32_t, uint32_t, uint32_t, const std::byte*);

void load_bits(Thread& thread, const PreparedInstruction& instruction, const PreparedOperand& operand,
               uint32_t enabled, Lanes<uint64_t>& out) {
    const uint32_t lanes = instruction.execution.size;
    if (operand.kind == OperandKind::immediate)
        return load_immediate(operand, lanes, out);
    if (operand.kind == OperandKind::indirect)
        return load_indirect(thread, instruction, operand, enabled, out);
    if (operand.kind != OperandKind::general || operand.null)
        return each_lane(lanes, [&](uint32_t k) { out[k] = 0; });
    const std::byte* from = thread.registers + operand.base;
    const auto through = [&]<class E>(E) {
        Lanes<E> elements;
        load_elements<sizeof(E)>(from, operand, lanes, std::as_writable_bytes(std::span(elements.at)).data());
        each_lane(lanes, [&](uint32_t k) { out[k] = elements[k]; });
    };
    switch (isa::size_of(operand.type)) {
    case 1:
        return through(uint8_t{});
    case 2:
        return through(uint16_t{});
    case 4:
        return through(uint32_t{});
    default:
        return load_elements<8>(from, operand, lanes, std::as_writable_bytes(std::span(out.at)).data());
    }
}

void store_bits(Thread& thread, const PreparedInstruction& instruction, const PreparedOperand& operand,
                uint32_t enabled, const Lanes<uint64_t>& bits) {
    const uint32_t bytes = isa::size_of(operand.type);
    if (operand.null)
        return;
    if (operand.kind == OperandKind::general) {
        std::byte* to = thread.registers + operand.base;
        for (uint32_t left = enabled; left != 0; left &= left - 1) {
            const auto lane = static_cast<uint32_t>(std::countr_zero(left));
            std::memcpy(to + size_t{lane} * operand.vertical * bytes, &bits.at[lane], bytes);
        }
        return;
    }
    if (operand.kind != OperandKind::indirect)
        return;
    const auto offset_of = [&](uint32_t lane) {
        return indirect_offset(thread, operand, 0, int64_t{lane} * operand.vertical);
    };
    for (uint32_t left = enabled; left != 0; left &= left - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(left));
        if (!in_registers(thread, instruction, offset_of(lane), bytes))
            return;
    }
    for (uint32_t left = enabled; left != 0; left &= left - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(left));
        std::memcpy(thread.registers + offset_of(lane), &bits.at[lane], bytes);
    }
}

// ---- values
// ------------------------------------------------------------------------------------------------------------

template <class T>
void apply_modifier(SourceModifier modifier, bool is_signed, uint32_t lanes, Lanes<T>& values) {
    const auto apply = [&](auto change) {
        each_lane(lanes, [&](uint32_t k) { values[k] = static_cast<T>(change(values[k])); });
    };
    if constexpr (std::floating_point<T>) {
        // Sign-bit operations: they reach NaN too.
        if (modifier == SourceModifier::neg)
            return apply([](T v) { return -v; });
        if (modifier == SourceModifier::abs)
            return apply([](T v) { return std::abs(v); });
        if (modifier == SourceModifier::neg_abs)
            return apply([](T v) { return -std::abs(v); });
    } else {
        // Lane types are as wide as the value needs (wrapping is meant for the unsigned ones), so that
        // nothing here overflows: signed lane types hold modified values of narrower elements only.
        using Modular = number::Unsigned<T>;
        const auto magnitude = [is_signed](T v) {
            constexpr Modular sign = static_cast<Modular>(Modular{1} << (sizeof(T) * 8 - 1));
            const auto m = static_cast<Modular>(v);
            return is_signed && (m & sign) != 0 ? static_cast<Modular>(Modular{0} - m) : m;
        };
        if (modifier == SourceModifier::neg)
            return apply([](T v) { return Modular{0} - static_cast<Modular>(v); });
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
    const uint32_t lanes = instruction.execution.size;
    Lanes<uint64_t> bits;
    load_bits(thread, instruction, operand, enabled, bits);
    if constexpr (std::floating_point<T>)
        floats_from_bits(element_type(operand.type), lanes, bits, out);
    else
        integers_from_bits(element_type(operand.type), lanes, bits, out);
}

template <class T>
void store_converted(Thread& thread, const PreparedInstruction& instruction, const PreparedOperand& operand,
                     uint32_t enabled, const Lanes<T>& values) {
    const uint32_t lanes = instruction.execution.size;
    const bool saturate = instruction.saturate;
    const FloatMode mode(thread);
    Lanes<uint64_t> bits;
    if constexpr (std::floating_point<T>) {
        if (!isa::is_float(operand.type)) {
            floats_to_integers(operand.type, mode.to_integer(), lanes, values, bits);
        } else {
            Lanes<T> clamped;
            if (saturate)
                saturate_lanes(lanes, values, clamped);
            floats_to_bits(operand.type, mode.rounding(), lanes, saturate ? clamped : values, bits);
            if (!mode.keeps_denormals(operand.type))
                flush_bits(operand.type, lanes, bits);
        }
    } else if (isa::is_float(operand.type)) {
        const bool by_host = mode.to_nearest() && !saturate && sizeof(T) <= 8;
        if (by_host && operand.type == Type::f)
            integers_to_host<float, uint32_t>(lanes, values, bits);
        else if (by_host && operand.type == Type::df)
            integers_to_host<double, uint64_t>(lanes, values, bits);
        else
            integers_to_floats(operand.type, saturate, mode.rounding(), lanes, values, bits);
    } else {
        integers_to_bits(operand.type, saturate, lanes, values, bits);
    }
    store_bits(thread, instruction, operand, enabled, bits);
}

template <class T>
void flush_denormals(Type type, uint32_t lanes, Lanes<T>& values) {
    const T smallest = type == Type::df   ? static_cast<T>(0x1p-1022)
                       : type == Type::hf ? static_cast<T>(0x1p-14)
                                          : static_cast<T>(0x1p-126);
    each_lane(lanes, [&](uint32_t k) {
        const T value = values[k];
        values[k] = std::abs(value) < smallest ? std::copysign(T(0), value) : value;
    });
}

template void apply_modifier(SourceModifier, bool, uint32_t, Lanes<uint8_t>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<uint8_t>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<uint8_t>&);
template void apply_modifier(SourceModifier, bool, uint32_t, Lanes<uint16_t>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<uint16_t>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<uint16_t>&);
template void apply_modifier(SourceModifier, bool, uint32_t, Lanes<uint32_t>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<uint32_t>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<uint32_t>&);
template void apply_modifier(SourceModifier, bool, uint32_t, Lanes<uint64_t>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<uint64_t>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<uint64_t>&);
template void apply_modifier(SourceModifier, bool, uint32_t, Lanes<int32_t>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<int32_t>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<int32_t>&);
template void apply_modifier(SourceModifier, bool, uint32_t, Lanes<int64_t>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<int64_t>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<int64_t>&);
template void apply_modifier(SourceModifier, bool, uint32_t, Lanes<Wide>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<Wide>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<Wide>&);
template void apply_modifier(SourceModifier, bool, uint32_t, Lanes<float>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<float>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<float>&);
template void apply_modifier(SourceModifier, bool, uint32_t, Lanes<double>&);
template void load_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                             Lanes<double>&);
template void store_converted(Thread&, const PreparedInstruction&, const PreparedOperand&, uint32_t,
                              const Lanes<double>&);
template void flush_denormals(Type, uint32_t, Lanes<float>&);
template void flush_denormals(Type, uint32_t, Lanes<double>&);

} // namespace visor::interp
