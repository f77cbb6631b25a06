#include "machine/thread.h"

#include <utility>

namespace visor::machine {

void Thread::fail(FaultKind kind, const PreparedInstruction& instruction, std::string detail) {
    if (status == Status::faulted)
        return; // the first one counts
    status = Status::faulted;
    fault.kind = kind;
    fault.group = group->id;
    fault.thread = index;
    fault.function = function;
    fault.depth = depth;
    fault.instruction = instruction.source;
    fault.detail = std::move(detail);
}

void Thread::fail_access(const PreparedInstruction& instruction, int lane, uint64_t address, uint32_t bytes) {
    if (status == Status::faulted)
        return;
    fail(FaultKind::out_of_bounds, instruction);
    fault.lane = lane;
    fault.address = address;
    fault.bytes = bytes;
}

} // namespace visor::machine
