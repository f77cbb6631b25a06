// A copy of a group between two instructions: threads with their registers and calls, shared local memory,
// scratch, barriers, the schedule. Global memory is not in it.
#pragma once

#include "machine/dispatch.h"
#include "machine/run_control.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace visor::machine {

class GroupCheckpoint {
public:
    // While the watcher is told of an instruction of the thread that runs: as if that had not been begun.
    explicit GroupCheckpoint(const GroupState& state);

    // Of the same launch.
    void restore(GroupState& state) const;
    [[nodiscard]] size_t bytes() const { return bytes_; }

private:
    struct SavedFrame {
        std::vector<std::byte> registers;
    };
    struct SavedThread {
        Thread thread;
        std::vector<SavedFrame> frames; // the callers, then the one that runs
    };

    std::vector<SavedThread> threads_;
    std::array<uint32_t, 3> id_{};
    uint64_t linear_ = 0;
    Barriers barriers_;
    RegisterPool::Mark pool_;
    std::vector<std::byte> slm_;
    std::vector<std::byte> scratch_;
    std::vector<uint32_t> order_;
    size_t position_ = 0;
    uint64_t random_ = 0;
    RunResult result_;
    size_t bytes_ = 0;
};

} // namespace visor::machine
