// Barriers, fences and yields. Threads of a group run in turn on one CPU thread, so that a fence of local
// scope has nothing to do; groups may run on several, so that a wider one is a real fence.
#include "interp/interp.h"
#include "interp/operand.h"

#include <atomic>

namespace visor::interp {

namespace {

using machine::Status;
using machine::Thread;

namespace opcode {
constexpr uint8_t barrier = 0x59;
constexpr uint8_t sampler_cache_flush = 0x5a;
constexpr uint8_t fence = 0x5c;
constexpr uint8_t yield = 0x5f;
constexpr uint8_t split_barrier = 0x7c;
constexpr uint8_t lsc_fence = 0x8b;
} // namespace opcode

void barrier(Thread& thread, const PreparedInstruction& instruction) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (thread.watcher != nullptr)
        thread.watcher->barrier(thread, instruction);
    thread.status = Status::at_barrier;
}

// SBARRIER: signal announces, wait stops. Every thread that signals comes to its wait, so stopping there is
// enough.
void split_barrier(Thread& thread, const PreparedInstruction& instruction) {
    const bool signal = operand(thread, instruction, 0).value == 1;
    if (signal) {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        thread.barrier_signalled = true;
        return;
    }
    if (!thread.barrier_signalled) {
        thread.fail(machine::FaultKind::deadlock, instruction, "sbarrier.wait without a signal before it");
        return;
    }
    thread.barrier_signalled = false;
    barrier(thread, instruction);
}

void fence(Thread& thread, const PreparedInstruction& /*instruction*/) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    // A thread that spins on memory lets the others of its group go on.
    constexpr uint32_t turns_before_yield = 64;
    if (++thread.idle_atomics >= turns_before_yield)
        thread.status = Status::yielded;
}

void yield(Thread& thread, const PreparedInstruction& /*instruction*/) {
    thread.status = Status::yielded;
}

void nothing(Thread& /*thread*/, const PreparedInstruction& /*instruction*/) {}

} // namespace

Handler family::sync(const Program& /*program*/, const PreparedInstruction& instruction) {
    switch (instruction.row->opcode) {
    case opcode::barrier:
        return barrier;
    case opcode::split_barrier:
        return split_barrier;
    case opcode::fence:
    case opcode::lsc_fence:
        return fence;
    case opcode::yield:
        return yield;
    case opcode::sampler_cache_flush: // there is no cache to flush
        return nothing;
    default:
        return nullptr;
    }
}

} // namespace visor::interp
