// Watch events for checkers, traces and counters. A watcher never changes the run.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace visor {
struct PreparedInstruction;
} // namespace visor

namespace visor::machine {

struct Launch;
struct Thread;

enum class Space : uint8_t { flat, surface, slm, scratch };
enum class AccessKind : uint8_t { read, write, atomic };

// The word for `kind` in outputs.
[[nodiscard]] constexpr std::string_view access_name(AccessKind kind) {
    switch (kind) {
    case AccessKind::read:
        return "read";
    case AccessKind::write:
        return "write";
    case AccessKind::atomic:
        return "atomic";
    }
    return "";
}

inline constexpr uint32_t no_register = UINT32_MAX;

// The registers of a message's data: unit k of lane i is in the `slot_bytes` at base + i * lane_stride +
// k * unit_stride; the unit is its bytes from `shift_bytes` on.
struct RegisterPlace {
    uint32_t base = no_register; // no_register: none, as with the null variable
    uint32_t lane_stride = 0;
    uint32_t unit_stride = 0;
    uint8_t unit_bytes = 0;
    uint8_t slot_bytes = 0;
    uint8_t shift_bytes = 0;
};

// The accesses of one memory instruction. Lane i takes part when bit i of `lanes` is set; a block message has
// one lane. A message with non-contiguous units raises an event for each contiguous run.
struct MemoryEvent {
    const Thread& thread;
    const PreparedInstruction& instruction;
    Space space;
    AccessKind kind;
    uint32_t surface;                    // binding-table index; space == surface only
    uint32_t lanes;                      // active lanes
    uint32_t dropped;                    // of these, out-of-bounds lanes
    uint32_t across = 0;                 // of these, lanes that read across a buffer's end (ruling 145)
    std::span<const uint64_t> addresses; // by lane: flat address, or byte offset in the surface
    uint32_t bytes;                      // by lane
    uint64_t base = 0;                   // flat address of the surface's first byte; space == surface only
    RegisterPlace data{};                // destination of a read or atomic, source of a write
    std::array<uint32_t, 2> operands{no_register, no_register}; // an atomic's: as `data`, from here on
};

enum class UndefinedKind : uint8_t {
    misaligned,      // an address that the page requires to be aligned
    write_conflict,  // two lanes write one address (ruling 10)
    register_bounds, // indirect access outside its variable
    early_exit,      // a thread ended while others wait at a barrier
    unset_surface,   // a surface variable was used before it was set
};

// Behaviour that the page leaves undefined; the run continues as the ruling defines.
struct UndefinedEvent {
    const Thread& thread;
    const PreparedInstruction& instruction;
    UndefinedKind kind;
    uint32_t lanes;
    uint64_t address;      // of the first such lane
    bool harmless = false; // write_conflict: all write the same value
};

// What a fence orders.
struct Fence {
    bool global = false;
    bool local = false;
};

// The number of the group's barrier; named ones have their own.
inline constexpr int group_barrier = -1;

class Watcher {
public:
    Watcher() = default;
    virtual ~Watcher() = default;
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;
    Watcher(Watcher&&) = delete;
    Watcher& operator=(Watcher&&) = delete;

    // Whether it gets instruction events: most watchers only use memory events.
    [[nodiscard]] virtual bool wants_instructions() const { return true; }
    // Likewise memory events, and those of what a page leaves undefined: each is work for the run.
    [[nodiscard]] virtual bool wants_memory() const { return true; }
    [[nodiscard]] virtual bool wants_undefined() const { return true; }
    // Before an instruction runs; `lanes` are the channels it will run for, bit 0 = its first one.
    virtual void instruction(const Thread& /*thread*/, const PreparedInstruction& /*instruction*/,
                             uint32_t /*lanes*/) {}
    virtual void memory(const MemoryEvent& /*event*/) {}
    virtual void undefined(const UndefinedEvent& /*event*/) {}
    virtual void launch_began(const Launch& /*launch*/) {}
    // A group's threads are ready to start.
    virtual void group_began(std::span<const Thread> /*threads*/) {}
    // A thread arrives at a barrier; all expected threads have arrived; a thread resumes after its wait.
    virtual void barrier_signalled(const Thread& /*thread*/, const PreparedInstruction& /*instruction*/,
                                   int /*barrier*/) {}
    virtual void barrier_released(const Thread& /*any*/, int /*barrier*/) {}
    virtual void barrier_passed(const Thread& /*thread*/, int /*barrier*/) {}
    virtual void fenced(const Thread& /*thread*/, const PreparedInstruction& /*instruction*/,
                        Fence /*fence*/) {}
    // The thread's group has ended: the thread is done, has faulted, or will not resume. Its registers are
    // final.
    virtual void thread_ended(const Thread& /*thread*/) {}
};

} // namespace visor::machine
