#include "opencl/kernel.h"

#include "launch/arguments.h"
#include "opencl/api.h"
#include "opencl/limits.h"
#include "opencl/newer_names.h"
#include "opencl/query.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string_view>

_cl_kernel::_cl_kernel(visor::opencl::Ref<_cl_program> of, std::shared_ptr<const visor::vm::Program> from,
                       size_t number)
    : program(std::move(of)), code(std::move(from)), index(number), arguments(signature().arguments.size()) {
    const std::lock_guard guard(program->facts);
    ++program->kernels;
}

_cl_kernel::~_cl_kernel() {
    const std::lock_guard guard(program->facts);
    --program->kernels;
}

namespace visor::opencl {

namespace {

using launch::ArgumentKind;

std::shared_ptr<const vm::Program> executable(_cl_program& program) {
    const std::lock_guard guard(program.facts);
    return program.status == CL_BUILD_SUCCESS ? program.built.loaded : nullptr;
}

bool is_pointer(ArgumentKind kind) {
    return kind == ArgumentKind::global_pointer || kind == ArgumentKind::constant_pointer;
}

// The application may keep values in shared memory, and free that.
bool is_readable(const _cl_kernel& kernel, const void* value, size_t bytes) {
    return check_bytes(*kernel.program->context, "clSetKernelArg", value, bytes) == CL_SUCCESS;
}

// The bytes may be anything, such as a pointer into shared memory.
template <class T>
struct Given {
    bool is_null = true;
    Ref<T> object; // none: not a handle of a live object
};
template <class T>
Given<T> handle_at(const void* value) {
    T* handle = nullptr;
    if (value != nullptr)
        std::memcpy(static_cast<void*>(&handle), value, sizeof(void*));
    Given<T> out{.is_null = handle == nullptr};
    out.object = hold_if_handle(handle);
    return out;
}

cl_int set_memory(const _cl_kernel& kernel, const launch::Argument& argument, const void* value,
                  ArgumentState& state) {
    const auto [is_null, held] = handle_at<_cl_mem>(value);
    if (is_null && is_pointer(argument.kind)) {
        state.value = launch::Buffer{};
        return CL_SUCCESS;
    }
    const bool wants_image = argument.kind == ArgumentKind::image;
    cl_mem memory = held.get();
    if (!held || memory->context.get() != kernel.program->context.get() ||
        (wants_image ? !memory->is_image() : !memory->is_buffer()))
        return CL_INVALID_MEM_OBJECT;
    state.memory = memory;
    state.serial = memory->serial;
    if (!wants_image) {
        state.value = launch::Buffer{memory->address, memory->bytes};
        return CL_SUCCESS;
    }
    const bool forbidden = (argument.access == "read_only" && (memory->flags & CL_MEM_WRITE_ONLY) != 0) ||
                           (argument.access == "write_only" && (memory->flags & CL_MEM_READ_ONLY) != 0);
    if (forbidden)
        return CL_INVALID_ARG_VALUE;
    state.value = memory->image;
    return CL_SUCCESS;
}

// Intel's driver truncates values that are too large, and libraries rely on it (ruling 161). Reported once
// for each argument and size, since applications set the same arguments repeatedly.
void note_size(const _cl_kernel& kernel, const launch::Argument& argument, size_t bytes) {
    if (!platform().settings.checking)
        return;
    const bool named = !argument.type_name.empty();
    platform().record.noted(
        fmt::format("visor: note: kernel `{}`: {} has {} bytes{} and was given {}: the first {} are taken",
                    kernel.signature().name, launch::argument_name(argument), argument.bytes,
                    named ? fmt::format(" ({})", argument.type_name) : "", bytes, argument.bytes));
}

// Three elements for a vector of three, which has the size of four.
bool lacks_fourth(const launch::Argument& argument, size_t bytes) {
    const bool three = argument.type_name.ends_with('3') && !argument.type_name.ends_with("13");
    return three && bytes * 4 == size_t{argument.bytes} * 3;
}

cl_int set_value(const _cl_kernel& kernel, const launch::Argument& argument, size_t bytes, const void* value,
                 ArgumentState& state) {
    if (value == nullptr)
        return CL_INVALID_ARG_VALUE;
    // Arguments that the compiler removed have no size in the metadata.
    const size_t wanted = argument.bytes == 0 ? bytes : argument.bytes;
    if (bytes < wanted && !lacks_fourth(argument, bytes))
        return CL_INVALID_ARG_SIZE;
    if (bytes > wanted)
        note_size(kernel, argument, bytes);
    const size_t readable = std::min(bytes, wanted);
    if (!is_readable(kernel, value, readable))
        return CL_INVALID_ARG_VALUE;
    const auto* first = static_cast<const std::byte*>(value);
    std::vector<std::byte> taken(first, first + readable);
    taken.resize(wanted);
    state.value = std::move(taken);
    return CL_SUCCESS;
}

cl_int set_argument(const _cl_kernel& kernel, const launch::Argument& argument, size_t bytes,
                    const void* value, ArgumentState& state) {
    const bool is_handle =
        argument.kind != ArgumentKind::local_pointer && argument.kind != ArgumentKind::value;
    if (is_handle && value != nullptr && !is_readable(kernel, value, sizeof(void*)))
        return CL_INVALID_ARG_VALUE;
    switch (argument.kind) {
    case ArgumentKind::local_pointer:
        if (value != nullptr)
            return CL_INVALID_ARG_VALUE;
        if (bytes == 0)
            return CL_INVALID_ARG_SIZE;
        if (bytes > device_of(kernel).slm_bytes)
            return CL_MAX_SIZE_RESTRICTION_EXCEEDED;
        state.value = launch::LocalBytes{bytes};
        return CL_SUCCESS;
    case ArgumentKind::sampler: {
        if (bytes != sizeof(cl_sampler))
            return CL_INVALID_ARG_SIZE;
        const Ref<_cl_sampler> sampler = handle_at<_cl_sampler>(value).object;
        if (!sampler)
            return CL_INVALID_SAMPLER;
        state.value = sampler->state();
        return CL_SUCCESS;
    }
    case ArgumentKind::value:
        return set_value(kernel, argument, bytes, value, state);
    default:
        if (bytes != sizeof(cl_mem))
            return CL_INVALID_ARG_SIZE;
        return set_memory(kernel, argument, value, state);
    }
}

// For clSetKernelArgSVMPointer and clSetKernelArgMemPointerINTEL, which differ by their names.
cl_int set_pointer(cl_kernel kernel, std::string_view call, cl_uint index, const void* pointer) {
    if (!is_valid(kernel))
        return CL_INVALID_KERNEL;
    const auto& arguments = kernel->signature().arguments;
    if (index >= arguments.size())
        return CL_INVALID_ARG_INDEX;
    if (!is_pointer(arguments[index].kind))
        return CL_INVALID_ARG_VALUE;
    _cl_context& context = *kernel->program->context;
    const auto buffer = buffer_at(context, pointer);
    if (!buffer) {
        report_misuse(call, misuse_of_argument(context, pointer));
        return CL_INVALID_ARG_VALUE;
    }
    ArgumentState state;
    state.set = true;
    state.value = *buffer;
    state.pointer = pointer;
    const std::lock_guard guard(kernel->facts);
    kernel->arguments[index] = std::move(state);
    return CL_SUCCESS;
}

// Null is a null pointer, as for the others.
cl_int set_address(cl_kernel kernel, cl_uint index, DeviceAddress address) {
    const auto& arguments = kernel->signature().arguments;
    if (index >= arguments.size())
        return CL_INVALID_ARG_INDEX;
    if (!is_pointer(arguments[index].kind))
        return CL_INVALID_ARG_VALUE;
    ArgumentState state;
    state.set = true;
    state.value = launch::Buffer{};
    if (address != 0) {
        const auto found = addressed_buffer(*kernel->program->context, address);
        if (!found)
            return CL_INVALID_ARG_VALUE;
        const uint64_t below = address - found->address;
        state.value = launch::Buffer{address, found->buffer.bytes - below, below};
        state.memory = found->buffer.memory;
        state.serial = found->buffer.serial;
    }
    const std::lock_guard guard(kernel->facts);
    kernel->arguments[index] = std::move(state);
    return CL_SUCCESS;
}

cl_int read_truth(size_t bytes, const void* value, cl_bool& truth) {
    if (bytes != sizeof truth)
        return CL_INVALID_VALUE;
    std::memcpy(&truth, value, sizeof truth);
    return CL_SUCCESS;
}

// A list of pointers replaces the one before it.
cl_int set_pointers(_cl_kernel& kernel, size_t bytes, const void* value,
                    std::vector<const void*> IndirectAccess::* list) {
    if (bytes == 0 || bytes % sizeof(void*) != 0)
        return CL_INVALID_VALUE;
    std::vector<const void*> pointers(bytes / sizeof(void*));
    std::memcpy(static_cast<void*>(pointers.data()), value, bytes);
    const std::lock_guard guard(kernel.facts);
    kernel.indirect.*list = std::move(pointers);
    return CL_SUCCESS;
}

cl_int set_indirect(_cl_kernel& kernel, size_t bytes, const void* value, bool IndirectAccess::* kind) {
    cl_bool wanted = CL_FALSE;
    if (const cl_int problem = read_truth(bytes, value, wanted); problem != CL_SUCCESS)
        return problem;
    const std::lock_guard guard(kernel.facts);
    kernel.indirect.*kind = wanted != CL_FALSE;
    return CL_SUCCESS;
}

} // namespace

const isa::Device& device_of(const _cl_kernel& kernel) {
    return *kernel.code->device;
}

std::optional<launch::Buffer> buffer_at(_cl_context& context, const void* pointer) {
    if (pointer == nullptr)
        return launch::Buffer{};
    const auto found = context.pointers.at_or_before(pointer);
    if (!found)
        return std::nullopt;
    const auto address = reinterpret_cast<uint64_t>(pointer);
    return launch::Buffer{address, found->end() - address, address - found->address};
}

Misuse misuse_of_argument(_cl_context& context, const void* pointer) {
    if (auto known = misuse_of(context, pointer, 1))
        return *std::move(known);
    return {"not-an-allocation",
            fmt::format("0x{:x} leads into no allocation of shared virtual or unified shared memory",
                        reinterpret_cast<uint64_t>(pointer))};
}

cl_kernel create_kernel(cl_program program, const char* name, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_valid(program))
        return outcome.fail(CL_INVALID_PROGRAM);
    if (name == nullptr)
        return outcome.fail(CL_INVALID_VALUE);
    auto code = executable(*program);
    if (code == nullptr)
        return outcome.fail(CL_INVALID_PROGRAM_EXECUTABLE);
    const auto found = std::ranges::find_if(
        code->kernels, [name](const vm::LoadedKernel& kernel) { return kernel.facts.name == name; });
    if (found == code->kernels.end())
        return outcome.fail(CL_INVALID_KERNEL_NAME);
    const auto index = static_cast<size_t>(found - code->kernels.begin());
    return outcome.done(new _cl_kernel(Ref(program), std::move(code), index));
}

cl_int create_kernels_in_program(cl_program program, cl_uint num_entries, cl_kernel* kernels,
                                 cl_uint* count) {
    if (!is_valid(program))
        return CL_INVALID_PROGRAM;
    const auto code = executable(*program);
    if (code == nullptr)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    const size_t all = code->kernels.size();
    if (kernels != nullptr && num_entries < all)
        return CL_INVALID_VALUE;
    for (size_t i = 0; kernels != nullptr && i < all; ++i)
        kernels[i] = new _cl_kernel(Ref(program), code, i);
    if (count != nullptr)
        *count = static_cast<cl_uint>(all);
    return CL_SUCCESS;
}

cl_kernel clone_kernel(cl_kernel kernel, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_valid(kernel))
        return outcome.fail(CL_INVALID_KERNEL);
    auto* made = new _cl_kernel(kernel->program, kernel->code, kernel->index);
    const std::lock_guard guard(kernel->facts);
    made->arguments = kernel->arguments;
    made->indirect = kernel->indirect;
    return outcome.done(made);
}

cl_int retain_kernel(cl_kernel kernel) {
    return retain(kernel, CL_INVALID_KERNEL);
}
cl_int release_kernel(cl_kernel kernel) {
    return release(kernel, CL_INVALID_KERNEL);
}

cl_int set_kernel_arg(cl_kernel kernel, cl_uint index, size_t bytes, const void* value) {
    if (!is_valid(kernel))
        return CL_INVALID_KERNEL;
    const auto& arguments = kernel->signature().arguments;
    if (index >= arguments.size())
        return CL_INVALID_ARG_INDEX;
    ArgumentState state;
    const cl_int code = set_argument(*kernel, arguments[index], bytes, value, state);
    if (code != CL_SUCCESS)
        return code;
    state.set = true;
    const std::lock_guard guard(kernel->facts);
    kernel->arguments[index] = std::move(state);
    return CL_SUCCESS;
}

cl_int set_kernel_arg_svm_pointer(cl_kernel kernel, cl_uint index, const void* pointer) {
    return set_pointer(kernel, "clSetKernelArgSVMPointer", index, pointer);
}

cl_int set_kernel_arg_mem_pointer(cl_kernel kernel, cl_uint index, const void* pointer) {
    return set_pointer(kernel, "clSetKernelArgMemPointerINTEL", index, pointer);
}

cl_int set_kernel_arg_device_pointer(cl_kernel kernel, cl_uint index, DeviceAddress address) {
    return is_valid(kernel) ? set_address(kernel, index, address) : CL_INVALID_KERNEL;
}

// Kernels can access all device memory anyway: only checks use this.
cl_int set_kernel_exec_info(cl_kernel kernel, cl_kernel_exec_info what, size_t bytes, const void* value) {
    if (!is_valid(kernel))
        return CL_INVALID_KERNEL;
    if (value == nullptr)
        return CL_INVALID_VALUE;
    switch (what) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
        return set_pointers(*kernel, bytes, value, &IndirectAccess::svm);
    case kernel_exec_info_device_ptrs: // no shared memory: checks do not cover buffers
        return bytes == 0 || bytes % sizeof(DeviceAddress) != 0 ? CL_INVALID_VALUE : CL_SUCCESS;
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
        return set_pointers(*kernel, bytes, value, &IndirectAccess::usm);
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
        return set_indirect(*kernel, bytes, value, &IndirectAccess::host);
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
        return set_indirect(*kernel, bytes, value, &IndirectAccess::device);
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
        return set_indirect(*kernel, bytes, value, &IndirectAccess::shared);
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM: {
        cl_bool wanted = CL_FALSE;
        const cl_int problem = read_truth(bytes, value, wanted);
        return problem != CL_SUCCESS ? problem : wanted == CL_FALSE ? CL_SUCCESS : CL_INVALID_OPERATION;
    }
    default:
        return CL_INVALID_VALUE;
    }
}

uint64_t local_bytes(_cl_kernel& kernel) {
    const std::lock_guard guard(kernel.facts);
    uint64_t bytes = kernel.signature().slm_bytes;
    for (const ArgumentState& argument : kernel.arguments) {
        if (const auto* local = std::get_if<launch::LocalBytes>(&argument.value))
            bytes += local->bytes;
    }
    return bytes;
}

} // namespace visor::opencl
