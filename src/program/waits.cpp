#include "program/waits.h"

#include "isa/lsc_code.h"
#include "isa/opcode.h"
#include "isa/predefined.h"
#include "isa/row.h"

#include <algorithm>
#include <optional>

namespace visor::program {

namespace {

namespace opcode = isa::opcode;

bool is_of_local_memory(const Program& program, const PreparedInstruction& instruction) {
    const auto operands = program.operands_of(instruction);
    if (instruction.row->family == isa::Family::lsc)
        return operands.front().value == isa::lsc::sfid_slm;
    const uint32_t local = program.surface_base[static_cast<size_t>(isa::PredefinedSurface::slm)];
    return std::ranges::any_of(operands, [&](const PreparedOperand& operand) {
        return operand.kind == OperandKind::surface && operand.base == local;
    });
}

bool is_fence(const isa::Row& row) {
    return row.opcode == opcode::fence || row.opcode == opcode::lsc_fence;
}

bool is_call(const isa::Row& row) {
    return row.opcode == opcode::call || row.opcode == opcode::fcall || row.opcode == opcode::ifcall;
}

bool may_be_waiting(const Program& program, const PreparedInstruction& instruction) {
    const isa::Row& row = *instruction.row;
    return is_call(row) || (is_fence(row) && fence_scope(program, instruction).global) ||
           (isa::has(row, isa::atomic_access) && !is_of_local_memory(program, instruction));
}

} // namespace

FenceScope fence_scope(const Program& program, const PreparedInstruction& fence) {
    constexpr uint64_t local_alone = 1U << 5U;
    constexpr uint64_t no_fence = 1U << 7U;
    const uint64_t value = program.operands_of(fence).front().value;
    if (fence.row->opcode == opcode::lsc_fence)
        return {.global = value != isa::lsc::sfid_slm, .local = value == isa::lsc::sfid_slm};
    if ((value & no_fence) != 0)
        return {};
    return {.global = (value & local_alone) == 0, .local = (value & local_alone) != 0};
}

bool may_wait_for_groups(const Program& program) {
    std::optional<uint32_t> last; // of what may be waiting, so far
    for (uint32_t i = 0; i < program.code.size(); ++i) {
        const PreparedInstruction& instruction = program.code[i];
        if (may_be_waiting(program, instruction))
            last = i;
        if (last && instruction.target <= *last && !is_call(*instruction.row))
            return true;
    }
    return false;
}

} // namespace visor::program
