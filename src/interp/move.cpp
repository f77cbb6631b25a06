// Data movement: conversions, selection, predicates and addresses as data, state variables.
#include "interp/lanewise.h"

#include "isa/opcode.h"

namespace visor::interp {

namespace {

using isa::Type;
using machine::Thread;
using number::Rounding;
using number::Wide;

// Whether the result has the element's bits without conversion: a raw move changes nothing, not even a
// denormal or a NaN.
bool is_raw(Type to, const PreparedOperand& from, const PreparedInstruction& instruction) {
    const Type type = element_type(from.type);
    const bool same = type == to || (isa::is_integer(type) && isa::is_integer(to) &&
                                     isa::size_of(type) == isa::size_of(to));
    return same && from.modifier == SourceModifier::none && !instruction.saturate;
}

// ---- mov

template <class T>
void move_raw(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    Lanes<T> values;
    load_raw(thread, instruction, operand(thread, instruction, 1), enabled, values);
    store_raw(thread, instruction, operand(thread, instruction, 0), enabled, values);
}

// From integers: T is the destination's width, or exact.
template <class T>
void move_integers(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    Lanes<T> values;
    load(thread, instruction, operand(thread, instruction, 1), enabled, values);
    store(thread, instruction, operand(thread, instruction, 0), enabled, values);
}

// From floats: exact in T. To a wider float the page requires "a precise representation of the input", so
// only results are flushed.
template <class T>
void move_floats(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    Lanes<T> values;
    load(thread, instruction, operand(thread, instruction, 1), enabled, values);
    store_float(thread, instruction, operand(thread, instruction, 0), enabled, values, FloatMode(thread));
}

// MOV page: the predicate's value as an unsigned integer, element 0 in the lowest bit. The compiler knows the
// instruction only as `(M1_NM, 1)`: neither a mask nor a predicate applies.
void move_predicate(Thread& thread, const PreparedInstruction& instruction) {
    Lanes<uint64_t> bits;
    bits[0] = thread.predicates[operand(thread, instruction, 1).base];
    store_bits(thread, instruction, operand(thread, instruction, 0), 1, bits);
}

template <template <class> class Choice>
Handler by_size(uint32_t bytes) {
    switch (bytes) {
    case 1:
        return Choice<uint8_t>::handler;
    case 2:
        return Choice<uint16_t>::handler;
    case 4:
        return Choice<uint32_t>::handler;
    default:
        return Choice<uint64_t>::handler;
    }
}
template <class T>
struct RawMove {
    static constexpr Handler handler = move_raw<T>;
};
template <class T>
struct IntegerMove {
    static constexpr Handler handler = move_integers<T>;
};

// Elements of an address variable, as numbers: offsets in the register file, which addr_add adds to.
void move_addresses(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::enabled_lanes(thread, instruction);
    Lanes<uint32_t> values;
    load(thread, instruction, operand(thread, instruction, 1), enabled, values);
    const uint32_t first = operand(thread, instruction, 0).base;
    for (uint32_t lane = 0; lane < instruction.execution.size; ++lane)
        if ((enabled >> lane & 1U) != 0)
            thread.addresses[first + lane] = values[lane];
}

Handler address_move(const Program& program, const PreparedInstruction& instruction) {
    const Sources all = program.operands_of(instruction);
    const uint32_t lanes = instruction.execution.size;
    const bool fits = all[0].base < program.address_elements &&
                      program.address_elements - all[0].base >= lanes && is_vector_source(all[1]) &&
                      isa::is_integer(element_type(all[1].type)) &&
                      isa::size_of(element_type(all[1].type)) <= 4;
    return fits ? move_addresses : nullptr;
}

Handler move(const Program& program, const PreparedInstruction& instruction) {
    const Sources all = program.operands_of(instruction);
    if (all.size() >= 2 && all[0].kind == OperandKind::address)
        return address_move(program, instruction);
    if (all.size() < 2 || !is_vector_destination(all[0]))
        return nullptr;
    const PreparedOperand& source = all[1];
    const Type to = all[0].type;
    if (source.kind == OperandKind::predicate)
        return isa::is_integer(to) && instruction.execution.size == 1 ? move_predicate : nullptr;
    if (!is_vector_source(source))
        return nullptr;
    if (is_raw(to, source, instruction))
        return by_size<RawMove>(isa::size_of(to));
    const Type from = element_type(source.type);
    if (isa::is_float(from)) {
        const bool fits_single = from != Type::df && to != Type::df;
        return fits_single ? move_floats<float> : move_floats<double>;
    }
    // The low bits of a magnitude are not those of the low bits' magnitude.
    const bool magnitude =
        source.modifier == SourceModifier::abs || source.modifier == SourceModifier::neg_abs;
    if (isa::is_integer(to) && !instruction.saturate &&
        (!magnitude || isa::size_of(to) >= isa::size_of(from)))
        return by_size<IntegerMove>(isa::size_of(to));
    return isa::size_of(from) < 8 ? move_integers<int64_t> : move_integers<Wide>;
}

// ---- sel

// SEL page: the predicate selects the source, it disables no lane.
template <class T>
void choose(uint32_t lanes, uint32_t chosen, const Lanes<T>& yes, const Lanes<T>& no, Lanes<T>& out) {
    each_lane(lanes, [&](uint32_t lane) { out[lane] = (chosen >> lane & 1U) != 0 ? yes[lane] : no[lane]; });
}

template <class T, auto load_source, auto store_result>
void select(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::masked_lanes(thread, instruction.execution);
    const uint32_t chosen = machine::predicate_lanes(thread, instruction.predicate, instruction.execution);
    Lanes<T> yes;
    Lanes<T> no;
    load_source(thread, instruction, operand(thread, instruction, 1), enabled & chosen, yes);
    load_source(thread, instruction, operand(thread, instruction, 2), enabled & ~chosen, no);
    Lanes<T> result;
    choose(instruction.execution.size, chosen, yes, no, result);
    store_result(thread, instruction, operand(thread, instruction, 0), enabled, result);
}

template <class T>
void store_converted_float(Thread& thread, const PreparedInstruction& instruction,
                           const PreparedOperand& destination, uint32_t enabled, Lanes<T>& values) {
    store_float(thread, instruction, destination, enabled, values, FloatMode(thread));
}

template <class T>
struct RawSelect {
    static constexpr Handler handler = select<T, load_raw<T>, store_raw<T>>;
};
template <class T>
inline constexpr Handler integer_select = select<T, load<T>, store<T>>;
template <class T>
inline constexpr Handler float_select = select<T, load<T>, store_converted_float<T>>;

Handler selection(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 2);
    if (!operands)
        return nullptr;
    const Type to = operands.destination->type;
    if (std::ranges::all_of(operands.sources,
                            [&](const PreparedOperand& source) { return is_raw(to, source, instruction); }))
        return by_size<RawSelect>(isa::size_of(to));
    if (isa::is_integer(to) && all_integers(operands.sources))
        return widest(operands.sources) < 8 ? integer_select<int64_t> : integer_select<Wide>;
    if (!isa::is_float(to) || !all_floats(operands.sources))
        return nullptr;
    const bool is_double = to == Type::df || any_of_type(operands.sources, Type::df);
    return is_double ? float_select<double> : float_select<float>;
}

// ---- setp

// SETP page: the bits of a scalar become the elements, regardless of the mask; else each element's lowest
// bit.
void set_predicate(Thread& thread, const PreparedInstruction& instruction) {
    const PreparedOperand& source = operand(thread, instruction, 1);
    const uint32_t slice = machine::lane_bits(instruction.execution.size);
    const bool scalar = source.kind == OperandKind::immediate || is_scalar(source);
    const uint32_t enabled = scalar ? slice : machine::masked_lanes(thread, instruction.execution);
    Lanes<uint32_t> values;
    load(thread, instruction, source, enabled, values);
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < instruction.execution.size; ++lane)
        bits |= (scalar ? values[0] >> lane & 1U : values[lane] & 1U) << lane;
    store_predicate(thread, instruction, operand(thread, instruction, 0).base, enabled, bits);
}

Handler predicate_setting(const Program& program, const PreparedInstruction& instruction) {
    const Sources all = program.operands_of(instruction);
    const bool fits = all.size() >= 2 && all[0].kind == OperandKind::predicate && is_vector_source(all[1]) &&
                      isa::is_integer(element_type(all[1].type));
    return fits ? set_predicate : nullptr;
}

// ---- addr_add

// Addresses of src0, by lane: elements of an address variable, repeated from the first one when the
// operand is narrower than the instruction; else one byte offset for all.
void load_addresses(const Thread& thread, const PreparedInstruction& instruction,
                    const PreparedOperand& source, Lanes<uint32_t>& out) {
    for (uint32_t lane = 0; lane < instruction.execution.size; ++lane) {
        switch (source.kind) {
        case OperandKind::address:
            out[lane] = thread.addresses[source.base + lane % std::max<uint32_t>(source.width, 1)];
            break;
        case OperandKind::address_of:
            out[lane] = source.base + static_cast<uint32_t>(source.offset);
            break;
        default: // a variable or a state variable: its own offset
            out[lane] = source.base;
            break;
        }
    }
}

// ADDR_ADD page. src1 is a word: a signed number of bytes, whether its type is signed or not.
void add_addresses(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::masked_lanes(thread, instruction.execution);
    Lanes<uint32_t> addresses;
    Lanes<uint32_t> bytes;
    load_addresses(thread, instruction, operand(thread, instruction, 1), addresses);
    load(thread, instruction, operand(thread, instruction, 2), enabled, bytes);
    const uint32_t first = operand(thread, instruction, 0).base;
    for (uint32_t lane = 0; lane < instruction.execution.size; ++lane) {
        const auto offset = static_cast<uint32_t>(int32_t{static_cast<int16_t>(bytes[lane])});
        if ((enabled >> lane & 1U) != 0)
            thread.addresses[first + lane] = addresses[lane] + offset;
    }
}

bool inside(uint32_t file_elements, const PreparedOperand& operand, uint32_t count) {
    return operand.base < file_elements && file_elements - operand.base >= count;
}

Handler address_addition(const Program& program, const PreparedInstruction& instruction) {
    const Sources all = program.operands_of(instruction);
    if (all.size() < 3 || all[0].kind != OperandKind::address || !is_vector_source(all[2]) ||
        !isa::is_integer(element_type(all[2].type)) ||
        !inside(program.address_elements, all[0], instruction.execution.size))
        return nullptr;
    switch (all[1].kind) {
    case OperandKind::address:
        return inside(program.address_elements, all[1], instruction.execution.size) ? add_addresses : nullptr;
    case OperandKind::address_of:
    case OperandKind::general:
    case OperandKind::state_surface:
    case OperandKind::state_sampler:
        return add_addresses;
    default:
        return nullptr;
    }
}

// ---- movs

bool is_state(const PreparedOperand& operand) {
    return operand.kind == OperandKind::state_surface || operand.kind == OperandKind::state_sampler;
}

std::vector<uint32_t>& state_file(Thread& thread, const PreparedOperand& operand) {
    return operand.kind == OperandKind::state_surface ? thread.surfaces : thread.samplers;
}

// "exec_size number of contiguous elements ... starting from their respective starting offsets"
void load_states(Thread& thread, const PreparedInstruction& instruction, const PreparedOperand& source,
                 uint32_t enabled, Lanes<uint32_t>& out) {
    if (!is_state(source)) {
        PreparedOperand contiguous = source;
        contiguous.width = 1;
        contiguous.vertical = 1;
        contiguous.horizontal = 0;
        contiguous.multi_address = false;
        if (isa::size_of(source.type) == 4) {
            load(thread, instruction, contiguous, enabled, out);
            return;
        }
        Lanes<uint64_t> wide; // states are dwords: the low half of a qword (ruling 214)
        load(thread, instruction, contiguous, enabled, wide);
        for (uint32_t lane = 0; lane < instruction.execution.size; ++lane)
            out[lane] = static_cast<uint32_t>(wide[lane]);
        return;
    }
    const std::vector<uint32_t>& file = state_file(thread, source);
    for (uint32_t lane = 0; lane < instruction.execution.size; ++lane)
        out[lane] = file[source.base + lane];
}

void move_states(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t enabled = machine::masked_lanes(thread, instruction.execution);
    Lanes<uint32_t> values;
    load_states(thread, instruction, operand(thread, instruction, 1), enabled, values);
    const PreparedOperand& destination = operand(thread, instruction, 0);
    if (!is_state(destination)) {
        store(thread, instruction, destination, enabled, values);
        return;
    }
    std::vector<uint32_t>& file = state_file(thread, destination);
    for (uint32_t lane = 0; lane < instruction.execution.size; ++lane) {
        if ((enabled >> lane & 1U) != 0)
            file[destination.base + lane] = values[lane];
    }
}

bool fits_file(const Program& program, const PreparedInstruction& instruction,
               const PreparedOperand& operand) {
    const uint32_t elements =
        operand.kind == OperandKind::state_surface ? program.surface_elements : program.sampler_elements;
    return inside(elements, operand, instruction.execution.size);
}

Handler state_move(const Program& program, const PreparedInstruction& instruction) {
    const Sources all = program.operands_of(instruction);
    if (all.size() < 2)
        return nullptr;
    const auto is_value = [&](const PreparedOperand& operand, uint32_t most_bytes) {
        const uint32_t bytes = isa::size_of(operand.type);
        return isa::is_integer(operand.type) && bytes >= 4 && bytes <= most_bytes &&
               (operand.kind != OperandKind::general || operand.null ||
                uint64_t{operand.base} + uint64_t{instruction.execution.size} * bytes <=
                    program.register_bytes);
    };
    const bool to_fits = is_state(all[0])
                             ? fits_file(program, instruction, all[0])
                             : is_vector_destination(all[0]) && is_value(all[0], 4) && is_state(all[1]);
    const bool from_fits = is_state(all[1])
                               ? fits_file(program, instruction, all[1])
                               : is_vector_source(all[1]) && is_value(all[1], is_state(all[0]) ? 8 : 4);
    const bool one_class = !is_state(all[0]) || !is_state(all[1]) || all[0].kind == all[1].kind;
    return to_fits && from_fits && one_class ? move_states : nullptr;
}

// ---- fcvt

// FCVT page: BF8 is named ub, HF8 b and tf32 ud; always to nearest even; denormals are kept, but flushed for
// tf32.
template <Type small>
float decoded(uint64_t bits) {
    if constexpr (small == Type::ub)
        return number::bf8_to_float(static_cast<uint8_t>(bits));
    else if constexpr (small == Type::b)
        return number::hf8_to_float(static_cast<uint8_t>(bits));
    else if constexpr (small == Type::hf)
        return number::half_to_float(static_cast<uint16_t>(bits));
    else
        return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

template <Type small>
uint64_t encoded(float value) {
    const auto exact = static_cast<double>(value);
    if constexpr (small == Type::ub)
        return number::to_bf8(exact, Rounding::nearest_even);
    else if constexpr (small == Type::b)
        return number::to_hf8(exact, Rounding::nearest_even);
    else if constexpr (small == Type::hf)
        return number::to_half(exact, Rounding::nearest_even);
    else if constexpr (small == Type::ud)
        return number::to_tf32(std::abs(exact) < 0x1p-126 ? std::copysign(0.0, exact) : exact,
                               Rounding::nearest_even);
    else
        return std::bit_cast<uint32_t>(value);
}

template <Type to, Type from>
void convert_format(Thread& thread, const PreparedInstruction& instruction) {
    constexpr bool unmasked = isa::size_of(to) == 1; // "ChEn[i] is always true if dst has FP8 type"
    const uint32_t enabled = unmasked ? machine::lane_bits(instruction.execution.size)
                                      : machine::masked_lanes(thread, instruction.execution);
    Lanes<uint64_t> bits;
    load_bits(thread, instruction, operand(thread, instruction, 1), enabled, bits);
    each_lane(instruction.execution.size,
              [&](uint32_t lane) { bits[lane] = encoded<to>(decoded<from>(bits[lane])); });
    store_bits(thread, instruction, operand(thread, instruction, 0), enabled, bits);
}

Handler format_conversion(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 1);
    if (!operands)
        return nullptr;
    const Type to = operands.destination->type;
    const Type from = operands.sources[0].type;
    if (to == Type::hf)
        return from == Type::ub  ? convert_format<Type::hf, Type::ub>
               : from == Type::b ? convert_format<Type::hf, Type::b>
                                 : nullptr;
    if (from == Type::hf)
        return to == Type::ub  ? convert_format<Type::ub, Type::hf>
               : to == Type::b ? convert_format<Type::b, Type::hf>
                               : nullptr;
    if (to == Type::ud && from == Type::f)
        return convert_format<Type::ud, Type::f>;
    return to == Type::f && from == Type::ud ? convert_format<Type::f, Type::ud> : nullptr;
}

// ---- shfl_idx4

// Each part of a result is the same part of a table entry, which a nibble of the index selects: two parts
// with byte indices, four with words (ruling 122).
void look_up(Thread& thread, const PreparedInstruction& instruction) {
    constexpr uint32_t entries = 16;
    const PreparedOperand& indices = operand(thread, instruction, 2);
    const uint32_t every = machine::lane_bits(instruction.execution.size);
    Lanes<uint64_t> table;
    Lanes<uint64_t> index;
    load_bits(thread, instruction, operand(thread, instruction, 1), every, table);
    load_bits(thread, instruction, indices, every, index);
    std::byte* const to = registers(thread, operand(thread, instruction, 0));
    const uint32_t parts = 2 * isa::size_of(indices.type);
    const uint32_t bits = 32 / parts;
    for (uint32_t rest = machine::enabled_lanes(thread, instruction); rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        uint32_t result = 0;
        for (uint32_t part = 0; part < parts; ++part) {
            const auto entry = static_cast<uint32_t>(table[index[lane] >> part * 4U & (entries - 1)]);
            result |= entry & ((1U << bits) - 1U) << part * bits;
        }
        write_as(to + size_t{lane} * 4, result);
    }
}

Handler table_look_up(const Program& program, const PreparedInstruction& instruction) {
    constexpr uint32_t least_lanes = 16;
    const Sources all = program.operands_of(instruction);
    const bool fits =
        all.size() > 2 && instruction.execution.size >= least_lanes && all[1].kind == OperandKind::general &&
        all[1].type == Type::ud && all[2].kind == OperandKind::general &&
        (all[2].type == Type::ub || all[2].type == Type::uw) && !all[0].null &&
        uint64_t{all[0].base} + uint64_t{instruction.execution.size} * 4 <= program.register_bytes;
    return fits ? look_up : nullptr;
}

namespace opcode = isa::opcode;
constexpr std::array<Entry, 7> entries{{
    {opcode::fcvt, -1, format_conversion},
    {opcode::addr_add, -1, address_addition},
    {opcode::mov, -1, move},
    {opcode::sel, -1, selection},
    {opcode::setp, -1, predicate_setting},
    {opcode::movs, -1, state_move},
    {opcode::shfl_idx4, -1, table_look_up},
}};

Handler bind(const Program& program, const PreparedInstruction& instruction) {
    return find_handler(entries, program, instruction);
}

} // namespace

Handler family::move(const Program& program, const PreparedInstruction& instruction) {
    return bound<bind>(program, instruction);
}

} // namespace visor::interp
