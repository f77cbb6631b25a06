// cmp, min and max: values of different types compare as the numbers they are.
#include "interp/lanewise.h"

#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/sub_opcode.h"

#include <cmath>

namespace visor::interp {

namespace {

using isa::Type;
using machine::Thread;
using number::Rounding;
using number::Wide;

// ---- cmp

// CMP page: a NaN is unordered to everything, so that only `ne` holds, which is how C++ compares.
enum class Relation : uint8_t { eq = 0, ne = 1, gt = 2, ge = 3, lt = 4, le = 5 };

template <Relation relation, class T>
bool holds_between(T a, T b) {
    switch (relation) {
    case Relation::eq:
        return a == b;
    case Relation::ne:
        return a != b;
    case Relation::gt:
        return a > b;
    case Relation::ge:
        return a >= b;
    case Relation::lt:
        return a < b;
    case Relation::le:
        return a <= b;
    }
    return false;
}

namespace field = isa::operand_order::cmp;

template <Relation relation, class T>
void compare_lanes(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t lanes = instruction.execution.size;
    const uint32_t enabled = machine::masked_lanes(thread, instruction.execution);
    std::array<Lanes<T>, 2> sources;
    if constexpr (std::floating_point<T>) {
        load_floats(thread, instruction, field::src0, enabled, FloatMode(thread), sources);
    } else {
        load(thread, instruction, operand(thread, instruction, field::src0), enabled, sources[0]);
        load(thread, instruction, operand(thread, instruction, field::src1), enabled, sources[1]);
    }
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < lanes; ++lane)
        bits |= static_cast<uint32_t>(holds_between<relation>(sources[0][lane], sources[1][lane])) << lane;
    const PreparedOperand& destination = operand(thread, instruction, field::dst);
    if (destination.kind == OperandKind::predicate) {
        store_predicate(thread, instruction, destination.base, enabled, bits);
        return;
    }
    // "Either all ones ... or all zeros", for any type of the destination.
    Lanes<uint64_t> elements;
    each_lane(lanes, [&](uint32_t lane) { elements[lane] = uint64_t{0} - (bits >> lane & 1U); });
    store_bits(thread, instruction, destination, enabled, elements);
}

template <class T>
Handler related(uint64_t relation) {
    switch (relation) {
    case 0:
        return compare_lanes<Relation::eq, T>;
    case 1:
        return compare_lanes<Relation::ne, T>;
    case 2:
        return compare_lanes<Relation::gt, T>;
    case 3:
        return compare_lanes<Relation::ge, T>;
    case 4:
        return compare_lanes<Relation::lt, T>;
    case 5:
        return compare_lanes<Relation::le, T>;
    default:
        return nullptr;
    }
}

Handler compare_integers(Sources sources, uint64_t relation) {
    if (!any_modifier(sources)) {
        if (all_of_type(sources, Type::d))
            return related<int32_t>(relation);
        if (all_of_type(sources, Type::ud))
            return related<uint32_t>(relation);
    }
    return widest(sources) < 8 ? related<int64_t>(relation) : related<Wide>(relation);
}

Handler compare(const Program& program, const PreparedInstruction& instruction) {
    const Sources all = program.operands_of(instruction);
    if (all.size() < field::src0 + 2)
        return nullptr;
    const Sources sources = all.subspan(field::src0, 2);
    if (!std::ranges::all_of(sources, is_vector_source) ||
        !(all[field::dst].kind == OperandKind::predicate || is_vector_destination(all[field::dst])))
        return nullptr;
    const uint64_t relation = all[field::rel_op].value;
    if (all_integers(sources))
        return compare_integers(sources, relation);
    if (!all_floats(sources))
        return nullptr;
    if (any_of_type(sources, Type::df))
        return all_of_type(sources, Type::df) ? related<double>(relation) : nullptr;
    return related<float>(relation);
}

// ---- min, max

template <bool maximum>
struct Extreme { // MIN_MAX page
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        return (maximum ? a > b : a < b) ? a : b;
    }
};

// "If one of the numbers is NaN and the other is not, MIN or MAX returns the one that is not. When both
// numbers are NaN, ... source1." Ruling 45: -0 is less than +0.
template <bool maximum>
struct ExtremeReal {
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        const auto bits_a = std::bit_cast<Bits<T>>(a);
        const auto bits_b = std::bit_cast<Bits<T>>(b);
        // Equal numbers differ in the sign of zero at most. No branches, so that the loop over lanes can
        // be vectorized.
        const T equal = std::bit_cast<T>(maximum ? bits_a & bits_b : bits_a | bits_b);
        const T ordered = (maximum ? a > b : a < b) ? a : b;
        const T number = a == a && b != b ? a : ordered;
        return a == b ? equal : number;
    }
    static double odd(double a, double b, Rounding) { return of(a, b); }
    static double directed(double a, double b, Rounding) { return of(a, b); }
};

namespace opcode = isa::opcode;
namespace sub_opcode = isa::sub_opcode;
constexpr std::array<Entry, 3> entries{{
    {opcode::cmp, -1, compare},
    {opcode::min_max, sub_opcode::min_max::min,
     number_of<by_value<Extreme<false>>, real<ExtremeReal<false>>>},
    {opcode::min_max, sub_opcode::min_max::max, number_of<by_value<Extreme<true>>, real<ExtremeReal<true>>>},
}};

Handler bind(const Program& program, const PreparedInstruction& instruction) {
    return find_handler(entries, program, instruction);
}

} // namespace

Handler family::compare(const Program& program, const PreparedInstruction& instruction) {
    return bound<bind>(program, instruction);
}

} // namespace visor::interp
