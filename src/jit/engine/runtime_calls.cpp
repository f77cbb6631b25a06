#include "jit/engine/runtime_calls.h"

#include "machine/barrier.h"
#include "machine/launch.h"
#include "machine/worker_arena.h"

#include <algorithm>
#include <span>

namespace visor::jit {

using machine::Status;
using machine::Thread;

uint32_t meet(State* state, uint32_t index, uint32_t actions) {
    Thread& thread = *state->thread;
    thread.untouched = false;
    ++*state->calls;
    const PreparedInstruction& instruction = thread.program->code[index];
    if ((actions & meet_signal) != 0)
        machine::signal_barrier(thread, instruction);
    if ((actions & meet_wait) != 0)
        machine::wait_at_barrier(thread, instruction);
    if ((actions & meet_yield) != 0)
        thread.status = Status::yielded;
    return static_cast<uint32_t>(thread.status);
}

uint32_t clear(State* state, uint32_t what) {
    const Thread& first = *state->thread;
    if ((what & clear_shared_local) != 0)
        std::ranges::fill(first.group->slm, std::byte{0});
    if ((what & clear_scratch) == 0)
        return 0;
    for (const State& one : std::span(state, first.launch->threads))
        machine::begin_scratch(*first.launch, one.thread->scratch);
    return 0;
}

} // namespace visor::jit
