// Barriers, fences and yields; what a barrier is stands in machine/barrier.h. Threads of a group run in turn
// on one CPU thread, so that a fence of local scope has nothing to do; groups may run on several, so that a
// wider one is a real fence.
#include "interp/interp.h"
#include "interp/operand.h"
#include "machine/barrier.h"
#include "program/waits.h"

#include <atomic>

namespace visor::interp {

namespace {

using machine::Status;
using machine::Thread;

namespace opcode {
constexpr uint8_t barrier = 0x59;
constexpr uint8_t sampler_cache_flush = 0x5a;
constexpr uint8_t wait = 0x5b;
constexpr uint8_t fence = 0x5c;
constexpr uint8_t yield = 0x5f;
constexpr uint8_t named_barrier = 0x60;
constexpr uint8_t split_barrier = 0x7c;
constexpr uint8_t lsc_fence = 0x8b;
constexpr uint8_t breakpoint = 0x94;
} // namespace opcode

void barrier(Thread& thread, const PreparedInstruction& instruction) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    machine::signal_barrier(thread, instruction);
    machine::wait_at_barrier(thread, instruction);
}

void split_barrier(Thread& thread, const PreparedInstruction& instruction) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const bool signal = operand(thread, instruction, 0).value == 1;
    if (signal)
        machine::signal_barrier(thread, instruction);
    else
        machine::wait_at_barrier(thread, instruction);
}

// NBARRIER: mode, id, type, num_producers, num_consumers. The baseline's one number means both.
void named_barrier(Thread& thread, const PreparedInstruction& instruction) {
    constexpr uint64_t wait = 0;
    constexpr uint64_t baseline_signal = 1;
    const auto number = [&](size_t index) {
        return static_cast<uint32_t>(
            interp::scalar(thread, instruction, operand(thread, instruction, index)));
    };
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const uint64_t mode = operand(thread, instruction, 0).value;
    const uint32_t id = number(1);
    if (mode == wait)
        return machine::wait_at_named(thread, instruction, id);
    const uint32_t producers = number(3);
    const bool baseline = mode == baseline_signal;
    machine::signal_named(thread, instruction,
                          {id, baseline ? 0 : number(2), producers, baseline ? producers : number(4)});
}

void fence(Thread& thread, const PreparedInstruction& instruction) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (thread.watcher != nullptr) [[unlikely]] {
        const program::FenceScope scope = program::fence_scope(*thread.program, instruction);
        thread.watcher->fenced(thread, instruction, {.global = scope.global, .local = scope.local});
    }
    // A thread that spins on memory lets the others of its group go on.
    constexpr uint32_t turns_before_yield = 64;
    if (++thread.idle_atomics >= turns_before_yield)
        thread.status = Status::yielded;
}

void yield(Thread& thread, const PreparedInstruction& /*instruction*/) {
    thread.status = Status::yielded;
}

// WAIT: for threads of a dependency pattern, which no launch of Visor has (ruling 85).
void wait_for_threads(Thread& thread, const PreparedInstruction& instruction) {
    (void)scalar(thread, instruction, operand(thread, instruction, 0)); // an indirect mask can fail
}

} // namespace

Handler family::sync(const Program& /*program*/, const PreparedInstruction& instruction) {
    switch (instruction.row->opcode) {
    case opcode::barrier:
        return barrier;
    case opcode::split_barrier:
        return split_barrier;
    case opcode::named_barrier:
        return named_barrier;
    case opcode::wait:
        return wait_for_threads;
    case opcode::fence:
    case opcode::lsc_fence:
        return fence;
    case opcode::yield:
        return yield;
    case opcode::sampler_cache_flush: // there is no cache to flush
    case opcode::breakpoint:          // and no debugger that listens
        return no_effect;
    default:
        return nullptr;
    }
}

} // namespace visor::interp
