#include "machine/work_partition.h"

#include <algorithm>

namespace visor::machine {

WorkPartition::WorkPartition(uint64_t first, uint64_t last, uint32_t workers, bool in_order)
    : parts_(!in_order && are_many(last - first, workers) ? workers : 1) {
    constexpr uint64_t batches = 16; // of each worker: small enough for load balance at the end
    constexpr uint64_t longest = 1024;
    const uint64_t groups = last - first;
    batch_ = workers == 1 ? longest : std::clamp<uint64_t>(groups / (batches * workers), 1, longest);
    const uint64_t each = groups / parts_.size();
    for (Part& part : parts_) {
        part.next = first;
        first += each;
        part.end = first;
    }
    parts_.back().end = last;
}

WorkPartition::Batch WorkPartition::take(uint32_t worker, std::optional<uint64_t> most) {
    const uint64_t groups = most.value_or(batch_);
    for (size_t k = 0; k < parts_.size(); ++k) {
        Part& part = parts_[(worker + k) % parts_.size()];
        if (part.next.load(std::memory_order_relaxed) >= part.end)
            continue; // repeated additions could wrap
        const uint64_t begin = part.next.fetch_add(groups);
        if (begin < part.end)
            return {.begin = begin, .end = begin + std::min(groups, part.end - begin)};
    }
    return {};
}

uint64_t WorkPartition::left() const {
    uint64_t groups = 0;
    for (const Part& part : parts_)
        groups += part.end - std::min(part.end, part.next.load(std::memory_order_relaxed));
    return groups;
}

} // namespace visor::machine
