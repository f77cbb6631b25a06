#include "machine/barrier.h"

#include "machine/thread.h"

#include <fmt/format.h>
#include <utility>

namespace visor::machine {

namespace {

void deadlock(Thread& thread, const PreparedInstruction& instruction, std::string detail) {
    thread.fail(FaultKind::deadlock, instruction, std::move(detail));
}

void wait_for(Thread& thread, int barrier) {
    thread.arrivals.waits_for = barrier;
    if (!phase_is_over(thread))
        thread.status = Status::at_barrier;
    else if (thread.watcher != nullptr)
        thread.watcher->barrier_passed(thread, barrier);
}

} // namespace

void signal_barrier(Thread& thread, const PreparedInstruction& instruction) {
    Barriers& barriers = thread.group->barriers;
    if (thread.watcher != nullptr)
        thread.watcher->barrier_signalled(thread, instruction, group_barrier);
    thread.arrivals.signalled = true;
    thread.arrivals.phase = barriers.phase;
    if (++barriers.arrived < barriers.threads)
        return;
    barriers.arrived = 0;
    ++barriers.phase;
    if (thread.watcher != nullptr)
        thread.watcher->barrier_released(thread, group_barrier);
}

void wait_at_barrier(Thread& thread, const PreparedInstruction& instruction) {
    if (!thread.arrivals.signalled)
        return deadlock(thread, instruction, "sbarrier.wait without a signal before it");
    thread.arrivals.signalled = false;
    wait_for(thread, waits_for_group);
}

void signal_named(Thread& thread, const PreparedInstruction& instruction, const NamedSignal& signal) {
    if (signal.id >= named_barriers)
        return deadlock(thread, instruction,
                        fmt::format("named barrier {}: there are 0 to {}", signal.id, named_barriers - 1));
    if (signal.role > static_cast<uint32_t>(BarrierRole::consumer) || signal.producers == 0 ||
        signal.consumers == 0)
        return deadlock(thread, instruction,
                        fmt::format("named barrier {}: type {}, {} producers, {} consumers", signal.id,
                                    signal.role, signal.producers, signal.consumers));
    NamedBarrier& barrier = thread.group->barriers.named[signal.id];
    if (!barrier.open) {
        barrier = {barrier.phase, true, signal.producers, signal.consumers, 0, 0};
    } else if (barrier.producers != signal.producers || barrier.consumers != signal.consumers) {
        return deadlock(
            thread, instruction,
            fmt::format("named barrier {} has {} producers and {} consumers, and a thread signals {} "
                        "and {}",
                        signal.id, barrier.producers, barrier.consumers, signal.producers, signal.consumers));
    }
    if (thread.watcher != nullptr)
        thread.watcher->barrier_signalled(thread, instruction, static_cast<int>(signal.id));
    const auto role = static_cast<BarrierRole>(signal.role);
    barrier.produced += role != BarrierRole::consumer ? 1 : 0;
    barrier.consumed += role != BarrierRole::producer ? 1 : 0;
    if (barrier.produced > barrier.producers || barrier.consumed > barrier.consumers)
        return deadlock(thread, instruction,
                        fmt::format("more threads signal named barrier {} than its {} producers and {} "
                                    "consumers",
                                    signal.id, barrier.producers, barrier.consumers));
    if (role != BarrierRole::producer) {
        thread.arrivals.named_signalled |= 1U << signal.id;
        thread.arrivals.named_phase[signal.id] = barrier.phase;
    }
    if (barrier.produced == barrier.producers && barrier.consumed == barrier.consumers) {
        ++barrier.phase;
        barrier.open = false;
        if (thread.watcher != nullptr)
            thread.watcher->barrier_released(thread, static_cast<int>(signal.id));
    }
}

void wait_at_named(Thread& thread, const PreparedInstruction& instruction, uint32_t id) {
    if (id >= named_barriers || (thread.arrivals.named_signalled >> id & 1U) == 0)
        return deadlock(
            thread, instruction,
            fmt::format("a wait at named barrier {} without a signal as its consumer before it", id));
    thread.arrivals.named_signalled &= ~(1U << id);
    wait_for(thread, static_cast<int>(id));
}

Thread* meet_partner(Thread& thread, const PreparedInstruction& instruction) {
    Barriers& barriers = thread.group->barriers;
    if ((thread.index ^ 1U) >= barriers.threads) {
        deadlock(thread, instruction,
                 fmt::format("a fused instruction in a group of {} hardware threads: they come in pairs",
                             barriers.threads));
        return nullptr;
    }
    barriers.pairs.resize(barriers.threads / 2);
    Thread*& waiting = barriers.pairs[thread.index / 2];
    if (waiting == nullptr) {
        waiting = &thread;
        thread.arrivals.lacks_partner = true;
        wait_for(thread, waits_for_partner);
        return nullptr;
    }
    Thread* const partner = std::exchange(waiting, nullptr);
    if (partner->pc != thread.pc) {
        deadlock(thread, instruction, "the two threads of a fused pair are at different instructions");
        return nullptr;
    }
    partner->arrivals.lacks_partner = false;
    return partner;
}

bool phase_is_over(const Thread& thread) {
    const Barriers& barriers = thread.group->barriers;
    const int id = thread.arrivals.waits_for;
    if (id == waits_for_partner)
        return !thread.arrivals.lacks_partner;
    if (id < 0)
        return barriers.phase != thread.arrivals.phase;
    const auto named = static_cast<size_t>(id);
    return barriers.named[named].phase != thread.arrivals.named_phase[named];
}

} // namespace visor::machine
