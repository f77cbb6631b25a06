// Several listeners where the machine knows of one.
#pragma once

#include "machine/watch.h"

#include <vector>

namespace visor::trace {

class Several final : public machine::Watcher {
public:
    void add(machine::Watcher& watcher) { watchers_.push_back(&watcher); }
    // What to hand to a run: nullptr when nobody listens, so that it costs nothing.
    [[nodiscard]] machine::Watcher* listener() {
        return watchers_.empty() ? nullptr : watchers_.size() == 1 ? watchers_.front() : this;
    }

    void instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                     uint32_t lanes) override;
    void memory(const machine::MemoryEvent& event) override;
    void undefined(const machine::UndefinedEvent& event) override;
    void barrier(const machine::Thread& thread, const PreparedInstruction& instruction) override;
    void barrier_released(const machine::Thread& any) override;
    void thread_ended(const machine::Thread& thread) override;

private:
    std::vector<machine::Watcher*> watchers_;
};

} // namespace visor::trace
