#include "machine/work_partition.h"

#include <algorithm>

namespace visor::machine {

WorkPartition::WorkPartition(uint64_t first, uint64_t last, uint32_t workers, bool in_order)
    : shares_(!in_order && are_many(last - first, workers) ? workers : 1) {
    constexpr uint64_t batches = 16; // of each worker: few enough groups that all end at about the same time
    constexpr uint64_t longest = 1024;
    const uint64_t groups = last - first;
    batch_ = workers == 1 ? longest : std::clamp<uint64_t>(groups / (batches * workers), 1, longest);
    const uint64_t each = groups / shares_.size();
    for (Share& share : shares_) {
        share.next = first;
        first += each;
        share.end = first;
    }
    shares_.back().end = last;
}

WorkPartition::Batch WorkPartition::take(uint32_t worker, std::optional<uint64_t> most) {
    const uint64_t groups = most.value_or(batch_);
    for (size_t k = 0; k < shares_.size(); ++k) {
        Share& share = shares_[(worker + k) % shares_.size()];
        if (share.next.load(std::memory_order_relaxed) >= share.end)
            continue; // else it would be counted up with each question, and wrap
        const uint64_t begin = share.next.fetch_add(groups);
        if (begin < share.end)
            return {.begin = begin, .end = begin + std::min(groups, share.end - begin)};
    }
    return {};
}

uint64_t WorkPartition::left() const {
    uint64_t groups = 0;
    for (const Share& share : shares_)
        groups += share.end - std::min(share.end, share.next.load(std::memory_order_relaxed));
    return groups;
}

} // namespace visor::machine
