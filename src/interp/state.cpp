// State registers whose value is computed at each read: the execution mask (%ce0) and the time stamp
// (%tsc). All others are ordinary variables that the dispatcher initializes.
#include "interp/lanewise.h"

namespace visor::interp {

namespace {

constexpr std::array live_registers{isa::Predefined::ce0, isa::Predefined::tsc};

bool names(const Program& program, const PreparedOperand& operand, isa::Predefined variable) {
    const VariableSlot& slot = program.variables[isa::id(variable)];
    return operand.kind == OperandKind::general && !operand.null && slot.used && operand.base >= slot.base &&
           operand.base < slot.base + slot.bytes;
}

} // namespace

bool reads_state(const Program& program, const PreparedInstruction& instruction) {
    return std::ranges::any_of(program.operands_of(instruction), [&](const PreparedOperand& operand) {
        return std::ranges::any_of(
            live_registers, [&](isa::Predefined variable) { return names(program, operand, variable); });
    });
}

void refresh_state(machine::Thread& thread) {
    const Program& program = *thread.program;
    write_as(thread.registers + program.register_base(isa::Predefined::ce0), thread.execution_mask);
    // The clock counts instructions: it is monotonic, and runs of one seed have the same values.
    write_as(thread.registers + program.register_base(isa::Predefined::tsc), thread.instructions);
}

} // namespace visor::interp
