// Arithmetic that is not one value per lane: second destinations, predicates as results, groups of lanes,
// operands whose region the page ignores.
#include "interp/arith.h"
#include "interp/lanewise.h"

#include "isa/opcode.h"
#include "isa/operand_order.h"

#include <cmath>

namespace visor::interp::arithmetic {

namespace {

using isa::Type;
using machine::Thread;

uint32_t all_lanes(const PreparedInstruction& instruction) {
    return machine::lane_bits(instruction.execution.size);
}

// ---- carry, borrow, overflow, double width

struct Carry { // ADDC page
    static constexpr bool flag(uint32_t a, uint32_t b) { return a + b < a; }
    static constexpr uint32_t result(uint32_t a, uint32_t b) { return a + b; }
};
struct Borrow { // SUBB page
    static constexpr bool flag(uint32_t a, uint32_t b) { return a < b; }
    static constexpr uint32_t result(uint32_t a, uint32_t b) { return a - b; }
};

template <class Formula>
void with_flag(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = isa::operand_order::addc;
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    Lanes<uint32_t> a;
    Lanes<uint32_t> b;
    load(thread, instruction, operand(thread, instruction, field::src0), enabled, a);
    load(thread, instruction, operand(thread, instruction, field::src1), enabled, b);
    Lanes<uint32_t> result;
    Lanes<uint32_t> flag;
    each_lane(instruction.execution.size, [&](uint32_t lane) {
        result[lane] = Formula::result(a[lane], b[lane]);
        flag[lane] = Formula::flag(a[lane], b[lane]) ? 1 : 0;
    });
    store(thread, instruction, operand(thread, instruction, field::dst), enabled, result);
    store(thread, instruction, operand(thread, instruction, field::flag), enabled, flag);
}

template <class Formula>
Handler flagged(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 2, 1);
    const bool fits = operands && all_integers(operands.sources) && widest(operands.sources) <= 4 &&
                      is_vector_destination(program.operands_of(instruction)[0]);
    return fits ? with_flag<Formula> : nullptr;
}

bool outside(Type type, int64_t value) {
    const int bits = 8 * isa::size_of(type);
    const int64_t low = isa::is_signed(type) ? -(int64_t{1} << (bits - 1)) : 0;
    const int64_t high = (int64_t{1} << (isa::is_signed(type) ? bits - 1 : bits)) - 1;
    return value < low || value > high;
}

// ADD3O page: the field of the predicate names a result; it disables no lane.
void add_with_overflow(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::masked_lanes(thread, instruction.execution);
    std::array<Lanes<int64_t>, 3> sources;
    for (size_t s = 0; s < 3; ++s)
        load(thread, instruction, operand(thread, instruction, 1 + s), enabled, sources[s]);
    const PreparedOperand& destination = operand(thread, instruction, 0);
    Lanes<int64_t> sum;
    uint32_t overflow = 0;
    for (uint32_t lane = 0; lane < instruction.execution.size; ++lane) {
        sum[lane] = sources[0][lane] + sources[1][lane] + sources[2][lane];
        overflow |= outside(destination.type, sum[lane]) ? 1U << lane : 0U;
    }
    store(thread, instruction, destination, enabled, sum);
    if (instruction.predicate.id != 0)
        store_predicate(thread, instruction, instruction.predicate.id, enabled, overflow);
}

Handler overflowing_add(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 3);
    const bool fits = operands && all_integers(operands.sources) && widest(operands.sources) <= 4 &&
                      isa::is_integer(operands.destination->type) &&
                      isa::size_of(operands.destination->type) <= 4;
    return fits ? add_with_overflow : nullptr;
}

// MADW page: the low dwords at dst, the high ones from the next whole register on.
uint32_t high_part_offset(const Program& program, const PreparedInstruction& instruction) {
    const uint32_t grf = program.device->grf_bytes;
    return (instruction.execution.size * 4U + grf - 1) / grf * grf;
}

void multiply_add_wide(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    std::array<Lanes<uint64_t>, 3> sources;
    for (size_t s = 0; s < 3; ++s)
        load(thread, instruction, operand(thread, instruction, 1 + s), enabled, sources[s]);
    Lanes<uint32_t> low;
    Lanes<uint32_t> high;
    each_lane(instruction.execution.size, [&](uint32_t lane) {
        const uint64_t value = sources[0][lane] * sources[1][lane] + sources[2][lane];
        low[lane] = static_cast<uint32_t>(value);
        high[lane] = static_cast<uint32_t>(value >> 32U);
    });
    const PreparedOperand& destination = operand(thread, instruction, 0);
    PreparedOperand upper = destination;
    const uint32_t offset = high_part_offset(*thread.program, instruction);
    upper.base += destination.kind == OperandKind::general ? offset : 0;
    upper.offset += destination.kind == OperandKind::general ? 0 : static_cast<int32_t>(offset);
    store(thread, instruction, destination, enabled, low);
    store(thread, instruction, upper, enabled, high);
}

Handler wide_multiply_add(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 3);
    if (!operands || !all_integers(operands.sources) || widest(operands.sources) > 4 ||
        !isa::is_integer(operands.destination->type) || isa::size_of(operands.destination->type) != 4)
        return nullptr;
    const PreparedOperand& destination = *operands.destination;
    const uint64_t end = uint64_t{destination.base} + high_part_offset(program, instruction) +
                         (uint64_t{instruction.execution.size} - 1) * destination.vertical * 4 + 4;
    const bool inside =
        destination.kind != OperandKind::general || destination.null || end <= program.register_bytes;
    return inside ? multiply_add_wide : nullptr;
}

// ---- operands with their own regions

// Consecutive floats from an operand's first element on; the region is ignored. An operand out of bounds
// gives zeros and a fault.
template <size_t count>
std::array<float, count> consecutive(Thread& thread, const PreparedInstruction& instruction,
                                     const PreparedOperand& source) {
    std::array<float, count> values{};
    int64_t at = source.base;
    if (source.kind == OperandKind::indirect)
        at = int64_t{thread.addresses[source.base]} + source.offset;
    if (source.null)
        return values;
    const bool reachable = source.kind == OperandKind::indirect
                               ? thread.program->addressable.contains(at, sizeof values)
                               : at + int64_t{sizeof values} <= int64_t{thread.program->register_bytes};
    if (!reachable)
        thread.fail(machine::FaultKind::bad_register, instruction);
    else
        std::memcpy(values.data(), thread.registers + at, sizeof values);
    return values;
}

void finish_single(Thread& thread, const PreparedInstruction& instruction, uint32_t enabled, FloatMode mode,
                   const Lanes<double>& exact) {
    Lanes<float> result;
    each_lane(instruction.execution.size,
              [&](uint32_t lane) { result[lane] = number::to_float(exact[lane], mode.rounding()); });
    store_float(thread, instruction, operand(thread, instruction, 0), enabled, result, mode);
}

// LRP page: "Register region is ignored"; a scalar source is the same for all lanes, any other one
// contiguous.
PreparedOperand plain_region(const PreparedOperand& source) {
    PreparedOperand plain = source;
    plain.width = 1;
    plain.horizontal = 0;
    plain.vertical = is_scalar(source) ? 0 : 1;
    return plain;
}

void interpolate(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    const FloatMode mode(thread);
    std::array<Lanes<float>, 3> sources;
    for (size_t s = 0; s < 3; ++s) {
        load(thread, instruction, plain_region(operand(thread, instruction, 1 + s)), enabled, sources[s]);
        if (!mode.keeps_denormals(Type::f))
            flush_denormals(Type::f, instruction.execution.size, sources[s]);
    }
    Lanes<float> result;
    each_lane(instruction.execution.size, [&](uint32_t lane) {
        const auto x = static_cast<double>(sources[0][lane]);
        const auto y = static_cast<double>(sources[1][lane]);
        const auto z = static_cast<double>(sources[2][lane]);
        result[lane] = number::to_float(y * x + z * (1.0 - x), mode.rounding());
    });
    store_float(thread, instruction, plain_region(operand(thread, instruction, 0)), enabled, result, mode);
}

Handler interpolation(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 3);
    if (!operands || operands.destination->type != Type::f || !all_of_type(operands.sources, Type::f))
        return nullptr;
    const auto inside = [&](const PreparedOperand& operand) {
        return operand.kind != OperandKind::general ||
               uint64_t{operand.base} + uint64_t{instruction.execution.size} * 4 <= program.register_bytes;
    };
    const bool fits = inside(*operands.destination) && std::ranges::all_of(operands.sources, inside);
    return fits ? interpolate : nullptr;
}

// The line equation p * u + q, with p and q the first and the fourth element of src0. There is no vISA
// page: this is from the documents of the generations that have it.
void line_equation(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    if (enabled == 0) // reads nothing, whatever address registers hold
        return;
    const FloatMode mode(thread);
    const auto plane = consecutive<4>(thread, instruction, operand(thread, instruction, 1));
    std::array<Lanes<float>, 1> u;
    load_floats(thread, instruction, 2, enabled, mode, u);
    Lanes<double> exact;
    each_lane(instruction.execution.size, [&](uint32_t lane) {
        exact[lane] = number::odd_multiply_add(static_cast<double>(plane[0]), static_cast<double>(u[0][lane]),
                                               static_cast<double>(plane[3]));
    });
    finish_single(thread, instruction, enabled, mode, exact);
}

// PLN page: w = p*u + q*v + r; src1 alternates eight elements of u with eight of v.
void plane_equation(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    if (enabled == 0) // reads nothing, whatever address registers hold
        return;
    const FloatMode mode(thread);
    const auto plane = consecutive<4>(thread, instruction, operand(thread, instruction, 1));
    const PreparedOperand& source = operand(thread, instruction, 2);
    Lanes<double> exact;
    for (uint32_t first = 0; first < instruction.execution.size; first += 8) {
        PreparedOperand pair = source;
        pair.base += source.kind == OperandKind::general ? first * 8 : 0;
        pair.offset += source.kind == OperandKind::general ? 0 : static_cast<int32_t>(first * 8);
        const auto uv = consecutive<16>(thread, instruction, pair);
        for (uint32_t i = 0; i < 8 && first + i < instruction.execution.size; ++i) {
            exact[first + i] = static_cast<double>(plane[0]) * static_cast<double>(uv[i]) +
                               static_cast<double>(plane[1]) * static_cast<double>(uv[8 + i]) +
                               static_cast<double>(plane[3]);
        }
    }
    finish_single(thread, instruction, enabled, mode, exact);
}

template <Handler handler>
Handler all_single(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 2);
    const bool fits = operands && operands.destination->type == Type::f &&
                      all_of_type(operands.sources, Type::f) &&
                      operands.sources[0].kind != OperandKind::immediate;
    return fits ? handler : nullptr;
}

Handler planar(const Program& program, const PreparedInstruction& instruction) {
    const bool immediate =
        instruction.operand_count > 2 && program.operands_of(instruction)[2].kind == OperandKind::immediate;
    return immediate ? nullptr : all_single<plane_equation>(program, instruction);
}

// ---- groups of lanes

// dp2, dp3, dp4: the dot product of the first elements of each group of four, in all four lanes. dph: as if
// src0's fourth element were 1. No vISA page; products are exact and the sum is rounded once, which the page
// on floating-point modes allows for fused operations.
template <uint32_t terms, bool homogeneous>
void dot_product(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    const FloatMode mode(thread);
    std::array<Lanes<float>, 2> sources;
    load_floats(thread, instruction, 1, enabled, mode, sources);
    Lanes<double> exact;
    for (uint32_t first = 0; first + 4 <= instruction.execution.size; first += 4) {
        double sum = homogeneous ? static_cast<double>(sources[1][first + 3]) : 0.0;
        for (uint32_t i = 0; i < terms; ++i)
            sum += static_cast<double>(sources[0][first + i]) * static_cast<double>(sources[1][first + i]);
        for (uint32_t i = 0; i < 4; ++i)
            exact[first + i] = sum;
    }
    finish_single(thread, instruction, enabled, mode, exact);
}

template <uint32_t terms, bool homogeneous>
Handler dot(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 2);
    const bool fits = operands && operands.destination->type == Type::f &&
                      all_of_type(operands.sources, Type::f) && instruction.execution.size % 4 == 0;
    return fits ? dot_product<terms, homogeneous> : nullptr;
}

// SAD2 and SAD2ADD pages: even lanes get the sum over themselves and their neighbour. Odd lanes, of
// "undefined value", keep theirs.
template <bool adds>
void absolute_differences(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t lanes = instruction.execution.size;
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    std::array<Lanes<int64_t>, 3> sources{};
    for (size_t s = 0; s < (adds ? 3 : 2); ++s)
        load(thread, instruction, operand(thread, instruction, 1 + s), all_lanes(instruction), sources[s]);
    Lanes<int64_t> sums{};
    for (uint32_t lane = 0; lane < lanes; lane += 2) {
        sums[lane] = adds ? sources[2][lane] : 0;
        for (uint32_t i = lane; i < lane + 2 && i < lanes; ++i)
            sums[lane] += std::abs(sources[0][i] - sources[1][i]);
    }
    store(thread, instruction, operand(thread, instruction, 0), enabled & 0x55555555U, sums);
}

template <bool adds>
Handler differences(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, adds ? 3 : 2);
    const bool fits = operands && isa::is_integer(operands.destination->type) &&
                      all_integers(operands.sources) && widest(operands.sources) <= 4;
    return fits ? absolute_differences<adds> : nullptr;
}

// ---- math macros and stochastic rounding

struct Quotient { // INVM page: "component-wise divide of src0 by src1"
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        return a / b;
    }
};
struct ReciprocalRoot { // RSQTM page
    static constexpr size_t sources = 1;
    template <class T>
    static T of(T a) {
        return static_cast<T>(1.0 / std::sqrt(static_cast<double>(a)));
    }
};

// The predicate marks the lanes that exit early: NaN, infinity or zero. The approximation of the others is
// the correctly rounded result already.
template <class Formula, class T>
void early_out(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    const FloatMode mode(thread);
    SourceLanes<Formula, T> sources;
    load_floats(thread, instruction, 2, enabled, mode, sources);
    Lanes<T> result;
    uint32_t special = 0;
    for (uint32_t lane = 0; lane < instruction.execution.size; ++lane) {
        const T value = on_lane([](auto... values) { return Formula::of(values...); }, sources, lane);
        result[lane] = value;
        special |= value == 0 || !std::isfinite(value) ? 1U << lane : 0U;
    }
    store_float(thread, instruction, operand(thread, instruction, 0), enabled, result, mode);
    store_predicate(thread, instruction, operand(thread, instruction, 1).base, enabled, special);
}

template <class Formula>
Handler macro(const Program& program, const PreparedInstruction& instruction) {
    const Sources all = program.operands_of(instruction);
    if (all.size() < 2 + Formula::sources || !is_vector_destination(all[0]) ||
        all[1].kind != OperandKind::predicate)
        return nullptr;
    const Sources sources = all.subspan(2, Formula::sources);
    const Type type = all[0].type;
    if (!std::ranges::all_of(sources, is_vector_source) || !all_of_type(sources, type))
        return nullptr;
    if (type == Type::df)
        return early_out<Formula, double>;
    return type == Type::f ? early_out<Formula, float> : nullptr;
}

// SRND page: f to hf with 13 random bits, hf to BF8 (named ub) with 8. "no mask".
void stochastic(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = all_lanes(instruction);
    const PreparedOperand& destination = operand(thread, instruction, 0);
    Lanes<uint64_t> values;
    Lanes<uint64_t> random;
    load_bits(thread, instruction, operand(thread, instruction, 1), enabled, values);
    load_bits(thread, instruction, operand(thread, instruction, 2), enabled, random);
    Lanes<uint64_t> result;
    each_lane(instruction.execution.size, [&](uint32_t lane) {
        const auto bits = static_cast<uint32_t>(random[lane]);
        if (destination.type == Type::hf)
            result[lane] =
                number::stochastic_half(std::bit_cast<float>(static_cast<uint32_t>(values[lane])), bits);
        else
            result[lane] = number::stochastic_bf8(static_cast<uint16_t>(values[lane]), bits);
    });
    store_bits(thread, instruction, destination, enabled, result);
}

Handler stochastic_rounding(const Program& program, const PreparedInstruction& instruction) {
    const Sources all = program.operands_of(instruction);
    if (all.size() < 3 || all[0].kind != OperandKind::general || !is_vector_source(all[1]) ||
        !is_vector_source(all[2]))
        return nullptr;
    const bool to_half = all[0].type == Type::hf && all[1].type == Type::f;
    const bool to_bf8 = all[0].type == Type::ub && all[1].type == Type::hf;
    return to_half || to_bf8 ? stochastic : nullptr;
}

namespace opcode = isa::opcode;
constexpr std::array<Entry, 16> entries{{
    {opcode::dp2, -1, dot<2, false>},
    {opcode::dp3, -1, dot<3, false>},
    {opcode::dp4, -1, dot<4, false>},
    {opcode::dph, -1, dot<3, true>},
    {opcode::line, -1, all_single<line_equation>},
    {opcode::lrp, -1, interpolation},
    {opcode::sad2, -1, differences<false>},
    {opcode::srnd, -1, stochastic_rounding},
    {opcode::addc, -1, flagged<Carry>},
    {opcode::subb, -1, flagged<Borrow>},
    {opcode::sad2add, -1, differences<true>},
    {opcode::plane, -1, planar},
    {opcode::madw, -1, wide_multiply_add},
    {opcode::add3o, -1, overflowing_add},
    {opcode::invm, -1, macro<Quotient>},
    {opcode::rsqtm, -1, macro<ReciprocalRoot>},
}};

} // namespace

Handler tuple(const Program& program, const PreparedInstruction& instruction) {
    return find_handler(entries, program, instruction);
}

} // namespace visor::interp::arithmetic
