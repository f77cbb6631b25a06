#include "machine/worker_pool.h"

#include <algorithm>
#include <utility>

namespace visor::machine {

WorkerPool::~WorkerPool() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

void WorkerPool::start(std::function<void()> work) {
    bool idles = false;
    {
        const std::lock_guard lock(mutex_);
        idles = idle_ > waiting_.size();
        if (!idles)
            threads_.emplace_back([this] { serve(); });
        waiting_.push_back(std::move(work));
    }
    if (idles) // a new thread looks before it waits
        wake();
}

void WorkerPool::wake() {
    constexpr int64_t most =
        100'000; // so that long launches call others, and measure anew, whatever was before
    const auto begin = std::chrono::steady_clock::now();
    wake_.notify_one();
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
    // Once in a while somebody else has the CPU meanwhile. Of several callers one may be lost.
    const int64_t before = waking_;
    waking_ = (3 * before + std::min({int64_t{took.count()}, 2 * before, most})) / 4;
}

void WorkerPool::serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
        ++idle_;
        wake_.wait(lock, [this] { return over_ || !waiting_.empty(); });
        --idle_;
        if (waiting_.empty())
            return;
        const std::function<void()> work = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        work();
        lock.lock();
    }
}

} // namespace visor::machine
