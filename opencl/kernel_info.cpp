// Kernel queries.
#include "launch/bind.h"
#include "opencl/api.h"
#include "opencl/kernel.h"
#include "opencl/limits.h"
#include "opencl/query.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

namespace visor::opencl {

namespace {

using launch::ArgumentKind;

cl_kernel_arg_address_qualifier address_qualifier(ArgumentKind kind) {
    switch (kind) {
    case ArgumentKind::global_pointer:
    case ArgumentKind::image:
        return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case ArgumentKind::constant_pointer:
        return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case ArgumentKind::local_pointer:
        return CL_KERNEL_ARG_ADDRESS_LOCAL;
    default:
        return CL_KERNEL_ARG_ADDRESS_PRIVATE;
    }
}

cl_kernel_arg_access_qualifier access_qualifier(const launch::Argument& argument) {
    if (argument.kind != ArgumentKind::image)
        return CL_KERNEL_ARG_ACCESS_NONE;
    if (argument.access == "write_only")
        return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    return argument.access == "read_write" ? CL_KERNEL_ARG_ACCESS_READ_WRITE : CL_KERNEL_ARG_ACCESS_READ_ONLY;
}

cl_kernel_arg_type_qualifier type_qualifier(std::string_view words) {
    cl_kernel_arg_type_qualifier out = CL_KERNEL_ARG_TYPE_NONE;
    if (words.contains("const"))
        out |= CL_KERNEL_ARG_TYPE_CONST;
    if (words.contains("restrict"))
        out |= CL_KERNEL_ARG_TYPE_RESTRICT;
    if (words.contains("volatile"))
        out |= CL_KERNEL_ARG_TYPE_VOLATILE;
    return out;
}

// Of one work-item.
cl_ulong private_bytes(const launch::Signature& signature) {
    cl_ulong bytes = 0;
    for (const launch::ThreadMemory& memory : signature.thread_memory)
        bytes += memory.per_work_item ? memory.bytes : memory.bytes / std::max(signature.simd, 1U);
    return bytes;
}

// A local size; missing dimensions are one.
uint64_t items_in(const size_t* sizes, size_t bytes) {
    uint64_t items = 1;
    for (size_t d = 0; d < bytes / sizeof(size_t); ++d) {
        size_t one = 0;
        std::memcpy(&one, sizes + d, sizeof one);
        items *= one;
    }
    return items;
}

bool is_size_list(const void* value, size_t bytes) {
    return value != nullptr &&
           (bytes == sizeof(size_t) || bytes == 2 * sizeof(size_t) || bytes == 3 * sizeof(size_t));
}

// A size of whole sub-groups, in the requested dimensions; zeros when there is none.
cl_int size_for_count(const _cl_kernel& kernel, size_t wanted, const Query& answer) {
    const launch::Signature& signature = kernel.signature();
    const size_t most = most_items(device_of(kernel), signature.simd);
    std::array<size_t, 3> size{};
    const size_t dimensions =
        answer.destination() == nullptr ? 3 : answer.param_value_size() / sizeof(size_t);
    if (dimensions < 1 || dimensions > 3)
        return CL_INVALID_VALUE;
    const auto& required = signature.required_group_size;
    if (required[0] != 0) {
        const size_t items = size_t{required[0]} * required[1] * required[2];
        const bool fits = (items + signature.simd - 1) / signature.simd == wanted;
        for (size_t d = 0; d < 3 && fits; ++d)
            size[d] = required[d];
    } else if (wanted != 0 && wanted <= most / signature.simd) {
        size = {wanted * signature.simd, 1, 1};
    }
    return answer.bytes(size.data(), dimensions * sizeof(size_t));
}

} // namespace

cl_int get_kernel_info(cl_kernel kernel, cl_kernel_info what, size_t param_value_size, void* value,
                       size_t* needed) {
    if (!is_valid(kernel))
        return CL_INVALID_KERNEL;
    const Query answer(param_value_size, value, needed);
    switch (what) {
    case CL_KERNEL_FUNCTION_NAME:
        return answer.text(kernel->signature().name);
    case CL_KERNEL_NUM_ARGS:
        return answer.number(static_cast<cl_uint>(kernel->signature().arguments.size()));
    case CL_KERNEL_REFERENCE_COUNT:
        return answer.number(kernel->references());
    case CL_KERNEL_CONTEXT:
        return answer.value(kernel->program->context.get());
    case CL_KERNEL_PROGRAM:
        return answer.value(kernel->program.get());
    case CL_KERNEL_ATTRIBUTES:
        return answer.text(kernel->program->origin == Origin::source ? kernel->signature().attributes : "");
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int get_kernel_arg_info(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what, size_t param_value_size,
                           void* value, size_t* needed) {
    if (!is_valid(kernel))
        return CL_INVALID_KERNEL;
    const auto& arguments = kernel->signature().arguments;
    if (index >= arguments.size())
        return CL_INVALID_ARG_INDEX;
    const launch::Argument& argument = arguments[index];
    if (argument.name.empty())
        return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    const Query answer(param_value_size, value, needed);
    switch (what) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return answer.value(address_qualifier(argument.kind));
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return answer.value(access_qualifier(argument));
    case CL_KERNEL_ARG_TYPE_NAME:
        return answer.text(argument.type_name);
    case CL_KERNEL_ARG_TYPE_QUALIFIER: {
        // Constant memory is const even without the qualifier.
        const cl_kernel_arg_type_qualifier extra = argument.kind == ArgumentKind::constant_pointer
                                                       ? CL_KERNEL_ARG_TYPE_CONST
                                                       : CL_KERNEL_ARG_TYPE_NONE;
        return answer.value(type_qualifier(argument.type_qualifiers) | extra);
    }
    case CL_KERNEL_ARG_NAME:
        return answer.text(argument.name);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int get_kernel_work_group_info(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                                  size_t param_value_size, void* value, size_t* needed) {
    if (!is_valid(kernel))
        return CL_INVALID_KERNEL;
    if (device != nullptr && !is_valid(device))
        return CL_INVALID_DEVICE;
    const launch::Signature& signature = kernel->signature();
    const Query answer(param_value_size, value, needed);
    switch (what) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return answer.size(most_items(device_of(*kernel), signature.simd));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
        const auto& required = signature.required_group_size;
        return answer.list<size_t>(std::array<size_t, 3>{required[0], required[1], required[2]});
    }
    case CL_KERNEL_LOCAL_MEM_SIZE:
        return answer.value(cl_ulong{local_bytes(*kernel)});
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return answer.size(signature.simd);
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        return answer.value(private_bytes(signature));
    case CL_KERNEL_SPILL_MEM_SIZE_INTEL:
        return answer.value(cl_ulong{0});
    default: // also CL_KERNEL_GLOBAL_WORK_SIZE, which is for custom devices and built-in kernels
        return CL_INVALID_VALUE;
    }
}

cl_int get_kernel_sub_group_info(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info what,
                                 size_t input_bytes, const void* input, size_t param_value_size, void* value,
                                 size_t* needed) {
    if (!is_valid(kernel))
        return CL_INVALID_KERNEL;
    if (device != nullptr && !is_valid(device))
        return CL_INVALID_DEVICE;
    const launch::Signature& signature = kernel->signature();
    const Query answer(param_value_size, value, needed);
    const size_t most = most_items(device_of(*kernel), signature.simd);
    switch (what) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
        return is_size_list(input, input_bytes) ? answer.size(signature.simd) : CL_INVALID_VALUE;
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE: {
        if (!is_size_list(input, input_bytes))
            return CL_INVALID_VALUE;
        const uint64_t items = items_in(static_cast<const size_t*>(input), input_bytes);
        return answer.size((items + signature.simd - 1) / signature.simd);
    }
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: {
        size_t wanted = 0;
        if (input == nullptr || input_bytes != sizeof wanted)
            return CL_INVALID_VALUE;
        std::memcpy(&wanted, input, sizeof wanted);
        return size_for_count(*kernel, wanted, answer);
    }
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
        return answer.size((most + signature.simd - 1) / signature.simd);
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
        return answer.size(0);
    case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
        return answer.size(signature.required_sub_group_size);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int get_kernel_suggested_local_work_size(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                            const size_t* offset, const size_t* global, size_t* suggested) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (!is_valid(kernel))
        return CL_INVALID_KERNEL;
    if (kernel->program->context.get() != queue->context.get())
        return CL_INVALID_CONTEXT;
    const Space space{dimensions, offset, global, nullptr};
    if (const cl_int problem = check_space(*kernel, space); problem != CL_SUCCESS)
        return problem;
    if (suggested == nullptr)
        return CL_INVALID_VALUE;
    for (cl_uint d = 0; d < dimensions; ++d) {
        if (global[d] == 0)
            return CL_INVALID_GLOBAL_WORK_SIZE;
    }
    const auto chosen =
        launch::choose_local_size(kernel->signature(), device_of(*kernel), geometry_of(*kernel, space));
    if (!chosen)
        return CL_INVALID_GLOBAL_WORK_SIZE;
    for (cl_uint d = 0; d < dimensions; ++d)
        suggested[d] = (*chosen)[d];
    return CL_SUCCESS;
}

} // namespace visor::opencl
