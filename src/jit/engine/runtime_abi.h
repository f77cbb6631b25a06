// The runtime ABI: what generated code and the engine share while a thread runs. One plain struct whose
// members generated code accesses by their offsets, and the calls that it makes back. Whatever it cannot do
// itself goes through these calls; it has no other way out.
#pragma once

#include "jit/engine/lane_access_calls.h"
#include "machine/thread.h"

#include <cstddef>
#include <cstdint>

namespace visor::jit {

// Where a surface's bytes are. Offsets are masked before they are used: bit 28 of a shared local address says
// nothing (launch ABI).
struct Window {
    std::byte* data = nullptr;
    uint64_t bytes = 0;
    uint64_t mask = UINT64_MAX;
};

using Site = machine::AccessSite;

// What a thread does where it meets others.
inline constexpr uint32_t meet_signal = 1;
inline constexpr uint32_t meet_wait = 2;
inline constexpr uint32_t meet_yield = 4;

// On the host's heap or stack: no guard lies around it, so no memory that kernels index may lie there
// (machine/guarded_memory.h).
struct State {
    std::byte* registers = nullptr;
    uint32_t* predicates = nullptr;
    uint32_t* addresses = nullptr;
    uint32_t* waiting = nullptr;
    uint32_t* surfaces = nullptr;             // binding-table indices, by element
    const uint32_t* first_surfaces = nullptr; // what they hold when a thread starts
    Window* windows = nullptr;                // of those elements that the code reads windows of
    const Window* named_windows = nullptr;    // of binding-table indices, likewise
    const Window* handle_windows = nullptr;   // of handles that the launch gave, likewise
    const Window* first_windows = nullptr;    // of what these elements hold when a thread starts
    const Window* launch_windows = nullptr;   // of all its surfaces, by number, if code looks handles up
    uint64_t launch_window_count = 0;
    Site* sites = nullptr;
    uint32_t* group_ids = nullptr;             // x, y, z
    const std::byte* first_contents = nullptr; // what variables in memory hold when a thread starts
    const uint64_t* symbols = nullptr;         // what faddr gives (engine/symbol_table.h)
    const bool* stop = nullptr;                // never null
    uint32_t* idle_atomics = nullptr;
    // Executes one instruction of the running function; the thread's status afterwards.
    uint32_t (*step)(State* state, uint32_t index) = nullptr;
    // At a backward branch, when something asks for attention; the status afterwards.
    uint32_t (*poll)(State* state, uint32_t index, uint32_t can_yield) = nullptr;
    // The group's barrier; the status afterwards.
    uint32_t (*meet)(State* state, uint32_t index, uint32_t actions) = nullptr;
    // Widens a site of this instruction to the allocation that holds [first, last + bytes), or to the part of
    // it of which nobody has to be told; 0 when nothing does.
    uint32_t (*admit)(State* state, uint32_t site, uint32_t index, uint64_t first, uint64_t last,
                      uint64_t bytes) = nullptr;
    // The same of what these lanes use that are on, `displacement` bytes behind their places.
    uint32_t (*admit_lanes)(State* state, uint32_t site, uint32_t index, const uint64_t* places, uint32_t on,
                            uint32_t lanes, uint64_t displacement, uint64_t bytes) = nullptr;
    // Clears the group's shared local memory and its threads' scratch blocks, or one of them
    // (engine/runtime_calls.h), for the next group, which the code goes on with: with the first thread's
    // state; 0.
    uint32_t (*clear)(State* state, uint32_t what) = nullptr;
    const LaneAccessCalls* lane_access_calls = nullptr;
    uint64_t launch_threads =
        0; // of all groups, while stores may be non-temporal (engine/nontemporal_tuner.h); else 0
    uint64_t fuel = 0;
    // Of a run of several threads, in the last one's state: instructions of those that ended, how many times
    // all had come to a barrier, and whether the run stopped since some wait at one while others have ended.
    uint64_t total = 0;
    uint64_t phase = 0;
    uint64_t left =
        0; // threads, from the next one on, round and round, whose turn had not come in this phase
    uint32_t some_wait = 0;
    // The states of the whole group, when its barrier is the code's own affair; 0 of them: it is not.
    State* group = nullptr;
    uint64_t group_count = 0;
    // In the first one's: where the stream began that was read ahead last, mostly of the group before
    // (ir/thread_entry.h).
    uint64_t read_ahead = 0;
    // Likewise: how many results that were made for others nobody has taken so far, less those that the ones
    // that were taken pay for (transform/unroll_and_jam_threads.h).
    int64_t jammed = 0;
    // In the first one's state of a run: groups that follow in a row along x, which the code may go on with
    // by itself when nothing was called back, and counts down; `group_ids` goes with it.
    uint64_t groups_left = 0;
    std::byte* saved = nullptr; // registers of a thread that has stopped, placed as in the register file
    uint32_t* calls = nullptr;  // counts what was called back
    uint64_t instructions = 0;
    uint32_t mask = 0;
    uint32_t dispatch_mask = 0;
    uint32_t pc = 0;
    uint32_t ended = 0; // the kernel has: nothing is left to run
    Window slm;
    machine::Thread* thread = nullptr;
    const void* engine = nullptr;
    const void* code = nullptr;
    void* window_store = nullptr;
    bool refill = false; // windows are others than before
};

// A function's machine code: runs a thread and, when it ends, up to `more` others, whose states follow and
// are about to start. The state of the last one that ran.
using Native = State* (*)(State* state, uint64_t more);

} // namespace visor::jit
