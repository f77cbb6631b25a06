// SIMD control flow: lanes that branch forward are parked at their label, lanes that stay behind a backward
// branch are parked after it; parked lanes rejoin when control arrives there (GOTO page; launch ABI 3.1). The
// loop in interp.cpp picks the nearest parked lanes when none is left running.
#include "interp/interp.h"
#include "interp/operand.h"
#include "isa/opcode.h"

namespace visor::interp {

namespace {

using machine::FaultKind;
using machine::Status;
using machine::Thread;

// Endless loops pass here: the place to notice that the caller wants the run to end.
void poll(Thread& thread, const PreparedInstruction& instruction) {
    if (thread.stop != nullptr && thread.stop->load(std::memory_order_relaxed))
        thread.fail(FaultKind::stopped, instruction);
}

// The channels that take a branch. Of execution size 1 it is uniform among the active ones.
uint32_t taken_lanes(const Thread& thread, const PreparedInstruction& instruction) {
    if (instruction.execution.size == 1) {
        const bool taken =
            machine::predicate_lanes(thread, instruction.predicate, instruction.execution) != 0;
        return taken ? thread.execution_mask : 0;
    }
    return machine::enabled_lanes(thread, instruction) << instruction.execution.offset &
           thread.execution_mask;
}

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
    if (thread.calls.size() >= machine::max_call_depth) {
        thread.fail(FaultKind::call_depth, instruction);
        return;
    }
    thread.calls.push_back({thread.pc, thread.execution_mask, taken});
    thread.execution_mask = taken;
    thread.pc = instruction.target;
}

bool anyone_parked(const Thread& thread) {
    const std::vector<uint32_t>& joins = thread.program->joins;
    for (size_t i = 0; i < joins.size(); ++i) {
        if (joins[i] >= thread.pc && thread.waiting[i] != 0)
            return true;
    }
    return false;
}

void ret(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t leaving = taken_lanes(thread, instruction);
    thread.execution_mask &= ~leaving;
    if (thread.calls.empty()) {
        // Of a kernel: these channels have ended.
        if (thread.execution_mask == 0 && !anyone_parked(thread))
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

// FADDR of program-scope data: its address. Functions have none yet, which loading a kernel that needs one
// says.
void symbol_address(Thread& thread, const PreparedInstruction& instruction) {
    const PreparedOperand& name = operand(thread, instruction, 0);
    const PreparedOperand& destination = operand(thread, instruction, 1);
    const std::vector<uint64_t>& symbols = thread.launch->symbols;
    const uint64_t address = name.base < symbols.size() ? symbols[name.base] : 0;
    if (address == 0)
        thread.fail(FaultKind::unsupported, instruction, "the address of a function is not available yet");
    else if (!destination.null && isa::size_of(destination.type) == 8)
        write_as(registers(thread, destination), address);
    else if (!destination.null)
        write_as(registers(thread, destination), static_cast<uint32_t>(address));
}

} // namespace

Handler family::flow(const Program& program, const PreparedInstruction& instruction) {
    namespace opcode = isa::opcode;
    switch (instruction.row->opcode) {
    case opcode::goto_: {
        const auto here = static_cast<uint32_t>(&instruction - program.code.data());
        if (instruction.target >= program.code.size())
            return nullptr;
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
    case opcode::faddr:
        return symbol_address;
    default:
        return nullptr;
    }
}

} // namespace visor::interp
