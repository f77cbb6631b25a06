#include "hazards.h"

#include "machine/thread.h"

#include <algorithm>
#include <bit>

namespace visor::corpus {

namespace {

constexpr uint32_t several = UINT32_MAX; // of several groups
constexpr uint32_t several_of_a_phase = UINT32_MAX - 1;

} // namespace

Hazards::Hazards(std::span<const launch::Buffer> buffers) {
    for (const launch::Buffer& buffer : buffers) {
        Region region{.address = buffer.address, .cells = std::vector<Cell>(buffer.bytes)};
        const std::byte* data = machine::Memory::host(buffer.address);
        for (size_t i = 0; i < region.cells.size(); ++i)
            region.cells[i].value = data[i];
        regions_.push_back(std::move(region));
    }
}

void Hazards::undefined(const machine::UndefinedEvent& event) {
    if (event.kind == machine::UndefinedKind::early_exit)
        divergent = true;
    if (event.kind == machine::UndefinedKind::write_conflict && !event.harmless)
        race = true;
}

void Hazards::barrier_signalled(const machine::Thread& thread, const PreparedInstruction& /*instruction*/,
                                int /*barrier*/) {
    if (thread.execution_mask != thread.dispatch_mask)
        divergent = true;
}

void Hazards::barrier_released(const machine::Thread& /*any*/, int /*barrier*/) {
    ++phase_;
}

Hazards::Region* Hazards::region_of(uint64_t address) {
    const auto found = std::ranges::find_if(regions_, [&](const Region& region) {
        return address >= region.address && address - region.address < region.cells.size();
    });
    return found == regions_.end() ? nullptr : &*found;
}

void Hazards::note(Cell& cell, std::byte now, const Use& use, machine::AccessKind kind) {
    const bool atomic = kind == machine::AccessKind::atomic;
    const auto ordered = [&](const Use& before) {
        return before.item == 0 || before.item == use.item ||
               (before.item != several && before.group == use.group && before.phase < use.phase);
    };
    if (!ordered(cell.write)) {
        if (atomic && cell.atomic)
            shared_atomics = true;
        else if (kind == machine::AccessKind::read || now != cell.value)
            race = true;
    }
    if (kind == machine::AccessKind::read) {
        // Several readers of one group and phase are as one to a writer behind the next barrier.
        if (cell.read.item == several)
            return;
        const bool other = cell.read.item != 0 && cell.read.item != use.item;
        if (other && cell.read.group != use.group)
            cell.read.item = several;
        else if (other && cell.read.phase == use.phase)
            cell.read.item = several_of_a_phase;
        else
            cell.read = use;
        return;
    }
    if (!ordered(cell.read) && now != cell.value)
        race = true;
    cell.write = use;
    cell.atomic = atomic;
    cell.value = now;
}

void Hazards::touch(Region& region, uint64_t offset, uint32_t bytes, const std::byte* data, const Use& use,
                    machine::AccessKind kind, bool local) {
    if (offset >= region.cells.size() || bytes > region.cells.size() - offset) {
        outside = true;
        return;
    }
    for (uint32_t i = 0; i < bytes; ++i) {
        Cell& cell = region.cells[offset + i];
        if (local && cell.write.item == 0 && kind != machine::AccessKind::write)
            uninitialised = true;
        note(cell, data[i], use, kind);
    }
}

void Hazards::memory(const machine::MemoryEvent& event) {
    if (event.space == machine::Space::scratch)
        return;
    if (event.dropped != 0)
        outside = true;
    const machine::Thread& thread = event.thread;
    if (thread.group->linear != group_) {
        group_ = thread.group->linear;
        phase_ = 0;
        local_ = {.address = 0, .cells = std::vector<Cell>(thread.group->slm.size())};
    }
    for (uint32_t rest = event.lanes & ~event.dropped; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const uint32_t channel = event.instruction.execution.offset + lane;
        const auto number = static_cast<uint32_t>(group_) * 1024 + thread.index;
        const Use use{.item = 1 + number * 32 + channel, .phase = phase_, .group = group_};
        uint64_t address = event.addresses[lane];
        if (event.space == machine::Space::slm) {
            touch(local_, address, event.bytes, thread.group->slm.data() + address, use, event.kind, true);
            continue;
        }
        if (event.space == machine::Space::surface) {
            if (event.surface >= thread.launch->surfaces.size())
                continue;
            address += thread.launch->surfaces[event.surface].address;
        }
        if (Region* const region = region_of(address))
            touch(*region, address - region->address, event.bytes, machine::Memory::host(address), use,
                  event.kind, false);
    }
}

} // namespace visor::corpus
