#include "interp/call.h"

#include "interp/operand.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "machine/call.h"

#include <fmt/format.h>

namespace visor::interp {

namespace {

using machine::FaultKind;
using machine::Status;
using machine::Thread;

// arg_size and return_size are the two operands after `first`.
void enter(Thread& thread, const PreparedInstruction& instruction, uint32_t number, uint32_t lanes,
           size_t first) {
    const auto size = [&](size_t index) {
        return static_cast<uint32_t>(operand(thread, instruction, index).value);
    };
    machine::enter_function(thread, instruction, {number, lanes, size(first + 1), size(first + 2)});
}

std::string_view name_of(const Thread& thread, uint32_t string) {
    const std::vector<std::string>& names = thread.program->function->strings;
    return string < names.size() ? std::string_view(names[string]) : "";
}

void direct_call(Thread& thread, const PreparedInstruction& instruction) {
    poll(thread, instruction);
    const uint32_t lanes = taken_lanes(thread, instruction);
    if (lanes == 0 || thread.status == Status::faulted)
        return;
    const uint32_t string = operand(thread, instruction, 0).base;
    const auto& functions = thread.launch->functions;
    const uint32_t number =
        thread.function < functions.size() && string < functions[thread.function].callees.size()
            ? functions[thread.function].callees[string]
            : no_target;
    if (number == no_target)
        thread.fail(FaultKind::bad_call, instruction,
                    fmt::format("there is no function `{}`", name_of(thread, string)));
    else
        enter(thread, instruction, number, lanes, 0);
}

constexpr size_t ifcall_address = 1; // after the flags

void indirect_call(Thread& thread, const PreparedInstruction& instruction) {
    poll(thread, instruction);
    const uint32_t lanes = taken_lanes(thread, instruction);
    if (lanes == 0 || thread.status == Status::faulted)
        return;
    const PreparedOperand& source = operand(thread, instruction, ifcall_address);
    uint64_t address = scalar(thread, instruction, source);
    if (thread.status == Status::faulted)
        return;
    if (isa::size_of(source.type) == 4)
        address = (machine::function_address(0) & ~uint64_t{UINT32_MAX}) | (address & UINT32_MAX);
    const std::vector<uint32_t>& numbers = thread.launch->function_numbers;
    const uint32_t index =
        machine::is_function_address(address) ? machine::function_index(address) : no_target;
    if (index >= numbers.size() || numbers[index] == no_target)
        thread.fail(FaultKind::bad_call, instruction,
                    fmt::format("there is no function at 0x{:x}", scalar(thread, instruction, source)));
    else
        enter(thread, instruction, numbers[index], lanes, ifcall_address);
}

// Lanes that return from a function also leave the subroutines that they are in.
void leave_subroutines(Thread& thread, uint32_t leaving) {
    for (machine::CallFrame& frame : thread.calls) {
        frame.mask &= ~leaving;
        frame.call_mask &= ~leaving;
    }
    while (!thread.calls.empty() && thread.calls.back().call_mask == 0) {
        thread.execution_mask = thread.calls.back().mask;
        thread.pc = thread.calls.back().return_pc;
        thread.calls.pop_back();
    }
}

void function_return(Thread& thread, const PreparedInstruction& instruction) {
    if (thread.depth == 0)
        return thread.fail(FaultKind::bad_branch, instruction, "a kernel has nowhere to return to");
    const uint32_t leaving = taken_lanes(thread, instruction);
    thread.execution_mask &= ~leaving;
    thread.call_mask &= ~leaving;
    if (thread.call_mask == 0)
        machine::leave_function(thread);
    else
        leave_subroutines(thread, leaving);
}

void symbol_address(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = isa::operand_order::faddr;
    const uint32_t name = operand(thread, instruction, field::func_id).base;
    const PreparedOperand& destination = operand(thread, instruction, field::dst);
    const auto& functions = thread.launch->functions;
    const uint64_t address =
        thread.function < functions.size() && name < functions[thread.function].symbols.size()
            ? functions[thread.function].symbols[name]
            : 0;
    if (address == 0)
        thread.fail(FaultKind::bad_call, instruction,
                    fmt::format("nothing defines `{}`", name_of(thread, name)));
    else if (!destination.null && isa::size_of(destination.type) == 8)
        write_as(registers(thread, destination), address);
    else if (!destination.null)
        write_as(registers(thread, destination), static_cast<uint32_t>(address));
}

} // namespace

void poll(Thread& thread, const PreparedInstruction& instruction) {
    if (thread.stop != nullptr && thread.stop->load(std::memory_order_relaxed))
        thread.fail(FaultKind::stopped, instruction);
}

uint32_t taken_lanes(const Thread& thread, const PreparedInstruction& instruction) {
    if (instruction.execution.size == 1) {
        const bool taken =
            machine::predicate_lanes(thread, instruction.predicate, instruction.execution) != 0;
        return taken ? thread.execution_mask : 0;
    }
    return machine::enabled_lanes(thread, instruction) << instruction.execution.offset &
           thread.execution_mask;
}

Handler function_call(const PreparedInstruction& instruction) {
    namespace opcode = isa::opcode;
    switch (instruction.row->opcode) {
    case opcode::fcall:
        return direct_call;
    case opcode::ifcall:
        return indirect_call;
    case opcode::fret:
        return function_return;
    case opcode::faddr:
        return symbol_address;
    default:
        return nullptr;
    }
}

} // namespace visor::interp
