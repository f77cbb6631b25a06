// The happens-before relation of a launch: what each thread of the group that runs now knows to be over. It
// knows nothing of memory or findings.
//
// A thread's clock goes on with every release. What a barrier hands on is twofold: that an access has been
// made (reads need no more), and that a write has been fenced and so is seen. Across groups only atomics
// order: a release is an atomic after a fence, an acquire any atomic of the same place. So it is in shared
// local memory within a group.
#pragma once

#include "machine/watch.h"

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace visor::check {

// What keeps an access visible behind a barrier.
enum class Wants : uint8_t { nothing, local_fence, global_fence };

class Order {
public:
    // `local_needs_fence`: a barrier alone does not order shared local memory on this device.
    void begin_group(uint64_t group, uint32_t threads, bool local_needs_fence);

    [[nodiscard]] uint32_t clock(uint32_t thread) const { return clocks_[thread]; }
    // Whether `thread` knows that the access with this clock of (group, other) has been made; with a fence
    // wanted: that it is seen.
    [[nodiscard]] bool knows(uint32_t thread, uint64_t group, uint32_t other, uint32_t clock,
                             Wants wants) const {
        if (group == group_ && (thread == other || known_[thread].covers(other, clock, wants)))
            return true;
        return !known_[thread].learnt.empty() && knows_by_atomics(thread, group, other, clock, wants);
    }

    // Whether it knows anything of other groups.
    [[nodiscard]] bool has_learnt(uint32_t thread) const { return !known_[thread].learnt.empty(); }

    void fence(uint32_t thread, machine::Fence fence);
    void signal(uint32_t thread, int barrier);
    void release(int barrier); // the barrier's phase is over
    void pass(uint32_t thread, int barrier);
    // An atomic of the thread at a place, which `key` names: it learns what was released there, and releases
    // what it has fenced. Places in shared local memory are the group's own and have keys of their own.
    void atomic(uint32_t thread, uint64_t key);
    void local_atomic(uint32_t thread, uint64_t key);

private:
    using Learnt = std::map<uint64_t, uint64_t>; // place, version
    // By thread of the group: up to which clock accesses are made, and writes seen. Of other groups: what was
    // released at which places up to which version.
    struct Known {
        std::vector<uint32_t> made;
        std::vector<uint32_t> local;
        std::vector<uint32_t> global;
        Learnt learnt;

        void reset(size_t threads);
        void join(const Known& other);
        void join_clocks(const Known& other);
        [[nodiscard]] bool covers(uint32_t thread, uint32_t clock, Wants wants) const {
            const std::vector<uint32_t>& clocks = wants == Wants::nothing       ? made
                                                  : wants == Wants::local_fence ? local
                                                                                : global;
            return clocks[thread] >= clock;
        }
    };
    // What was released at a place, by group; versions tell how much of it somebody has learnt.
    struct Release {
        uint64_t version = 0;
        Known known;
    };
    struct Place {
        uint64_t version = 0;
        std::unordered_map<uint64_t, Release> by_group;
        Learnt learnt; // by all who released here
    };

    // A place of shared local memory: who comes there knows what its group has released.
    struct LocalPlace {
        Release release;
        std::vector<uint64_t> seen; // version, by thread
    };
    // What a thread knows of another group, put together of what it has learnt: lanes of a message ask for
    // the same.
    struct Remembered {
        uint64_t state = 0; // of all that anybody has learnt
        uint32_t thread = 0;
        uint64_t group = 0;
        Known known;
    };

    // What the thread may hand on: its own writes only as far as they are fenced.
    [[nodiscard]] Known handed_on(uint32_t thread) const;
    void hand_on(uint32_t thread, Release& release, uint64_t version);
    // From what was released at the places that the thread has learnt of.
    [[nodiscard]] bool knows_by_atomics(uint32_t thread, uint64_t group, uint32_t other, uint32_t clock,
                                        Wants wants) const;

    uint64_t group_ = UINT64_MAX;
    bool local_needs_fence_ = true;
    std::vector<uint32_t> clocks_;
    std::vector<Known> known_;                              // by thread
    std::vector<uint32_t> fenced_local_, fenced_global_;    // own clock at the last fence
    std::vector<bool> may_release_, may_release_local_;     // a fence since the last release
    std::map<int, Known> arriving_, complete_;              // by barrier
    std::unordered_map<uint64_t, Place> places_;            // of the whole launch
    std::unordered_map<uint64_t, LocalPlace> local_places_; // of the group
    uint64_t state_ = 1; // goes on with whatever somebody learns or releases
    mutable std::array<Remembered, 8> remembered_;
};

} // namespace visor::check
