// Runs a launch's work-groups through an engine: fills registers, schedules the threads of a group, releases
// barriers, limits time. The order is deterministic for one seed and one worker.
#pragma once

#include "machine/guarded_memory.h"
#include "machine/launch.h"
#include "machine/thread.h"

#include <cstdint>
#include <memory>
#include <span>

namespace visor::machine {

// An engine runs one thread until it stops: done, at a barrier, yielded or faulted (Thread::status). It is
// stateless between calls, so workers share it.
class Engine {
public:
    Engine() = default;
    virtual ~Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    Engine(Engine&&) = delete;
    Engine& operator=(Engine&&) = delete;

    virtual void run(Thread& thread) const = 0;

    // State that one CPU thread reuses for all hardware threads of a launch.
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
            uint32_t ran = 0;          // threads, from the first on, that have run
            bool all_ended = false;    // all threads of the group have ended; else see Thread::status
            uint64_t instructions = 0; // of ended threads (Thread::instructions is 0)
            bool touched = true;       // some thread may no longer be Thread::untouched
            uint64_t more_groups = 0;  // further groups that began; all but the last one have ended
        };
        // Runs threads of a group from their start, as many as the session can run together. Their payload is
        // that of the previous group, except for the group's ids. The session may continue with up to
        // `more_groups` groups along x: it advances Group::id, and clears shared local memory and scratch.
        virtual Untouched run_untouched(std::span<Thread> threads, uint64_t more_groups) = 0;
    };
    // nullptr: the engine has no sessions. The session ends before the launch and its threads. It owns
    // `saved` meanwhile, whose initial content is unspecified.
    [[nodiscard]] virtual std::unique_ptr<Session> session(const Launch& /*launch*/,
                                                           GuardedMemory& /*saved*/) const {
        return nullptr;
    }
};

// Executes one prepared instruction on a thread's state: the JIT's interpreter fallback.
using Step = void (*)(Thread& thread, const PreparedInstruction& instruction);

struct RunResult {
    Fault fault;          // kind none: completed
    uint64_t groups = 0;  // work-groups finished
    uint64_t threads = 0; // hardware threads finished
    uint64_t instructions = 0;
};

// Thread-safe for different launches; `watcher` may be null and is called from one thread (workers = 1 then).
[[nodiscard]] RunResult run(const Launch& launch, const Engine& engine, const RunOptions& options,
                            Watcher* watcher);

} // namespace visor::machine
