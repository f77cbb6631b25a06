// The barriers of a work-group: the one of all its threads, plain or split (BARRIER, SBARRIER pages), and the
// named ones of some of them (NBARRIER page), and the meeting of two fused threads (DPASW page). An arrival
// counts for the phase that is open; a waiter goes on when its phase is over. Threads of a group take turns
// on one CPU thread, so that nothing here is atomic.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace visor {
struct PreparedInstruction;
} // namespace visor

namespace visor::machine {

struct Thread;

inline constexpr uint32_t named_barriers = 32;

struct NamedBarrier {
    uint32_t phase = 0;
    bool open = false;      // somebody has arrived: the counts are known
    uint32_t producers = 0; // that the phase wants
    uint32_t consumers = 0;
    uint32_t produced = 0; // that have arrived
    uint32_t consumed = 0;
};

// Of a group.
struct Barriers {
    uint32_t threads = 0; // of the group
    uint32_t phase = 0;
    uint32_t arrived = 0;
    std::array<NamedBarrier, named_barriers> named{};
    std::vector<Thread*> pairs; // by pair: the thread that waits for its partner
};

// What a thread waits for that is no named barrier.
inline constexpr int waits_for_group = -1; // as watch.h's group_barrier
inline constexpr int waits_for_partner = -2;

// Of a thread: what it has signalled and not waited for yet.
struct Arrivals {
    bool signalled = false;
    uint32_t phase = 0;
    uint32_t named_signalled = 0; // a bit a barrier
    std::array<uint32_t, named_barriers> named_phase{};
    int waits_for = waits_for_group; // while the thread is at a barrier: the named one, or one of the above
    bool lacks_partner = false;      // while it waits for its partner: that one has not come yet
};

enum class BarrierRole : uint8_t { producer_consumer = 0, producer = 1, consumer = 2 };

// The group's barrier. Waiting without a signal before it is a fault.
void signal_barrier(Thread& thread, const PreparedInstruction& instruction);
void wait_at_barrier(Thread& thread, const PreparedInstruction& instruction);

struct NamedSignal {
    uint32_t id = 0;
    uint32_t role = 0;
    uint32_t producers = 0;
    uint32_t consumers = 0;
};
// Faults: no such barrier or role, no threads, counts other than those of the phase that is open, more
// arrivals than it wants.
void signal_named(Thread& thread, const PreparedInstruction& instruction, const NamedSignal& signal);
void wait_at_named(Thread& thread, const PreparedInstruction& instruction, uint32_t id);

// Threads 2k and 2k + 1 of a group are a fused pair (ruling 74). The first that comes to an instruction of
// pairs waits; the second gets the first, with whose registers it does the work of both, and both go on.
// nullptr: the thread waits now, or it has failed: no partner in the group, or one at another instruction.
[[nodiscard]] Thread* meet_partner(Thread& thread, const PreparedInstruction& instruction);

// Whether a thread at a barrier may go on.
[[nodiscard]] bool phase_is_over(const Thread& thread);

} // namespace visor::machine
