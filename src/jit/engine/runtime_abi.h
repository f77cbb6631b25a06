// The runtime ABI between generated code and the engine: a plain struct whose members generated code accesses
// by offset, and function pointers for its callbacks. Generated code calls nothing else of the process.
#pragma once

#include "jit/engine/lane_access_calls.h"
#include "machine/thread.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace visor::jit {

// A surface's bytes. Code masks offsets before the range check: bit 28 of a shared local address has no
// meaning (launch ABI).
struct Window {
    std::byte* data = nullptr;
    uint64_t bytes = 0;
    uint64_t mask = UINT64_MAX;
};

// An image's bytes, and where its texels lie in them. All numbers are less than 2^31.
struct ImageWindow {
    std::byte* data = nullptr;
    uint64_t bytes = 0;
    std::array<uint32_t, 3> size{}; // texels, at least 1
    uint32_t layers = 0;            // at least 1
    uint32_t row_pitch = 0;         // bytes
    uint32_t slice_pitch = 0;       // likewise; also from layer to layer
};

using Site = machine::AccessSite;

// Barrier actions of a thread.
inline constexpr uint32_t meet_signal = 1;
inline constexpr uint32_t meet_wait = 2;
inline constexpr uint32_t meet_yield = 4;

// Lies on the host's heap or stack, without guard pages; never in memory that kernels index
// (machine/guarded_memory.h).
struct State {
    std::byte* registers = nullptr;
    uint32_t* predicates = nullptr;
    uint32_t* addresses = nullptr;
    uint32_t* waiting = nullptr;
    uint32_t* surfaces = nullptr;             // binding-table indices, by element
    const uint32_t* first_surfaces = nullptr; // their initial values
    Window* windows = nullptr;                // of the elements in Object::surfaces
    const Window* named_windows = nullptr;    // of Object::named_surfaces
    const Window* handle_windows = nullptr;   // of Object::handles
    const Window* first_windows = nullptr;    // of the initial values of Object::surfaces
    const Window* launch_windows = nullptr;   // of all surfaces, by number, if Object::looks_up
    uint64_t launch_window_count = 0;
    Site* sites = nullptr;
    uint32_t* group_ids = nullptr;             // x, y, z
    const std::byte* first_contents = nullptr; // initial values of pinned variables
    const uint64_t* symbols = nullptr;         // results of faddr (engine/symbol_table.h)
    const bool* stop = nullptr;                // never null
    uint32_t* idle_atomics = nullptr;
    // Interpreter fallback: executes one instruction; returns the thread's status.
    uint32_t (*step)(State* state, uint32_t index) = nullptr;
    // The cold path of a safepoint at a backward branch; returns the status.
    uint32_t (*poll)(State* state, uint32_t index, uint32_t can_yield) = nullptr;
    // The group's barrier; returns the status.
    uint32_t (*meet)(State* state, uint32_t index, uint32_t actions) = nullptr;
    // The cold path of a flat range check: sets the site to the allocation that holds [first, last + bytes),
    // or to its part that needs no report. Returns 0 when there is none.
    uint32_t (*check_range)(State* state, uint32_t site, uint32_t index, uint64_t first, uint64_t last,
                            uint64_t bytes) = nullptr;
    // The same for the enabled lanes' addresses + `displacement`.
    uint32_t (*check_lanes)(State* state, uint32_t site, uint32_t index, const uint64_t* addresses,
                            uint32_t on, uint32_t lanes, uint64_t displacement, uint64_t bytes) = nullptr;
    // Clears shared local memory, scratch blocks or both (engine/runtime_calls.h) before the code continues
    // with the next group. Takes the first thread's state; returns 0.
    uint32_t (*clear)(State* state, uint32_t what) = nullptr;
    const LaneAccessCalls* lane_access_calls = nullptr;
    // Threads of all groups while stores may be non-temporal (engine/nontemporal_tuner.h), else 0.
    uint64_t launch_threads = 0;
    uint64_t fuel = 0;
    // Results of a run of several threads, in the last one's state: executed instructions of threads that
    // ended, barrier phases, threads after the last one (cyclically) that have not run in this phase, and
    // whether some threads wait at a barrier while others have ended.
    uint64_t total = 0;
    uint64_t phase = 0;
    uint64_t left = 0;
    uint32_t some_wait = 0;
    // The states of the whole group, when the code implements its barrier; else group_count is 0.
    State* group = nullptr;
    uint64_t group_count = 0;
    // In the first thread's state: start of the stream that was prefetched last (ir/thread_entry.h).
    uint64_t prefetched = 0;
    // Likewise: cached results for other threads that were not used, less the ones that used results pay for
    // (transform/unroll_and_jam_threads.h).
    int64_t jammed = 0;
    // In the first thread's state: following groups along x that the code may run itself if it made no
    // callback. The code decrements it and advances `group_ids`.
    uint64_t groups_left = 0;
    std::byte* saved = nullptr; // registers of a stopped thread, at their register-file offsets
    uint32_t* calls = nullptr;  // counts callbacks
    uint64_t instructions = 0;
    uint32_t mask = 0;
    uint32_t dispatch_mask = 0;
    uint32_t pc = 0;
    uint32_t ended = 0; // the kernel has ended
    Window slm;
    machine::Thread* thread = nullptr;
    const void* engine = nullptr;
    const void* code = nullptr;
    void* window_store = nullptr;
    bool refill = false;          // surface variables have changed: refill windows
    uint32_t* samplers = nullptr; // sampler numbers and handles, by element
    // Counts interpreter fallbacks by code index, empty before the first one; null: the engine counts.
    std::vector<uint64_t>* called_out = nullptr;
    const ImageWindow* images = nullptr; // of CompileOptions::images
};

// The functions that generated code calls: the pointers above, and those of State::lane_access_calls.
enum class RuntimeEntry : uint8_t {
    step,
    poll,
    meet,
    check_range,
    check_lanes,
    clear,
    load_surface,
    store_surface,
    load_flat,
    store_flat,
};
struct RuntimeFunction {
    std::string_view name;
    size_t offset;        // of its pointer
    bool by_lane = false; // in LaneAccessCalls, else in State
};
inline constexpr std::array runtime_functions{
    RuntimeFunction{"step", offsetof(State, step)},
    RuntimeFunction{"poll", offsetof(State, poll)},
    RuntimeFunction{"meet", offsetof(State, meet)},
    RuntimeFunction{"check_range", offsetof(State, check_range)},
    RuntimeFunction{"check_lanes", offsetof(State, check_lanes)},
    RuntimeFunction{"clear", offsetof(State, clear)},
    RuntimeFunction{"load_surface", offsetof(LaneAccessCalls, load_surface), true},
    RuntimeFunction{"store_surface", offsetof(LaneAccessCalls, store_surface), true},
    RuntimeFunction{"load_flat", offsetof(LaneAccessCalls, load_flat), true},
    RuntimeFunction{"store_flat", offsetof(LaneAccessCalls, store_flat), true},
};
[[nodiscard]] constexpr const RuntimeFunction& function_of(RuntimeEntry entry) {
    return runtime_functions.at(static_cast<size_t>(entry));
}

// A function's machine code: runs a thread and, when that ends, up to `more` threads whose states follow in
// memory. Returns the state of the last one.
using Native = State* (*)(State* state, uint64_t more);

} // namespace visor::jit
