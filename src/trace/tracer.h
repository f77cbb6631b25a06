// A trace: one JSON object a line for every executed instruction, with its results and memory accesses
// (docs/json.md). It reads results from the registers when the thread continues or ends, so it only needs the
// watch events.
#pragma once

#include "machine/watch.h"
#include "program/program.h"
#include "trace/group.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::trace {

struct TraceChoice {
    uint32_t lanes = UINT32_MAX; // traced channels of the hardware thread
    std::optional<GroupChoice> group;
};

class Tracer final : public machine::Watcher {
public:
    // `sink` gets whole lines, each with its newline.
    using Sink = std::function<void(std::string_view lines)>;
    Tracer(Sink sink, TraceChoice choice) : sink_(std::move(sink)), choice_(choice) {}

    // A function and the text that its locations refer to, for line numbers.
    struct Source {
        const Function* function = nullptr;
        std::string_view text;
    };
    // Starts the trace of a launch of the kernel `sources.front()`; the others are functions that it calls.
    void begin_launch(uint64_t number, std::span<const Source> sources);
    // Flushes the pending instruction.
    void flush();

    void instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                     uint32_t lanes) override;
    void memory(const machine::MemoryEvent& event) override;
    void undefined(const machine::UndefinedEvent& event) override;
    void thread_ended(const machine::Thread& thread) override;

private:
    // The pending instruction: its results are not known yet.
    struct Pending {
        const machine::Thread* thread = nullptr; // nullptr: none
        const Program* program = nullptr;        // the function's, which a call leaves
        const PreparedInstruction* instruction = nullptr;
        uint32_t lanes = 0; // traced channels
        std::string accesses;
        std::string undefined;
    };

    void finish(std::string_view fault);
    void add_writes();
    [[nodiscard]] std::string_view spelled_at(const PreparedInstruction& instruction) const;
    // One destination as an object; "" when nothing was written there.
    [[nodiscard]] std::string written(const PreparedOperand& operand, const Operand& source) const;
    [[nodiscard]] std::string written_by_message(const PreparedOperand& operand, size_t index) const;
    [[nodiscard]] std::string place(const PreparedOperand& operand, const Operand& source) const;
    [[nodiscard]] std::string lane_value(const PreparedOperand& operand, uint32_t lane) const;

    Sink sink_;
    TraceChoice choice_;
    Pending pending_;
    std::string out_;
    uint64_t launch_ = 0;
    std::string kernel_; // a JSON string
    // By index in the function's code: `"index":..,"line":..,"text":..`
    std::map<const Function*, std::vector<std::string>> spelled_;
};

} // namespace visor::trace
