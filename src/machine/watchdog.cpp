#include "machine/watchdog.h"

#include <algorithm>

namespace visor::machine {

Watchdog::Watchdog(double timeout, const std::atomic<bool>* external) : external_(external) {
    if (timeout <= 0)
        return;
    deadline_ =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(timeout));
    thread_ = std::thread([this] { watch(); });
}

Watchdog::~Watchdog() {
    if (!thread_.joinable())
        return;
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

void Watchdog::watch() {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    while (!over_) {
        const auto now = std::chrono::steady_clock::now();
        if (now >= deadline_) {
            expired_ = true;
            stop_ = true;
            return;
        }
        if (external_ != nullptr && external_->load()) {
            stop_ = true;
            return;
        }
        wake_.wait_until(lock, std::min(deadline_, now + 50ms));
    }
}

} // namespace visor::machine
