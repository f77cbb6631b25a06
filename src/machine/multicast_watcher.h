// Multicast watcher: forwards events to several watchers.
#pragma once

#include "machine/watch.h"

#include <algorithm>
#include <vector>

namespace visor::machine {

class MulticastWatcher final : public Watcher {
public:
    void add(Watcher& watcher) {
        watchers_.push_back(&watcher);
        if (watcher.wants_instructions())
            followers_.push_back(&watcher);
    }
    // The watcher for a run; nullptr if there is none, so that the run has no overhead.
    [[nodiscard]] Watcher* listener() {
        return watchers_.empty() ? nullptr : watchers_.size() == 1 ? watchers_.front() : this;
    }

    [[nodiscard]] bool wants_instructions() const override { return !followers_.empty(); }
    [[nodiscard]] bool wants_memory() const override {
        return std::ranges::any_of(watchers_, &Watcher::wants_memory);
    }
    [[nodiscard]] bool wants_undefined() const override {
        return std::ranges::any_of(watchers_, &Watcher::wants_undefined);
    }
    void instruction(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes) override;
    void memory(const MemoryEvent& event) override;
    void undefined(const UndefinedEvent& event) override;
    void launch_began(const Launch& launch) override;
    void group_began(std::span<const Thread> threads) override;
    void barrier_signalled(const Thread& thread, const PreparedInstruction& instruction,
                           int barrier) override;
    void barrier_released(const Thread& any, int barrier) override;
    void barrier_passed(const Thread& thread, int barrier) override;
    void fenced(const Thread& thread, const PreparedInstruction& instruction, Fence fence) override;
    void thread_ended(const Thread& thread) override;

private:
    std::vector<Watcher*> watchers_;
    std::vector<Watcher*> followers_; // of instructions
};

} // namespace visor::machine
