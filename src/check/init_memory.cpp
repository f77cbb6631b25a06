// How definedness moves between registers and memory, byte by byte, and what is told of a store.
#include "check/init.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace visor::check {

using machine::AccessKind;
using machine::MemoryEvent;
using machine::RegisterPlace;

// Blocks are large where functions have a stack, and little of them is used: the shadow grows with the use.
Taint* InitChecker::private_taint(const machine::Launch& launch, uint64_t address, size_t bytes) {
    uint64_t owner = 0;
    uint64_t offset = 0;
    if (launch.private_blocks.empty()) {
        offset = (address - launch.private_base) % launch.private_bytes;
        owner = (address - launch.private_base) / launch.private_bytes;
    } else {
        const auto block = std::ranges::find_if(launch.private_blocks, [&](uint64_t begin) {
            return address >= begin && address - begin < launch.private_bytes;
        });
        offset = address - *block;
        owner = static_cast<uint64_t>(block - launch.private_blocks.begin());
    }
    if (owner >= shadows_.size() || bytes > launch.private_bytes - offset)
        return nullptr;
    constexpr size_t step = 1024;
    std::vector<Taint>& own = shadows_[owner].own;
    if (own.size() < offset + bytes)
        own.resize((offset + bytes + step - 1) / step * step, untouched);
    return own.data() + offset;
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
    case Region::own:
        return private_taint(*event.thread.launch, place.address, bytes);
    case Region::global:
        break;
    }
    return nullptr;
}

void InitChecker::memory(const MemoryEvent& event) {
    // A load whose event names no registers brings what `finish` takes as defined.
    if (event.kind != AccessKind::read || event.data.base != machine::no_register)
        shadow(event.thread).pending = nullptr;
    if (event.kind != AccessKind::write)
        read(event);
    if (event.instruction.predicate.id != 0)
        doubt(event);
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

bool InitChecker::finds_written(const MemoryEvent& event) {
    if (event.across != 0)
        return false;
    if (event.space == machine::Space::surface ||
        (event.space == machine::Space::flat && !has_private(*event.thread.launch)))
        return true; // global memory
    for (uint32_t rest = event.lanes & ~event.dropped; rest != 0; rest &= rest - 1) {
        const Place place = place_of(event, static_cast<unsigned>(std::countr_zero(rest)));
        const Taint* const from = memory_taint(event, place, event.bytes);
        if (from != nullptr && !all_written(from, event.bytes))
            return false;
    }
    return true;
}

// All that a load brings, at once.
void InitChecker::define(std::vector<Taint>& registers, const MemoryEvent& event) {
    const RegisterPlace& data = event.data;
    const auto write = [&](size_t at, size_t bytes) {
        if (at + bytes <= registers.size())
            std::memset(registers.data() + at, written, bytes);
    };
    const uint32_t units = event.bytes / data.unit_bytes;
    const bool dense = data.lane_stride == data.slot_bytes && (event.lanes & (event.lanes + 1)) == 0;
    for (uint32_t unit = 0; unit < units; ++unit) {
        const size_t base = data.base + size_t{unit} * data.unit_stride;
        if (dense) {
            write(base, size_t{data.slot_bytes} * static_cast<size_t>(std::bit_width(event.lanes)));
            continue;
        }
        for (uint32_t rest = event.lanes; rest != 0; rest &= rest - 1)
            write(base + static_cast<size_t>(std::countr_zero(rest)) * data.lane_stride, data.slot_bytes);
    }
}

void InitChecker::read(const MemoryEvent& event) {
    const RegisterPlace& data = event.data;
    if (data.base == machine::no_register)
        return;
    std::vector<Taint>& bytes = registers_of(event.thread).bytes;
    if (finds_written(event))
        return define(bytes, event);
    const uint32_t units = event.bytes / data.unit_bytes;
    for (uint32_t rest = event.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const Place place = place_of(event, lane);
        const bool dropped = (event.dropped >> lane & 1U) != 0;
        const std::vector<Taint> across =
            (event.across >> lane & 1U) != 0 ? end_of(event, lane) : std::vector<Taint>{};
        const Taint* from = !across.empty() ? across.data()
                            : dropped       ? nullptr
                                            : memory_taint(event, place, event.bytes);
        for (uint32_t unit = 0; unit < units; ++unit) {
            const size_t slot = data.base + size_t{lane} * data.lane_stride + size_t{unit} * data.unit_stride;
            if (slot + data.slot_bytes <= bytes.size())
                read_unit(event, place, from, unit, bytes.data() + slot);
        }
    }
}

// Of a load over a buffer's end: what it brings of the buffer is defined, the rest is not.
std::vector<Taint> InitChecker::end_of(const MemoryEvent& event, unsigned lane) {
    const uint64_t address = event.addresses[lane];
    uint64_t end = 0;
    if (event.space == machine::Space::surface) {
        const machine::Surface& surface = event.thread.launch->surfaces[event.surface];
        end = surface.bytes - surface.padding;
    } else if (const machine::Allocation* const of = event.thread.launch->memory->find(address, 1)) {
        end = of->address + of->bytes;
    }
    const uint64_t inside = address < end ? std::min<uint64_t>(end - address, event.bytes) : 0;
    std::vector<Taint> bytes(event.bytes, written);
    std::fill(bytes.begin() + static_cast<ptrdiff_t>(inside), bytes.end(),
              origins_.of_memory(*event.thread.program, "memory behind a buffer's end", std::nullopt,
                                 event.instruction.source));
    return bytes;
}

// `from`: of the lane's memory; nullptr: defined whatever it is.
void InitChecker::read_unit(const MemoryEvent& event, const Place& place, const Taint* from, uint32_t unit,
                            Taint* slot) {
    const RegisterPlace& data = event.data;
    std::memset(slot, written, data.slot_bytes);
    if (from == nullptr)
        return;
    const Taint* const begin = from + size_t{unit} * data.unit_bytes;
    // A gap of a struct stays one.
    const bool partly = std::find(begin, begin + data.unit_bytes, written) != begin + data.unit_bytes;
    for (uint32_t i = 0; i < data.unit_bytes; ++i) {
        Taint taint = begin[i];
        if (taint == untouched && !partly)
            taint = origins_.of_memory(*event.thread.program,
                                       place.region == Region::local     ? "shared local memory"
                                       : place.region == Region::scratch ? "scratch memory"
                                                                         : "private memory",
                                       place.address + size_t{unit} * data.unit_bytes + i,
                                       event.instruction.source);
        slot[data.shift_bytes + i] = taint;
    }
}

void InitChecker::doubt(const MemoryEvent& event) {
    const RegisterPlace& data = event.data;
    const uint32_t undefined = undefined_predicate(event.thread, event.instruction);
    if (undefined == 0 || event.kind == AccessKind::write || data.base == machine::no_register)
        return;
    const Taint taint = predicate_taint(event.thread, event.instruction, event.instruction.predicate.id);
    std::vector<Taint>& registers = registers_of(event.thread).bytes;
    const uint32_t units = event.bytes / std::max<uint32_t>(data.unit_bytes, 1);
    for (uint32_t rest = event.addresses.size() == 1 ? 1 : undefined; rest != 0; rest &= rest - 1)
        for (uint32_t unit = 0; unit < units; ++unit) {
            const auto lane = static_cast<size_t>(std::countr_zero(rest));
            const size_t at = data.base + lane * data.lane_stride + size_t{unit} * data.unit_stride;
            if (at + data.slot_bytes <= registers.size())
                std::memset(registers.data() + at, taint, data.slot_bytes);
        }
}

void InitChecker::store_written(const MemoryEvent& event) {
    if (event.space == machine::Space::surface ||
        (event.space == machine::Space::flat && !has_private(*event.thread.launch)))
        return; // global memory
    for (uint32_t rest = event.lanes & ~event.dropped; rest != 0; rest &= rest - 1) {
        const Place place = place_of(event, static_cast<unsigned>(std::countr_zero(rest)));
        if (Taint* const to = memory_taint(event, place, event.bytes))
            std::memset(to, written, event.bytes);
    }
}

// Registers to memory. `combine`: an atomic's operand; what is there stays as ill defined as it was.
void InitChecker::store(const MemoryEvent& event, const RegisterPlace& data, bool combine) {
    const uint32_t units = event.bytes / std::max<uint32_t>(data.unit_bytes, 1);
    const bool block = event.addresses.size() == 1;
    const std::vector<Taint>& registers = registers_of(event.thread).bytes;
    if (combine && data.base == machine::no_register)
        return;
    if (data.base != machine::no_register) {
        const size_t last = static_cast<size_t>(std::bit_width(event.lanes)) - 1;
        const size_t span = last * data.lane_stride + size_t{units - 1} * data.unit_stride + data.slot_bytes;
        if (data.base + span <= registers.size() && all_written(registers.data() + data.base, span))
            return combine ? void() : store_written(event); // what is defined may be stored anywhere
    }
    std::optional<uint32_t> excused;
    for (uint32_t rest = event.lanes & ~event.dropped; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const Place place = place_of(event, lane);
        Taint* const to = memory_taint(event, place, event.bytes);
        Taint worst = written;
        for (uint32_t unit = 0; unit < units; ++unit) {
            Taint whole = untouched; // of the unit, as long as no byte of it is defined
            Taint moved = written;   // of its bytes, what some instruction made
            for (uint32_t i = 0; i < data.unit_bytes; ++i) {
                Taint taint = written;
                if (data.base != machine::no_register) {
                    const int64_t from = int64_t{data.base} + int64_t{lane} * data.lane_stride +
                                         int64_t{unit} * data.unit_stride + data.shift_bytes + i;
                    const bool gap = from >= 0 && static_cast<size_t>(from) < registers.size() &&
                                     registers[static_cast<size_t>(from)] == untouched;
                    taint = bytes_taint(event.thread, event.instruction, from, 1);
                    if (!gap)
                        moved = either(moved, taint);
                }
                whole = whole == written ? written : taint;
                if (to != nullptr) {
                    Taint& there = to[size_t{unit} * data.unit_bytes + i];
                    there = combine ? either(there, taint) : taint;
                }
            }
            worst = either(worst, either(moved, whole)); // gaps between a struct's fields are no values
        }
        if (to != nullptr || worst == written || place.region != Region::global)
            continue;
        if (!excused)
            excused = combine ? 0U : fourths(event, data);
        if ((*excused >> lane & 1U) == 0)
            report(event.thread, event.instruction, block ? -1 : channel(event.instruction, lane), worst,
                   "uninitialized-store", "a value that nobody wrote is stored to global memory",
                   name_of(event.thread, place));
    }
}

} // namespace visor::check
