#include "machine/helper_workers.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace visor::machine {

Prospect::Answer Prospect::look(std::chrono::nanoseconds now, uint64_t done, uint64_t left,
                                std::chrono::nanoseconds waking) {
    constexpr uint64_t at_first = 8; // groups: the clock takes its time, too
    constexpr double soon = 10'000;  // nanoseconds
    // They wake and sleep again, and so does who waits for them; that is to be a tenth of what they do.
    constexpr double worth = 3 * 10;
    if (done == uncounted_) { // the beginning
        since_ = now;
        return {.others = 0, .groups = at_first};
    }
    const double each = static_cast<double>((now - since_).count()) / static_cast<double>(done - uncounted_);
    // The first ones find nothing in the caches: half of what they took, and they do not count later.
    const bool first = uncounted_ == 0;
    const double rest = each * static_cast<double>(left) / (first ? 2 : 1);
    if (first) {
        since_ = now;
        uncounted_ = done;
    }
    const double others = rest / (worth * static_cast<double>(std::max<int64_t>(waking.count(), 1)));
    // Those that follow may take longer; where they would have to take four times as long to be worth
    // anybody's while, one looks less often.
    const bool is_far = others < 0.25;
    const auto so_far = static_cast<double>(done);
    const double part = (so_far + static_cast<double>(left)) / (is_far ? 2 : 8);
    const double most = std::min({soon / std::max(each, 1e-3), (is_far ? 4 : 2) * so_far, part});
    return {.others = static_cast<uint32_t>(std::min<double>(others, most_)),
            .groups = std::max(static_cast<uint64_t>(most), at_first)};
}

HelperWorkers::HelperWorkers(WorkerPool& pool, uint32_t count, bool at_once,
                             std::function<void(uint32_t)> work)
    : pool_(pool), count_(count), work_(std::move(work)), prospect_(count) {
    if (at_once)
        call(count_);
}

HelperWorkers::~HelperWorkers() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return at_work_ == 0; });
}

std::optional<uint64_t> HelperWorkers::call_if_worth(uint64_t done, const WorkPartition& shares) {
    if (called_ == count_ || no_more_)
        return std::nullopt;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const Prospect::Answer answer = prospect_.look(now, done, shares.left(), pool_.waking());
    if (answer.others > called_)
        call(answer.others);
    return called_ == 0 ? std::optional(answer.groups) : std::nullopt;
}

void HelperWorkers::call(uint32_t count) {
    try {
        while (called_ < count) {
            const uint32_t number = called_ + 1;
            change(1);
            pool_.start([this, number] {
                work_(number);
                change(-1);
            });
            called_ = number;
        }
    } catch (const std::system_error&) { // fewer do it
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
