// DPAS: dst = src0 + A x B, `repeat` rows of as many columns as there are lanes. Integers are summed
// modulo 2^32. Floats: each depth adds its exact products to the sum in binary64, and rounds once to
// binary32, in the order of the depth (ruling 57). A half or bfloat destination is rounded at the end.
// DPASW: the same; each of two fused threads holds half of A (ruling 74). BDPAS: the same; each factor is
// scaled by a power of two, one for each block of 32 along the depth (ruling 124). DNSCL: conversion of
// numbers to four bits.
#include "interp/interp.h"
#include "interp/memory_access.h"

#include "isa/dpas_precision.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "number/half.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <optional>
#include <span>

namespace visor::interp {

namespace {

using machine::Thread;

namespace opcode = isa::opcode;
using namespace isa::operand_order::dpas;
namespace scaled_field = isa::operand_order::bdpas;

using namespace isa::dpas;

// With the number of lanes.
struct Product : Shape {
    uint32_t lanes = 0;
};

std::optional<Product> shape_of(const PreparedInstruction& instruction, uint64_t word) {
    const auto shape = isa::dpas::shape_of(word);
    return shape ? std::optional(Product{*shape, instruction.execution.size}) : std::nullopt;
}

// Element `index` of packed elements, as bits.
uint32_t packed(const std::byte* from, uint32_t index, uint32_t bits) {
    const uint32_t at = index * bits;
    return read_as<uint32_t>(from + size_t{at / 32U} * 4) >> at % 32U & UINT32_MAX >> (32U - bits);
}

uint32_t extended(uint32_t value, const Precision& precision) {
    const uint32_t unused = 32U - precision.bits;
    return precision.is_signed ? static_cast<uint32_t>(static_cast<int32_t>(value << unused) >> unused)
                               : value;
}

double real(uint32_t bits, uint8_t code) {
    switch (code) {
    case bfloat_code:
        return static_cast<double>(number::bfloat_to_float(static_cast<uint16_t>(bits)));
    case half_code:
        return static_cast<double>(number::half_to_float(static_cast<uint16_t>(bits)));
    case bf8_code:
        return static_cast<double>(number::bf8_to_float(static_cast<uint8_t>(bits)));
    case hf8_code:
        return static_cast<double>(number::hf8_to_float(static_cast<uint8_t>(bits)));
    case e2m1_code:
        return static_cast<double>(number::e2m1_to_float(static_cast<uint8_t>(bits)));
    default: { // tf32 is in the upper 19 bits of a dword
        constexpr uint32_t kept = 0xffffe000;
        return static_cast<double>(std::bit_cast<float>(bits & kept));
    }
    }
}

constexpr size_t most_inner = 64; // eight depths of eight
constexpr size_t most_lanes = 16;
constexpr size_t most_rows = 8;
constexpr size_t most_cells = most_rows * most_lanes;

// Calls `body` with the function from an element's bits to its number, so that loops know it.
template <class T, class Body>
void with_decoder(const Precision& precision, uint8_t code, const Body& body) {
    if constexpr (std::same_as<T, double>) {
        switch (code) {
        case bfloat_code:
            return body([](uint32_t bits) { return real(bits, bfloat_code); });
        case half_code:
            return body([](uint32_t bits) { return real(bits, half_code); });
        default:
            return body([code](uint32_t bits) { return real(bits, code); });
        }
    } else {
        body([precision](uint32_t bits) { return extended(bits, precision); });
    }
}

// The elements as numbers: B's by row and column, A's by row and column, where `inner` counts the products
// of all depths.
template <class T>
struct Factors {
    std::array<T, most_inner * most_lanes> b;
    std::array<T, most_rows * most_inner> a;
};

// A lane's elements of B fill a dword of one register, depth after depth, then that of the next register. A
// row of A has eight depths.
template <class T>
void decode(Factors<T>& factors, const Product& shape, const std::byte* weights,
            const std::byte* activations) {
    const uint32_t inner = shape.inner();
    const uint32_t in_dword = 32U / shape.first.bits;
    with_decoder<T>(shape.first, shape.info.src1_precision, [&](auto number_of) {
        const uint32_t mask = UINT32_MAX >> (32U - shape.first.bits);
        for (uint32_t k = 0; k < inner; ++k) {
            const std::byte* const dwords = weights + size_t{k / in_dword} * shape.lanes * 4;
            const uint32_t shift = k % in_dword * shape.first.bits;
            T* const row = factors.b.data() + size_t{k} * shape.lanes;
            for (uint32_t lane = 0; lane < shape.lanes; ++lane)
                row[lane] = number_of(read_as<uint32_t>(dwords + size_t{lane} * 4) >> shift & mask);
        }
    });
    with_decoder<T>(shape.second, shape.info.src2_precision, [&](auto number_of) {
        const uint32_t bits = shape.second.bits;
        for (uint32_t row = 0; row < shape.info.repeat; ++row) {
            const std::byte* const from = activations + size_t{row} * shape.products * bits; // whole dwords
            T* const to = factors.a.data() + size_t{row} * inner;
            for (uint32_t k = 0; k < inner; ++k)
                to[k] = number_of(packed(from, k, bits));
        }
    });
}

// Cells hold their initial values. Lanes are the innermost loop, so that the host can vectorize it.
void add_products(const Product& shape, const Factors<uint32_t>& factors, std::span<uint32_t> cells) {
    const uint32_t inner = shape.inner();
    for (uint32_t row = 0; row < shape.info.repeat; ++row) {
        for (uint32_t k = 0; k < inner; ++k) {
            const uint32_t a = factors.a[row * inner + k];
            for (uint32_t lane = 0; lane < shape.lanes; ++lane)
                cells[row * shape.lanes + lane] += factors.b[k * shape.lanes + lane] * a;
        }
    }
}

// Some lanes of a row, so few that their sums stay in the host's registers; there are 8 or 16.
constexpr uint32_t lanes_at_once = 4;
void add_products(const Product& shape, const double* a, const double* b, float* sums) {
    std::array<float, lanes_at_once> sum{};
    std::copy_n(sums, lanes_at_once, sum.begin());
    for (uint32_t depth = 0; depth < shape.info.depth; ++depth) {
        std::array<double, lanes_at_once> exact{};
        for (uint32_t lane = 0; lane < lanes_at_once; ++lane)
            exact[lane] = static_cast<double>(sum[lane]);
        for (uint32_t k = 0; k < shape.products; ++k, ++a, b += shape.lanes) {
            for (uint32_t lane = 0; lane < lanes_at_once; ++lane)
                exact[lane] += b[lane] * *a;
        }
        for (uint32_t lane = 0; lane < lanes_at_once; ++lane)
            sum[lane] = static_cast<float>(exact[lane]);
    }
    std::copy_n(sum.begin(), lanes_at_once, sums);
}

void add_products(const Product& shape, const Factors<double>& factors, std::span<float> cells) {
    const uint32_t inner = shape.inner();
    for (uint32_t row = 0; row < shape.info.repeat; ++row)
        for (uint32_t lane = 0; lane < shape.lanes; lane += lanes_at_once)
            add_products(shape, factors.a.data() + size_t{row} * inner, factors.b.data() + lane,
                         cells.data() + size_t{row} * shape.lanes + lane);
}

// Accumulators: f, or bf and hf packed.
float load_float(const std::byte* from, isa::Type type, size_t index) {
    if (type == isa::Type::bf)
        return number::bfloat_to_float(read_as<uint16_t>(from + index * 2));
    if (type == isa::Type::hf)
        return number::half_to_float(read_as<uint16_t>(from + index * 2));
    return read_as<float>(from + index * 4);
}
void store_float(std::byte* to, isa::Type type, size_t index, float value) {
    constexpr auto nearest = number::Rounding::nearest_even;
    if (type == isa::Type::bf)
        write_as(to + index * 2, number::to_bfloat(static_cast<double>(value), nearest));
    else if (type == isa::Type::hf)
        write_as(to + index * 2, number::to_half(static_cast<double>(value), nearest));
    else
        write_as(to + index * 4, value);
}

void multiply_integers(const Product& shape, const std::byte* start, const std::byte* weights,
                       const std::byte* activations, std::byte* to) {
    Factors<uint32_t> factors;
    std::array<uint32_t, most_cells> cells{};
    const std::span sums(cells.data(), size_t{shape.info.repeat} * shape.lanes);
    if (start != nullptr)
        std::memcpy(sums.data(), start, sums.size_bytes());
    decode(factors, shape, weights, activations);
    add_products(shape, factors, sums);
    std::memcpy(to, sums.data(), sums.size_bytes());
}

// The accumulators of floats: their initial values (nullptr: zero) and their destination.
struct Accumulators {
    const std::byte* start;
    isa::Type start_type;
    std::byte* to;
    isa::Type type;
};

void multiply_floats(const Product& shape, const Factors<double>& factors, const Accumulators& at) {
    std::array<float, most_cells> cells{};
    const std::span sums(cells.data(), size_t{shape.info.repeat} * shape.lanes);
    for (size_t cell = 0; at.start != nullptr && cell < sums.size(); ++cell)
        sums[cell] = load_float(at.start, at.start_type, cell);
    add_products(shape, factors, sums);
    for (size_t cell = 0; cell < sums.size(); ++cell)
        store_float(at.to, at.type, cell, sums[cell]);
}

Accumulators accumulators(Thread& thread, const PreparedInstruction& instruction) {
    return {.start = raw(thread, instruction, src0),
            .start_type = operand(thread, instruction, src0).type,
            .to = raw(thread, instruction, dst),
            .type = operand(thread, instruction, dst).type};
}

// All sources are read before a result is stored: dst may be src0 or overlap a source. It ignores the
// mask.
void multiply(Thread& thread, const PreparedInstruction& instruction, const Product& shape,
              const std::byte* activations) {
    const Accumulators at = accumulators(thread, instruction);
    const std::byte* const weights = raw(thread, instruction, src1);
    if (at.to == nullptr)
        return;
    if (!shape.first.is_float)
        return multiply_integers(shape, at.start, weights, activations, at.to);
    Factors<double> factors;
    decode(factors, shape, weights, activations);
    multiply_floats(shape, factors, at);
}

Product shape_of(const Thread& thread, const PreparedInstruction& instruction) {
    return *shape_of(instruction, operand(thread, instruction, info_word).value);
}

void dpas(Thread& thread, const PreparedInstruction& instruction) {
    multiply(thread, instruction, shape_of(thread, instruction),
             registers(thread, operand(thread, instruction, src2)));
}

// Bytes of A that the even thread of a pair holds, in whole registers of the devices that have pairs.
uint32_t even_thread_bytes(const Product& shape) {
    constexpr uint32_t grf = 32;
    const uint32_t total = shape.activation_bytes();
    const uint32_t registers = (total + grf - 1) / grf;
    return std::min(total, (registers + 1) / 2 * grf);
}

// The thread of the pair that arrives second executes the instruction for both.
void dpasw(Thread& thread, const PreparedInstruction& instruction) {
    Thread* const partner = machine::meet_partner(thread, instruction);
    if (partner == nullptr)
        return;
    Thread& even = thread.index % 2 == 0 ? thread : *partner;
    Thread& odd = thread.index % 2 == 0 ? *partner : thread;
    const Product shape = shape_of(thread, instruction);
    constexpr size_t most_bytes = 256; // 8 rows of 8 dwords
    std::array<std::byte, most_bytes> activations{};
    const uint32_t even_bytes = even_thread_bytes(shape);
    const PreparedOperand& of = operand(thread, instruction, src2);
    std::memcpy(activations.data(), registers(even, of), even_bytes);
    std::memcpy(activations.data() + even_bytes, registers(odd, of), shape.activation_bytes() - even_bytes);
    multiply(even, instruction, shape, activations.data());
    multiply(odd, instruction, shape, activations.data());
}

// ---- bdpas

constexpr uint32_t scale_block = 32;
constexpr uint32_t scale_pitch = 32; // bytes from the scales of one block to those of the next

uint32_t scale_bytes(const Product& shape, uint32_t count) {
    return (shape.inner() - 1) / scale_block * scale_pitch + count;
}

double scale_of(uint8_t exponent) {
    constexpr uint8_t not_a_number = 255;
    return exponent == not_a_number ? std::numeric_limits<double>::quiet_NaN()
                                    : std::ldexp(1.0, int{exponent} - 127);
}

// Byte `index` of the scales of the block that row or column element k is in.
double scale_at(const std::byte* scales, uint32_t k, uint32_t index) {
    return scales == nullptr
               ? 1.0
               : scale_of(read_as<uint8_t>(scales + size_t{k / scale_block} * scale_pitch + index));
}

void bdpas(Thread& thread, const PreparedInstruction& instruction) {
    const Accumulators at = accumulators(thread, instruction);
    if (at.to == nullptr)
        return;
    const Product shape = *shape_of(instruction, operand(thread, instruction, scaled_field::info_word).value);
    const auto scales = [&](size_t index) {
        const PreparedOperand& of = operand(thread, instruction, index);
        return of.null ? nullptr : registers(thread, of);
    };
    Factors<double> factors;
    decode(factors, shape, raw(thread, instruction, src1), raw(thread, instruction, src2));
    const uint32_t inner = shape.inner();
    for (uint32_t k = 0; k < inner; ++k) {
        for (uint32_t lane = 0; lane < shape.lanes; ++lane)
            factors.b[k * shape.lanes + lane] *= scale_at(scales(scaled_field::src3), k, lane);
        for (uint32_t row = 0; row < shape.info.repeat; ++row)
            factors.a[row * inner + k] *= scale_at(scales(scaled_field::src4), k, row);
    }
    multiply_floats(shape, factors, at);
}

// ---- dnscl

struct Downscale {
    bool from_bfloat;
    bool to_integer;
    bool stochastic;
    bool interleaves; // low words of both sources share a byte, instead of the words of one
    bool upper;       // bytes 1 and 3, instead of 0 and 2
};

Downscale downscale_of(uint64_t conversion, uint64_t mode, uint64_t rounding) {
    return {.from_bfloat = conversion <= 2,
            .to_integer = conversion == 2 || conversion == 5,
            .stochastic = rounding == 0,
            .interleaves = (mode & 1U) != 0,
            .upper = (mode & 2U) != 0};
}

uint32_t downscaled(const Downscale& downscale, uint32_t bits, uint32_t random) {
    const auto word = static_cast<uint16_t>(bits);
    const auto value = static_cast<double>(downscale.from_bfloat ? number::bfloat_to_float(word)
                                                                 : number::half_to_float(word));
    const auto fraction = static_cast<uint16_t>(random);
    if (downscale.stochastic)
        return downscale.to_integer ? number::stochastic_int4(value, fraction)
                                    : number::stochastic_e2m1(value, fraction);
    return downscale.to_integer ? number::to_int4(value) : number::to_e2m1(value);
}

void dnscl(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = isa::operand_order::dnscl;
    const Downscale downscale = downscale_of(literal(thread, instruction, field::conversion),
                                             literal(thread, instruction, field::mode),
                                             literal(thread, instruction, field::rounding));
    std::array<std::array<uint32_t, max_lanes>, 3> sources{};
    for (const size_t index : {field::src0, field::src1, field::src2}) {
        if (const std::byte* const from = raw(thread, instruction, index))
            read_lanes(sources[index - field::src0], from, instruction.execution.size);
    }
    std::byte* const to = raw(thread, instruction, field::dst);
    if (to == nullptr)
        return;
    for (uint32_t rest = machine::enabled_lanes(thread, instruction); rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        const uint32_t random = sources[2][lane];
        const auto pair = [&](uint32_t bits) { // low and high word, converted
            return std::array{downscaled(downscale, bits, random),
                              downscaled(downscale, bits >> 16U, random >> 16U)};
        };
        const std::array zero = pair(sources[0][lane]);
        const std::array one = pair(sources[1][lane]);
        const uint32_t first = downscale.interleaves ? zero[0] | one[0] << 4U : zero[0] | zero[1] << 4U;
        const uint32_t second = downscale.interleaves ? zero[1] | one[1] << 4U : one[0] | one[1] << 4U;
        write_as(to + size_t{lane} * 4, (first | second << 16U) << (downscale.upper ? 8U : 0U));
    }
}

Handler choose_dnscl(const Program& program, const PreparedInstruction& instruction) {
    constexpr size_t first_register = 3;
    constexpr size_t operands = 7;
    if (instruction.operand_count < operands)
        return nullptr;
    for (size_t index = first_register; index < operands; ++index) {
        if (!has_storage(program, instruction, index, instruction.execution.size * 4U))
            return nullptr;
    }
    return dnscl;
}

// DPAS page, the table of legal combinations.
bool may_accumulate(const Product& shape, isa::Type type) {
    if (!shape.first.is_float)
        return type == isa::Type::ud || type == isa::Type::d;
    return type == isa::Type::f || (type == isa::Type::bf && shape.info.src1_precision == bfloat_code) ||
           (type == isa::Type::hf && shape.info.src1_precision == half_code);
}

bool fits(const Program& program, const PreparedInstruction& instruction, const Product& shape) {
    const auto operands = program.operands_of(instruction);
    const auto is_accumulator = [&](const PreparedOperand& of) { return may_accumulate(shape, of.type); };
    if (!is_accumulator(operands[dst]) || (!operands[src0].null && !is_accumulator(operands[src0])))
        return false;
    const uint32_t cells = shape.info.repeat * shape.lanes;
    const uint32_t weights = shape.weight_bytes(shape.lanes);
    const bool fused = instruction.row->opcode == opcode::dpasw;
    const uint32_t activations = fused ? even_thread_bytes(shape) : shape.activation_bytes();
    return shape.lanes <= most_lanes && operands[src2].kind == OperandKind::general &&
           has_storage(program, instruction, dst, cells * isa::size_of(operands[dst].type)) &&
           has_storage(program, instruction, src0, cells * isa::size_of(operands[src0].type)) &&
           has_storage(program, instruction, src1, weights) && !operands[src1].null && !operands[src2].null &&
           has_storage(program, instruction, src2, activations);
}

// The compiler's table of scaled products: 8-bit and 4-bit floats are summed as f or bf.
bool may_accumulate_scaled(const Product& shape, isa::Type type) {
    const uint8_t code = shape.info.src1_precision;
    if (code == half_code)
        return type == isa::Type::f || type == isa::Type::hf;
    return type == isa::Type::f || type == isa::Type::bf;
}

Handler choose_bdpas(const Program& program, const PreparedInstruction& instruction) {
    if (instruction.operand_count <= scaled_field::info_word)
        return nullptr;
    const auto operands = program.operands_of(instruction);
    const auto shape = shape_of(instruction, operands[scaled_field::info_word].value);
    constexpr uint8_t full = 8;
    if (!shape || !shape->first.is_float || shape->info.src1_precision == tf32_code ||
        shape->info.depth != full || shape->info.repeat != full || shape->lanes != most_lanes)
        return nullptr;
    const auto is_accumulator = [&](size_t index) {
        return may_accumulate_scaled(*shape, operands[index].type) &&
               has_storage(program, instruction, index, most_cells * isa::size_of(operands[index].type));
    };
    const auto has_scales = [&](size_t index, uint32_t count) {
        const PreparedOperand& of = operands[index];
        return of.null || (of.kind == OperandKind::general &&
                           uint64_t{of.base} + scale_bytes(*shape, count) <= program.register_bytes);
    };
    const bool fits =
        is_accumulator(dst) && (operands[src0].null || is_accumulator(src0)) && !operands[src1].null &&
        !operands[src2].null &&
        has_storage(program, instruction, src1, shape->inner() * shape->first.bits / 8 * shape->lanes) &&
        has_storage(program, instruction, src2, shape->activation_bytes()) &&
        has_scales(scaled_field::src3, most_lanes) && has_scales(scaled_field::src4, full);
    return fits ? bdpas : nullptr;
}

} // namespace

Handler family::matrix(const Program& program, const PreparedInstruction& instruction) {
    const uint8_t code = instruction.row->opcode;
    if (code == opcode::bdpas)
        return choose_bdpas(program, instruction);
    if (code == opcode::dnscl)
        return choose_dnscl(program, instruction);
    if ((code != opcode::dpas && code != opcode::dpasw) || instruction.operand_count <= info_word)
        return nullptr;
    const auto shape = shape_of(instruction, program.operands_of(instruction)[info_word].value);
    if (!shape || shape->info.src1_precision == e2m1_code || !fits(program, instruction, *shape))
        return nullptr;
    return code == opcode::dpas ? dpas : dpasw;
}

} // namespace visor::interp
