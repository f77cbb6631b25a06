#include "capi/ticket_lock.h"

#include "capi/call.h"

#include <chrono>

namespace visor::capi {

uint64_t TicketLock::take_ticket() {
    const std::lock_guard lock(mutex_);
    if (owner_ == std::this_thread::get_id())
        refuse(VISOR_ERROR_BUSY, "this call would wait for the launch whose callback it comes from");
    return next_++;
}

void TicketLock::wait(uint64_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return serving_ == number; });
    owner_ = std::this_thread::get_id();
}

void TicketLock::end() noexcept {
    bool waited_for = false;
    {
        const std::lock_guard lock(mutex_);
        owner_ = {};
        ++serving_;
        waited_for = serving_ != next_;
    }
    if (waited_for)
        changed_.notify_all();
}

bool TicketLock::is_held_by_this_thread() const {
    const std::lock_guard lock(mutex_);
    return owner_ == std::this_thread::get_id();
}

Jobs::Jobs() : state_(std::make_shared<State>()) {}

Jobs::~Jobs() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->closed = true;
    }
    state_->changed.notify_all();
}

void Jobs::add(Job job) {
    const std::lock_guard lock(state_->mutex);
    state_->waiting.push_back(std::move(job));
    if (!state_->running) {
        try {
            std::thread(serve, state_).detach();
        } catch (...) {
            state_->waiting.pop_back();
            throw;
        }
        state_->running = true;
    }
    state_->changed.notify_one();
}

void Jobs::serve(const std::shared_ptr<State>& state) {
    constexpr std::chrono::seconds patience{2};
    std::unique_lock lock(state->mutex);
    while (
        state->changed.wait_for(lock, patience, [&] { return !state->waiting.empty() || state->closed; })) {
        if (state->waiting.empty())
            break; // closed
        {
            const Job job = std::move(state->waiting.front());
            state->waiting.pop_front();
            lock.unlock();
            job();
        } // destroys the job without the lock, which its destructor may take
        lock.lock();
    }
    state->running = false;
}

} // namespace visor::capi
