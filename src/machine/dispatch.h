// Runs a launch's work-groups through an engine: fills registers, takes threads of a group in turn, opens
// barriers, bounds time. The order is the same from run to run for one seed and one worker.
#pragma once

#include "machine/guarded_memory.h"
#include "machine/launch.h"
#include "machine/thread.h"

#include <cstdint>
#include <memory>
#include <span>

namespace visor::machine {

// An engine runs one thread until it stops: done, at a barrier, yielded or faulted (Thread::status).
// Stateless between calls, so that workers share it.
class Engine {
public:
    Engine() = default;
    virtual ~Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    Engine(Engine&&) = delete;
    Engine& operator=(Engine&&) = delete;

    virtual void run(Thread& thread) const = 0;

    // What one CPU thread keeps from hardware thread to hardware thread of a launch, so that each costs less.
    class Session {
    public:
        Session() = default;
        virtual ~Session() = default;
        Session(const Session&) = delete;
        Session& operator=(const Session&) = delete;
        Session(Session&&) = delete;
        Session& operator=(Session&&) = delete;

        virtual void run(Thread& thread) = 0;

        struct Untouched {
            uint32_t ran = 0;       // threads, from the first on, that have run
            bool all_ended = false; // those were the group's, and all have ended; else Thread::status tells
            uint64_t instructions = 0; // of those that have ended (Thread::instructions is 0)
            bool touched = true;       // a thread perhaps is no longer Thread::untouched
            uint64_t more_groups = 0;  // that began; all groups before the last one have ended
        };
        // Threads of a group that have not begun, as many as the session can run together. What they find in
        // their registers is what they found in the group before, but for the ids of the group. The session
        // may go on with up to `more_groups` that follow along x, raises Group::id then, and clears shared
        // local memory and scratch blocks for each.
        virtual Untouched run_untouched(std::span<Thread> threads, uint64_t more_groups) = 0;
    };
    // nullptr: nothing is kept. The session ends before the launch and the threads that it has run. `saved`
    // is its own meanwhile, with whatever a session before left there.
    [[nodiscard]] virtual std::unique_ptr<Session> session(const Launch& /*launch*/,
                                                           GuardedMemory& /*saved*/) const {
        return nullptr;
    }
};

// One prepared instruction on a thread's state: what a fast engine calls for what it does not lower itself.
using Step = void (*)(Thread& thread, const PreparedInstruction& instruction);

struct RunResult {
    Fault fault;          // kind none: ran to its end
    uint64_t groups = 0;  // work-groups finished
    uint64_t threads = 0; // hardware threads finished
    uint64_t instructions = 0;
};

// Thread-safe for different launches; `watcher` may be null and is called from one thread (workers = 1 then).
[[nodiscard]] RunResult run(const Launch& launch, const Engine& engine, const RunOptions& options,
                            Watcher* watcher);

} // namespace visor::machine
