// The barriers of a work-group: of all threads, plain or split (BARRIER, SBARRIER pages), named ones of some
// threads (NBARRIER page), and the rendezvous of two fused threads (DPASW page). An arrival counts for the
// open phase; a waiting thread resumes when its phase is over. One CPU thread time-slices a group's threads,
// so nothing here is atomic.
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
    bool open = false;      // a thread has arrived: the counts are known
    uint32_t producers = 0; // expected in the phase
    uint32_t consumers = 0;
    uint32_t produced = 0; // arrived
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

// What a thread waits for, other than a named barrier.
inline constexpr int waits_for_group = -1; // as watch.h's group_barrier
inline constexpr int waits_for_partner = -2;

// A thread's signals that it has not waited for yet.
struct Arrivals {
    bool signalled = false;
    uint32_t phase = 0;
    uint32_t named_signalled = 0; // a bit a barrier
    std::array<uint32_t, named_barriers> named_phase{};
    int waits_for = waits_for_group; // while the thread is at a barrier: the named one, or one of the above
    bool lacks_partner = false;      // it waits for its partner, which has not arrived
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
// Faults: no such barrier or role, no threads, other counts than the open phase, more arrivals than expected.
void signal_named(Thread& thread, const PreparedInstruction& instruction, const NamedSignal& signal);
void wait_at_named(Thread& thread, const PreparedInstruction& instruction, uint32_t id);

// Threads 2k and 2k + 1 of a group are a fused pair (ruling 74). The first at a fused instruction waits. The
// second gets the first as the result, executes for both on both register files, and both continue.
// nullptr: the thread waits, or has failed: no partner in the group, or one at another instruction.
[[nodiscard]] Thread* meet_partner(Thread& thread, const PreparedInstruction& instruction);

// Whether a thread at a barrier may resume.
[[nodiscard]] bool phase_is_over(const Thread& thread);

} // namespace visor::machine
