// Watchers for the caller's listeners and for counters. A listener can stop the launch; it changes nothing
// else.
#pragma once

#include "machine/watch.h"
#include "visor/visor.h"

#include <atomic>

namespace visor::capi {

class Counter final : public machine::Watcher {
public:
    void instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                     uint32_t lanes) override;
    void memory(const machine::MemoryEvent& event) override;
    void barrier_signalled(const machine::Thread& thread, const PreparedInstruction& instruction,
                           int barrier) override;
    void fenced(const machine::Thread& thread, const PreparedInstruction& instruction,
                machine::Fence fence) override;

    [[nodiscard]] const visor_counters& counted() const { return counted_; }

private:
    visor_counters counted_{};
};

class Listener final : public machine::Watcher {
public:
    Listener(const visor_watch& watch, std::atomic<bool>& stop) : watch_(watch), stop_(stop) {}

    [[nodiscard]] bool wants_instructions() const override { return watch_.instruction != nullptr; }
    void instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                     uint32_t lanes) override;
    void memory(const machine::MemoryEvent& event) override;

private:
    const visor_watch& watch_;
    std::atomic<bool>& stop_;
};

} // namespace visor::capi
