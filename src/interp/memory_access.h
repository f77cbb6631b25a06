// The lane loops that all gathers and scatters share. Lanes run in ascending order, or in the order of the
// seed. Each lane has a byte address and moves the units that its message enables. Outside a surface,
// reads give zero and writes are dropped (rulings 9, 29). An access outside every allocation ends the
// thread (ruling 30). Each family's file defines the operands, addresses and layouts of its messages.
//
// An access, in the sense of ruling 9, is what one assignment of the page's Semantics moves: the bytes of
// a lane (scatter_scaled), a channel's dword (scatter4_scaled), a qword block, an oword. The lane loop is
// the outer one: of two lanes that write one address the later wins, whichever channels they use (ruling
// 10).
#pragma once

#include "interp/interp.h"
#include "interp/operand.h"
#include "machine/random.h"
#include "machine/shared_bytes.h"

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace visor::interp {

static_assert(std::endian::native == std::endian::little,
              "registers and memory are little-endian, as the device's");

inline constexpr uint32_t max_lanes = 32;

// A block message's unit.
struct Oword {
    uint64_t low = 0;
    uint64_t high = 0;
};

// machine::load_shared and store_shared, also for a block message's units.
template <class T>
[[nodiscard]] T load_shared(std::byte* from) {
    if constexpr (std::same_as<T, Oword>)
        return {load_shared<uint64_t>(from), load_shared<uint64_t>(from + 8)};
    else
        return machine::load_shared<T>(from);
}

template <class T>
void store_shared(std::byte* to, T value) {
    if constexpr (std::same_as<T, Oword>) {
        store_shared(to, value.low);
        store_shared(to + 8, value.high);
    } else {
        machine::store_shared(to, value);
    }
}

// One message of one thread: its active lanes, and the address of each lane's first unit.
struct Message {
    machine::Thread& thread;
    const PreparedInstruction& instruction;
    uint32_t lanes;    // active ones
    uint32_t count;    // lanes with an address
    int first_channel; // the thread's channel of lane 0; -1: a block message, whose only lane is no channel
    std::array<uint64_t, max_lanes> addresses;

    Message(machine::Thread& of, const PreparedInstruction& at)
        : Message(of, at, at.execution, enabled_lanes(of, at)) {}
    Message(machine::Thread& of, const PreparedInstruction& at, Execution execution, uint32_t enabled)
        : thread(of), instruction(at), lanes(enabled), count(execution.size),
          first_channel(execution.offset) {}
    // A block message: one address; it ignores the mask.
    Message(machine::Thread& of, const PreparedInstruction& at, uint64_t address)
        : thread(of), instruction(at), lanes(1), count(1), first_channel(-1) {
        addresses[0] = address;
    }
};

// The layout of a lane's units in memory and in registers.
struct Layout {
    uint64_t channels = 1;    // bit v: unit v after the lane's address is enabled
    uint32_t lane_stride = 4; // bytes in registers from lane to lane
    uint32_t unit_stride = 0; // bytes in registers from one enabled unit to the next
};

// Bytes from the lane's address that the message spans: [begin, end).
struct Span {
    uint32_t begin;
    uint32_t end;
};
[[nodiscard]] inline Span span_of(uint64_t channels, uint32_t unit_bytes) {
    return {static_cast<uint32_t>(std::countr_zero(channels)) * unit_bytes,
            static_cast<uint32_t>(std::bit_width(channels)) * unit_bytes};
}

// The memory that a message accesses, for the loops below. `check_range` checks a lane's bytes, or ends
// the thread. `find` returns the host address of one unit (nullptr: out of bounds).
class SurfaceTarget {
public:
    explicit SurfaceTarget(const SurfaceView& view) : view_(view) {}
    [[nodiscard]] static bool check_range(const Message& /*message*/, unsigned /*lane*/, Span /*span*/) {
        return true;
    }
    [[nodiscard]] std::byte* find(uint64_t address, uint32_t bytes) const {
        return bytes <= view_.bytes && address <= view_.bytes - bytes ? view_.data + address : nullptr;
    }
    [[nodiscard]] const SurfaceView& view() const { return view_; }

private:
    SurfaceView view_;
};

class FlatTarget {
public:
    [[nodiscard]] static bool check_range(const Message& message, unsigned lane, Span span) {
        if (in_one_allocation(message, lane, span)) [[likely]]
            return true;
        raise_fault(message, lane, span);
        return false;
    }
    [[nodiscard]] static std::byte* find(uint64_t address, uint32_t /*bytes*/) {
        return machine::Memory::host(address);
    }
    [[nodiscard]] static SurfaceView view() { return {.space = machine::Space::flat}; }

protected:
    // Whether all bytes that the lane accesses lie in one allocation.
    [[nodiscard]] static bool in_one_allocation(const Message& message, unsigned lane, Span span) {
        machine::Thread& thread = message.thread;
        return thread.allocation.holds(*thread.launch->memory, message.addresses[lane] + span.begin,
                                       span.end - span.begin);
    }
    // Ends the thread with a fault.
    static void raise_fault(const Message& message, unsigned lane, Span span);
};

// The target of loads.
class FlatSource : public FlatTarget {
public:
    [[nodiscard]] static bool check_range(const Message& message, unsigned lane, Span span) {
        if (in_one_allocation(message, lane, span) || reads_across(message, lane, span)) [[likely]]
            return true;
        raise_fault(message, lane, span);
        return false;
    }

private:
    // Compiled code reads zeros after an allocation's end (ruling 145).
    [[nodiscard]] static bool reads_across(const Message& message, unsigned lane, Span span);
};

// The target of a load from `target`.
[[nodiscard]] inline FlatSource source_of(const FlatTarget& /*target*/) {
    return {};
}
template <class Target>
[[nodiscard]] const Target& source_of(const Target& target) {
    return target;
}

// Watch events; only called for threads with a watcher.

// What an event reports of a message: the enabled units, and the registers of their data.
struct EventDescription {
    uint64_t channels = 1;
    machine::RegisterPlace data;
    std::array<const std::byte*, 2> operands{}; // an atomic's
};
[[nodiscard]] machine::RegisterPlace register_layout(const machine::Thread& thread, const std::byte* data,
                                                     const Layout& layout, size_t unit_bytes,
                                                     size_t slot_bytes, unsigned shift);
// `dropped`: lanes with an out-of-bounds unit.
void report_access(const Message& message, const SurfaceView& where, machine::AccessKind kind,
                   const EventDescription& description, uint32_t dropped);
// Lanes that write an address that another lane writes as well (ruling 10).
void report_conflicts(const Message& message, const SurfaceView& where, const EventDescription& description);
// Lanes whose address is not a multiple of `alignment` (rulings 3, 12, 17).
void report_misaligned(const Message& message, uint32_t alignment);

inline void expect_aligned(const Message& message, uint32_t alignment) {
    if (message.thread.undefined_watcher != nullptr) [[unlikely]]
        report_misaligned(message, alignment);
}

// The loops are functions apart from the reports, and take all parameters by value. The parameters'
// addresses do not escape, so the loops' stores cannot alias them.

// Memory to registers; returns the lanes with an out-of-bounds unit. `one`: each lane has its first unit
// only.
template <class Unit, class Slot, unsigned shift, bool one, class Target>
uint32_t gather_lanes(const Message& message, const Target target, const Layout layout,
                      std::byte* const destination) {
    const Span span = span_of(layout.channels, sizeof(Unit));
    uint32_t dropped = 0;
    const auto fetch = [&target, &dropped](uint64_t address, unsigned lane, std::byte* slot) {
        Slot value{};
        if (std::byte* const from = target.find(address, sizeof(Unit)))
            if constexpr (std::same_as<Unit, Slot>)
                value = load_shared<Unit>(from);
            else
                value = static_cast<Slot>(Slot{load_shared<Unit>(from)} << shift);
        else
            dropped |= 1U << lane;
        write_as(slot, value);
    };
    for (uint32_t rest = message.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        if (!target.check_range(message, lane, span))
            return dropped | rest;
        const uint64_t address = message.addresses[lane];
        std::byte* slot = destination + size_t{lane} * layout.lane_stride;
        if constexpr (one) {
            fetch(address, lane, slot);
            continue;
        }
        for (uint64_t units = layout.channels; units != 0; units &= units - 1, slot += layout.unit_stride)
            fetch(address + static_cast<unsigned>(std::countr_zero(units)) * sizeof(Unit), lane, slot);
    }
    return dropped;
}

// `destination` null: reads memory and discards the values. A Slot wider than the Unit is zero-extended
// (ruling 29), and shifted left by `shift` bits.
template <class Unit, class Slot, unsigned shift = 0, class Target>
void gather(const Message& message, const Target& target, Layout layout, std::byte* destination) {
    if (layout.channels == 0)
        return;
    std::array<std::byte, sizeof(Slot)> discarded;
    std::byte* to = destination;
    if (destination == nullptr) {
        to = discarded.data();
        layout.lane_stride = layout.unit_stride = 0;
    }
    const auto& source = source_of(target);
    const uint32_t dropped = layout.channels == 1
                                 ? gather_lanes<Unit, Slot, shift, true>(message, source, layout, to)
                                 : gather_lanes<Unit, Slot, shift, false>(message, source, layout, to);
    if (message.thread.memory_watcher != nullptr) [[unlikely]]
        report_access(message, target.view(), machine::AccessKind::read,
                      {layout.channels, register_layout(message.thread, destination, layout, sizeof(Unit),
                                                        sizeof(Slot), shift)},
                      dropped);
}

// The next lane of a message: the lowest, or a random one if the schedule has a seed (ruling 27).
[[nodiscard]] inline unsigned next_lane(machine::Thread& thread, uint32_t rest) {
    if (thread.lane_seed == 0 || (rest & (rest - 1)) == 0) [[likely]]
        return static_cast<unsigned>(std::countr_zero(rest));
    for (uint64_t skip = machine::next_random(thread.lane_state) % static_cast<unsigned>(std::popcount(rest));
         skip > 0; --skip)
        rest &= rest - 1;
    return static_cast<unsigned>(std::countr_zero(rest));
}

// Registers to memory; returns the lanes with an out-of-bounds unit.
template <class Unit, class Slot, unsigned shift, bool one, class Target>
uint32_t scatter_lanes(const Message& message, const Target target, const Layout layout,
                       const std::byte* const source) {
    const Span span = span_of(layout.channels, sizeof(Unit));
    const bool ordered = message.thread.lane_seed == 0;
    uint32_t dropped = 0;
    const auto put = [&target, &dropped](uint64_t address, unsigned lane, const std::byte* slot) {
        if (std::byte* const to = target.find(address, sizeof(Unit)))
            if constexpr (std::same_as<Unit, Slot>)
                store_shared(to, read_as<Unit>(slot));
            else
                store_shared(to, static_cast<Unit>(read_as<Slot>(slot) >> shift));
        else
            dropped |= 1U << lane;
    };
    unsigned lane = 0;
    for (uint32_t rest = message.lanes; rest != 0; rest &= ~(1U << lane)) {
        lane = ordered ? static_cast<unsigned>(std::countr_zero(rest)) : next_lane(message.thread, rest);
        if (!target.check_range(message, lane, span))
            return dropped | rest;
        const uint64_t address = message.addresses[lane];
        const std::byte* slot = source + size_t{lane} * layout.lane_stride;
        if constexpr (one) {
            put(address, lane, slot);
            continue;
        }
        for (uint64_t units = layout.channels; units != 0; units &= units - 1, slot += layout.unit_stride)
            put(address + static_cast<unsigned>(std::countr_zero(units)) * sizeof(Unit), lane, slot);
    }
    return dropped;
}

// Stores the low bytes of each Slot, shifted right by `shift` bits. `source` null reads as zero.
template <class Unit, class Slot, unsigned shift = 0, class Target>
void scatter(const Message& message, const Target& target, Layout layout, const std::byte* source) {
    if (layout.channels == 0)
        return;
    constexpr std::array<std::byte, sizeof(Slot)> zero{};
    const std::byte* from = source;
    if (source == nullptr) {
        from = zero.data();
        layout.lane_stride = layout.unit_stride = 0;
    }
    const auto describe = [&] {
        return EventDescription{layout.channels, register_layout(message.thread, source, layout, sizeof(Unit),
                                                                 sizeof(Slot), shift)};
    };
    if (message.thread.undefined_watcher != nullptr) [[unlikely]]
        report_conflicts(message, target.view(), describe());
    const uint32_t dropped = layout.channels == 1
                                 ? scatter_lanes<Unit, Slot, shift, true>(message, target, layout, from)
                                 : scatter_lanes<Unit, Slot, shift, false>(message, target, layout, from);
    if (message.thread.memory_watcher != nullptr) [[unlikely]]
        report_access(message, target.view(), machine::AccessKind::write, describe(), dropped);
}

enum class Direction : uint8_t { load, store };

template <Direction direction, class Unit, class Slot, unsigned shift = 0, class Target>
void transfer(const Message& message, const Target& target, const Layout& layout, std::byte* data) {
    if constexpr (direction == Direction::load)
        gather<Unit, Slot, shift>(message, target, layout, data);
    else
        scatter<Unit, Slot, shift>(message, target, layout, data);
}

// The first `count` units after an address.
[[nodiscard]] constexpr uint64_t first_channels(uint32_t count) {
    return count >= 64 ? UINT64_MAX : (uint64_t{1} << count) - 1;
}

// Whether reading an operand has faulted.
[[nodiscard]] inline bool failed(const machine::Thread& thread) {
    return thread.status == machine::Status::faulted;
}

// A raw operand's first byte; nullptr for the null variable.
[[nodiscard]] inline std::byte* raw(machine::Thread& thread, const PreparedInstruction& instruction,
                                    size_t index) {
    const PreparedOperand& field = operand(thread, instruction, index);
    return field.null ? nullptr : registers(thread, field);
}

// A literal field's code.
[[nodiscard]] inline uint64_t literal(const machine::Thread& thread, const PreparedInstruction& instruction,
                                      size_t index) {
    return operand(thread, instruction, index).value;
}
[[nodiscard]] inline uint64_t literal(const Program& program, const PreparedInstruction& instruction,
                                      size_t index) {
    return program.operands[instruction.first_operand + index].value;
}

// Reads the first `count` lanes of a raw operand, before a handler writes; the null variable reads as
// zero.
template <class T>
void read_lanes(std::array<T, max_lanes>& values, const std::byte* from, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        values[i] = from == nullptr ? T{} : read_as<T>(from + size_t{i} * sizeof(T));
}

// A byte offset in a surface; in SLM without bit 28, which compiled code sets in pointers that escape.
[[nodiscard]] inline uint64_t surface_offset(const SurfaceView& view, uint64_t offset) {
    constexpr uint64_t escaped_slm_bit = uint64_t{1} << 28U;
    return view.space == machine::Space::slm ? offset & ~escaped_slm_bit : offset;
}

// Whether the program's layout reserves the bytes of a raw operand that a handler accesses.
[[nodiscard]] bool has_storage(const Program& program, const PreparedInstruction& instruction, size_t index,
                               uint32_t bytes);

// Lanes from one channel or block of a payload to the next (ruling 2, 11: R = max(exec size, GRF / 4)).
[[nodiscard]] inline uint32_t payload_lanes(const Program& program, uint32_t exec_size) {
    const uint32_t native = program.device->grf_bytes / 4U;
    return exec_size < native ? native : exec_size;
}

// Bytes that a payload of `positions` channels or blocks spans, the last one only as far as its lanes go.
[[nodiscard]] inline uint32_t payload_bytes(uint32_t positions, uint32_t unit_stride, uint32_t exec_size,
                                            uint32_t lane_bytes) {
    return positions == 0 ? 0 : (positions - 1) * unit_stride + exec_size * lane_bytes;
}

} // namespace visor::interp
