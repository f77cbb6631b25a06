// Work partition: which worker runs which groups of a launch. Each worker has a part, all about equally
// long, which it takes in batches: neighboring groups often access neighboring memory, which one CPU
// prefetches, and the next launch often uses the same memory, some of which is in that CPU's caches then. A
// worker that is done helps the others. Where groups may wait for each other, and where they are few,
// workers take the next group each: those that came before soon end, and what waits burns no more of its
// fuel than it must.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace visor::machine {

// Thread-safe.
class WorkPartition {
public:
    // Whether each of so many workers has a share.
    [[nodiscard]] static bool are_many(uint64_t groups, uint32_t workers) {
        constexpr uint64_t many = 64;
        return groups >= many * workers;
    }

    // Of the groups in [first, last); `in_order`: they may wait for those before.
    WorkPartition(uint64_t first, uint64_t last, uint32_t workers, bool in_order = false);

    struct Batch {
        uint64_t begin = 0;
        uint64_t end = 0; // `begin`: nothing is left
    };
    // `most`: groups, not 0; without it as many as suit several workers.
    [[nodiscard]] Batch take(uint32_t worker, std::optional<uint64_t> most);
    // Groups that nobody has taken yet.
    [[nodiscard]] uint64_t left() const;

private:
    struct alignas(64) Share { // a cache line each
        std::atomic<uint64_t> next = 0;
        uint64_t end = 0;
    };

    std::vector<Share> shares_;
    uint64_t batch_ = 0;
};

} // namespace visor::machine
