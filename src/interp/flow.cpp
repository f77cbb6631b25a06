// SIMD control flow. Lanes that branch forward are parked at their label. Lanes that do not take a
// backward branch are parked after it. Parked lanes rejoin when control arrives there (GOTO page; launch
// ABI 3.1). When no lane is active, the loop in interp.cpp resumes the nearest parked lanes.
#include "interp/call.h"
#include "interp/operand.h"
#include "isa/opcode.h"

#include <algorithm>

namespace visor::interp {

namespace {

using machine::FaultKind;
using machine::Status;
using machine::Thread;

void forward_goto(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t taken = taken_lanes(thread, instruction);
    if (taken == 0)
        return;
    thread.waiting[thread.program->code[instruction.target].join] |= taken;
    thread.execution_mask &= ~taken;
}

void backward_goto(Thread& thread, const PreparedInstruction& instruction) {
    poll(thread, instruction);
    const uint32_t taken = taken_lanes(thread, instruction);
    if (taken == 0)
        return;
    const uint32_t staying = thread.execution_mask & ~taken;
    if (staying != 0) {
        if (thread.pc >= thread.program->code.size()) {
            thread.fail(FaultKind::bad_branch, instruction, "control ran past the end of the function");
            return;
        }
        thread.waiting[thread.program->code[thread.pc].join] |= staying;
    }
    thread.execution_mask = taken;
    thread.pc = instruction.target;
}

void jump(Thread& thread, const PreparedInstruction& instruction) {
    poll(thread, instruction);
    if ((machine::predicate_lanes(thread, instruction.predicate, instruction.execution) & 1U) != 0)
        thread.pc = instruction.target;
}

void switch_jump(Thread& thread, const PreparedInstruction& instruction) {
    poll(thread, instruction);
    const auto operands = thread.program->operands_of(instruction);
    uint64_t index = UINT64_MAX;
    uint64_t label = 0;
    for (const PreparedOperand& operand : operands) {
        if (operand.kind == OperandKind::literal)
            continue;
        if (operand.kind != OperandKind::label)
            index = scalar(thread, instruction, operand) & UINT32_MAX;
        else if (label++ == index)
            thread.pc = operand.base;
    }
}

void call(Thread& thread, const PreparedInstruction& instruction) {
    poll(thread, instruction);
    const uint32_t taken = taken_lanes(thread, instruction);
    if (taken == 0)
        return;
    // All calls of a subroutine share one set of variables and of waiting lanes (3_execution_model.md:
    // recursion is not permitted).
    const bool recursive = std::ranges::any_of(
        thread.calls, [&](const machine::CallFrame& frame) { return frame.target == instruction.target; });
    if (recursive)
        return thread.fail(FaultKind::call_depth, instruction,
                           "the subroutine has not returned from an earlier call");
    thread.calls.push_back({instruction.target, thread.pc, thread.execution_mask, taken});
    thread.execution_mask = taken;
    thread.pc = instruction.target;
}

bool any_parked(const Thread& thread) {
    const std::vector<uint32_t>& joins = thread.program->joins;
    for (size_t i = 0; i < joins.size(); ++i) {
        if (joins[i] >= thread.pc && thread.waiting[i] != 0)
            return true;
    }
    return false;
}

void ret(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t leaving = taken_lanes(thread, instruction);
    if (thread.calls.empty() && thread.depth > 0 && leaving != 0)
        return thread.fail(FaultKind::bad_branch, instruction,
                           "a function returns by fret; no subroutine of it was called");
    thread.execution_mask &= ~leaving;
    if (thread.calls.empty()) {
        // In a kernel: these channels have ended.
        if (thread.execution_mask == 0 && !any_parked(thread))
            thread.status = Status::done;
        return;
    }
    machine::CallFrame& frame = thread.calls.back();
    frame.call_mask &= ~leaving;
    if (frame.call_mask != 0)
        return;
    thread.execution_mask = frame.mask;
    thread.pc = frame.return_pc;
    thread.calls.pop_back();
}

} // namespace

Handler family::flow(const Program& program, const PreparedInstruction& instruction) {
    namespace opcode = isa::opcode;
    switch (instruction.row->opcode) {
    case opcode::goto_: {
        const auto here = static_cast<uint32_t>(&instruction - program.code.data());
        return instruction.target > here ? forward_goto : backward_goto;
    }
    case opcode::jmp:
        return jump;
    case opcode::call:
        return call;
    case opcode::ret:
        return ret;
    case opcode::switchjmp:
        return switch_jump;
    default:
        return function_call(instruction);
    }
}

} // namespace visor::interp
