// Watch events: what checkers, traces and counters listen to. A watcher never changes the run.
#pragma once

#include <cstdint>
#include <span>

namespace visor {
struct PreparedInstruction;
} // namespace visor

namespace visor::machine {

struct Thread;

enum class Space : uint8_t { flat, surface, slm, scratch };
enum class AccessKind : uint8_t { read, write, atomic };

// One memory instruction's accesses. Lane i takes part when bit i of `lanes` is set; a block message has one
// lane.
struct MemoryEvent {
    const Thread& thread;
    const PreparedInstruction& instruction;
    Space space;
    AccessKind kind;
    uint32_t surface;                    // binding-table index; space == surface only
    uint32_t lanes;                      // lanes that asked
    uint32_t dropped;                    // of these, lanes that were out of bounds
    std::span<const uint64_t> addresses; // by lane: flat address, or byte offset in the surface
    uint32_t bytes;                      // by lane
};

enum class UndefinedKind : uint8_t {
    misaligned,      // an address that the page wants aligned
    write_conflict,  // two lanes write one address (ruling 10)
    register_bounds, // indirect access outside its variable
    early_exit,      // a thread ended while others wait at a barrier
    unset_surface,   // a surface variable was used before anything was moved to it
};

// Something the page leaves undefined; the run goes on with the ruling's behaviour.
struct UndefinedEvent {
    const Thread& thread;
    const PreparedInstruction& instruction;
    UndefinedKind kind;
    uint32_t lanes;
    uint64_t address; // of the first such lane
};

class Watcher {
public:
    Watcher() = default;
    virtual ~Watcher() = default;
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;
    Watcher(Watcher&&) = delete;
    Watcher& operator=(Watcher&&) = delete;

    // Before an instruction runs; `lanes` are the channels it will run for, bit 0 = its first one.
    virtual void instruction(const Thread& /*thread*/, const PreparedInstruction& /*instruction*/,
                             uint32_t /*lanes*/) {}
    virtual void memory(const MemoryEvent& /*event*/) {}
    virtual void undefined(const UndefinedEvent& /*event*/) {}
    virtual void barrier(const Thread& /*thread*/, const PreparedInstruction& /*instruction*/) {}
    // All threads of the group have arrived.
    virtual void barrier_released(const Thread& /*any*/) {}
    // The thread's group has ended, and the thread is done, has faulted, or will not go on; its registers are
    // as its last instruction left them.
    virtual void thread_ended(const Thread& /*thread*/) {}
};

} // namespace visor::machine
