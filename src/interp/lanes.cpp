#include "interp/lanes.h"

#include "number/half.h"

#include <algorithm>

namespace visor::interp {

namespace {

using isa::Type;
using machine::Thread;

// ---- regions

bool is_contiguous(const PreparedOperand& operand, uint32_t lanes) {
    return operand.width == 1
               ? operand.vertical == 1
               : operand.horizontal == 1 && (operand.vertical == operand.width || lanes <= operand.width);
}

// A memcpy of constant size becomes instructions, others become calls.
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

// Byte offset of an element in the register file; the sum may be out of bounds.
int64_t indirect_offset(const Thread& thread, const PreparedOperand& operand, uint32_t address,
                        int64_t element) {
    return int64_t{thread.addresses[operand.base + address]} + operand.offset +
           element * isa::size_of(operand.type);
}

bool in_addressable(Thread& thread, const PreparedInstruction& instruction, uint32_t lane, int64_t offset,
                    uint32_t bytes) {
    if (thread.program->addressable.contains(offset, bytes))
        return true;
    if (thread.status != machine::Status::faulted) {
        thread.fail(machine::FaultKind::bad_register, instruction);
        thread.fault.lane = static_cast<int>(lane + instruction.execution.offset);
        thread.fault.address = static_cast<uint64_t>(offset);
        thread.fault.bytes = bytes;
    }
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
            // The page requires valid addresses in disabled lanes too. Nothing is read there, so they
            // cannot fault.
            const bool reads = (enabled >> (first + i) & 1U) != 0 &&
                               in_addressable(thread, instruction, first + i, offset, bytes);
            out[first + i] = reads ? read_bits(thread.registers + offset, bytes) : 0;
        }
    });
}

// ---- immediates

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

} // namespace

// ---- elements

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
    } else if (stride == 1 && lanes >= 8) {
        // Reads, blends and writes back, without a branch for each lane.
        lanes = std::min(lanes, max_lanes);
        Lanes<Element<bytes>> old;
        Lanes<Element<bytes>> values;
        copy<bytes>(std::as_writable_bytes(std::span(old.at)).data(), to, lanes);
        copy<bytes>(std::as_writable_bytes(std::span(values.at)).data(), from, lanes);
        each_lane(lanes, [&](uint32_t k) {
            const auto mask = static_cast<Element<bytes>>(Element<bytes>{0} - (enabled >> k & 1U));
            old[k] = static_cast<Element<bytes>>((values[k] & mask) | (old[k] & ~mask));
        });
        copy<bytes>(to, std::as_bytes(std::span(old.at)).data(), lanes);
    } else {
        for (uint32_t left = enabled; left != 0; left &= left - 1) {
            const auto lane = static_cast<size_t>(std::countr_zero(left));
            std::memcpy(to + lane * stride * bytes, from + lane * bytes, bytes);
        }
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
    const auto widen = [&]<class E>(E) {
        Lanes<E> elements;
        load_in_place(thread, instruction, operand, elements);
        each_lane(lanes, [&](uint32_t k) { out[k] = elements[k]; });
    };
    switch (isa::size_of(operand.type)) {
    case 1:
        return widen(uint8_t{});
    case 2:
        return widen(uint16_t{});
    case 4:
        return widen(uint32_t{});
    default:
        return load_in_place(thread, instruction, operand, out);
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
        if (!in_addressable(thread, instruction, lane, offset_of(lane), bytes))
            return;
    }
    for (uint32_t left = enabled; left != 0; left &= left - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(left));
        std::memcpy(thread.registers + offset_of(lane), &bits.at[lane], bytes);
    }
}

} // namespace visor::interp
