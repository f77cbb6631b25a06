// Kernels as commands: everything is checked when they are enqueued; the context's machine runs one launch at
// a time.
#include "capture/from_run.h"
#include "check/report.h"
#include "diagnostic/printable.h"
#include "opencl/api.h"
#include "opencl/digest.h"
#include "opencl/kernel.h"
#include "opencl/limits.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace visor::opencl {

namespace {

// The arguments of one launch, and the objects that it holds.
struct Call {
    Ref<_cl_kernel> kernel;
    std::vector<launch::ArgumentValue> values;
    std::vector<const void*> pointers; // of those that are pointers, by index; nullptr: not one
    IndirectAccess indirect;
    std::vector<Ref<_cl_mem>> memory;
    launch::Geometry geometry;
};

std::string argument_of(const _cl_kernel& kernel, size_t index) {
    return fmt::format("argument {} of kernel `{}`", index, kernel.signature().name);
}

// `lost`: the argument whose allocation was freed.
cl_int take_arguments_of(_cl_kernel& kernel, Call& call, std::optional<size_t>& lost) {
    _cl_context& context = *kernel.program->context;
    const std::lock_guard guard(kernel.facts);
    call.indirect = kernel.indirect;
    for (const ArgumentState& argument : kernel.arguments) {
        if (!argument.set)
            return CL_INVALID_KERNEL_ARGS;
        call.pointers.push_back(argument.pointer);
        if (!buffer_at(context, argument.pointer)) {
            lost = call.values.size();
            return CL_INVALID_KERNEL_ARGS; // it was freed
        }
        if (argument.memory != nullptr) {
            Ref<_cl_mem> held = hold_if_alive(context, argument.memory, argument.serial);
            if (!held)
                return CL_INVALID_KERNEL_ARGS; // it was released
            call.memory.push_back(std::move(held));
        }
        call.values.push_back(argument.value);
    }
    return CL_SUCCESS;
}

cl_int take_arguments(_cl_kernel& kernel, Call& call) {
    std::optional<size_t> lost;
    const cl_int code = take_arguments_of(kernel, call, lost);
    if (lost)
        report_misuse(argument_of(kernel, *lost),
                      misuse_of_argument(*kernel.program->context, call.pointers[*lost]));
    return code;
}

// Whether the local size divides the global size, or need not. The machine reports other errors.
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

RecordedKernel recorded(const _cl_kernel& kernel) {
    return {kernel.program->number, kernel.signature().name};
}

// Why a finding has no source line, and how to get one.
std::string_view why_no_lines(Origin origin) {
    switch (origin) {
    case Origin::source:
        return "the compiler gave none";
    case Origin::il:
        return "the SPIR-V has none: make it with `-g`";
    case Origin::binary:
        return "it was made from a binary, perhaps from a cache of the application's: empty that, so that it "
               "is "
               "built from its source under `--check`";
    case Origin::linked:
        return "what it was linked from has none: build it from source under `--check`, or make its SPIR-V "
               "with "
               "`-g`";
    }
    return "";
}

// "    in program 3: kernels `a`, `b`"; "" where the application has made only one.
std::string origin_of(const _cl_kernel& kernel) {
    if (platform().programs == 1)
        return "";
    constexpr size_t most = 8;
    const auto& kernels = kernel.code->kernels;
    std::string names;
    for (size_t k = 0; k < std::min(kernels.size(), most); ++k)
        names += fmt::format("{}`{}`", k == 0 ? "" : ", ", kernels[k].facts.name);
    return fmt::format("    in program {}: kernel{} {}{}\n", kernel.program->number,
                       kernels.size() == 1 ? "" : "s", names, kernels.size() > most ? ", ..." : "");
}

void report_finding(const _cl_kernel& kernel, const check::Finding& finding, const check::Source& text) {
    std::string origin = origin_of(kernel);
    if (check::spot_of(finding, finding.party, text).source_file.empty())
        origin += fmt::format("note: program {} has no source lines: {}\n", kernel.program->number,
                              why_no_lines(kernel.program->origin));
    const std::string rendered = check::render(finding, text);
    platform().profiles.found(rendered);
    platform().record.found(finding.severity == check::Severity::error, rendered, origin);
}

// What is found in a kernel, and in which text. The text lives as long as the kernel.
check::Source text_of(const _cl_kernel& kernel, const check::Finding& finding) {
    const auto sources = vm::sources_of(*kernel.code, kernel.signature().name);
    const vm::KernelSource* const source = sources ? source_of(*sources, finding.function.get()) : nullptr;
    return source == nullptr ? check::Source{} : check::Source{source->name, source->text};
}

// Reports new findings since the last launch.
void report_findings(_cl_context& context, const _cl_kernel& kernel) {
    const auto& findings = context.checkers.findings().all();
    while (context.reported_findings.size() < findings.size()) {
        const check::Finding& finding = findings[context.reported_findings.size()];
        const check::Source text = text_of(kernel, finding);
        report_finding(kernel, finding, text);
        context.reported_findings.push_back({check::heading(finding, text), finding.count});
    }
}

void print(const std::string& output) {
    if (output.empty())
        return;
    // Escapes control sequences of a kernel's output for terminals.
    const std::string text = isatty(STDOUT_FILENO) != 0 ? printable(output) : output;
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

cl_int fail(const _cl_kernel& kernel, const vm::Error& error) {
    _cl_context& context = *kernel.program->context;
    platform().record.failed(error.kind, error.text, origin_of(kernel));
    if (context.notify != nullptr) {
        const Ref held(&context);
        platform().pool.call_back(
            [held, text = error.text] { held->notify(text.c_str(), nullptr, 0, held->notify_data); });
    }
    return error.kind == vm::ErrorKind::internal ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES;
}

// Memory may be freed and reused between enqueueing and the run. That is an error of the launch, since its
// surfaces would dangle.
std::optional<vm::Error> look_up_pointers(_cl_context& context, const Call& call,
                                          std::vector<launch::ArgumentValue>& values) {
    for (size_t k = 0; k < values.size(); ++k) {
        if (call.pointers[k] == nullptr)
            continue;
        const auto buffer = buffer_at(context, call.pointers[k]);
        if (!buffer) {
            const Misuse misuse = misuse_of_argument(context, call.pointers[k]);
            report_misuse(argument_of(*call.kernel, k), misuse);
            return vm::Error{vm::ErrorKind::fault,
                             fmt::format("error: {}: {}", argument_of(*call.kernel, k), misuse.text)};
        }
        values[k] = *buffer;
    }
    return std::nullopt;
}

// Allocations that the kernel may access, for the checkers.
std::shared_ptr<const machine::DeclaredReach> declared_reach(_cl_context& context, const Call& call) {
    using machine::AllocationKind;
    auto reach = std::make_shared<machine::DeclaredReach>();
    for (const auto& [declared, kind] : {std::pair{call.indirect.host, AllocationKind::usm_host},
                                         {call.indirect.device, AllocationKind::usm_device},
                                         {call.indirect.shared, AllocationKind::usm_shared}})
        if (declared)
            reach->kinds.push_back(kind);
    for (const auto* list : {&call.pointers, &call.indirect.svm, &call.indirect.usm})
        for (const void* pointer : *list)
            if (const auto found = context.pointers.at_or_before(pointer))
                reach->allocations.push_back(found->address);
    // Of buffers that lie in such memory:
    for (const Ref<_cl_mem>& memory : call.memory)
        if (const auto found = context.pointers.at(memory->content()))
            reach->allocations.push_back(found->address);
    return reach;
}

// Too small for several worker threads.
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
    how.options.seed = settings.seed;
    const RecordedKernel name = recorded(*call.kernel);
    const _cl_context::MachineLock machine_lock(context);
    std::vector<launch::ArgumentValue> values = call.values;
    if (const auto problem = look_up_pointers(context, call, values))
        return fail(*call.kernel, *problem);
    if (settings.checking) {
        how.watcher = context.checkers.listener();
        how.reach = declared_reach(context, call);
    }
    std::optional<ProfiledLaunch> profiled;
    if (platform().profiles.wanted()) {
        const bool has_text = call.kernel->program->origin == Origin::source;
        profiled.emplace(platform().profiles,
                         ProfiledLaunch::What{*call.kernel->code, name.name, name.program,
                                              has_text ? std::string_view(call.kernel->program->source) : "",
                                              settings.checking});
        how.watcher = profiled->listener(how.watcher);
    }
    std::optional<DebuggedLaunch> debugged;
    if (platform().debugger.wanted()) {
        debugged.emplace(platform().debugger,
                         DebuggedLaunch::What{*call.kernel, values, [&call](const check::Finding& one) {
                                                  return check::heading(one, text_of(*call.kernel, one));
                                              }});
        if (const auto good = debugged->put_under(how); !good)
            return fail(*call.kernel, good.error());
    }
    Record& record = platform().record;
    record.began(name);
    std::optional<capture::Recording> captured;
    if (platform().captures.wanted())
        captured = begin_capture({*call.kernel, values, call.pointers, call.geometry, call.indirect.any()});
    const auto report =
        context.machine.run(*call.kernel->code, std::string(name.name), values, call.geometry, how);
    if (captured)
        captured->finish(capture::outcome_of(report));
    if (!report) {
        record.refused(name);
        return fail(*call.kernel, report.error());
    }
    print(report->printf_output);
    if (settings.checking)
        report_findings(context, *call.kernel);
    record.launched(name, *report);
    if (settings.reports_results)
        record.left(name, digest_of(context.machine.memory()));
    return report->error ? fail(*call.kernel, *report->error) : CL_SUCCESS;
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

cl_int launch_kernel(cl_command_queue queue, const EnqueueRequest& request, cl_kernel kernel, Space space) {
    if (const cl_int problem = check(queue, request); problem != CL_SUCCESS)
        return problem;
    if (!is_valid(kernel))
        return CL_INVALID_KERNEL;
    if (kernel->program->context.get() != queue->context.get())
        return CL_INVALID_CONTEXT;
    static constexpr std::array<size_t, 3> nothing{};
    if (space.global == nullptr)
        space.global = nothing.data();
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
        return enqueue(queue, request, {}); // empty, which is not an error
    return enqueue(queue, request, [call = std::move(call)] { return run(call); });
}

cl_int enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                               const size_t* offset, const size_t* global, const size_t* local, cl_uint count,
                               const cl_event* list, cl_event* event) {
    return launch_kernel(
        queue, {.command = CL_COMMAND_NDRANGE_KERNEL, .wait_count = count, .wait_list = list, .event = event},
        kernel, {dimensions, offset, global, local});
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
    return is_valid(queue) ? CL_INVALID_OPERATION
                           : CL_INVALID_COMMAND_QUEUE; // native kernels are not supported
}

} // namespace visor::opencl
