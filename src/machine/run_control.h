// Lets a debugger stop a run and take it back. It listens as a watcher does, and is asked where a run goes
// on.
#pragma once

#include "machine/fault.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace visor::machine {

struct Group;
struct RunResult;
struct Thread;

// The group that runs, of a run with a control: references into the run.
struct GroupState {
    Group& group;
    std::vector<Thread>& threads;
    std::vector<uint32_t>& order; // of the schedule
    size_t& position;             // in it: the thread that runs
    uint64_t& random;             // of the orders to come
    RunResult& result;            // of the groups before
    std::span<std::byte> scratch; // of all threads
};

// A run with a control has one worker and an engine that asks the control before each instruction.
class RunControl {
public:
    RunControl() = default;
    virtual ~RunControl() = default;
    RunControl(const RunControl&) = delete;
    RunControl& operator=(const RunControl&) = delete;
    RunControl(RunControl&&) = delete;
    RunControl& operator=(RunControl&&) = delete;

    // Set while the watcher is told of an instruction: it does not run, and rewind() is called.
    [[nodiscard]] bool leaves() const { return leaves_; }

    // Before the first instruction of a launch, and whenever another group has begun. `state` is valid until
    // the launch is over.
    virtual void begin(GroupState& state) = 0;
    // Makes `state` that of an earlier moment, between two instructions: the run goes on from there. Or gives
    // its result a fault, with which it ends.
    virtual void rewind(GroupState& state) = 0;
    // All groups have ended, or a thread has faulted. True: rewind() was done, and the run goes on.
    [[nodiscard]] virtual bool over(GroupState& state, const Fault& fault) = 0;

protected:
    bool leaves_ = false;
};

} // namespace visor::machine
