#include "opencl/memory/usm.h"

#include "opencl/api.h"
#include "opencl/event.h"
#include "opencl/limits.h"
#include "opencl/query.h"

#include <bit>
#include <fmt/format.h>

namespace visor::opencl {

namespace {

using machine::AllocationKind;

constexpr cl_mem_alloc_flags_intel placements =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

// Pairs of a name and a value, and a zero. CL_INVALID_PROPERTY.
cl_int read_flags(const cl_mem_properties_intel* given, AllocationKind kind,
                  cl_mem_alloc_flags_intel& flags) {
    const cl_mem_alloc_flags_intel known =
        CL_MEM_ALLOC_WRITE_COMBINED_INTEL | (kind == AllocationKind::usm_shared ? placements : 0);
    bool named = false;
    for (; given != nullptr && *given != 0; given += 2) {
        if (given[0] != CL_MEM_ALLOC_FLAGS_INTEL || named || (given[1] & ~known) != 0 ||
            (given[1] & placements) == placements)
            return CL_INVALID_PROPERTY;
        named = true;
        flags = given[1];
    }
    return CL_SUCCESS;
}

struct UsmRequest {
    AllocationKind kind = AllocationKind::usm_host;
    cl_device_id device = nullptr;
    const cl_mem_properties_intel* properties = nullptr;
    size_t bytes = 0;
    cl_uint alignment = 0;
};

void* allocate(cl_context context, const UsmRequest& wanted, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_valid(context))
        return outcome.fail(CL_INVALID_CONTEXT);
    const bool needs_device = wanted.kind == AllocationKind::usm_device;
    if (wanted.device == nullptr ? needs_device : !is_valid(wanted.device))
        return outcome.fail(CL_INVALID_DEVICE);
    // Every allocation begins a page; the largest data type has as many bytes as a sub-buffer's origin.
    if ((wanted.alignment != 0 && !std::has_single_bit(wanted.alignment)) ||
        wanted.alignment > address_alignment)
        return outcome.fail(CL_INVALID_VALUE);
    PointerAllocation made{.kind = wanted.kind, .has_device = wanted.device != nullptr};
    if (const cl_int problem = read_flags(wanted.properties, wanted.kind, made.flags); problem != CL_SUCCESS)
        return outcome.fail(problem);
    if (wanted.bytes == 0 || wanted.bytes > most_allocation_bytes())
        return outcome.fail(CL_INVALID_BUFFER_SIZE);
    made.bytes = wanted.bytes;
    made.address = context->allocate(
        wanted.bytes, fmt::format("{} {}", name_of(wanted.kind), context->pointers.next_number()),
        wanted.kind);
    if (made.address == 0)
        return outcome.fail(wanted.kind == AllocationKind::usm_host ? CL_OUT_OF_HOST_MEMORY
                                                                    : CL_OUT_OF_RESOURCES);
    context->pointers.add(made);
    if (wanted.kind == AllocationKind::usm_device)
        context->host_access.add(made.address, made.bytes);
    return outcome.done(static_cast<void*>(machine::Memory::host(made.address)));
}

cl_int free(cl_context context, std::string_view call, void* pointer, bool waits) {
    if (!is_valid(context))
        return CL_INVALID_CONTEXT;
    if (pointer == nullptr)
        return CL_SUCCESS;
    report_host_accesses(*context);
    const auto found = context->pointers.at(pointer);
    const auto address = reinterpret_cast<uint64_t>(pointer);
    if (!found || !found->is_usm() || found->address != address) {
        report_misuse(call, misuse_of_free(*context, pointer, "unified shared memory"));
        return CL_INVALID_VALUE;
    }
    if (waits)
        wait_for_commands(*context);
    context->host_access.remove(address);
    return give_back(*context, call, pointer, true) ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_unified_shared_memory_type_intel type_of(const std::optional<PointerAllocation>& one) {
    switch (one ? one->kind : AllocationKind::other) {
    case AllocationKind::usm_host:
        return CL_MEM_TYPE_HOST_INTEL;
    case AllocationKind::usm_device:
        return CL_MEM_TYPE_DEVICE_INTEL;
    case AllocationKind::usm_shared:
        return CL_MEM_TYPE_SHARED_INTEL;
    default:
        return CL_MEM_TYPE_UNKNOWN_INTEL;
    }
}

} // namespace

void wait_for_commands(_cl_context& context) {
    std::vector<Ref<_cl_event>> all;
    {
        const std::lock_guard guard(context.graph);
        for (_cl_event* event : context.unfinished)
            all.emplace_back(event);
    }
    for (const Ref<_cl_event>& event : all)
        if (event && can_wait_for(*event))
            wait_for(*event);
}

void report_host_accesses(_cl_context& context) {
    for (const HostAccess::Access& access : context.host_access.take_accesses())
        report_misuse(
            "application",
            {"host-access", fmt::format("the host touches byte {} of {} at 0x{:x}, which a GPU's host "
                                        "cannot reach",
                                        access.address - access.allocation,
                                        name_of(AllocationKind::usm_device), access.allocation)});
}

void* host_mem_alloc(cl_context context, const cl_mem_properties_intel* properties, size_t bytes,
                     cl_uint alignment, cl_int* errcode_ret) {
    return allocate(context, {AllocationKind::usm_host, nullptr, properties, bytes, alignment}, errcode_ret);
}

void* device_mem_alloc(cl_context context, cl_device_id device, const cl_mem_properties_intel* properties,
                       size_t bytes, cl_uint alignment, cl_int* errcode_ret) {
    return allocate(context, {AllocationKind::usm_device, device, properties, bytes, alignment}, errcode_ret);
}

void* shared_mem_alloc(cl_context context, cl_device_id device, const cl_mem_properties_intel* properties,
                       size_t bytes, cl_uint alignment, cl_int* errcode_ret) {
    return allocate(context, {AllocationKind::usm_shared, device, properties, bytes, alignment}, errcode_ret);
}

cl_int mem_free(cl_context context, void* pointer) {
    return free(context, "clMemFreeINTEL", pointer, false);
}

cl_int mem_blocking_free(cl_context context, void* pointer) {
    return free(context, "clMemBlockingFreeINTEL", pointer, true);
}

cl_int get_mem_alloc_info(cl_context context, const void* pointer, cl_mem_info_intel what,
                          size_t param_value_size, void* value, size_t* needed) {
    if (!is_valid(context))
        return CL_INVALID_CONTEXT;
    auto found = context->pointers.at(pointer);
    if (found && !found->is_usm())
        found.reset();
    const Query answer(param_value_size, value, needed);
    switch (what) {
    case CL_MEM_ALLOC_TYPE_INTEL:
        return answer.value(type_of(found));
    case CL_MEM_ALLOC_BASE_PTR_INTEL:
        return answer.value(found ? static_cast<void*>(machine::Memory::host(found->address)) : nullptr);
    case CL_MEM_ALLOC_SIZE_INTEL:
        return answer.size(found ? found->bytes : 0);
    case CL_MEM_ALLOC_DEVICE_INTEL:
        return answer.value(found && found->has_device ? cl_device_id{&platform().device} : nullptr);
    case CL_MEM_ALLOC_FLAGS_INTEL:
        return answer.value(found ? found->flags : cl_mem_alloc_flags_intel{0});
    default:
        return CL_INVALID_VALUE;
    }
}

} // namespace visor::opencl
