// Messages apart from moving data: faults of flat addresses and watch events. Nothing here changes memory
// or registers.
#include "interp/memory_access.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace visor::interp {
namespace {

// Bytes that one lane writes.
struct Written {
    uint64_t address;
    unsigned lane;
    const std::byte* data; // nullptr: zeros
};

std::vector<Written> written_units(const Message& message, const SurfaceView& where,
                                   const EventDescription& description) {
    const uint32_t unit_bytes = description.data.unit_bytes;
    std::vector<Written> units;
    for (uint32_t rest = message.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        uint32_t offset =
            description.data.base + lane * description.data.lane_stride + description.data.shift_bytes;
        for (uint64_t left = description.channels; left != 0;
             left &= left - 1, offset += description.data.unit_stride) {
            const uint64_t address = message.addresses[lane] +
                                     static_cast<unsigned>(std::countr_zero(left)) * uint64_t{unit_bytes};
            const bool inside = where.space == machine::Space::flat ||
                                (unit_bytes <= where.bytes && address <= where.bytes - unit_bytes);
            if (inside)
                units.push_back({address, lane,
                                 description.data.base == machine::no_register
                                     ? nullptr
                                     : message.thread.registers + offset});
        }
    }
    std::ranges::sort(units, [](const Written& a, const Written& b) {
        return a.address != b.address ? a.address < b.address : a.lane < b.lane;
    });
    return units;
}

void report_undefined(const Message& message, machine::UndefinedKind kind, uint32_t lanes, uint64_t address,
                      bool harmless = false) {
    message.thread.undefined_watcher->undefined({.thread = message.thread,
                                                 .instruction = message.instruction,
                                                 .kind = kind,
                                                 .lanes = lanes,
                                                 .address = address,
                                                 .harmless = harmless});
}

bool same_value(const Written& a, const Written& b, uint32_t bytes) {
    if (a.data == nullptr || b.data == nullptr)
        return a.data == b.data;
    return a.address == b.address && std::memcmp(a.data, b.data, bytes) == 0;
}

// For a load of compiled code: the lanes whose bytes `part` extend past a buffer's end. `whole` has all
// bytes of a lane, and begins in the buffer (ruling 145).
uint32_t lanes_across(const Message& message, const SurfaceView& where, Span whole, Span part) {
    const bool flat = where.space == machine::Space::flat;
    if (flat ? !message.thread.program->function->from_compiler : where.padding == 0)
        return 0;
    const machine::Memory& memory = *message.thread.launch->memory;
    const uint64_t end = where.bytes - where.padding;
    uint32_t across = 0;
    for (uint32_t rest = message.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const uint64_t first = message.addresses[lane] + (flat ? whole : part).begin;
        const uint64_t bytes = part.end - (flat ? whole : part).begin;
        if (flat ? !message.thread.allocation.holds(memory, first, bytes) &&
                       memory.find_across(first, bytes) != nullptr
                 : first < end && bytes > end - first && bytes <= where.bytes - first)
            across |= 1U << lane;
    }
    return across;
}

// True for nearly every message: each lane's bytes lie after, or before, all bytes of the previous lane.
bool lanes_are_disjoint(const Message& message, uint64_t channels, uint32_t unit_bytes) {
    const Span span = span_of(channels, unit_bytes);
    const uint64_t bytes = span.end - span.begin;
    bool rising = true;
    bool falling = true;
    uint64_t previous = message.addresses[static_cast<unsigned>(std::countr_zero(message.lanes))];
    for (uint32_t rest = message.lanes & (message.lanes - 1); rest != 0; rest &= rest - 1) {
        const uint64_t address = message.addresses[static_cast<unsigned>(std::countr_zero(rest))];
        rising = rising && address > previous && address - previous >= bytes;
        falling = falling && address < previous && previous - address >= bytes;
        previous = address;
    }
    return rising || falling;
}

} // namespace

void FlatTarget::raise_fault(const Message& message, unsigned lane, Span span) {
    const int channel = message.first_channel < 0 ? -1 : message.first_channel + static_cast<int>(lane);
    message.thread.fail_access(message.instruction, channel, message.addresses[lane] + span.begin,
                               span.end - span.begin);
}

bool FlatSource::reads_across(const Message& message, unsigned lane, Span span) {
    const machine::Thread& thread = message.thread;
    return thread.program->function->from_compiler &&
           thread.launch->memory->find_across(message.addresses[lane] + span.begin, span.end - span.begin) !=
               nullptr;
}

machine::RegisterPlace register_layout(const machine::Thread& thread, const std::byte* data,
                                       const Layout& layout, size_t unit_bytes, size_t slot_bytes,
                                       unsigned shift) {
    return {.base = data == nullptr ? machine::no_register : static_cast<uint32_t>(data - thread.registers),
            .lane_stride = layout.lane_stride,
            .unit_stride = layout.unit_stride,
            .unit_bytes = static_cast<uint8_t>(unit_bytes),
            .slot_bytes = static_cast<uint8_t>(slot_bytes),
            .shift_bytes = static_cast<uint8_t>(shift / 8)};
}

void report_access(const Message& message, const SurfaceView& where, machine::AccessKind kind,
                   const EventDescription& description, uint32_t dropped) {
    const uint32_t unit_bytes = description.data.unit_bytes;
    machine::RegisterPlace data = description.data;
    const auto offset_of = [&](const std::byte* operand) {
        return operand == nullptr ? machine::no_register
                                  : static_cast<uint32_t>(operand - message.thread.registers);
    };
    // One event for each run of contiguous units, so that gaps between them are not reported as accessed.
    for (uint64_t left = description.channels; left != 0;) {
        const auto first = static_cast<unsigned>(std::countr_zero(left));
        const auto run = static_cast<unsigned>(std::countr_one(left >> first));
        left = first + run >= 64 ? 0 : left >> (first + run) << (first + run);
        std::array<uint64_t, max_lanes> moved;
        for (uint32_t i = 0; first != 0 && i < message.count; ++i)
            moved[i] = message.addresses[i] + uint64_t{first} * unit_bytes;
        const auto& addresses = first == 0 ? message.addresses : moved;
        message.thread.memory_watcher->memory(
            {.thread = message.thread,
             .instruction = message.instruction,
             .space = where.space,
             .kind = kind,
             .surface = where.index,
             .lanes = message.lanes,
             .dropped = dropped,
             .across = kind == machine::AccessKind::read && message.thread.undefined_watcher != nullptr
                           ? lanes_across(message, where, span_of(description.channels, unit_bytes),
                                          {first * unit_bytes, (first + run) * unit_bytes})
                           : 0,
             .addresses = {addresses.data(), message.count},
             .bytes = run * unit_bytes,
             .base = where.space == machine::Space::surface ? reinterpret_cast<uintptr_t>(where.data) : 0,
             .data = data,
             .operands = {offset_of(description.operands[0]), offset_of(description.operands[1])}});
        if (data.base != machine::no_register)
            data.base += run * data.unit_stride;
    }
}

void report_conflicts(const Message& message, const SurfaceView& where, const EventDescription& description) {
    const uint32_t unit_bytes = description.data.unit_bytes;
    if (std::popcount(message.lanes) < 2 || lanes_are_disjoint(message, description.channels, unit_bytes))
        return;
    const std::vector<Written> units = written_units(message, where, description);
    uint32_t lanes = 0;
    uint64_t first = UINT64_MAX;
    bool harmless = true;
    for (size_t i = 0; i < units.size(); ++i)
        for (size_t j = i + 1; j < units.size() && units[j].address - units[i].address < unit_bytes; ++j)
            if (units[i].lane != units[j].lane) {
                lanes |= 1U << units[i].lane | 1U << units[j].lane;
                first = std::min(first, units[j].address);
                harmless = harmless && same_value(units[i], units[j], unit_bytes);
            }
    if (lanes != 0)
        report_undefined(message, machine::UndefinedKind::write_conflict, lanes, first, harmless);
}

void report_misaligned(const Message& message, uint32_t alignment) {
    uint64_t bits = 0;
    for (uint32_t rest = message.lanes; rest != 0; rest &= rest - 1)
        bits |= message.addresses[static_cast<unsigned>(std::countr_zero(rest))];
    if (std::has_single_bit(alignment) && (bits & (alignment - 1)) == 0) [[likely]]
        return;
    uint32_t lanes = 0;
    for (uint32_t rest = message.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        if (message.addresses[lane] % alignment != 0)
            lanes |= 1U << lane;
    }
    if (lanes != 0)
        report_undefined(message, machine::UndefinedKind::misaligned, lanes,
                         message.addresses[static_cast<unsigned>(std::countr_zero(lanes))]);
}

bool has_storage(const Program& program, const PreparedInstruction& instruction, size_t index,
                 uint32_t bytes) {
    const PreparedOperand& operand = program.operands[instruction.first_operand + index];
    return operand.null || (operand.base <= operand.limit && bytes <= operand.limit - operand.base);
}

} // namespace visor::interp
