// containment_keys: functions in the place of compiled code that write to memory of the process, each in a
// process of its own. What is shared can be written to; anything else ends the process.
#include "fence.h"
#include "gate.h"
#include "keys.h"
#include "killed_by.h"

#include "machine/thread.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

namespace visor::containment {
namespace {

using jit::State;

uint64_t global = 0;
uint64_t* heap = nullptr;

State* write_global(State* state, uint64_t /*more*/) {
    *static_cast<volatile uint64_t*>(&global) = 1;
    return state;
}
State* write_heap(State* state, uint64_t /*more*/) {
    *static_cast<volatile uint64_t*>(heap) = 1;
    return state;
}
// What compiled code reads, but only the engine writes.
State* write_site(State* state, uint64_t /*more*/) {
    static_cast<volatile machine::AccessSite*>(state->sites)->low = 1;
    return state;
}
State* write_program(State* state, uint64_t /*more*/) {
    auto* const program = reinterpret_cast<volatile uint32_t*>(const_cast<Program*>(state->thread->program));
    *program = 1;
    return state;
}
State* write_after_callback(State* state, uint64_t more) {
    static_cast<void>(state->step(state, 0));
    return write_heap(state, more);
}
State* write_own(State* state, uint64_t /*more*/) {
    volatile uint64_t on_stack = 3;
    state->instructions = on_stack;
    state->registers[0] = std::byte{1};
    state->predicates[0] = 1;
    ++*state->idle_atomics;
    return state;
}
State* call_back(State* state, uint64_t /*more*/) {
    state->pc = state->step(state, 7);
    return state;
}

uint32_t step(State* /*state*/, uint32_t index) { // callbacks may write anywhere
    *heap = index;
    global = index;
    return index + 1;
}

struct Case {
    std::string_view name;
    jit::Native code;
    bool stops;
};
constexpr std::array cases{
    Case{"a global variable", write_global, true},
    Case{"the heap", write_heap, true},
    Case{"a site's range", write_site, true},
    Case{"the program", write_program, true},
    Case{"the heap after a callback", write_after_callback, true},
    Case{"its own state", write_own, false},
    Case{"the heap, in a callback", call_back, false},
};

// Enters the code with a thread of one register.
int enter(jit::Native code) {
    arm(true);
    auto program = std::make_unique<Program>();
    program->register_bytes = 64;
    std::vector<std::byte> registers(64);
    std::vector<std::byte> saved(64);
    std::vector<uint64_t> block(1);
    heap = block.data();
    machine::Group group;
    const auto thread = std::make_unique<machine::Thread>();
    thread->program = program.get();
    thread->group = &group;
    thread->predicates.resize(1);
    thread->sites.resize(1);
    uint32_t calls = 0;
    State state;
    state.registers = registers.data();
    state.saved = saved.data();
    state.predicates = thread->predicates.data();
    state.sites = thread->sites.data();
    state.group_ids = group.id.data();
    state.idle_atomics = &thread->idle_atomics;
    state.calls = &calls;
    state.step = step;
    state.thread = thread.get();
    const State* const last = gate()(code, &state, 0);
    arm(false);
    return last == &state ? EXIT_SUCCESS : EXIT_FAILURE;
}

bool holds(const Case& one) {
    const pid_t child = fork();
    if (child == 0) {
        tell_when_killed();
        now_doing(one.name);
        _exit(with_keys([&] { return enter(one.code); }));
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return false;
    const int wanted = one.stops ? stopped : EXIT_SUCCESS;
    if (WEXITSTATUS(status) != wanted)
        fmt::print(stderr, "{}: exit code {}, not {}\n", one.name, WEXITSTATUS(status), wanted);
    return WEXITSTATUS(status) == wanted;
}

} // namespace
} // namespace visor::containment

int main() {
    using namespace visor::containment;
    if (!have_keys())
        return with_keys([] { return EXIT_FAILURE; });
    bool all = true;
    for (const Case& one : cases)
        all = holds(one) && all;
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
