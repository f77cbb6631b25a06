#include "vm/fault.h"

#include "module/source_line.h"
#include "text/text.h"

#include <fmt/format.h>

namespace visor::vm {

namespace {

using machine::FaultKind;

ErrorKind error_kind(FaultKind kind) {
    switch (kind) {
    case FaultKind::unsupported:
        return ErrorKind::unsupported;
    case FaultKind::fuel:
    case FaultKind::timeout:
        return ErrorKind::time;
    case FaultKind::out_of_memory:
        return ErrorKind::internal;
    default:
        return ErrorKind::fault;
    }
}

std::string_view headline(FaultKind kind) {
    switch (kind) {
    case FaultKind::none:
        return "no fault";
    case FaultKind::out_of_bounds:
        return "memory access outside every allocation";
    case FaultKind::bad_register:
        return "indirect operand outside the variables whose address is taken";
    case FaultKind::bad_branch:
        return "control flow went wrong";
    case FaultKind::bad_call:
        return "call that leads nowhere";
    case FaultKind::bad_state:
        return "message to a surface or sampler that there is not";
    case FaultKind::unsupported:
        return "instruction not executed by Visor (this is not a bug of the kernel)";
    case FaultKind::fuel:
        return "out of fuel: the kernel may loop for ever (--fuel sets the limit)";
    case FaultKind::timeout:
        return "out of time (--timeout sets the limit)";
    case FaultKind::call_depth:
        return "calls nested too deep";
    case FaultKind::deadlock:
        return "the threads of a group wait for each other for ever";
    case FaultKind::stopped:
        return "stopped";
    case FaultKind::out_of_memory:
        return "no memory for the threads of a group (this is not a bug of the kernel)";
    }
    return "fault";
}

uint64_t past_end(const machine::Allocation& allocation, uint64_t address) {
    const uint64_t offset = address - allocation.address;
    return offset < allocation.bytes ? 0 : offset - allocation.bytes;
}

// "12 bytes past the end of arg 0 `y` (400 bytes)", from the nearest allocation below or above.
std::string place(uint64_t address, const machine::Memory& memory) {
    if (const auto freed = memory.freed_at(address))
        return fmt::format("it is in {} ({} bytes), which was freed", freed->label, freed->bytes);
    const std::vector<machine::Allocation> all = memory.allocations();
    const machine::Allocation* below = nullptr;
    for (const machine::Allocation& allocation : all) {
        if (allocation.address <= address)
            below = &allocation;
        else if (below == nullptr || allocation.address - address < past_end(*below, address))
            return fmt::format("{} bytes before {} ({} bytes)", allocation.address - address,
                               allocation.label, allocation.bytes);
    }
    if (below == nullptr)
        return "nothing is allocated there";
    const uint64_t offset = address - below->address;
    constexpr uint64_t near = 1U << 24U;
    if (offset < below->bytes)
        return fmt::format("it starts inside {} at byte {} of {} and runs past its end", below->label, offset,
                           below->bytes);
    if (offset - below->bytes < near)
        return fmt::format("{} bytes past the end of {} ({} bytes)", offset - below->bytes, below->label,
                           below->bytes);
    return "far from every allocation";
}

// "k.cl:12"; "": unknown.
std::string source_of(const Function& function, uint32_t instruction) {
    const std::vector<SourceLine> lines = source_lines(function);
    return instruction < lines.size() ? text_of(lines[instruction]) : "";
}

} // namespace

Error describe(const machine::Fault& fault, const LoadedKernel& kernel, const Linked& code,
               const machine::Memory& memory) {
    const LoadedFunction* const called = code.loaded[fault.function];
    const Function& function = *code.programs[fault.function]->function;
    const std::string& text_name = called == nullptr ? kernel.text_name : called->text_name;
    const std::string& text = *(called == nullptr ? kernel.text : called->text);
    std::string out;
    const bool known = fault.kind != FaultKind::out_of_memory && fault.instruction < function.code.size();
    std::string in_text; // location of the instruction
    std::string in_source;
    if (known) {
        const LineColumn at = line_column(text, function.code[fault.instruction].where.offset);
        in_text = fmt::format("{}:{}:{}: ", text_name, at.line, at.column);
        in_source = source_of(function, fault.instruction);
        out = in_source.empty() ? in_text : in_source + ": ";
    }
    out += fmt::format("error: {}", headline(fault.kind));
    if (!fault.detail.empty())
        out += fmt::format(": {}", fault.detail);
    if (known)
        out += fmt::format("\n    {}{}", in_source.empty() ? "" : in_text,
                           text::print(function, function.code[fault.instruction]));
    if (fault.kind == FaultKind::out_of_bounds) {
        out += fmt::format("\n    {} bytes at 0x{:x}: {}", fault.bytes, fault.address,
                           place(fault.address, memory));
    }
    if (called != nullptr)
        out += fmt::format("\n    function {}, {} call{} deep", function.name, fault.depth,
                           fault.depth == 1 ? "" : "s");
    out += fmt::format("\n    kernel {}, group ({},{},{}), hardware thread {}", kernel.facts.name,
                       fault.group[0], fault.group[1], fault.group[2], fault.thread);
    if (fault.lane >= 0)
        out += fmt::format(", lane {}", fault.lane);
    return {error_kind(fault.kind), out};
}

} // namespace visor::vm
