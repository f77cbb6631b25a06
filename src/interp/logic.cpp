// Bitwise operations, shifts, rotations, counts and bit fields: one formula per instruction. Four of them
// also take predicates, and operate on the instruction's slice of them.
#include "interp/lanewise.h"

#include "isa/opcode.h"
#include "isa/operand_order.h"

namespace visor::interp {

namespace {

using isa::Type;
using machine::Thread;
using number::Wide;

// ---- and, or, xor, not

struct And { // AND page
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        return a & b;
    }
};
struct Or { // OR page
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        return a | b;
    }
};
struct Xor { // XOR page
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        return a ^ b;
    }
};
struct Not { // NOT page
    static constexpr size_t sources = 1;
    template <class T>
    static T of(T a) {
        return ~a;
    }
};

// "The instruction may operate on predicate operands. In this mode, all operands must be predicates."
template <class Formula>
void on_predicates(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::masked_lanes(thread, instruction.execution);
    const auto source = [&](size_t index) {
        return load_predicate(thread, instruction, operand(thread, instruction, index).base);
    };
    uint32_t bits = 0;
    if constexpr (Formula::sources == 1)
        bits = Formula::of(source(1));
    else
        bits = Formula::of(source(1), source(2));
    store_predicate(thread, instruction, operand(thread, instruction, 0).base, enabled, bits);
}

template <class Formula>
Handler bitwise(const Program& program, const PreparedInstruction& instruction) {
    const Sources all = program.operands_of(instruction);
    if (all.size() > Formula::sources && all[0].kind == OperandKind::predicate) {
        const bool only_predicates = std::ranges::all_of(
            all, [](const PreparedOperand& o) { return o.kind == OperandKind::predicate; });
        return only_predicates ? on_predicates<Formula> : nullptr;
    }
    return modular<Formula>(program, instruction);
}

// ---- shifts

// The count is the low 5 bits of src1, or 6 where dst or src0 are qwords. The pages name dst only, but a
// qword that is shifted into a dword needs the sixth bit too (ruling 43).
template <uint32_t mask>
struct ShiftLeft { // SHL page
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        const auto count = static_cast<uint32_t>(b) & mask;
        return static_cast<T>(static_cast<number::Unsigned<T>>(a) << count);
    }
};
template <uint32_t mask>
struct ShiftRight { // ASR page: signed values keep their sign. SHR page: with unsigned ones
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        return static_cast<T>(a >> (static_cast<uint32_t>(b) & mask));
    }
};

bool shifts_qwords(const Operands& operands) {
    return isa::size_of(operands.destination->type) == 8 || isa::size_of(operands.sources[0].type) == 8;
}

Operands shift_operands(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 2);
    const bool fits =
        operands && isa::is_integer(operands.destination->type) && all_integers(operands.sources);
    return fits ? operands : Operands{};
}

Handler shift_left(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = shift_operands(program, instruction);
    if (!operands)
        return nullptr;
    if (instruction.saturate) // of the exact value, which "must be within 33 bits"
        return shifts_qwords(operands) ? integer_lanes<ShiftLeft<63>, Wide>
                                       : integer_lanes<ShiftLeft<31>, Wide>;
    return shifts_qwords(operands) ? integer_lanes<ShiftLeft<63>, uint64_t>
                                   : integer_lanes<ShiftLeft<31>, uint32_t>;
}

// The page requires a signed src0. Ruling 44: an unsigned one is shifted as an unsigned number, with zeros
// shifted in.
Handler arithmetic_shift_right(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = shift_operands(program, instruction);
    if (!operands)
        return nullptr;
    const bool is_signed = isa::is_signed(operands.sources[0].type);
    const bool modified = operands.sources[0].modifier != SourceModifier::none;
    if (shifts_qwords(operands)) {
        if (modified)
            return integer_lanes<ShiftRight<63>, Wide>;
        return is_signed ? integer_lanes<ShiftRight<63>, int64_t> : integer_lanes<ShiftRight<63>, uint64_t>;
    }
    if (modified)
        return integer_lanes<ShiftRight<31>, int64_t>;
    return is_signed ? integer_lanes<ShiftRight<31>, int32_t> : integer_lanes<ShiftRight<31>, uint32_t>;
}

// The page requires an unsigned src0. Ruling 44: the bits of a signed one are shifted as an unsigned
// number of its width.
template <uint32_t mask, class T>
void shift_bits_right(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    Lanes<T> values;
    Lanes<T> counts;
    load(thread, instruction, operand(thread, instruction, 1), enabled, values);
    load(thread, instruction, operand(thread, instruction, 2), enabled, counts);
    const uint32_t bytes = isa::size_of(element_type(operand(thread, instruction, 1).type));
    const T width = static_cast<T>(~T{0}) >> (8U * (sizeof(T) - bytes));
    Lanes<T> result;
    each_lane(instruction.execution.size, [&](uint32_t lane) {
        result[lane] = ShiftRight<mask>::of(static_cast<T>(values[lane] & width), counts[lane]);
    });
    store(thread, instruction, operand(thread, instruction, 0), enabled, result);
}

Handler logical_shift_right(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = shift_operands(program, instruction);
    if (!operands)
        return nullptr;
    return shifts_qwords(operands) ? shift_bits_right<63, uint64_t> : shift_bits_right<31, uint32_t>;
}

template <bool left>
struct Rotate { // ROL, ROR pages
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        constexpr uint32_t mask = sizeof(T) * 8 - 1;
        const auto count = static_cast<int>(static_cast<uint32_t>(b) & mask);
        return left ? std::rotl(a, count) : std::rotr(a, count);
    }
};

template <bool left>
Handler rotation(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = shift_operands(program, instruction);
    if (!operands)
        return nullptr;
    switch (isa::size_of(element_type(operands.sources[0].type))) { // of packed immediates, words
    case 2:
        return integer_lanes<Rotate<left>, uint16_t>;
    case 4:
        return integer_lanes<Rotate<left>, uint32_t>;
    case 8:
        return integer_lanes<Rotate<left>, uint64_t>;
    default:
        return nullptr;
    }
}

// ---- counts and fields

constexpr uint32_t none_found = UINT32_MAX;

struct CountBits { // CBIT page; its pseudo-code stores the wrong variable
    static constexpr size_t sources = 1;
    static uint32_t of(uint32_t a) { return static_cast<uint32_t>(std::popcount(a)); }
};
struct FindLow { // FBL page
    static constexpr size_t sources = 1;
    static uint32_t of(uint32_t a) {
        return a == 0 ? none_found : static_cast<uint32_t>(std::countr_zero(a));
    }
};
struct FindHigh { // FBH page
    static constexpr size_t sources = 1;
    static uint32_t of(uint32_t a) {
        return a == 0 ? none_found : static_cast<uint32_t>(std::countl_zero(a));
    }
};
struct FindSign { // FBH page, signed: the length of the run of sign bits
    static constexpr size_t sources = 1;
    static uint32_t of(uint32_t a) {
        const bool negative = (a & 0x80000000U) != 0;
        return FindHigh::of(negative ? ~a : a);
    }
};
struct Reverse { // BFREV page
    static constexpr size_t sources = 1;
    static uint32_t of(uint32_t a) {
        a = (a >> 1U & 0x55555555U) | (a & 0x55555555U) << 1U;
        a = (a >> 2U & 0x33333333U) | (a & 0x33333333U) << 2U;
        a = (a >> 4U & 0x0f0f0f0fU) | (a & 0x0f0f0f0fU) << 4U;
        return (a >> 24U) | (a >> 8U & 0xff00U) | (a & 0xff00U) << 8U | a << 24U;
    }
};

struct ExtractUnsigned { // BFE page: width, offset, value
    static constexpr size_t sources = 3;
    static uint32_t of(uint32_t width, uint32_t offset, uint32_t value) {
        return value >> (offset & 31U) & ((1U << (width & 31U)) - 1U);
    }
};
// "If dst is type D, the results are sign-extended". A field that extends past bit 31 is filled with the
// sign of src2.
struct ExtractSigned {
    static constexpr size_t sources = 3;
    static int32_t of(int32_t width, int32_t offset, int32_t value) {
        const int bits = width & 31;
        const int64_t field = int64_t{value} >> (offset & 31);
        return bits == 0
                   ? 0
                   : static_cast<int32_t>(static_cast<int64_t>(static_cast<uint64_t>(field) << (64 - bits)) >>
                                          (64 - bits));
    }
};
struct Insert { // BFI page: width, offset, field, rest
    static constexpr size_t sources = 4;
    static uint32_t of(uint32_t width, uint32_t offset, uint32_t field, uint32_t rest) {
        const uint32_t mask = ((1U << (width & 31U)) - 1U) << (offset & 31U);
        return (field << (offset & 31U) & mask) | (rest & ~mask);
    }
};

Handler find_high(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 1);
    const bool is_signed = operands && isa::is_signed(operands.sources[0].type);
    return is_signed ? on_dwords<FindSign>(program, instruction) : on_dwords<FindHigh>(program, instruction);
}

Handler extract(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 3);
    const bool is_signed = operands && isa::is_signed(operands.destination->type);
    return is_signed ? on_dwords<ExtractSigned, int32_t>(program, instruction)
                     : on_dwords<ExtractUnsigned>(program, instruction);
}

// BFN page: bit k of the table is the result where the bits of src0 + 2 * src1 + 4 * src2 equal k.
void boolean_function(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    std::array<Lanes<uint32_t>, 3> sources;
    for (size_t s = 0; s < 3; ++s)
        load(thread, instruction, operand(thread, instruction, 1 + s), enabled, sources[s]);
    const uint64_t table = operand(thread, instruction, isa::operand_order::bfn::boolean_func_ctrl).value;
    Lanes<uint32_t> result{};
    for (uint32_t k = 0; k < 8; ++k) {
        if ((table >> k & 1U) == 0)
            continue;
        const uint32_t not0 = (k & 1U) != 0 ? 0 : UINT32_MAX;
        const uint32_t not1 = (k & 2U) != 0 ? 0 : UINT32_MAX;
        const uint32_t not2 = (k & 4U) != 0 ? 0 : UINT32_MAX;
        each_lane(instruction.execution.size, [&](uint32_t lane) {
            result[lane] |= (sources[0][lane] ^ not0) & (sources[1][lane] ^ not1) & (sources[2][lane] ^ not2);
        });
    }
    store(thread, instruction, operand(thread, instruction, 0), enabled, result);
}

Handler any_boolean(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 3);
    const bool fits = operands && isa::is_integer(operands.destination->type) &&
                      isa::size_of(operands.destination->type) <= 4 && all_integers(operands.sources) &&
                      instruction.operand_count > isa::operand_order::bfn::boolean_func_ctrl;
    return fits ? boolean_function : nullptr;
}

// A step of Galois shift registers: the bit shifted out at the right decides whether the polynomial is
// added. Each is `bits` wide, and a dword holds as many as fit (ruling 121).
template <unsigned bits>
uint32_t stepped(uint32_t seed, uint32_t polynomial) {
    constexpr uint32_t part = UINT32_MAX >> (32 - bits);
    uint32_t out = 0;
    for (unsigned at = 0; at < 32; at += bits) {
        const uint32_t state = seed >> at & part;
        const uint32_t added = (state & 1U) != 0 ? polynomial >> at & part : 0;
        out |= (state >> 1U ^ added) << at;
    }
    return out;
}

template <unsigned bits>
void shift_register(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = isa::operand_order::lfsr;
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    Lanes<uint32_t> seeds;
    Lanes<uint32_t> polynomials;
    load(thread, instruction, operand(thread, instruction, field::src0), enabled, seeds);
    load(thread, instruction, operand(thread, instruction, field::src1), enabled, polynomials);
    each_lane(instruction.execution.size,
              [&](uint32_t lane) { seeds[lane] = stepped<bits>(seeds[lane], polynomials[lane]); });
    store(thread, instruction, operand(thread, instruction, field::dst), enabled, seeds);
}

Handler any_shift_register(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 2, 1);
    if (!operands || operands.destination->type != Type::ud || !all_of_type(operands.sources, Type::ud))
        return nullptr;
    switch (program.operands_of(instruction)[isa::operand_order::lfsr::func_ctrl].value) {
    case 0:
        return shift_register<32>;
    case 1:
        return shift_register<16>;
    case 2:
        return shift_register<8>;
    default:
        return nullptr;
    }
}

namespace opcode = isa::opcode;
constexpr std::array<Entry, 17> entries{{
    {opcode::and_, -1, bitwise<And>},
    {opcode::or_, -1, bitwise<Or>},
    {opcode::xor_, -1, bitwise<Xor>},
    {opcode::not_, -1, bitwise<Not>},
    {opcode::shl, -1, shift_left},
    {opcode::shr, -1, logical_shift_right},
    {opcode::asr, -1, arithmetic_shift_right},
    {opcode::cbit, -1, on_dwords<CountBits>},
    {opcode::fbl, -1, on_dwords<FindLow>},
    {opcode::fbh, -1, find_high},
    {opcode::bfe, -1, extract},
    {opcode::bfi, -1, on_dwords<Insert>},
    {opcode::bfrev, -1, on_dwords<Reverse>},
    {opcode::rol, -1, rotation<true>},
    {opcode::ror, -1, rotation<false>},
    {opcode::bfn, -1, any_boolean},
    {opcode::lfsr, -1, any_shift_register},
}};

Handler bind(const Program& program, const PreparedInstruction& instruction) {
    return find_handler(entries, program, instruction);
}

} // namespace

Handler family::logic(const Program& program, const PreparedInstruction& instruction) {
    return bound<bind>(program, instruction);
}

} // namespace visor::interp
