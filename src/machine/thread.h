// The architectural state of one hardware thread and of its work-group.
#pragma once

#include "machine/barrier.h"
#include "machine/fault.h"
#include "machine/launch.h"
#include "machine/memory.h"
#include "machine/register_pool.h"
#include "machine/run_control.h"
#include "machine/watch.h"
#include "program/program.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace visor::machine {

struct Group {
    std::array<uint32_t, 3> id{};
    uint64_t linear = 0;
    std::span<std::byte> slm;
    Barriers barriers;
    RegisterPool pool; // registers of called functions
};

// Why a thread is not running; `switched`: it is, in another function, which engines handle internally.
// `rewound`: a control takes the run back (run_control.h).
enum class Status : uint8_t { running, at_barrier, yielded, done, faulted, switched, rewound };

// Of a subroutine.
struct CallFrame {
    uint32_t target = 0; // its first instruction
    uint32_t return_pc = 0;
    uint32_t mask = 0;      // execution mask of the caller
    uint32_t call_mask = 0; // lanes that have not returned yet
};

// The state of one invocation of the kernel or of a function.
struct Frame {
    const Program* program = nullptr;
    uint32_t function = 0;            // in Launch::functions; 0 is the kernel
    std::byte* registers = nullptr;   // program->register_bytes, 64-byte aligned, owned by the worker
    std::vector<uint32_t> predicates; // one bit a lane
    std::vector<uint32_t> addresses;  // byte offsets in the register file
    std::vector<uint32_t> surfaces;   // binding-table indices
    std::vector<uint32_t> samplers;
    std::vector<uint32_t> waiting; // by join: lanes parked there
    std::vector<CallFrame> calls;
    uint32_t pc = 0;
    uint32_t execution_mask = 0;
    uint32_t call_mask = 0; // lanes that have not returned from the function
};

// Owned by a worker and reused for later groups and launches (worker_arena.h). A new launch resets
// `allocation` and `sites`, since allocations may have changed. `reset` (dispatch.cpp) prepares it for the
// next thread. The base class is the frame of the running function.
struct Thread : Frame {
    const Launch* launch = nullptr;
    Group* group = nullptr;
    Watcher* watcher = nullptr; // nullptr: not watched
    // The same, for kinds of events that it wants; nullptr: it does not.
    Watcher* memory_watcher = nullptr;
    Watcher* undefined_watcher = nullptr;
    RunControl* control = nullptr; // nullptr: nobody takes the run back
    uint32_t index = 0;            // in the group

    std::vector<Frame> callers;   // the first `depth`: frames of callers, the kernel first
    uint32_t depth = 0;           // further elements are spare
    std::span<std::byte> scratch; // this thread's scratch block, then the implicit arguments
    AllocationCache allocation;   // last flat hit

    std::vector<AccessSite> sites; // the engine's, by access site; reused by all groups of a launch

    uint32_t dispatch_mask = 0;
    // Registers, predicates, addresses and state variables are as the dispatcher initialized them. Then the
    // next group only needs its ids, the next launch of the same shape no clearing. Engines that change them
    // clear the flag; `reset` sets it.
    bool untouched = false;
    Status status = Status::running;
    Arrivals arrivals;                       // at barriers
    uint64_t instructions = 0;               // executed so far
    uint64_t fuel = UINT64_MAX;              // the thread faults when `instructions` reaches it
    uint32_t idle_atomics = 0;               // atomics and fences since the thread last ran alone
    const std::atomic<bool>* stop = nullptr; // polled on branches
    uint64_t lane_seed = 0;                  // 0: messages access their lanes in ascending order
    uint64_t lane_state = 0;                 // else: the random state for the next order
    Fault fault;

    // nullptr: nobody. Not to be changed while an instruction runs.
    void watch(Watcher* by) {
        watcher = by;
        memory_watcher = by != nullptr && by->wants_memory() ? by : nullptr;
        undefined_watcher = by != nullptr && by->wants_undefined() ? by : nullptr;
    }
    void fail(FaultKind kind, const PreparedInstruction& instruction, std::string detail = {});
    [[nodiscard]] const Frame& kernel_frame() const { return depth == 0 ? *this : callers.front(); }
    void fail_access(const PreparedInstruction& instruction, int lane, uint64_t address, uint32_t bytes);
};

[[nodiscard]] constexpr uint32_t lane_bits(uint32_t lanes) {
    return lanes >= 32 ? UINT32_MAX : (1U << lanes) - 1U;
}

// The predicate's value for an instruction of this size and offset, bit 0 = its first lane. Any and all are
// taken over the slice before the inversion (3_execution_model.md).
[[nodiscard]] inline uint32_t predicate_lanes(const Thread& thread, const Predicate& predicate,
                                              Execution execution) {
    const uint32_t slice = lane_bits(execution.size);
    if (predicate.id == 0)
        return slice;
    uint32_t bits = thread.predicates[predicate.id] >> execution.offset & slice;
    if (predicate.control == PredicateControl::any)
        bits = bits != 0 ? slice : 0;
    else if (predicate.control == PredicateControl::all)
        bits = bits == slice ? slice : 0;
    return predicate.inverted ? ~bits & slice : bits;
}

// Lanes that the execution mask enables, without the predicate; bit 0 = the instruction's first lane.
[[nodiscard]] inline uint32_t masked_lanes(const Thread& thread, Execution execution) {
    const uint32_t slice = lane_bits(execution.size);
    return execution.no_mask ? slice : thread.execution_mask >> execution.offset & slice;
}

// ChEn: lanes for which an instruction does its work.
[[nodiscard]] inline uint32_t enabled_lanes(const Thread& thread, const PreparedInstruction& instruction) {
    return masked_lanes(thread, instruction.execution) &
           predicate_lanes(thread, instruction.predicate, instruction.execution);
}

} // namespace visor::machine
