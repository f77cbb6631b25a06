// The reference interpreter: exact and simple, not fast. <family>.cpp defines the instructions of a
// family, by row. The handler of an instruction, for its types and shapes, is chosen once, when a program
// is bound.
#pragma once

#include "machine/dispatch.h"
#include "program/program.h"

#include <memory>
#include <span>
#include <vector>

namespace visor::interp {

// Executes the instruction for the enabled lanes. Branches set Thread::pc, which already points to the
// next instruction. Thread::fail reports faults.
using Handler = machine::Step;

// The handler of a row for this instruction's operand types and shapes; nullptr when Visor does not execute
// it.
[[nodiscard]] Handler handler(const Program& program, const PreparedInstruction& instruction);

class Interpreter final : public machine::Engine {
public:
    explicit Interpreter(std::shared_ptr<const Program> program);
    // By number (machine::Launch::functions), the kernel first.
    explicit Interpreter(std::vector<std::shared_ptr<const Program>> functions);
    void run(machine::Thread& thread) const override;

    // The handlers of a function's instructions, by code index. Valid as long as the interpreter.
    [[nodiscard]] std::span<const Handler> handlers(size_t function) const { return handlers_[function]; }

private:
    template <bool watched>
    void run_loop(machine::Thread& thread) const;

    // Until the thread stops, or another function has control.
    template <bool watched>
    void run_function(machine::Thread& thread) const;

    std::vector<std::shared_ptr<const Program>> functions_;
    std::vector<std::vector<Handler>> handlers_; // by function and code index; never null: what is not
                                                 // executed faults
};

// For instructions without effect: Visor has no caches, compression or debuggers.
inline void no_effect(machine::Thread& /*thread*/, const PreparedInstruction& /*instruction*/) {}

// `handler` of each family: nullptr for rows of other families and for unsupported instructions.
namespace family {
[[nodiscard]] Handler arith(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler logic(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler compare(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler move(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler flow(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler scattered(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler block(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler svm(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler lsc(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler atomic(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler matrix(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler media(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler typed(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler sampler(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler sync(const Program& program, const PreparedInstruction& instruction);
} // namespace family

} // namespace visor::interp
