// Work partition: which worker runs which groups of a launch. Each worker takes batches from a contiguous
// part: neighboring groups often access neighboring memory, and the next launch the same memory, so the
// CPU's prefetcher and caches help. A worker that is done steals from other parts. If groups may wait for
// each other, or are few, all workers share one part: groups start in order, and waiting ones spin the least.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace visor::machine {

// Thread-safe.
class WorkPartition {
public:
    // Whether each worker gets a part.
    [[nodiscard]] static bool are_many(uint64_t groups, uint32_t workers) {
        constexpr uint64_t many = 64;
        return groups >= many * workers;
    }

    // For the groups in [first, last); `in_order`: they may wait for earlier ones.
    WorkPartition(uint64_t first, uint64_t last, uint32_t workers, bool in_order = false);

    struct Batch {
        uint64_t begin = 0;
        uint64_t end = 0; // equals `begin`: no groups are left
    };
    // `most`: batch size, not 0; by default a size for several workers.
    [[nodiscard]] Batch take(uint32_t worker, std::optional<uint64_t> most);
    // Groups that no worker has taken yet.
    [[nodiscard]] uint64_t left() const;

private:
    struct alignas(64) Part { // a cache line each
        std::atomic<uint64_t> next = 0;
        uint64_t end = 0;
    };

    std::vector<Part> parts_;
    uint64_t batch_ = 0;
};

} // namespace visor::machine
