// Shared virtual memory: allocations of the context's device memory, whose addresses are the host's own.
#include "opencl/api.h"
#include "opencl/limits.h"
#include "opencl/memory/memory.h"
#include "opencl/memory/usm.h"
#include "opencl/queue.h"

#include <algorithm>
#include <bit>
#include <span>

namespace visor::opencl {

namespace {

constexpr cl_uint page = 4096; // what every allocation is aligned to

// CL_INVALID_VALUE: nothing begins there.
cl_int free_svm(_cl_context& context, const void* pointer) {
    constexpr std::string_view call = "clSVMFree";
    if (pointer == nullptr || give_back(context, call, pointer, false))
        return CL_SUCCESS;
    report_misuse(call, misuse_of_free(context, pointer, "shared virtual memory"));
    return CL_INVALID_VALUE;
}

// A command without effect on the memory, which fails if that was freed.
cl_int enqueue_look(cl_command_queue queue, std::string_view call, const EnqueueRequest& request,
                    const void* pointer, size_t bytes) {
    if (const cl_int problem = check(queue, request); problem != CL_SUCCESS)
        return problem;
    if (const cl_int problem = check_bytes(*queue->context, call, pointer, bytes); problem != CL_SUCCESS)
        return problem;
    return enqueue(queue, request, [queue, call, pointer, bytes] {
        return BytesInUse(*queue->context, call, pointer, bytes).problem();
    });
}

} // namespace

void* svm_alloc(cl_context context, cl_svm_mem_flags flags, size_t bytes, cl_uint alignment) {
    constexpr cl_svm_mem_flags known = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    const bool good = is_valid(context) && (flags & ~known) == 0 && std::popcount(flags) <= 1 && bytes != 0 &&
                      bytes <= most_allocation_bytes() &&
                      (alignment == 0 || std::has_single_bit(alignment)) && alignment <= address_alignment;
    if (!good)
        return nullptr;
    static_assert(address_alignment <= page);
    const uint64_t address = context->allocate(bytes, "shared memory", machine::AllocationKind::svm);
    if (address == 0)
        return nullptr;
    context->pointers.add({.address = address, .bytes = bytes});
    return machine::Memory::host(address);
}

void svm_free(cl_context context, void* pointer) {
    if (is_valid(context))
        static_cast<void>(free_svm(*context, pointer));
}

cl_int enqueue_svm_free(cl_command_queue queue, cl_uint number, void** pointers,
                        void(CL_CALLBACK* free_them)(cl_command_queue, cl_uint, void**, void*), void* data,
                        cl_uint count, const cl_event* list, cl_event* event) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if ((pointers == nullptr) != (number == 0))
        return CL_INVALID_VALUE;
    const std::span all(pointers, number);
    return enqueue(queue,
                   {.command = CL_COMMAND_SVM_FREE, .wait_count = count, .wait_list = list, .event = event},
                   [queue, free_them, data, copy = std::vector<void*>(all.begin(), all.end())]() mutable {
                       cl_int result = CL_SUCCESS;
                       if (free_them != nullptr) {
                           free_them(queue, static_cast<cl_uint>(copy.size()), copy.data(), data);
                       } else {
                           for (void* pointer : copy)
                               result = std::min(result, free_svm(*queue->context, pointer));
                       }
                       return result;
                   });
}

cl_int enqueue_svm_memcpy(cl_command_queue queue, cl_bool blocking, void* to, const void* from, size_t bytes,
                          cl_uint count, const cl_event* list, cl_event* event) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    return enqueue_copy(queue, "clEnqueueSVMMemcpy",
                        {.command = CL_COMMAND_SVM_MEMCPY,
                         .wait_count = count,
                         .wait_list = list,
                         .event = event,
                         .blocking = blocking != CL_FALSE},
                        to, from, bytes);
}

cl_int enqueue_svm_mem_fill(cl_command_queue queue, void* to, const void* pattern, size_t pattern_bytes,
                            size_t bytes, cl_uint count, const cl_event* list, cl_event* event) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    return enqueue_fill(
        queue, "clEnqueueSVMMemFill",
        {.command = CL_COMMAND_SVM_MEMFILL, .wait_count = count, .wait_list = list, .event = event}, to,
        {pattern, pattern_bytes}, bytes);
}

// Host and device addresses are equal: a map only waits for earlier commands.
cl_int enqueue_svm_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void* pointer,
                       size_t bytes, cl_uint count, const cl_event* list, cl_event* event) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    constexpr cl_map_flags all = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if (pointer == nullptr || bytes == 0 || (flags & ~all) != 0)
        return CL_INVALID_VALUE;
    return enqueue_look(queue, "clEnqueueSVMMap",
                        {.command = CL_COMMAND_SVM_MAP,
                         .wait_count = count,
                         .wait_list = list,
                         .event = event,
                         .blocking = blocking != CL_FALSE},
                        pointer, bytes);
}

cl_int enqueue_svm_unmap(cl_command_queue queue, void* pointer, cl_uint count, const cl_event* list,
                         cl_event* event) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (pointer == nullptr)
        return CL_INVALID_VALUE;
    return enqueue_look(
        queue, "clEnqueueSVMUnmap",
        {.command = CL_COMMAND_SVM_UNMAP, .wait_count = count, .wait_list = list, .event = event}, pointer,
        1);
}

cl_int enqueue_svm_migrate_mem(cl_command_queue queue, cl_uint number, const void** pointers,
                               const size_t* sizes, cl_mem_migration_flags flags, cl_uint count,
                               const cl_event* list, cl_event* event) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    constexpr cl_mem_migration_flags all =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (number == 0 || pointers == nullptr || (flags & ~all) != 0)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < number; ++i) {
        const auto found = queue->context->pointers.at(pointers[i]);
        const size_t wanted = sizes == nullptr ? 0 : sizes[i];
        if (!found || wanted > found->end() - reinterpret_cast<uint64_t>(pointers[i]))
            return CL_INVALID_VALUE;
    }
    return enqueue(
        queue,
        {.command = CL_COMMAND_SVM_MIGRATE_MEM, .wait_count = count, .wait_list = list, .event = event}, {});
}

} // namespace visor::opencl
