// Lane-wise instructions: dst[i] = formula(src0[i] ...). A formula is a struct with one `of` for each lane
// type that it supports. When a program is bound, the binders here choose the lane type in which the
// instruction's operands are exact. They return the handler of that formula and type. The formula defines
// the instruction; lanes.h accesses its operands.
#pragma once

#include "interp/interp.h"
#include "interp/lanes.h"
#include "number/exact.h"
#include "number/half.h"

#include <algorithm>
#include <span>

namespace visor::interp {

// ---- properties of an instruction's operands, known when it is bound

// Only fcvt moves binary8 and narrower formats.
[[nodiscard]] constexpr bool is_computed_float(isa::Type type) {
    return type == isa::Type::f || type == isa::Type::df || type == isa::Type::hf || type == isa::Type::bf;
}

[[nodiscard]] inline bool is_vector_source(const PreparedOperand& operand) {
    const isa::Type type = element_type(operand.type);
    if (!isa::is_integer(type) && !is_computed_float(type))
        return false;
    return operand.kind == OperandKind::general || operand.kind == OperandKind::immediate ||
           (operand.kind == OperandKind::indirect && type == operand.type);
}
[[nodiscard]] inline bool is_vector_destination(const PreparedOperand& operand) {
    if (!isa::is_integer(operand.type) && !is_computed_float(operand.type))
        return false;
    return operand.kind == OperandKind::general ||
           (operand.kind == OperandKind::indirect && !operand.multi_address);
}

using Sources = std::span<const PreparedOperand>;

[[nodiscard]] inline bool all_integers(Sources sources) {
    return std::ranges::all_of(
        sources, [](const PreparedOperand& o) { return isa::is_integer(element_type(o.type)); });
}
[[nodiscard]] inline bool all_floats(Sources sources) {
    return std::ranges::all_of(sources,
                               [](const PreparedOperand& o) { return isa::is_float(element_type(o.type)); });
}
[[nodiscard]] inline bool all_of_type(Sources sources, isa::Type type) {
    return std::ranges::all_of(sources,
                               [type](const PreparedOperand& o) { return element_type(o.type) == type; });
}
[[nodiscard]] inline bool any_of_type(Sources sources, isa::Type type) {
    return std::ranges::any_of(sources,
                               [type](const PreparedOperand& o) { return element_type(o.type) == type; });
}
[[nodiscard]] inline bool any_modifier(Sources sources) {
    return std::ranges::any_of(sources,
                               [](const PreparedOperand& o) { return o.modifier != SourceModifier::none; });
}
[[nodiscard]] inline uint32_t widest(Sources sources) {
    uint32_t bytes = 0;
    for (const PreparedOperand& source : sources)
        bytes = std::max<uint32_t>(bytes, isa::size_of(element_type(source.type)));
    return bytes;
}

// Destination and sources of an instruction of the regular form, or nothing when an operand is of another
// class.
struct Operands {
    const PreparedOperand* destination = nullptr;
    Sources sources;

    explicit operator bool() const { return destination != nullptr; }
};
// `first` is the operand that holds the destination.
[[nodiscard]] inline Operands regular_operands(const Program& program, const PreparedInstruction& instruction,
                                               size_t source_count, size_t first = 0) {
    const Sources all = program.operands_of(instruction);
    if (all.size() < first + 1 + source_count)
        return {};
    const Sources sources = all.subspan(first + 1, source_count);
    if (!is_vector_destination(all[first]) || !std::ranges::all_of(sources, is_vector_source))
        return {};
    return {&all[first], sources};
}

// ---- handlers

template <class Formula, class T>
using SourceLanes = std::array<Lanes<T>, Formula::sources>;

// function(source0[lane], source1[lane] ...)
template <class Function, class T, size_t count>
[[nodiscard]] auto on_lane(Function function, const std::array<Lanes<T>, count>& sources, uint32_t lane) {
    static_assert(count >= 1 && count <= 4);
    if constexpr (count == 1)
        return function(sources[0][lane]);
    else if constexpr (count == 2)
        return function(sources[0][lane], sources[1][lane]);
    else if constexpr (count == 3)
        return function(sources[0][lane], sources[1][lane], sources[2][lane]);
    else
        return function(sources[0][lane], sources[1][lane], sources[2][lane], sources[3][lane]);
}

// Integers; T is exact for the operands, or unsigned and at least as wide as the destination where only low
// bits count.
template <class Formula, class T>
void integer_lanes(machine::Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    SourceLanes<Formula, T> sources;
    for (size_t s = 0; s < Formula::sources; ++s)
        load(thread, instruction, operand(thread, instruction, 1 + s), enabled, sources[s]);
    Lanes<T> result;
    each_lane(instruction.execution.size, [&](uint32_t lane) {
        result[lane] =
            on_lane([](auto... values) { return static_cast<T>(Formula::of(values...)); }, sources, lane);
    });
    store(thread, instruction, operand(thread, instruction, 0), enabled, result);
}

// Loads the sources of float arithmetic, and flushes denormals as the mode requires. `first` is the
// operand of the first source.
template <class T, size_t count>
void load_floats(machine::Thread& thread, const PreparedInstruction& instruction, uint32_t first,
                 uint32_t enabled, FloatMode mode, std::array<Lanes<T>, count>& sources) {
    for (size_t s = 0; s < count; ++s) {
        const PreparedOperand& source = operand(thread, instruction, first + s);
        load(thread, instruction, source, enabled, sources[s]);
        const isa::Type type = element_type(source.type);
        if (!mode.keeps_denormals(type)) [[unlikely]]
            flush_denormals(type, instruction.execution.size, sources[s]);
    }
}

// Computed as f: at least one source is f.
template <class Formula>
void single_lanes(machine::Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    const FloatMode mode(thread);
    SourceLanes<Formula, float> sources;
    load_floats(thread, instruction, 1, enabled, mode, sources);
    Lanes<float> result;
    if (mode.to_nearest()) [[likely]] {
        each_lane(instruction.execution.size, [&](uint32_t lane) {
            result[lane] = on_lane([](auto... values) { return static_cast<float>(Formula::of(values...)); },
                                   sources, lane);
        });
    } else {
        const number::Rounding rounding = mode.rounding();
        each_lane(instruction.execution.size, [&](uint32_t lane) {
            const double odd = on_lane(
                [rounding](auto... values) { return Formula::odd(static_cast<double>(values)..., rounding); },
                sources, lane);
            result[lane] = number::to_float(odd, rounding);
        });
    }
    store_float(thread, instruction, operand(thread, instruction, 0), enabled, result, mode);
}

// Sources are all hf or bf: one rounding, from binary64 to the destination.
template <class Formula>
void narrow_lanes(machine::Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    const FloatMode mode(thread);
    SourceLanes<Formula, double> sources;
    load_floats(thread, instruction, 1, enabled, mode, sources);
    Lanes<double> result;
    const number::Rounding rounding = mode.rounding();
    each_lane(instruction.execution.size, [&](uint32_t lane) {
        result[lane] =
            on_lane([rounding](auto... values) { return Formula::odd(values..., rounding); }, sources, lane);
    });
    store_float(thread, instruction, operand(thread, instruction, 0), enabled, result, mode);
}

// df only.
template <class Formula>
void double_lanes(machine::Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    const FloatMode mode(thread);
    SourceLanes<Formula, double> sources;
    load_floats(thread, instruction, 1, enabled, mode, sources);
    Lanes<double> result;
    const number::Rounding rounding = mode.rounding();
    if (mode.to_nearest()) [[likely]] {
        each_lane(instruction.execution.size, [&](uint32_t lane) {
            result[lane] = on_lane([](auto... values) { return Formula::of(values...); }, sources, lane);
        });
    } else {
        each_lane(instruction.execution.size, [&](uint32_t lane) {
            result[lane] = on_lane(
                [rounding](auto... values) { return Formula::directed(values..., rounding); }, sources, lane);
        });
    }
    store_float(thread, instruction, operand(thread, instruction, 0), enabled, result, mode);
}

// ---- binders

using Binder = Handler (*)(const Program& program, const PreparedInstruction& instruction);

// The result's low bits depend only on the sources' low bits. With .sat the exact value is required.
template <class Formula>
[[nodiscard]] Handler modular(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, Formula::sources);
    if (!operands || !isa::is_integer(operands.destination->type) || !all_integers(operands.sources))
        return nullptr;
    if (instruction.saturate)
        return integer_lanes<Formula, number::Wide>;
    // A magnitude depends on all bits of its source.
    const bool wide = isa::size_of(operands.destination->type) == 8 ||
                      (any_modifier(operands.sources) && widest(operands.sources) == 8);
    return wide ? integer_lanes<Formula, uint64_t> : integer_lanes<Formula, uint32_t>;
}

// The result depends on the sources' values, and may lie outside the sources' types.
template <class Formula>
[[nodiscard]] Handler widened(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, Formula::sources);
    if (!operands || !isa::is_integer(operands.destination->type) || !all_integers(operands.sources))
        return nullptr;
    return widest(operands.sources) < 8 ? integer_lanes<Formula, int64_t>
                                        : integer_lanes<Formula, number::Wide>;
}

// As `widened`, but results stay inside the sources' type if all sources have the same one.
template <class Formula>
[[nodiscard]] Handler by_value(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, Formula::sources);
    if (!operands || !isa::is_integer(operands.destination->type))
        return nullptr;
    if (!any_modifier(operands.sources)) {
        if (all_of_type(operands.sources, isa::Type::d))
            return integer_lanes<Formula, int32_t>;
        if (all_of_type(operands.sources, isa::Type::ud))
            return integer_lanes<Formula, uint32_t>;
        if (all_of_type(operands.sources, isa::Type::q))
            return integer_lanes<Formula, int64_t>;
        if (all_of_type(operands.sources, isa::Type::uq))
            return integer_lanes<Formula, uint64_t>;
    }
    return widened<Formula>(program, instruction);
}

// Formulas on dwords only; narrower sources are extended.
template <class Formula, class T = uint32_t>
[[nodiscard]] Handler on_dwords(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, Formula::sources);
    const bool fits = operands && isa::is_integer(operands.destination->type) &&
                      all_integers(operands.sources) && widest(operands.sources) <= 4;
    return fits ? integer_lanes<Formula, T> : nullptr;
}

// Floats of one execution type: df only; else f if any source is f; else hf, bf.
template <class Formula>
[[nodiscard]] Handler real(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, Formula::sources);
    if (!operands || !isa::is_float(operands.destination->type) || !all_floats(operands.sources))
        return nullptr;
    const bool to_double = operands.destination->type == isa::Type::df;
    if (to_double || any_of_type(operands.sources, isa::Type::df)) {
        if constexpr (requires { &Formula::directed; }) {
            if (to_double && all_of_type(operands.sources, isa::Type::df))
                return double_lanes<Formula>;
        }
        return nullptr;
    }
    return any_of_type(operands.sources, isa::Type::f) ? single_lanes<Formula> : narrow_lanes<Formula>;
}

// One formula for integers, one for floats; the destination's type decides.
template <Binder integers, Binder floats>
[[nodiscard]] Handler number_of(const Program& program, const PreparedInstruction& instruction) {
    const Sources all = program.operands_of(instruction);
    if (all.empty())
        return nullptr;
    return isa::is_float(all[0].type) ? floats(program, instruction) : integers(program, instruction);
}

// ---- families

struct Entry {
    uint8_t opcode;
    int16_t sub;
    Binder binder;
};

// Updates the registers of %ce0 (execution mask) and %tsc (time stamp) before an instruction reads them.
void refresh_state(machine::Thread& thread);
// Whether a source names %ce0 or %tsc.
[[nodiscard]] bool reads_state(const Program& program, const PreparedInstruction& instruction);

// Instructions that read %ce0 or %tsc are rare: they look up their handler each time they run.
template <Binder bind>
void with_state(machine::Thread& thread, const PreparedInstruction& instruction) {
    refresh_state(thread);
    bind(*thread.program, instruction)(thread, instruction);
}

// The handler that `bind` returns. It updates those state registers first if the instruction reads them.
template <Binder bind>
[[nodiscard]] Handler bound(const Program& program, const PreparedInstruction& instruction) {
    const Handler found = bind(program, instruction);
    return found != nullptr && reads_state(program, instruction) ? with_state<bind> : found;
}

[[nodiscard]] inline Handler find_handler(std::span<const Entry> entries, const Program& program,
                                          const PreparedInstruction& instruction) {
    for (const Entry& entry : entries) {
        if (entry.opcode == instruction.row->opcode && entry.sub == instruction.row->sub)
            return entry.binder(program, instruction);
    }
    return nullptr;
}

} // namespace visor::interp
