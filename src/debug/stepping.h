// Ways to go on, and when a step is done.
#pragma once

#include "debug/code.h"
#include "machine/thread.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace visor::debug {

enum class StopKind : uint8_t {
    entry,
    step,
    breakpoint,
    watchpoint,
    pause,
    fault,
    finding,
    start,
    end,
    over
};

// Where and why a run stopped.
struct Stop {
    StopKind kind = StopKind::over;
    std::string text;          // a sentence part: "breakpoint 2", the fault's message
    std::vector<uint32_t> ids; // of break- and watchpoints
    uint64_t launch = 0;       // from 0 on
    std::array<uint32_t, 3> group{};
    uint64_t group_number = 0;
    uint32_t thread = 0;
    uint64_t instruction = 0; // of the group, from 0 on
    uint64_t clock = 0;       // of the launch, from 1 on
    bool has_thread = false;  // else there is none to look at
};

enum class Step : uint8_t {
    none,        // on to the next stop
    instruction, // of the same thread
    line,        // into calls
    over,        // a line, over calls
    out,         // of the function
    range,       // until the thread leaves a range of instructions, also by a call or a return
};

struct Move {
    bool back = false;
    Step step = Step::none;
    uint32_t thread = 0; // that steps
    // Back to the last instruction that changed these bytes; `back` is true.
    bool to_write = false;
    bool local = false;
    uint64_t address = 0;
    uint64_t bytes = 0;
    uint64_t clock = 0; // to this instruction, if not 0
    // Of a range: indices in the function's code, the last one included.
    const Function* function = nullptr;
    uint32_t first = 0;
    uint32_t last = 0;
};

// How deep a thread is in calls.
[[nodiscard]] uint32_t depth_of(const machine::Thread& thread);

// Follows one hardware thread of one group.
class Stepper {
public:
    // From where the thread is; `line` is the one that it is at.
    void begin(const Move& move, const machine::Thread& thread, const Line& line);
    // A scan looks for the last place where such a step would have ended.
    void begin_back(const Move& move, uint64_t group, uint32_t depth);

    // The thread is about to run an instruction: whether the step ends before it.
    [[nodiscard]] bool ends(const machine::Thread& thread, const Line& line);
    [[nodiscard]] bool is_on() const { return move_.step != Step::none; }
    void stop() { move_.step = Step::none; }

private:
    [[nodiscard]] bool is_in_range(const machine::Thread& thread) const;

    Move move_{};
    uint64_t group_ = 0;
    uint32_t depth_ = 0;
    Line line_;
    bool knows_line_ = false;
};

} // namespace visor::debug
