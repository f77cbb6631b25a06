#include "vm/report.h"

#include "text/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::vm {

namespace {

using machine::FaultKind;

ErrorKind kind_of(FaultKind kind) {
    switch (kind) {
    case FaultKind::unsupported:
        return ErrorKind::unsupported;
    case FaultKind::fuel:
    case FaultKind::timeout:
        return ErrorKind::time;
    default:
        return ErrorKind::fault;
    }
}

// An address far from everything is told by its number alone.
constexpr uint64_t neighbourhood = uint64_t{1} << 30;

// " (argument 0 `y` + 0x104, which has 256 bytes)" or "".
std::string beside(const machine::Memory& memory, uint64_t address) {
    if (address < 4096)
        return " (a null pointer?)";
    const auto all = memory.allocations();
    const auto above =
        std::upper_bound(all.begin(), all.end(), address,
                         [](uint64_t at, const machine::Allocation& a) { return at < a.address; });
    std::string text;
    if (above != all.begin()) {
        const machine::Allocation& below = *std::prev(above);
        if (address - below.address < below.bytes + neighbourhood)
            text = fmt::format(" ({} + 0x{:x}, which has {} bytes)", below.label, address - below.address,
                               below.bytes);
    }
    if (above != all.end()) {
        const uint64_t short_of = above->address - address;
        const bool nearer = above == all.begin() || short_of < address - std::prev(above)->address;
        if (short_of < neighbourhood && nearer)
            text = fmt::format(" ({} - 0x{:x})", above->label, short_of);
    }
    return text;
}

std::string what_happened(const machine::Fault& fault, const machine::Memory& memory) {
    switch (fault.kind) {
    case FaultKind::none:
        return "no fault";
    case FaultKind::out_of_bounds:
        return fmt::format("{} bytes at 0x{:x} are outside every allocation{}", fault.bytes, fault.address,
                           beside(memory, fault.address));
    case FaultKind::bad_register:
        return "an indirect operand lies outside the register file";
    case FaultKind::bad_branch:
        return "control left the function";
    case FaultKind::unsupported:
        return "this instruction is not executed by Visor yet";
    case FaultKind::fuel:
        return "the hardware thread used up its fuel; an endless loop, or more is needed";
    case FaultKind::timeout:
        return "the time limit is over";
    case FaultKind::call_depth:
        return "calls are nested too deeply";
    case FaultKind::deadlock:
        return "threads wait for each other for ever";
    case FaultKind::stopped:
        return "stopped on request";
    }
    return "an unknown fault";
}

std::string place(const machine::Fault& fault) {
    const std::string lane = fault.lane < 0 ? "" : fmt::format(", lane {}", fault.lane);
    return fmt::format("group {}, thread {}{}", fmt::join(fault.group, ","), fault.thread, lane);
}

// Time and stop requests hit where they hit: the instruction there tells nothing.
bool has_instruction(FaultKind kind) {
    return kind != FaultKind::timeout && kind != FaultKind::stopped;
}

} // namespace

Error error_of(const machine::Fault& fault, const visor::Program& program, std::string_view kernel,
               const machine::Memory& memory) {
    Error error{.kind = kind_of(fault.kind), .text = {}};
    error.text = fmt::format("{}kernel `{}`: {}: {}",
                             fault.kind == FaultKind::unsupported ? "unsupported by Visor: " : "", kernel,
                             place(fault), what_happened(fault, memory));
    if (!fault.detail.empty())
        error.text += fmt::format(": {}", fault.detail);
    const auto& code = program.function->code;
    if (has_instruction(fault.kind) && fault.instruction < code.size())
        error.text += fmt::format("\n  instruction {}: {}", fault.instruction,
                                  text::print(*program.function, code[fault.instruction]));
    return error;
}

Error error_of(const compile::Failure& failure) {
    const bool users =
        failure.kind == compile::FailureKind::build_error || failure.kind == compile::FailureKind::bad_option;
    const bool late = failure.kind == compile::FailureKind::time_limit;
    Error error{.kind = users  ? ErrorKind::invalid
                        : late ? ErrorKind::time
                               : ErrorKind::compiler,
                .text = failure.message};
    if (!failure.log.empty())
        error.text += '\n' + failure.log;
    while (error.text.ends_with('\n'))
        error.text.pop_back();
    return error;
}

Error error_of(const Diagnostics& diagnostics, const SourceView& source, Color color) {
    Error error{.kind = diagnostics.errors() == 0 && diagnostics.unsupported_count() > 0
                            ? ErrorKind::unsupported
                            : ErrorKind::invalid,
                .text = render(diagnostics, source, color)};
    while (error.text.ends_with('\n'))
        error.text.pop_back();
    return error;
}

} // namespace visor::vm
