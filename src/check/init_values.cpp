// How definedness moves from the sources of an instruction to its destination.
#include "check/init.h"

#include "isa/opcode.h"
#include "isa/predefined.h"
#include "machine/element.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace visor::check {

using machine::Thread;

uint32_t InitChecker::undefined_predicate(const Thread& thread,
                                          const PreparedInstruction& instruction) const {
    const uint32_t id = instruction.predicate.id;
    if (id == 0 || isa::has(*instruction.row, isa::writes_predicate))
        return 0;
    const uint32_t bits = registers_of(thread).predicates[id] >> instruction.execution.offset;
    const uint32_t masked = machine::masked_lanes(thread, instruction.execution);
    if (instruction.predicate.control == PredicateControl::none)
        return bits & masked;
    return (bits & masked) != 0 ? masked : 0; // any and all read every lane
}

Taint InitChecker::predicate_taint(const Thread& thread, const PreparedInstruction& instruction,
                                   uint32_t predicate) {
    const Taint taint = registers_of(thread).predicate_origins[predicate];
    return taint == untouched ? origins_.of_predicate(*thread.program, predicate, instruction.source, false)
                              : taint;
}

Taint InitChecker::bytes_taint(const Thread& thread, const PreparedInstruction& instruction, int64_t place,
                               size_t bytes) {
    const std::vector<Taint>& shadow_bytes = registers_of(thread).bytes;
    if (place < 0 || place + static_cast<int64_t>(bytes) > static_cast<int64_t>(shadow_bytes.size()))
        return written; // a fault of the run's own
    for (size_t i = 0; i < bytes; ++i) {
        const auto at = static_cast<size_t>(place) + i;
        if (shadow_bytes[at] == untouched)
            return origins_.of_variable(*thread.program, static_cast<uint32_t>(at), instruction.source);
        if (shadow_bytes[at] != written)
            return shadow_bytes[at];
    }
    return written;
}

namespace {

// A lane's element, set or looked at as one number.
void set_bytes(Taint* to, Taint taint, size_t bytes) {
    switch (bytes) {
    case 2:
        std::memset(to, taint, 2);
        return;
    case 4:
        std::memset(to, taint, 4);
        return;
    case 8:
        std::memset(to, taint, 8);
        return;
    default:
        std::memset(to, taint, bytes);
    }
}

template <size_t bytes>
uint32_t undefined_elements(const Taint* begin, size_t step, uint32_t lanes) {
    uint32_t undefined = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        uint64_t element = 0;
        std::memcpy(&element, begin + lane * step, bytes);
        if (element != 0)
            undefined |= 1U << lane;
    }
    return undefined;
}

// Where neighbouring lanes have elements at one distance, those of which something is undefined; else all
// lanes: each has to be looked at.
uint32_t undefined_lanes(const RegisterTaint& registers, const PreparedOperand& operand, uint32_t lanes) {
    const uint32_t last = std::bit_width(lanes) - 1U;
    const uint32_t width = std::max<uint32_t>(operand.width, 1);
    const bool one_row = last < width || operand.vertical == width * operand.horizontal;
    if (operand.kind != OperandKind::general || (!one_row && width != 1))
        return lanes;
    const size_t size = isa::size_of(operand.type);
    const size_t step = size * (one_row ? operand.horizontal : operand.vertical);
    if (operand.base + last * step + size > registers.bytes.size())
        return lanes;
    const Taint* const begin = registers.bytes.data() + operand.base;
    switch (size) {
    case 1:
        return undefined_elements<1>(begin, step, lanes);
    case 2:
        return undefined_elements<2>(begin, step, lanes);
    case 4:
        return undefined_elements<4>(begin, step, lanes);
    case 8:
        return undefined_elements<8>(begin, step, lanes);
    default:
        return lanes;
    }
}

} // namespace

// False: every lane that is asked for is defined, and `values` was not touched.
bool InitChecker::source(const Thread& thread, const PreparedInstruction& instruction,
                         const PreparedOperand& operand, uint32_t lanes, LaneTaint& values) {
    const RegisterTaint& registers = registers_of(thread);
    const size_t size = isa::size_of(operand.type);
    if (operand.null || lanes == 0)
        return false;
    if (operand.kind == OperandKind::predicate) {
        // A predicate as a number has the bits of lanes that are elsewhere, too.
        // Logic between predicates goes by lane, also of one.
        const bool to_predicate =
            thread.program->operands_of(instruction).front().kind == OperandKind::predicate;
        const bool by_lane = instruction.execution.size > 1 || to_predicate;
        const uint32_t bits = by_lane
                                  ? registers.predicates[operand.base] >> instruction.execution.offset & lanes
                                  : registers.predicates[operand.base] & thread.dispatch_mask;
        if (bits == 0)
            return false;
        const bool elsewhere = !by_lane && (bits & thread.execution_mask) == 0;
        const Taint taint =
            elsewhere ? origins_.of_predicate(*thread.program, operand.base, instruction.source, true)
                      : predicate_taint(thread, instruction, operand.base);
        for (uint32_t rest = by_lane ? bits : 1; rest != 0; rest &= rest - 1) {
            Taint& value = values[static_cast<size_t>(std::countr_zero(rest))];
            value = either(value, taint);
        }
        return true;
    }
    if (operand.kind == OperandKind::general) {
        const uint32_t last = std::bit_width(lanes) - 1U;
        const uint32_t width = std::max<uint32_t>(operand.width, 1);
        const size_t span = (size_t{last / width} * operand.vertical +
                             size_t{std::min(last, width - 1)} * operand.horizontal + 1) *
                            size;
        if (operand.base + span <= registers.bytes.size() &&
            all_written(registers.bytes.data() + operand.base, span))
            return false;
    } else if (operand.kind == OperandKind::address) {
        bool found = false;
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
            const size_t at = size_t{operand.base} + lane % std::max<uint32_t>(operand.width, 1);
            if (at < registers.addresses.size() && registers.addresses[at] > untouched) {
                values[lane] = either(values[lane], registers.addresses[at]);
                found = true;
            }
        }
        return found;
    } else if (operand.kind != OperandKind::indirect) {
        return false;
    }
    bool found = false;
    for (uint32_t rest = undefined_lanes(registers, operand, lanes); rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        const Taint taint =
            bytes_taint(thread, instruction, machine::element_offset(thread, operand, lane), size);
        found = found || taint != written;
        values[lane] = either(values[lane], taint);
    }
    return found;
}

// `and` with a constant: the bytes above its highest bit do not matter.
bool InitChecker::masked_source(const Thread& thread, const PreparedInstruction& instruction,
                                const PreparedOperand& operand, uint32_t lanes, LaneTaint& values) {
    const auto operands = thread.program->operands_of(instruction);
    const auto constant = std::ranges::find(operands, OperandKind::immediate, &PreparedOperand::kind);
    const auto bits = static_cast<size_t>(std::bit_width(constant->value));
    const size_t bytes = std::min<size_t>((bits + 7) / 8, isa::size_of(operand.type));
    bool found = false;
    for (uint32_t rest = lanes; rest != 0 && bytes != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        const Taint taint =
            bytes_taint(thread, instruction, machine::element_offset(thread, operand, lane), bytes);
        values[lane] = either(values[lane], taint);
        found = found || taint != written;
    }
    return found;
}

// What the lanes of an instruction's sources make of its result. False: all of them are defined.
bool InitChecker::sources(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes,
                          LaneTaint& values) {
    const InstructionRoles& roles = roles_->of(*thread.program, instruction);
    if (roles.always_the_same)
        return false;
    const auto operands = thread.program->operands_of(instruction);
    bool tainted = false;
    bool first = true;
    LaneTaint mask{}; // of the first source of an `and`
    for (size_t i = 0; i < operands.size(); ++i) {
        if (roles_->operand(instruction, i) != OperandRole::source)
            continue;
        uint32_t asked = lanes;
        if (roles.selects) {
            const uint32_t on =
                machine::predicate_lanes(thread, instruction.predicate, instruction.execution);
            asked &= first ? on : ~on;
        }
        if (roles.intersects && !first)
            mask = std::exchange(values, {});
        first = false;
        const bool found = roles.masks && operands[i].kind == OperandKind::general
                               ? masked_source(thread, instruction, operands[i], asked, values)
                               : source(thread, instruction, operands[i], asked, values);
        tainted = tainted || found;
    }
    if (!tainted || !roles.intersects)
        return tainted;
    tainted = false;
    for (size_t lane = 0; lane < most_lanes; ++lane) {
        const Taint both = either(mask[lane], values[lane]);
        const bool one_is_written = mask[lane] == written || values[lane] == written;
        values[lane] = one_is_written && origins_.is_elsewhere(both) ? written : both;
        tainted = tainted || values[lane] != written;
    }
    return tainted;
}

namespace {

// A move that changes no bit of what it moves.
bool copies_bytes(const PreparedInstruction& instruction, std::span<const PreparedOperand> operands) {
    if (instruction.row->opcode != isa::opcode::mov || instruction.saturate || operands.size() != 2)
        return false;
    const PreparedOperand& to = operands[0];
    const PreparedOperand& from = operands[1];
    return to.kind == OperandKind::general && from.kind == OperandKind::general && !to.null && !from.null &&
           from.modifier == SourceModifier::none && isa::size_of(to.type) == isa::size_of(from.type) &&
           (to.type == from.type || (!isa::is_float(to.type) && !isa::is_float(from.type)));
}

} // namespace

void InitChecker::propagate(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes) {
    const uint32_t undefined = undefined_predicate(thread, instruction);
    const uint32_t touched = lanes | undefined;
    LaneTaint values{};
    bool tainted = sources(thread, instruction, lanes, values);
    if (undefined != 0) {
        const Taint taint = predicate_taint(thread, instruction, instruction.predicate.id);
        for (uint32_t rest = undefined; rest != 0; rest &= rest - 1)
            values[static_cast<size_t>(std::countr_zero(rest))] = taint;
        tainted = true;
    }
    const auto operands = thread.program->operands_of(instruction);
    if (tainted && undefined == 0 && copies_bytes(instruction, operands))
        return move_bytes(thread, instruction, operands[0], operands[1], lanes);
    for (size_t i = 0; i < operands.size(); ++i) {
        const OperandRole role = roles_->operand(instruction, i);
        if (role == OperandRole::pair)
            write_pair(thread, operands[i], roles_->bytes(instruction, i), touched, values);
        else if (role == OperandRole::destination)
            write_lanes(thread, instruction, operands[i], touched, values, !tainted);
    }
    if (isa::has(*instruction.row, isa::writes_predicate))
        write_lanes(thread, instruction, {.kind = OperandKind::predicate, .base = instruction.predicate.id},
                    touched, values, !tainted);
}

// A copy of part of an element is as well defined as that part.
void InitChecker::move_bytes(const Thread& thread, const PreparedInstruction& instruction,
                             const PreparedOperand& to, const PreparedOperand& from, uint32_t lanes) {
    std::vector<Taint>& bytes = registers_of(thread).bytes;
    const size_t size = isa::size_of(to.type);
    std::array<Taint, most_lanes * sizeof(uint64_t)> read{};
    for (const bool writes : {false, true})
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
            const PreparedOperand& of = writes ? to : from;
            const uint32_t element = writes ? lane * to.vertical : element_of(from, lane);
            const size_t place = of.base + element * size;
            for (size_t i = 0; i < size; ++i)
                if (!writes)
                    read[lane * size + i] =
                        bytes_taint(thread, instruction, static_cast<int64_t>(place + i), 1);
                else if (place + i < bytes.size())
                    bytes[place + i] = read[lane * size + i];
        }
}

// madw: the low dwords of all lanes in one block of whole registers, the high ones in the next.
void InitChecker::write_pair(const Thread& thread, const PreparedOperand& destination, uint32_t half,
                             uint32_t lanes, const LaneTaint& values) {
    constexpr uint32_t dword = 4;
    std::vector<Taint>& bytes = registers_of(thread).bytes;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        for (const uint32_t block : {0U, half}) {
            const size_t place = size_t{destination.base} + block + size_t{lane} * dword;
            if (place + dword <= bytes.size())
                std::memset(bytes.data() + place, values[lane], dword);
        }
    }
}

void InitChecker::write_lanes(const Thread& thread, const PreparedInstruction& instruction,
                              const PreparedOperand& destination, uint32_t lanes, const LaneTaint& values,
                              bool all_defined) {
    RegisterTaint& registers = registers_of(thread);
    if (destination.null || lanes == 0)
        return;
    if (destination.kind == OperandKind::predicate) {
        // setp of a scalar and compares write the lanes of the instruction.
        uint32_t undefined = 0;
        for (uint32_t rest = all_defined ? 0 : lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            if (values[lane] != written) {
                undefined |= 1U << lane;
                registers.predicate_origins[destination.base] = values[lane];
            }
        }
        const unsigned offset = instruction.execution.offset;
        uint32_t& bits = registers.predicates[destination.base];
        bits = (bits & ~(lanes << offset)) | undefined << offset;
        return;
    }
    if (destination.kind == OperandKind::address) {
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<size_t>(std::countr_zero(rest));
            if (destination.base + lane < registers.addresses.size())
                registers.addresses[destination.base + lane] = values[lane];
        }
        return;
    }
    if (destination.kind != OperandKind::general && destination.kind != OperandKind::indirect)
        return;
    const size_t size = isa::size_of(destination.type);
    const bool whole = all_defined && destination.kind == OperandKind::general && destination.vertical == 1 &&
                       (lanes & (lanes + 1)) == 0;
    if (whole) {
        const size_t bytes = size * static_cast<size_t>(std::popcount(lanes));
        if (destination.base + bytes <= registers.bytes.size())
            std::memset(registers.bytes.data() + destination.base, written, bytes);
        return;
    }
    const bool linear = destination.kind == OperandKind::general;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        const int64_t place = linear ? int64_t{destination.base} +
                                           static_cast<int64_t>(size_t{lane} * destination.vertical * size)
                                     : machine::element_offset(thread, destination, lane);
        if (place >= 0 && place + static_cast<int64_t>(size) <= static_cast<int64_t>(registers.bytes.size()))
            set_bytes(registers.bytes.data() + place, values[lane], size);
    }
}

} // namespace visor::check
