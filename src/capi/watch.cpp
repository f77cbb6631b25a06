#include "capi/watch.h"

#include "isa/row.h"
#include "machine/thread.h"
#include "program/program.h"

#include <algorithm>
#include <bit>

namespace visor::capi {

void Counter::instruction(const machine::Thread& /*thread*/, const PreparedInstruction& /*instruction*/,
                          uint32_t lanes) {
    ++counted_.instructions;
    counted_.lane_instructions += static_cast<uint64_t>(std::popcount(lanes));
}

void Counter::memory(const machine::MemoryEvent& event) {
    const auto count = [](uint32_t lanes) { return static_cast<uint64_t>(std::popcount(lanes)); };
    const uint64_t bytes = count(event.lanes & ~event.dropped) * event.bytes;
    counted_.lanes_dropped += count(event.dropped);
    switch (event.kind) {
    case machine::AccessKind::read:
        ++counted_.reads;
        counted_.bytes_read += bytes;
        break;
    case machine::AccessKind::write:
        ++counted_.writes;
        counted_.bytes_written += bytes;
        break;
    case machine::AccessKind::atomic:
        ++counted_.atomics;
        counted_.bytes_written += bytes;
        break;
    }
}

void Counter::barrier_signalled(const machine::Thread& /*thread*/, const PreparedInstruction& /*instruction*/,
                                int /*barrier*/) {
    ++counted_.barriers;
}

void Counter::fenced(const machine::Thread& /*thread*/, const PreparedInstruction& /*instruction*/,
                     machine::Fence /*fence*/) {
    ++counted_.fences;
}

void Listener::instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                           uint32_t lanes) {
    visor_instruction_event event{};
    std::ranges::copy(thread.group->id, event.group);
    event.thread = thread.index;
    event.index = instruction.source;
    event.lanes = lanes;
    event.mnemonic = instruction.row->mnemonic;
    if (watch_.instruction(watch_.user, &event) != 0)
        stop_ = true;
}

void Listener::memory(const machine::MemoryEvent& event) {
    if (watch_.memory == nullptr)
        return;
    visor_memory_event out{};
    std::ranges::copy(event.thread.group->id, out.group);
    out.thread = event.thread.index;
    out.index = event.instruction.source;
    out.lanes = event.lanes;
    out.dropped = event.dropped;
    out.space = static_cast<int32_t>(event.space);
    out.access = static_cast<int32_t>(event.kind);
    out.surface = event.space == machine::Space::surface ? event.surface : 0;
    out.bytes = event.bytes;
    out.address_count = static_cast<uint32_t>(event.addresses.size());
    out.addresses = event.addresses.data();
    if (watch_.memory(watch_.user, &out) != 0)
        stop_ = true;
}

} // namespace visor::capi
