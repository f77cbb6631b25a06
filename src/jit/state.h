// What generated code and the engine share while a thread runs: one plain struct whose members generated code
// reaches by their offsets, and the calls that it makes back. Whatever it cannot do itself goes through these
// calls; it has no other way out.
#pragma once

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

struct State {
    std::byte* registers = nullptr;
    uint32_t* predicates = nullptr;
    uint32_t* addresses = nullptr;
    uint32_t* waiting = nullptr;
    uint32_t* surfaces = nullptr; // binding-table indices, by element
    Window* windows = nullptr;    // likewise
    Site* sites = nullptr;
    const bool* stop = nullptr; // never null
    uint32_t* idle_atomics = nullptr;
    // Executes one instruction of the running function; the thread's status afterwards.
    uint32_t (*step)(State* state, uint32_t index) = nullptr;
    // At a backward branch, when something asks for attention; the status afterwards.
    uint32_t (*poll)(State* state, uint32_t index, uint32_t can_yield) = nullptr;
    // The group's barrier; the status afterwards.
    uint32_t (*meet)(State* state, uint32_t index, uint32_t actions) = nullptr;
    // Widens a site to the allocation that holds [first, last + bytes); 0 when none does.
    uint32_t (*admit)(State* state, uint32_t site, uint64_t first, uint64_t last, uint64_t bytes) = nullptr;
    uint64_t fuel = 0;
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

// A function's machine code.
using Native = void (*)(State* state);

} // namespace visor::jit
