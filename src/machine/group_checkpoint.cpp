#include "machine/group_checkpoint.h"

#include <algorithm>
#include <cstring>

namespace visor::machine {

namespace {

std::span<std::byte> registers_of(const Frame& frame) {
    return {frame.registers, frame.program->register_bytes};
}

// The callers, then the frame that runs.
template <class Visit>
void each_frame(const Thread& thread, const Visit& visit) {
    for (uint32_t k = 0; k < thread.depth; ++k)
        visit(thread.callers[k]);
    visit(static_cast<const Frame&>(thread));
}

} // namespace

GroupCheckpoint::GroupCheckpoint(const GroupState& state)
    : id_(state.group.id), linear_(state.group.linear), barriers_(state.group.barriers),
      pool_(state.group.pool.mark()), slm_(state.group.slm.begin(), state.group.slm.end()),
      scratch_(state.scratch.begin(), state.scratch.end()), order_(state.order), position_(state.position),
      random_(state.random), result_(state.result) {
    bytes_ = slm_.size() + scratch_.size();
    for (const Thread& thread : state.threads) {
        SavedThread& saved = threads_.emplace_back(SavedThread{thread, {}});
        each_frame(thread, [&](const Frame& frame) {
            const auto registers = registers_of(frame);
            saved.frames.push_back({{registers.begin(), registers.end()}});
            bytes_ += registers.size() + sizeof(Frame);
        });
        bytes_ += sizeof(SavedThread);
    }
    Thread& running = threads_[order_[position_]].thread;
    --running.pc;
    --running.instructions;
}

void GroupCheckpoint::restore(GroupState& state) const {
    state.group.id = id_;
    state.group.linear = linear_;
    state.group.barriers = barriers_;
    state.group.pool.return_to(pool_);
    std::ranges::copy(slm_, state.group.slm.begin());
    std::ranges::copy(scratch_, state.scratch.begin());
    state.order = order_;
    state.position = position_;
    state.random = random_;
    state.result = result_;
    for (size_t k = 0; k < threads_.size(); ++k) {
        state.threads[k] = threads_[k].thread;
        size_t frame = 0;
        each_frame(state.threads[k], [&](const Frame& one) {
            std::ranges::copy(threads_[k].frames[frame++].registers, registers_of(one).begin());
        });
    }
}

} // namespace visor::machine
