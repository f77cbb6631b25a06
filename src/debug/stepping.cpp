#include "debug/stepping.h"

namespace visor::debug {

uint32_t depth_of(const machine::Thread& thread) {
    uint32_t depth = thread.depth + static_cast<uint32_t>(thread.calls.size());
    for (uint32_t k = 0; k < thread.depth; ++k)
        depth += static_cast<uint32_t>(thread.callers[k].calls.size());
    return depth;
}

void Stepper::begin(const Move& move, const machine::Thread& thread, const Line& line) {
    move_ = move;
    group_ = thread.group->linear;
    depth_ = depth_of(thread);
    line_ = line;
    knows_line_ = true;
}

void Stepper::begin_back(const Move& move, uint64_t group, uint32_t depth) {
    move_ = move;
    group_ = group;
    depth_ = depth;
    knows_line_ = false;
}

// The instruction that the thread is about to run has been fetched.
bool Stepper::is_in_range(const machine::Thread& thread) const {
    const auto& code = thread.program->code;
    const uint32_t at = thread.pc == 0 ? 0 : thread.pc - 1;
    if (thread.program->function.get() != move_.function || at >= code.size())
        return false;
    return code[at].source >= move_.first && code[at].source <= move_.last;
}

bool Stepper::ends(const machine::Thread& thread, const Line& line) {
    if (thread.group->linear != group_)
        return !move_.back && move_.step != Step::none &&
               thread.group->linear > group_; // its group has ended
    if (thread.index != move_.thread)
        return false;
    const uint32_t depth = depth_of(thread);
    switch (move_.step) {
    case Step::none:
        return false;
    case Step::instruction:
        return true;
    case Step::out:
        return depth < depth_;
    case Step::range:
        return depth != depth_ || !is_in_range(thread);
    case Step::line:
    case Step::over:
        break;
    }
    if (move_.step == Step::over && depth > depth_)
        return false;
    const bool is_other = knows_line_ && line.known() && line != line_;
    const bool is_first = !knows_line_ && thread.instructions == 1; // of the thread
    if (line.known()) {
        line_ = line;
        knows_line_ = true;
    }
    return is_other || is_first;
}

} // namespace visor::debug
