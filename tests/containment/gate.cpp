#include "gate.h"

#include "keys.h"

#include "jit/engine/runtime_abi.h"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace visor::containment {

namespace {

using jit::State;

// A callback of the engine's that runs unlocked.
template <auto callback, typename Function>
struct Unlocked;
template <auto callback, typename Result, typename... Arguments>
struct Unlocked<callback, Result (*)(Arguments...)> {
    static inline Result (*own)(Arguments...) = nullptr;
    static Result call(Arguments... arguments) {
        unlock_process();
        const Result result = own(arguments...);
        lock_process();
        return result;
    }
    static void put_in(State& state) {
        if (state.*callback != call)
            own = std::exchange(state.*callback, call);
    }
};
template <auto callback>
void unlock_for(State& state) {
    using Function = std::remove_reference_t<decltype(state.*callback)>;
    Unlocked<callback, Function>::put_in(state);
}

template <typename T>
void share_all(const std::vector<T>& values) {
    share(values.data(), values.size() * sizeof(T));
}

// What the runtime ABI lets compiled code write to, beside memory of kernels.
void share_state(State& state) {
    unlock_for<&State::step>(state);
    unlock_for<&State::poll>(state);
    unlock_for<&State::meet>(state);
    unlock_for<&State::check_range>(state);
    unlock_for<&State::check_lanes>(state);
    unlock_for<&State::clear>(state);
    const machine::Thread& thread = *state.thread;
    share(state.registers, thread.program->register_bytes);
    share(state.saved, thread.program->register_bytes);
    share(state.group_ids, sizeof thread.group->id);
    share(state.idle_atomics, sizeof *state.idle_atomics);
    share(state.calls, sizeof *state.calls);
    share(thread.group->slm.data(), thread.group->slm.size());
    share(thread.scratch.data(), thread.scratch.size());
    share_all(thread.predicates);
    share_all(thread.addresses);
    share_all(thread.waiting);
    share_all(thread.surfaces);
    share_all(thread.samplers);
}

State* enter(jit::Native code, State* state, uint64_t more) {
    std::span<State> states(state, more + 1);
    if (state->group != nullptr) // threads of a group go on in each other's states
        states = {state->group,
                  std::max(state->group_count, static_cast<uint64_t>(state - state->group) + more + 1)};
    share(states.data(), states.size_bytes());
    for (State& each : states)
        if (each.thread != nullptr)
            share_state(each);
    lock_process();
    State* const last = code(state, more);
    unlock_process();
    return last;
}

} // namespace

jit::Enter gate() {
    return keys_are_on() ? enter : nullptr;
}

} // namespace visor::containment
