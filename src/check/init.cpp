// Values that nobody wrote. They may move about freely: a report is made where one decides something, as an
// address, in a branch or in a store to global memory. How a value moves follows from the row: a lane of a
// destination is as well defined as its sources' lanes; what a message moves its events tell.
#include "check/checkers.h"
#include "check/place.h"
#include "check/roles.h"
#include "check/taint.h"
#include "machine/element.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace visor::check {

namespace {

using machine::AccessKind;
using machine::MemoryEvent;
using machine::RegisterPlace;
using machine::Thread;

constexpr uint32_t most_lanes = 32;
using LaneTaint = std::array<Taint, most_lanes>;

bool all_written(const Taint* begin, size_t bytes) {
    constexpr size_t word = sizeof(uint64_t);
    for (; bytes >= word; bytes -= word, begin += word) {
        uint64_t eight = 0;
        std::memcpy(&eight, begin, word);
        if (eight != 0)
            return false;
    }
    return std::all_of(begin, begin + bytes, [](Taint taint) { return taint == written; });
}

class InitChecker final : public machine::Watcher {
public:
    explicit InitChecker(Findings& findings) : findings_(findings) {}

    void launch_began(const machine::Launch& launch) override {
        origins_.clear();
        roles_ = Roles(*launch.program);
        // The shadow is that of one register file; functions have others (docs/checkers.md).
        follows_ = !launch.program->calls;
    }
    void group_began(std::span<const Thread> threads) override;
    void instruction(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes) override;
    void memory(const MemoryEvent& event) override;
    void thread_ended(const Thread& thread) override {
        if (follows_)
            finish(thread);
    }

private:
    struct Shadow {
        RegisterTaint registers;
        std::vector<Taint> scratch;
        std::vector<Taint> own;                       // private memory
        const PreparedInstruction* pending = nullptr; // a message whose result waits for its memory event
    };

    void start(const Thread& thread, Shadow& shadow);
    void finish(const Thread& thread);
    void propagate(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes);
    void check_message(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes);
    void check_branch(const Thread& thread, const PreparedInstruction& instruction);
    void write_pair(const Thread& thread, const PreparedOperand& destination, uint32_t half, uint32_t lanes,
                    const LaneTaint& values);
    [[nodiscard]] bool sources(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes,
                               LaneTaint& values);
    [[nodiscard]] bool masked_source(const Thread& thread, const PreparedInstruction& instruction,
                                     const PreparedOperand& operand, uint32_t lanes, LaneTaint& values);
    [[nodiscard]] Taint predicate_taint(const Thread& thread, const PreparedInstruction& instruction,
                                        uint32_t predicate);
    void write_lanes(const Thread& thread, const PreparedInstruction& instruction,
                     const PreparedOperand& destination, uint32_t lanes, const LaneTaint& values,
                     bool all_defined);

    [[nodiscard]] bool source(const Thread& thread, const PreparedInstruction& instruction,
                              const PreparedOperand& operand, uint32_t lanes, LaneTaint& values);
    [[nodiscard]] Taint bytes_taint(const Thread& thread, const PreparedInstruction& instruction,
                                    int64_t place, size_t bytes);
    [[nodiscard]] uint32_t undefined_predicate(const Thread& thread,
                                               const PreparedInstruction& instruction) const;
    // The shadow of memory from this place on; nullptr: defined whatever it is (global memory).
    [[nodiscard]] Taint* memory_taint(const MemoryEvent& event, const Place& place, size_t bytes);
    void read(const MemoryEvent& event);
    void store(const MemoryEvent& event, const RegisterPlace& data, bool combine);
    void report(const Thread& thread, const PreparedInstruction& instruction, int lane, Taint taint,
                std::string_view rule, std::string message, std::string place = {});

    Shadow& shadow(const Thread& thread) { return shadows_[thread.index]; }

    Findings& findings_;
    Origins origins_;
    Roles roles_; // of the launch's program
    bool follows_ = true;
    std::vector<Shadow> shadows_; // by thread of the group
    std::vector<Taint> local_;
};

void InitChecker::group_began(std::span<const Thread> threads) {
    if (!follows_)
        return;
    shadows_.resize(threads.size());
    local_.assign(threads.front().group->slm.size(), untouched);
    for (const Thread& thread : threads)
        start(thread, shadows_[thread.index]);
}

void InitChecker::start(const Thread& thread, Shadow& shadow) {
    const Program& program = *thread.program;
    RegisterTaint& registers = shadow.registers;
    registers.bytes.assign(program.register_bytes, untouched);
    registers.predicates.assign(thread.predicates.size(), UINT32_MAX);
    registers.predicate_origins.assign(thread.predicates.size(), untouched);
    registers.addresses.assign(thread.addresses.size(), untouched);
    shadow.scratch.assign(thread.scratch.size(), untouched);
    shadow.own.assign(thread.launch->private_bytes, untouched);
    shadow.pending = nullptr;
    const auto define = [&](size_t base, size_t bytes) {
        if (base < registers.bytes.size())
            std::memset(registers.bytes.data() + base, written,
                        std::min(bytes, registers.bytes.size() - base));
    };
    for (uint32_t id = 0; id < isa::first_user_general && id < program.variables.size(); ++id)
        if (program.variables[id].used)
            define(program.variables[id].base, program.variables[id].bytes);
    for (const machine::ImageInput& input : thread.launch->image_inputs)
        define(input.register_offset, input.bytes);
    for (const machine::ComputedInput& input : thread.launch->computed_inputs)
        define(input.register_offset, size_t{input.lanes} * input.element_bytes);
}

// A message that raised no event: what it brought is taken as defined.
void InitChecker::finish(const Thread& thread) {
    Shadow& own = shadow(thread);
    if (own.pending == nullptr)
        return;
    const PreparedInstruction& instruction = *own.pending;
    own.pending = nullptr;
    const auto operands = thread.program->operands_of(instruction);
    for (size_t i = 0; i < operands.size(); ++i) {
        if (roles_.operand(instruction, i) != OperandRole::result)
            continue;
        // Without an extent: all of the variable from there on.
        const uint32_t bytes = roles_.bytes(instruction, i);
        const uint32_t room = operands[i].limit - operands[i].base;
        std::memset(own.registers.bytes.data() + operands[i].base, written,
                    bytes == 0 ? room : std::min(bytes, room));
    }
}

void InitChecker::instruction(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes) {
    if (!follows_)
        return;
    finish(thread);
    const InstructionRoles& roles = roles_.of(*thread.program, instruction);
    if (roles.branches)
        check_branch(thread, instruction);
    if (roles.has_addresses)
        check_message(thread, instruction, lanes);
    if (roles.has_result)
        shadow(thread).pending = &instruction;
    else
        propagate(thread, instruction, lanes);
}

uint32_t InitChecker::undefined_predicate(const Thread& thread,
                                          const PreparedInstruction& instruction) const {
    const uint32_t id = instruction.predicate.id;
    if (id == 0 || isa::has(*instruction.row, isa::writes_predicate))
        return 0;
    const uint32_t bits = shadows_[thread.index].registers.predicates[id] >> instruction.execution.offset;
    const uint32_t masked = machine::masked_lanes(thread, instruction.execution);
    if (instruction.predicate.control == PredicateControl::none)
        return bits & masked;
    return (bits & masked) != 0 ? masked : 0; // any and all read every lane
}

Taint InitChecker::predicate_taint(const Thread& thread, const PreparedInstruction& instruction,
                                   uint32_t predicate) {
    const Taint taint = shadow(thread).registers.predicate_origins[predicate];
    return taint == untouched ? origins_.of_predicate(*thread.program, predicate, instruction.source) : taint;
}

void InitChecker::check_branch(const Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t undefined = undefined_predicate(thread, instruction);
    if (undefined == 0)
        return;
    report(thread, instruction, channel(instruction, static_cast<unsigned>(std::countr_zero(undefined))),
           predicate_taint(thread, instruction, instruction.predicate.id), "uninitialized-branch",
           "a branch depends on a value that nobody wrote");
}

void InitChecker::check_message(const Thread& thread, const PreparedInstruction& instruction,
                                uint32_t lanes) {
    const auto operands = thread.program->operands_of(instruction);
    const std::vector<Taint>& bytes = shadow(thread).registers.bytes;
    for (size_t i = 0; i < operands.size(); ++i) {
        const OperandRole role = roles_.operand(instruction, i);
        const bool scalar = role == OperandRole::scalar_address;
        if (!scalar && role != OperandRole::lane_address)
            continue;
        LaneTaint values{};
        const uint32_t asked = scalar ? 1 : lanes;
        if (scalar) {
            if (!source(thread, instruction, operands[i], asked, values))
                continue;
        } else {
            const uint32_t each = roles_.bytes(instruction, i);
            const size_t all = size_t{each} * static_cast<size_t>(std::bit_width(lanes));
            if (operands[i].base + all <= bytes.size() && all_written(bytes.data() + operands[i].base, all))
                continue;
            for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
                const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
                values[lane] =
                    bytes_taint(thread, instruction, operands[i].base + int64_t{lane} * each, each);
            }
        }
        for (uint32_t rest = asked; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            if (values[lane] == written)
                continue;
            report(thread, instruction, scalar ? -1 : channel(instruction, lane), values[lane],
                   "uninitialized-address", "an address depends on a value that nobody wrote");
            break;
        }
    }
}

Taint InitChecker::bytes_taint(const Thread& thread, const PreparedInstruction& instruction, int64_t place,
                               size_t bytes) {
    const std::vector<Taint>& shadow_bytes = shadow(thread).registers.bytes;
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

// False: every lane that is asked for is defined, and `values` was not touched.
bool InitChecker::source(const Thread& thread, const PreparedInstruction& instruction,
                         const PreparedOperand& operand, uint32_t lanes, LaneTaint& values) {
    const RegisterTaint& registers = shadow(thread).registers;
    const size_t size = isa::size_of(operand.type);
    if (operand.null || lanes == 0)
        return false;
    if (operand.kind == OperandKind::predicate) {
        // A predicate as a number has the bits of lanes that are elsewhere, too; who uses it masks them away.
        // Logic between predicates goes by lane, also of one.
        const bool to_predicate =
            thread.program->operands_of(instruction).front().kind == OperandKind::predicate;
        const bool by_lane = instruction.execution.size > 1 || to_predicate;
        const uint32_t bits = by_lane
                                  ? registers.predicates[operand.base] >> instruction.execution.offset & lanes
                                  : registers.predicates[operand.base] & thread.execution_mask;
        if (bits == 0)
            return false;
        const Taint taint = predicate_taint(thread, instruction, operand.base);
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
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        const Taint taint =
            bytes_taint(thread, instruction, machine::element_place(thread, operand, lane), size);
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
            bytes_taint(thread, instruction, machine::element_place(thread, operand, lane), bytes);
        values[lane] = either(values[lane], taint);
        found = found || taint != written;
    }
    return found;
}

// What the lanes of an instruction's sources make of its result. False: all of them are defined.
bool InitChecker::sources(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes,
                          LaneTaint& values) {
    const InstructionRoles& roles = roles_.of(*thread.program, instruction);
    if (roles.always_the_same)
        return false;
    const auto operands = thread.program->operands_of(instruction);
    bool tainted = false;
    bool first = true;
    for (size_t i = 0; i < operands.size(); ++i) {
        if (roles_.operand(instruction, i) != OperandRole::source)
            continue;
        uint32_t asked = lanes;
        if (roles.selects) {
            const uint32_t on =
                machine::predicate_lanes(thread, instruction.predicate, instruction.execution);
            asked &= first ? on : ~on;
        }
        first = false;
        const bool found = roles.masks && operands[i].kind == OperandKind::general
                               ? masked_source(thread, instruction, operands[i], asked, values)
                               : source(thread, instruction, operands[i], asked, values);
        tainted = tainted || found;
    }
    return tainted;
}

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
    for (size_t i = 0; i < operands.size(); ++i) {
        const OperandRole role = roles_.operand(instruction, i);
        if (role == OperandRole::pair)
            write_pair(thread, operands[i], roles_.bytes(instruction, i), touched, values);
        else if (role == OperandRole::destination)
            write_lanes(thread, instruction, operands[i], touched, values, !tainted);
    }
    if (isa::has(*instruction.row, isa::writes_predicate))
        write_lanes(thread, instruction, {.kind = OperandKind::predicate, .base = instruction.predicate.id},
                    touched, values, !tainted);
}

// madw: the low dwords of all lanes in one block of whole registers, the high ones in the next.
void InitChecker::write_pair(const Thread& thread, const PreparedOperand& destination, uint32_t half,
                             uint32_t lanes, const LaneTaint& values) {
    constexpr uint32_t dword = 4;
    std::vector<Taint>& bytes = shadow(thread).registers.bytes;
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
    RegisterTaint& registers = shadow(thread).registers;
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
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        const int64_t place = machine::element_place(thread, destination, lane);
        if (place >= 0 && place + static_cast<int64_t>(size) <= static_cast<int64_t>(registers.bytes.size()))
            std::memset(registers.bytes.data() + place, values[lane], size);
    }
}

Taint* InitChecker::memory_taint(const MemoryEvent& event, const Place& place, size_t bytes) {
    const auto inside = [bytes](std::vector<Taint>& of, uint64_t at) -> Taint* {
        return at <= of.size() && bytes <= of.size() - at ? of.data() + at : nullptr;
    };
    switch (place.region) {
    case Region::local:
        return inside(local_, place.address);
    case Region::scratch:
        return inside(shadow(event.thread).scratch, place.address);
    case Region::own: {
        const machine::Launch& launch = *event.thread.launch;
        const uint64_t offset = place.address - launch.private_base;
        const uint64_t owner = offset / launch.private_bytes;
        return inside(shadows_[owner].own, offset % launch.private_bytes);
    }
    case Region::global:
        break;
    }
    return nullptr;
}

void InitChecker::memory(const MemoryEvent& event) {
    if (!follows_)
        return;
    // A load whose event names no registers brings what `finish` takes as defined.
    if (event.kind != AccessKind::read || event.data.base != machine::no_register)
        shadow(event.thread).pending = nullptr;
    if (event.kind != AccessKind::write)
        read(event);
    if (event.kind == AccessKind::write)
        store(event, event.data, false);
    else if (event.kind == AccessKind::atomic)
        for (const uint32_t base : event.operands) {
            RegisterPlace data = event.data;
            data.base = base;
            data.lane_stride = data.slot_bytes;
            store(event, data, true);
        }
}

void InitChecker::read(const MemoryEvent& event) {
    const RegisterPlace& data = event.data;
    if (data.base == machine::no_register)
        return;
    std::vector<Taint>& bytes = shadow(event.thread).registers.bytes;
    const uint32_t units = event.bytes / data.unit_bytes;
    // Nearly every message: a unit a lane from global memory into neighbouring places.
    const bool plain = units == 1 && data.lane_stride == data.slot_bytes &&
                       (event.lanes & (event.lanes + 1)) == 0 && event.space == machine::Space::surface;
    const size_t span = size_t{data.slot_bytes} * static_cast<size_t>(std::bit_width(event.lanes));
    if (plain && data.base + span <= bytes.size()) {
        std::memset(bytes.data() + data.base, written, span);
        return;
    }
    for (uint32_t rest = event.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const Place place = place_of(event, lane);
        const bool dropped = (event.dropped >> lane & 1U) != 0;
        const Taint* from = dropped ? nullptr : memory_taint(event, place, event.bytes);
        for (uint32_t unit = 0; unit < units; ++unit) {
            const size_t slot = data.base + size_t{lane} * data.lane_stride + size_t{unit} * data.unit_stride;
            if (slot + data.slot_bytes > bytes.size())
                continue;
            std::memset(bytes.data() + slot, written, data.slot_bytes);
            for (uint32_t i = 0; from != nullptr && i < data.unit_bytes; ++i) {
                const size_t at = size_t{unit} * data.unit_bytes + i;
                Taint taint = from[at];
                if (taint == untouched)
                    taint = origins_.of_memory(place.region == Region::local     ? "shared local memory"
                                               : place.region == Region::scratch ? "scratch memory"
                                                                                 : "private memory",
                                               place.address + at, event.instruction.source);
                bytes[slot + data.shift_bytes + i] = taint;
            }
        }
    }
}

// Registers to memory. `combine`: an atomic's operand; what is there stays as ill defined as it was.
void InitChecker::store(const MemoryEvent& event, const RegisterPlace& data, bool combine) {
    const uint32_t units = event.bytes / std::max<uint32_t>(data.unit_bytes, 1);
    const bool block = event.addresses.size() == 1;
    if (data.base != machine::no_register && event.space == machine::Space::surface && !combine) {
        const std::vector<Taint>& bytes = shadow(event.thread).registers.bytes;
        const size_t last = static_cast<size_t>(std::bit_width(event.lanes)) - 1;
        const size_t span = last * data.lane_stride + size_t{units - 1} * data.unit_stride + data.slot_bytes;
        if (data.base + span <= bytes.size() && all_written(bytes.data() + data.base, span))
            return; // what is defined may be stored anywhere
    }
    for (uint32_t rest = event.lanes & ~event.dropped; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const Place place = place_of(event, lane);
        Taint* const to = memory_taint(event, place, event.bytes);
        Taint worst = written;
        for (uint32_t unit = 0; unit < units; ++unit) {
            Taint whole = untouched; // of the unit, as long as no byte of it is defined
            for (uint32_t i = 0; i < data.unit_bytes; ++i) {
                Taint taint = written;
                if (data.base != machine::no_register)
                    taint = bytes_taint(event.thread, event.instruction,
                                        int64_t{data.base} + int64_t{lane} * data.lane_stride +
                                            int64_t{unit} * data.unit_stride + data.shift_bytes + i,
                                        1);
                whole = whole == written ? written : taint;
                if (to != nullptr) {
                    Taint& there = to[size_t{unit} * data.unit_bytes + i];
                    there = combine ? either(there, taint) : taint;
                }
            }
            worst = either(worst, whole); // gaps between a struct's fields are no values
        }
        if (to == nullptr && worst != written && place.region == Region::global)
            report(event.thread, event.instruction, block ? -1 : channel(event.instruction, lane), worst,
                   "uninitialized-store", "a value that nobody wrote is stored to global memory",
                   name_of(event.thread, place));
    }
}

void InitChecker::report(const Thread& thread, const PreparedInstruction& instruction, int lane, Taint taint,
                         std::string_view rule, std::string message, std::string place) {
    const Origins::Origin origin = origins_.describe(taint);
    const auto number = findings_.claim(thread, rule, instruction.source, origin.instruction);
    if (!number)
        return;
    Finding finding{
        .kind = Kind::init, .rule = rule, .message = std::move(message), .place = std::move(place)};
    finding.party = party(thread, instruction, lane);
    if (origin.instruction != UINT32_MAX) {
        finding.other = Party{.group = thread.group->id,
                              .thread = thread.index,
                              .lane = -1,
                              .instruction = origin.instruction,
                              .doing = fmt::format("reads {}, which nobody wrote", origin.what)};
    } else {
        finding.notes.push_back(fmt::format("it came from {}", origin.what));
    }
    findings_.add(*number, thread, std::move(finding));
}

} // namespace

std::unique_ptr<machine::Watcher> init_checker(Findings& findings) {
    return std::make_unique<InitChecker>(findings);
}

} // namespace visor::check
