// Barriers, fences and yields; machine/barrier.h defines barriers. The threads of a group share one CPU
// thread, so a fence of local scope has no effect. Groups may run on several CPU threads, so a wider fence
// is a host fence.
#include "interp/interp.h"
#include "interp/operand.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "machine/barrier.h"
#include "program/waits.h"

#include <atomic>

namespace visor::interp {

namespace {

using machine::Status;
using machine::Thread;

namespace opcode = isa::opcode;

void barrier(Thread& thread, const PreparedInstruction& instruction) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    machine::signal_barrier(thread, instruction);
    machine::wait_at_barrier(thread, instruction);
}

void split_barrier(Thread& thread, const PreparedInstruction& instruction) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const bool signal = operand(thread, instruction, isa::operand_order::nbarrier::mode).value == 1;
    if (signal)
        machine::signal_barrier(thread, instruction);
    else
        machine::wait_at_barrier(thread, instruction);
}

// NBARRIER. The baseline's one number is that of producers and of consumers.
void named_barrier(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = isa::operand_order::nbarrier;
    constexpr uint64_t wait = 0;
    constexpr uint64_t baseline_signal = 1;
    const auto number = [&](size_t index) {
        return static_cast<uint32_t>(
            interp::scalar(thread, instruction, operand(thread, instruction, index)));
    };
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const uint64_t mode = operand(thread, instruction, field::mode).value;
    const uint32_t id = number(field::id);
    if (mode == wait)
        return machine::wait_at_named(thread, instruction, id);
    const uint32_t producers = number(field::num_producers);
    const bool baseline = mode == baseline_signal;
    machine::signal_named(thread, instruction,
                          {id, baseline ? 0 : number(field::type), producers,
                           baseline ? producers : number(field::num_consumers)});
}

void fence(Thread& thread, const PreparedInstruction& instruction) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (thread.watcher != nullptr) [[unlikely]] {
        const program::FenceScope scope = program::fence_scope(*thread.program, instruction);
        thread.watcher->fenced(thread, instruction, {.global = scope.global, .local = scope.local});
    }
    // A thread that spins on memory yields to the other threads of its group.
    constexpr uint32_t fences_before_yield = 64;
    if (++thread.idle_atomics >= fences_before_yield)
        thread.status = Status::yielded;
}

void yield(Thread& thread, const PreparedInstruction& /*instruction*/) {
    thread.status = Status::yielded;
}

// WAIT: for threads of a dependency pattern, which no launch of Visor has (ruling 85).
void wait_for_threads(Thread& thread, const PreparedInstruction& instruction) {
    (void)scalar(thread, instruction, operand(thread, instruction, 0)); // an indirect mask can fault
}

} // namespace

Handler family::sync(const Program& /*program*/, const PreparedInstruction& instruction) {
    switch (instruction.row->opcode) {
    case opcode::barrier:
        return barrier;
    case opcode::sbarrier:
        return split_barrier;
    case opcode::nbarrier:
        return named_barrier;
    case opcode::wait:
        return wait_for_threads;
    case opcode::fence:
    case opcode::lsc_fence:
        return fence;
    case opcode::yield:
        return yield;
    case opcode::sampler_cache_flush: // there is no cache to flush
    case opcode::breakpoint:          // and no debugger
        return no_effect;
    default:
        return nullptr;
    }
}

} // namespace visor::interp
