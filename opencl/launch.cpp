// Kernels as commands: everything is checked when they are enqueued, and the context's machine runs them, one
// launch at a time, when their turn comes.
#include "check/report.h"
#include "opencl/api.h"
#include "opencl/kernel.h"
#include "opencl/limits.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>

namespace visor::opencl {

namespace {

// The arguments of one launch, and what has to live until it is over.
struct Call {
    Ref<_cl_kernel> kernel;
    std::vector<launch::ArgumentValue> values;
    std::vector<Ref<_cl_mem>> memory;
    launch::Geometry geometry;
};

cl_int take_arguments(_cl_kernel& kernel, Call& call) {
    const std::lock_guard guard(kernel.facts);
    for (const ArgumentState& argument : kernel.arguments) {
        if (!argument.set)
            return CL_INVALID_KERNEL_ARGS;
        if (argument.memory != nullptr) {
            Ref<_cl_mem> held = hold_if_alive(*kernel.program->context, argument.memory, argument.serial);
            if (!held)
                return CL_INVALID_KERNEL_ARGS; // it was released
            call.memory.push_back(std::move(held));
        }
        call.values.push_back(argument.value);
    }
    return CL_SUCCESS;
}

// What a kernel without local ids and arguments could not be launched with is said by the machine.
bool is_uniform(const _cl_kernel& kernel, const Space& space) {
    if (space.local == nullptr || kernel.code->non_uniform_groups)
        return true;
    for (cl_uint d = 0; d < space.dimensions; ++d) {
        if (space.global[d] % space.local[d] != 0)
            return false;
    }
    return true;
}

cl_int check_local(const _cl_kernel& kernel, const Space& space) {
    const auto& required = kernel.signature().required_group_size;
    const bool is_required = required[0] != 0;
    if (space.local == nullptr) {
        for (cl_uint d = 0; d < space.dimensions && is_required && !kernel.code->non_uniform_groups; ++d) {
            if (space.global[d] % required[d] != 0)
                return CL_INVALID_WORK_GROUP_SIZE;
        }
        return CL_SUCCESS;
    }
    size_t items = 1;
    for (cl_uint d = 0; d < 3; ++d) {
        const size_t size = d < space.dimensions ? space.local[d] : 1;
        if (size == 0)
            return CL_INVALID_WORK_GROUP_SIZE;
        if (size > device_of(kernel).max_group_size)
            return CL_INVALID_WORK_ITEM_SIZE;
        if (is_required && size != required[d])
            return CL_INVALID_WORK_GROUP_SIZE;
        items *= size;
    }
    if (items > most_items(device_of(kernel), kernel.signature().simd) || !is_uniform(kernel, space))
        return CL_INVALID_WORK_GROUP_SIZE;
    return CL_SUCCESS;
}

const vm::KernelSource* source_of(const std::vector<vm::KernelSource>& all, const Function* function) {
    const auto found = std::ranges::find_if(
        all, [function](const vm::KernelSource& one) { return one.function.get() == function; });
    return found == all.end() ? nullptr : &*found;
}

// New ones since the last launch.
void tell_findings(_cl_context& context, const _cl_kernel& kernel) {
    const auto& findings = context.checkers.findings().all();
    if (context.findings_told == findings.size())
        return;
    const auto sources = vm::sources_of(*kernel.code, kernel.signature().name);
    for (; context.findings_told < findings.size(); ++context.findings_told) {
        const check::Finding& finding = findings[context.findings_told];
        const vm::KernelSource* source = sources ? source_of(*sources, finding.function.get()) : nullptr;
        const check::Source text =
            source == nullptr ? check::Source{} : check::Source{source->name, source->text};
        platform().record.found(finding.severity == check::Severity::error, check::render(finding, text));
    }
}

void print(const std::string& output) {
    if (output.empty())
        return;
    std::fwrite(output.data(), 1, output.size(), stdout);
    std::fflush(stdout);
}

cl_int fail(_cl_context& context, const vm::Error& error) {
    platform().record.failed(error.kind, error.text);
    if (context.notify != nullptr) {
        const Ref held(&context);
        platform().pool.call_back(
            [held, text = error.text] { held->notify(text.c_str(), nullptr, 0, held->notify_data); });
    }
    return error.kind == vm::ErrorKind::internal ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES;
}

// Not worth the threads that would share it.
bool is_small(const launch::Geometry& geometry) {
    constexpr double few = 4096;
    return double(geometry.global[0]) * double(geometry.global[1]) * double(geometry.global[2]) <= few;
}

cl_int run(const Call& call) {
    _cl_context& context = *call.kernel->program->context;
    const Settings& settings = platform().settings;
    vm::RunSettings how;
    how.engine = settings.engine;
    how.options.workers = settings.checking || is_small(call.geometry) ? 1 : settings.threads;
    how.options.fuel = settings.fuel;
    how.options.timeout = settings.timeout;
    how.options.stop = &platform().pool.stopping();
    const std::string& name = call.kernel->signature().name;
    const auto lock = context.at_machine();
    if (settings.checking)
        how.watcher = context.checkers.listener();
    const auto report = context.machine.run(*call.kernel->code, name, call.values, call.geometry, how);
    if (!report)
        return fail(context, report.error());
    print(report->printf_output);
    if (settings.checking)
        tell_findings(context, *call.kernel);
    platform().record.launched(name, *report);
    return report->error ? fail(context, *report->error) : CL_SUCCESS;
}

} // namespace

cl_int check_space(const _cl_kernel& kernel, const Space& space) {
    if (space.dimensions < 1 || space.dimensions > 3)
        return CL_INVALID_WORK_DIMENSION;
    if (space.global == nullptr)
        return CL_INVALID_GLOBAL_WORK_SIZE;
    for (cl_uint d = 0; d < space.dimensions; ++d) {
        if (space.global[d] > UINT32_MAX)
            return CL_INVALID_GLOBAL_WORK_SIZE;
        if (space.offset != nullptr && space.offset[d] > UINT32_MAX - space.global[d])
            return CL_INVALID_GLOBAL_OFFSET;
    }
    return check_local(kernel, space);
}

launch::Geometry geometry_of(const _cl_kernel& kernel, const Space& space) {
    launch::Geometry geometry;
    geometry.dimensions = space.dimensions;
    geometry.allow_non_uniform = kernel.code->non_uniform_groups;
    for (cl_uint d = 0; d < space.dimensions; ++d) {
        geometry.global[d] = space.global[d];
        geometry.offset[d] = space.offset == nullptr ? 0 : space.offset[d];
        geometry.local[d] = space.local == nullptr ? 0 : static_cast<uint32_t>(space.local[d]);
    }
    return geometry;
}

cl_int enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                               const size_t* offset, const size_t* global, const size_t* local, cl_uint count,
                               const cl_event* list, cl_event* event) {
    const Wish wish{
        .command = CL_COMMAND_NDRANGE_KERNEL, .wait_count = count, .wait_list = list, .event = event};
    if (const cl_int problem = check(queue, wish); problem != CL_SUCCESS)
        return problem;
    if (!is_valid(kernel))
        return CL_INVALID_KERNEL;
    if (kernel->program->context.get() != queue->context.get())
        return CL_INVALID_CONTEXT;
    constexpr std::array<size_t, 3> nothing{};
    const Space space{dimensions, offset, global == nullptr ? nothing.data() : global, local};
    Call call;
    call.kernel = Ref(kernel);
    if (const cl_int problem = take_arguments(*kernel, call); problem != CL_SUCCESS)
        return problem;
    if (const cl_int problem = check_space(*kernel, space); problem != CL_SUCCESS)
        return problem;
    if (local_bytes(*kernel) > device_of(*kernel).slm_bytes)
        return CL_OUT_OF_RESOURCES;
    call.geometry = geometry_of(*kernel, space);
    if (std::ranges::find(call.geometry.global, 0U) != call.geometry.global.end())
        return enqueue(queue, wish, {}); // nothing to do, and that is no mistake
    return enqueue(queue, wish, [call = std::move(call)] { return run(call); });
}

cl_int enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event* list,
                    cl_event* event) {
    const size_t one = 1;
    return enqueue_nd_range_kernel(queue, kernel, 1, nullptr, &one, &one, count, list, event);
}

cl_int enqueue_native_kernel(cl_command_queue queue, void(CL_CALLBACK* /*function*/)(void*),
                             void* /*arguments*/, size_t /*bytes*/, cl_uint /*number*/,
                             const cl_mem* /*objects*/, const void** /*places*/, cl_uint /*count*/,
                             const cl_event* /*list*/, cl_event* /*event*/) {
    return is_valid(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE; // the device runs none
}

} // namespace visor::opencl
