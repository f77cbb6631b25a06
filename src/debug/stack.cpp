#include "debug/stack.h"

#include "isa/marks.h"

namespace visor::debug {

namespace {

// The instruction of the function's code that prepared code came from; beyond its end 0.
uint32_t source_at(const machine::Frame& frame, uint32_t pc) {
    return pc < frame.program->code.size() ? frame.program->code[pc].source : 0;
}

// The label in front of an instruction.
std::string label_before(const Function& function, uint32_t instruction) {
    for (uint32_t k = instruction; k-- > 0;) {
        const Instruction& one = function.code[k];
        if (isa::is_mark(*one.row) && !one.operands.empty() && one.operands[0].id < function.labels.size())
            return function.labels[one.operands[0].id].name;
        if (!isa::is_note(*one.row))
            break;
    }
    return "subroutine";
}

// Subroutines and then the function that called them; `at`: where the innermost of them is.
void add(std::vector<StackEntry>& stack, machine::Frame& frame, uint32_t at, size_t most) {
    const Function& function = *frame.program->function;
    for (size_t k = frame.calls.size(); k-- > 0 && stack.size() < most;) {
        const machine::CallFrame& call = frame.calls[k];
        stack.push_back({&frame, at, label_before(function, source_at(frame, call.target))});
        at = source_at(frame, call.return_pc > 0 ? call.return_pc - 1 : 0);
    }
    if (stack.size() < most)
        stack.push_back({&frame, at, function.name});
}

} // namespace

std::vector<StackEntry> stack_of(const Session& session, machine::Thread& thread, size_t most) {
    std::vector<StackEntry> stack;
    add(stack, thread, session.instruction_of(thread), most);
    for (uint32_t k = thread.depth; k-- > 0 && stack.size() < most;) {
        machine::Frame& caller = thread.callers[k];
        add(stack, caller, source_at(caller, caller.pc > 0 ? caller.pc - 1 : 0), most);
    }
    return stack;
}

} // namespace visor::debug
