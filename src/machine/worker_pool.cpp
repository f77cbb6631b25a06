#include "machine/worker_pool.h"

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
    {
        const std::lock_guard lock(mutex_);
        if (idle_ <= waiting_.size())
            threads_.emplace_back([this] { serve(); });
        waiting_.push_back(std::move(work));
    }
    wake_.notify_one();
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
