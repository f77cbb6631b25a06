#include "machine/helper_workers.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace visor::machine {

WakeHeuristic::Decision WakeHeuristic::look(std::chrono::nanoseconds now, uint64_t done, uint64_t left,
                                            std::chrono::nanoseconds waking) {
    constexpr uint64_t at_first = 8; // groups: reading the clock takes time, too
    constexpr double soon = 10'000;  // nanoseconds
    // A helper's wake-up and sleep, and the caller's wait for it, shall be a tenth of its work.
    constexpr double worth = 3 * 10;
    if (done == uncounted_) { // the beginning
        since_ = now;
        return {.helpers = 0, .groups = at_first};
    }
    const double each = static_cast<double>((now - since_).count()) / static_cast<double>(done - uncounted_);
    // The first groups run with cold caches: counts half of their time, and later none.
    const bool first = uncounted_ == 0;
    const double rest = each * static_cast<double>(left) / (first ? 2 : 1);
    if (first) {
        since_ = now;
        uncounted_ = done;
    }
    const double helpers = rest / (worth * static_cast<double>(std::max<int64_t>(waking.count(), 1)));
    // Later groups may take longer. Decides less often if they would have to take four times as long.
    const bool is_far = helpers < 0.25;
    const auto so_far = static_cast<double>(done);
    const double part = (so_far + static_cast<double>(left)) / (is_far ? 2 : 8);
    const double most = std::min({soon / std::max(each, 1e-3), (is_far ? 4 : 2) * so_far, part});
    return {.helpers = static_cast<uint32_t>(std::min<double>(helpers, most_)),
            .groups = std::max(static_cast<uint64_t>(most), at_first)};
}

HelperWorkers::HelperWorkers(WorkerPool& pool, uint32_t count, bool at_once,
                             std::function<void(uint32_t)> work)
    : pool_(pool), count_(count), work_(std::move(work)), wake_heuristic_(count) {
    if (at_once)
        wake(count_);
}

HelperWorkers::~HelperWorkers() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return at_work_ == 0; });
}

std::optional<uint64_t> HelperWorkers::wake_if_worthwhile(uint64_t done, const WorkPartition& partition) {
    if (woken_ == count_ || no_more_)
        return std::nullopt;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const WakeHeuristic::Decision decision =
        wake_heuristic_.look(now, done, partition.left(), pool_.waking());
    if (decision.helpers > woken_)
        wake(decision.helpers);
    return woken_ == 0 ? std::optional(decision.groups) : std::nullopt;
}

void HelperWorkers::wake(uint32_t count) {
    try {
        while (woken_ < count) {
            const uint32_t number = woken_ + 1;
            change(1);
            pool_.start([this, number] {
                work_(number);
                change(-1);
            });
            woken_ = number;
        }
    } catch (const std::system_error&) { // continues with fewer helpers
        change(-1);
        no_more_ = true;
    }
}

void HelperWorkers::change(int32_t by) {
    const std::lock_guard lock(mutex_);
    at_work_ += by;
    if (at_work_ == 0)
        ended_.notify_one();
}

} // namespace visor::machine
