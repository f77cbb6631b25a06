#include "machine/call.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace visor::machine {

namespace {

using isa::Predefined;

// Predefined variables that a call copies to the function: state of the thread, not of the frame.
constexpr std::array inherited{Predefined::thread_x,
                               Predefined::thread_y,
                               Predefined::group_id_x,
                               Predefined::group_id_y,
                               Predefined::group_id_z,
                               Predefined::r0,
                               Predefined::sp,
                               Predefined::fp,
                               Predefined::hw_id,
                               Predefined::sr0,
                               Predefined::cr0,
                               Predefined::dbg0,
                               Predefined::color,
                               Predefined::impl_arg_buf_ptr,
                               Predefined::local_id_buf_ptr,
                               Predefined::msg0,
                               Predefined::scratchloc};
// Predefined variables that a return copies to the caller.
constexpr std::array returned{Predefined::sp,
                              Predefined::fp,
                              Predefined::cr0,
                              Predefined::dbg0,
                              Predefined::impl_arg_buf_ptr,
                              Predefined::local_id_buf_ptr};

void copy(const Frame& from, Frame& to, Predefined variable, uint32_t most = UINT32_MAX) {
    const VariableSlot& source = from.program->variables[isa::id(variable)];
    const VariableSlot& target = to.program->variables[isa::id(variable)];
    if (source.used && target.used)
        std::memcpy(to.registers + target.base, from.registers + source.base,
                    std::min({source.bytes, target.bytes, most}));
}

// Initializes all of a frame but its registers.
void start(Frame& frame, const Launch& launch, const FunctionCall& call) {
    const Program& program = *launch.functions[call.function].program;
    frame.program = &program;
    frame.function = call.function;
    frame.predicates.assign(program.predicate_count, 0);
    frame.addresses.assign(program.address_elements, 0);
    // Surface and sampler variables are local to the function, except the predefined ones.
    frame.surfaces.assign(launch.preset_surfaces.begin(),
                          launch.preset_surfaces.begin() +
                              std::min<ptrdiff_t>(isa::first_user_surface,
                                                  static_cast<ptrdiff_t>(launch.preset_surfaces.size())));
    frame.surfaces.resize(program.surface_elements, UINT32_MAX);
    frame.samplers.assign(program.sampler_elements, UINT32_MAX);
    frame.waiting.assign(program.joins.size(), 0);
    frame.calls.clear();
    frame.pc = 0;
    frame.execution_mask = call.lanes;
    frame.call_mask = call.lanes;
}

// The register counts of a call have to match the function's (FCALL page), and the lanes that compiled code
// of both is for: a compiler that makes a function for kernels of several widths leaves one text of it.
bool matches_signature(Thread& thread, const PreparedInstruction& instruction, const FunctionCall& call) {
    const Program& called = *thread.launch->functions[call.function].program;
    const Function& callee = *called.function;
    const uint32_t own = thread.program->simd;
    if (callee.from_compiler && called.simd != 0 && own != 0 && called.simd != own) {
        thread.fail(
            FaultKind::bad_call, instruction,
            fmt::format("the text of `{}` is for SIMD{}, its caller's for SIMD{}: the compiler left no "
                        "other text of it",
                        callee.name, called.simd, own));
        return false;
    }
    const int64_t arguments = callee.attribute_number("ArgSize", call.argument_registers);
    const int64_t results = callee.attribute_number("RetValSize", call.return_registers);
    if (arguments == call.argument_registers && results == call.return_registers)
        return true;
    thread.fail(FaultKind::bad_call, instruction,
                fmt::format("`{}` takes {} registers of %arg and returns {} of %retval, not {} and {}",
                            callee.name, arguments, results, call.argument_registers, call.return_registers));
    return false;
}

} // namespace

void enter_function(Thread& thread, const PreparedInstruction& instruction, const FunctionCall& call) {
    const Launch& launch = *thread.launch;
    if (!matches_signature(thread, instruction, call))
        return;
    if (thread.depth >= max_function_depth)
        return thread.fail(FaultKind::call_depth, instruction,
                           fmt::format("{} calls have not returned", thread.depth));
    const Program& program = *launch.functions[call.function].program;
    std::byte* const registers = thread.group->pool.take(program.register_bytes);
    if (registers == nullptr)
        return thread.fail(
            FaultKind::call_depth, instruction,
            fmt::format("the registers of nested calls need more than {} MiB", RegisterPool::limit >> 20U));
    if (thread.callers.size() == thread.depth)
        thread.callers.emplace_back();
    Frame& caller = thread.callers[thread.depth++];
    std::swap(static_cast<Frame&>(thread), caller); // keeps the spare frame's storage
    start(thread, launch, call);
    thread.registers = registers;
    std::memset(registers, 0, program.register_bytes); // ruling 38
    for (const Predefined variable : inherited)
        copy(caller, thread, variable);
    const uint32_t grf = program.device->grf_bytes;
    copy(caller, thread, Predefined::arg, call.argument_registers * grf);
    // The device has one register file: %retval of lanes for which the function returns nothing is unchanged.
    copy(caller, thread, Predefined::retval, call.return_registers * grf);
    thread.status = Status::switched;
}

namespace {

void pop_frame(Thread& thread) {
    thread.group->pool.give_back(thread.registers, thread.program->register_bytes);
    std::swap(static_cast<Frame&>(thread), thread.callers[--thread.depth]);
}

} // namespace

void leave_function(Thread& thread) {
    Frame& caller = thread.callers[thread.depth - 1];
    for (const Predefined variable : returned)
        copy(thread, caller, variable);
    // The call before the caller's next instruction has the number of return registers.
    const PreparedInstruction& call = caller.program->code[caller.pc - 1];
    const uint64_t registers = caller.program->operands_of(call).back().value;
    copy(thread, caller, Predefined::retval,
         static_cast<uint32_t>(registers) * thread.program->device->grf_bytes);
    pop_frame(thread);
    thread.status = Status::switched;
}

void unwind(Thread& thread) {
    while (thread.depth > 0)
        pop_frame(thread);
}

} // namespace visor::machine
