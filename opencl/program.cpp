#include "opencl/program.h"

#include "launch/zebin.h"
#include "opencl/api.h"
#include "opencl/query.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace visor::opencl {

namespace {

using BuildNotice = void(CL_CALLBACK*)(cl_program, void*);

bool is_list_good(cl_uint count, const cl_device_id* devices) {
    return (count == 0) == (devices == nullptr);
}

// Whether the list has devices that the program was not created for.
cl_int check_devices(cl_uint count, const cl_device_id* devices) {
    if (!is_list_good(count, devices))
        return CL_INVALID_VALUE;
    for (const cl_device_id one : std::span(devices, count)) {
        if (!is_valid(one))
            return CL_INVALID_DEVICE;
    }
    return CL_SUCCESS;
}

// Marks the program as being built. False: it is in use.
cl_int begin(_cl_program& program, const std::string& options) {
    const std::lock_guard guard(program.facts);
    if (program.status == CL_BUILD_IN_PROGRESS || program.kernels > 0)
        return CL_INVALID_OPERATION;
    program.status = CL_BUILD_IN_PROGRESS;
    program.options = options;
    program.log.clear();
    return CL_SUCCESS;
}

cl_int conclude(_cl_program& program, BuildResult made) {
    const std::lock_guard guard(program.facts);
    program.log = std::move(made.log);
    program.status = made.code == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    if (made.code == CL_SUCCESS)
        program.built = std::move(made.built);
    return made.code;
}

// Synchronously, or on a pool thread when there is a callback.
cl_int carry_out(cl_program program, BuildNotice notice, void* data,
                 std::move_only_function<BuildResult()> make) {
    if (notice == nullptr)
        return conclude(*program, make());
    platform().pool.run([held = Ref(program), notice, data, make = std::move(make)]() mutable {
        BuildResult made;
        try {
            made = make();
        } catch (const std::exception&) {
            made.code = CL_OUT_OF_HOST_MEMORY;
        }
        static_cast<void>(conclude(*held, std::move(made)));
        platform().pool.call_back([held, notice, data] { notice(held.get(), data); });
    });
    return CL_SUCCESS;
}

cl_int build_info(_cl_program& program, cl_program_build_info what, const Query& answer) {
    switch (what) {
    case CL_PROGRAM_BUILD_STATUS:
        return answer.value(program.status);
    case CL_PROGRAM_BUILD_OPTIONS:
        return answer.text(program.options);
    case CL_PROGRAM_BUILD_LOG:
        return answer.text(program.log);
    case CL_PROGRAM_BINARY_TYPE:
        return answer.value(program.built.type);
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE: {
        Diagnostics diagnostics;
        size_t bytes = 0;
        const auto read = launch::read_zebin(std::as_bytes(std::span(program.built.zebin)), diagnostics);
        for (const launch::DataSection& section : read ? read->sections : std::vector<launch::DataSection>())
            bytes += section.constant ? 0 : section.bytes;
        return answer.size(bytes);
    }
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int binaries(const _cl_program& program, const Query& answer) {
    if (answer.destination() != nullptr) {
        if (answer.param_value_size() < sizeof(unsigned char*))
            return CL_INVALID_VALUE;
        auto* const* targets = static_cast<unsigned char* const*>(answer.destination());
        const std::string binary = to_binary(program.built);
        if (targets[0] != nullptr && !binary.empty())
            std::memcpy(targets[0], binary.data(), binary.size());
    }
    answer.set_size(sizeof(unsigned char*));
    return CL_SUCCESS;
}

std::string kernel_names(const _cl_program& program) {
    std::string out;
    for (const vm::LoadedKernel& kernel : program.built.loaded->kernels)
        out += (out.empty() ? "" : ";") + kernel.facts.name;
    return out;
}

} // namespace

cl_program create_program_with_source(cl_context context, cl_uint count, const char** strings,
                                      const size_t* lengths, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_valid(context))
        return outcome.fail(CL_INVALID_CONTEXT);
    if (count == 0 || strings == nullptr ||
        std::ranges::find(std::span(strings, count), nullptr) != std::span(strings, count).end())
        return outcome.fail(CL_INVALID_VALUE);
    auto* program = new _cl_program(Ref(context), Origin::source);
    for (cl_uint i = 0; i < count; ++i) {
        const bool is_counted = lengths != nullptr && lengths[i] != 0;
        program->source +=
            is_counted ? std::string_view(strings[i], lengths[i]) : std::string_view(strings[i]);
    }
    return outcome.done(program);
}

cl_program create_program_with_il(cl_context context, const void* il, size_t bytes, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_valid(context))
        return outcome.fail(CL_INVALID_CONTEXT);
    if (il == nullptr || bytes == 0 || !is_spirv({static_cast<const char*>(il), bytes}))
        return outcome.fail(CL_INVALID_VALUE);
    auto* program = new _cl_program(Ref(context), Origin::il);
    program->source.assign(static_cast<const char*>(il), bytes);
    return outcome.done(program);
}

cl_program create_program_with_binary(cl_context context, cl_uint count, const cl_device_id* devices,
                                      const size_t* lengths, const unsigned char** binaries, cl_int* status,
                                      cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_valid(context))
        return outcome.fail(CL_INVALID_CONTEXT);
    if (count == 0 || devices == nullptr || lengths == nullptr || binaries == nullptr)
        return outcome.fail(CL_INVALID_VALUE);
    if (const cl_int problem = check_devices(count, devices); problem != CL_SUCCESS)
        return outcome.fail(problem);
    Built built;
    for (cl_uint i = 0; i < count; ++i) {
        cl_int code = CL_INVALID_VALUE;
        if (lengths[i] != 0 && binaries[i] != nullptr) {
            auto read =
                from_binary({reinterpret_cast<const char*>(binaries[i]), lengths[i]}, devices[i]->device);
            code = read ? CL_SUCCESS : CL_INVALID_BINARY;
            if (read)
                built = std::move(*read);
            else // applications with precompiled binaries rarely print the reason
                platform().record.print_once(fmt::format("visor: {} (CL_INVALID_BINARY)", read.error()));
        }
        if (status != nullptr)
            status[i] = code;
        if (code != CL_SUCCESS)
            return outcome.fail(code);
    }
    auto* program = new _cl_program(Ref(context), Origin::binary);
    program->built = std::move(built);
    return outcome.done(program);
}

cl_program create_program_with_built_in_kernels(cl_context context, cl_uint count,
                                                const cl_device_id* devices, const char* names,
                                                cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_valid(context))
        return outcome.fail(CL_INVALID_CONTEXT);
    if (count == 0 || devices == nullptr || names == nullptr)
        return outcome.fail(CL_INVALID_VALUE);
    const cl_int problem = check_devices(count, devices);
    return outcome.fail(problem != CL_SUCCESS ? problem : CL_INVALID_VALUE); // there are none
}

cl_int retain_program(cl_program program) {
    return retain(program, CL_INVALID_PROGRAM);
}
cl_int release_program(cl_program program) {
    return release(program, CL_INVALID_PROGRAM);
}

cl_int set_program_release_callback(cl_program program, void(CL_CALLBACK* notify)(cl_program, void*),
                                    void* data) {
    if (!is_valid(program))
        return CL_INVALID_PROGRAM;
    static_cast<void>(data);
    return notify == nullptr ? CL_INVALID_VALUE : CL_INVALID_OPERATION; // as of OpenCL 3.0
}

cl_int set_program_specialization_constant(cl_program program, cl_uint id, size_t bytes, const void* value) {
    if (!is_valid(program) || program->origin != Origin::il)
        return CL_INVALID_PROGRAM;
    const size_t wanted = constant_bytes(program->source, id);
    if (wanted == 0)
        return CL_INVALID_SPEC_ID;
    if (value == nullptr || bytes != wanted)
        return CL_INVALID_VALUE;
    const std::lock_guard guard(program->facts);
    program->constants[id].assign(static_cast<const char*>(value), bytes);
    return CL_SUCCESS;
}

cl_int build_program(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                     void(CL_CALLBACK* notice)(cl_program, void*), void* data) {
    if (!is_valid(program))
        return CL_INVALID_PROGRAM;
    if (const cl_int problem = check_devices(count, devices); problem != CL_SUCCESS)
        return problem;
    if (notice == nullptr && data != nullptr)
        return CL_INVALID_VALUE;
    const std::string words = options == nullptr ? "" : options;
    if (const cl_int problem = begin(*program, words); problem != CL_SUCCESS)
        return problem;
    return carry_out(program, notice, data, [program, words] { return build_executable(*program, words); });
}

cl_int compile_program(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                       cl_uint header_count, const cl_program* headers, const char** header_names,
                       void(CL_CALLBACK* notice)(cl_program, void*), void* data) {
    if (!is_valid(program))
        return CL_INVALID_PROGRAM;
    if (const cl_int problem = check_devices(count, devices); problem != CL_SUCCESS)
        return problem;
    const bool lists =
        (header_count == 0) == (headers == nullptr) && (headers == nullptr) == (header_names == nullptr);
    if (!lists || (notice == nullptr && data != nullptr))
        return CL_INVALID_VALUE;
    std::map<std::string, std::string> contents;
    for (cl_uint i = 0; i < header_count; ++i) {
        const Ref<_cl_program> header = hold_valid(headers[i]);
        if (!header || header->origin != Origin::source)
            return CL_INVALID_PROGRAM;
        if (header_names[i] == nullptr)
            return CL_INVALID_VALUE;
        contents[header_names[i]] = header->source;
    }
    if (program->origin != Origin::source && program->origin != Origin::il)
        return CL_INVALID_OPERATION;
    const std::string words = options == nullptr ? "" : options;
    if (const cl_int problem = begin(*program, words); problem != CL_SUCCESS)
        return problem;
    return carry_out(program, notice, data, [program, words, contents = std::move(contents)] {
        return compile_module(*program, words, contents);
    });
}

cl_program link_program(cl_context context, cl_uint count, const cl_device_id* devices, const char* options,
                        cl_uint input_count, const cl_program* inputs,
                        void(CL_CALLBACK* notice)(cl_program, void*), void* data, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_valid(context))
        return outcome.fail(CL_INVALID_CONTEXT);
    if (const cl_int problem = check_devices(count, devices); problem != CL_SUCCESS)
        return outcome.fail(problem);
    if (input_count == 0 || inputs == nullptr || (notice == nullptr && data != nullptr))
        return outcome.fail(CL_INVALID_VALUE);
    std::vector<std::string> modules;
    for (const Ref<_cl_program>& input : hold_valid(input_count, inputs)) {
        if (!input)
            return outcome.fail(CL_INVALID_PROGRAM);
        const std::lock_guard guard(input->facts);
        if (input->built.modules.empty())
            return outcome.fail(CL_INVALID_OPERATION);
        modules.insert(modules.end(), input->built.modules.begin(), input->built.modules.end());
    }
    auto* program = new _cl_program(Ref(context), Origin::linked);
    const std::string words = options == nullptr ? "" : options;
    static_cast<void>(begin(*program, words));
    const cl_int code = carry_out(program, notice, data, [context, words, modules = std::move(modules)] {
        return link_modules(*context, modules, words);
    });
    if (code == CL_INVALID_LINKER_OPTIONS) { // no program at all
        static_cast<void>(release(program, CL_INVALID_PROGRAM));
        return outcome.fail(code);
    }
    if (errcode_ret != nullptr)
        *errcode_ret = code;
    return program; // with its log, also of a link that failed
}

cl_int get_program_info(cl_program program, cl_program_info what, size_t param_value_size, void* value,
                        size_t* needed) {
    if (!is_valid(program))
        return CL_INVALID_PROGRAM;
    const Query answer(param_value_size, value, needed);
    const std::lock_guard guard(program->facts);
    switch (what) {
    case CL_PROGRAM_REFERENCE_COUNT:
        return answer.number(program->references());
    case CL_PROGRAM_CONTEXT:
        return answer.value(program->context.get());
    case CL_PROGRAM_NUM_DEVICES:
        return answer.number(1);
    case CL_PROGRAM_DEVICES:
        return answer.value(cl_device_id{&platform().device});
    case CL_PROGRAM_SOURCE:
        return answer.text(program->origin == Origin::source ? program->source : "");
    case CL_PROGRAM_IL:
        return program->origin == Origin::il ? answer.bytes(program->source.data(), program->source.size())
                                             : answer.bytes(nullptr, 0);
    case CL_PROGRAM_BINARY_SIZES:
        return answer.size(to_binary(program->built).size());
    case CL_PROGRAM_BINARIES:
        return binaries(*program, answer);
    case CL_PROGRAM_NUM_KERNELS:
        return program->built.loaded ? answer.size(program->built.loaded->kernels.size())
                                     : CL_INVALID_PROGRAM_EXECUTABLE;
    case CL_PROGRAM_KERNEL_NAMES:
        return program->built.loaded ? answer.text(kernel_names(*program)) : CL_INVALID_PROGRAM_EXECUTABLE;
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
        return answer.truth(false);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int get_program_build_info(cl_program program, cl_device_id device, cl_program_build_info what,
                              size_t param_value_size, void* value, size_t* needed) {
    if (!is_valid(program))
        return CL_INVALID_PROGRAM;
    if (!is_valid(device))
        return CL_INVALID_DEVICE;
    const std::lock_guard guard(program->facts);
    return build_info(*program, what, Query(param_value_size, value, needed));
}

} // namespace visor::opencl
