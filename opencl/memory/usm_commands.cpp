// Commands on unified shared memory: fills, copies from and to any host memory, and hints, which only wait
// for earlier commands.
#include "opencl/api.h"
#include "opencl/contexts.h"
#include "opencl/memory/content.h"
#include "opencl/memory/usm.h"
#include "opencl/queue.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <span>
#include <vector>

namespace visor::opencl {

namespace {

constexpr size_t most_pattern_bytes = 128;         // the largest vector: sixteen elements of eight bytes
constexpr cl_command_type command_memset = 0x4204; // CL_COMMAND_MEMSET_INTEL, as the fill's today

EnqueueRequest request_of(cl_command_type command, cl_uint count, const cl_event* list, cl_event* event) {
    return {.command = command, .wait_count = count, .wait_list = list, .event = event};
}

cl_int fill(cl_command_queue queue, std::string_view call, std::byte* to, std::vector<std::byte> pattern,
            size_t bytes, const EnqueueRequest& request) {
    if (const cl_int problem = check(queue, request); problem != CL_SUCCESS)
        return problem;
    if (const cl_int problem = check_bytes(*queue->context, call, to, bytes); problem != CL_SUCCESS)
        return problem;
    return enqueue(queue, request, [queue, call, to, bytes, pattern = std::move(pattern)] {
        return fill_bytes(*queue->context, call, to, pattern, bytes);
    });
}

// A hint without effect: still fails if the memory does not exist.
cl_int hint(cl_command_queue queue, std::string_view call, const void* pointer, size_t bytes,
            const EnqueueRequest& request) {
    if (const cl_int problem = check(queue, request); problem != CL_SUCCESS)
        return problem;
    if (const cl_int problem = check_bytes(*queue->context, call, pointer, bytes); problem != CL_SUCCESS)
        return problem;
    return enqueue(queue, request, {});
}

bool overlap(const void* a, const void* b, size_t bytes) {
    const auto from = reinterpret_cast<uint64_t>(a);
    const auto to = reinterpret_cast<uint64_t>(b);
    return from < to ? to - from < bytes : from - to < bytes;
}

} // namespace

bool give_back(_cl_context& context, std::string_view call, const void* pointer, bool usm) {
    switch (context.pointers.remove(pointer, usm)) {
    case Allocations::Removed::none:
        return false;
    case Allocations::Removed::later:
        report_misuse(call, {"use-after-free", fmt::format("0x{:x}: a buffer lies in this memory still",
                                                           reinterpret_cast<uint64_t>(pointer))});
        return true;
    case Allocations::Removed::now:
        break;
    }
    context.free(reinterpret_cast<uint64_t>(pointer));
    return true;
}

cl_int fill_bytes(_cl_context& context, std::string_view call, std::byte* to,
                  std::span<const std::byte> pattern, size_t bytes) {
    const BytesInUse used(context, call, to, bytes);
    if (used.problem() != CL_SUCCESS)
        return used.problem();
    if (bytes != 0)
        fill_repeating(to, pattern, bytes);
    return CL_SUCCESS;
}

cl_int copy_bytes(_cl_context& context, std::string_view call, void* to, const void* from, size_t bytes) {
    const BytesInUse target(context, call, to, bytes);
    if (target.problem() != CL_SUCCESS)
        return target.problem();
    const BytesInUse source(context, call, from, bytes);
    if (source.problem() != CL_SUCCESS)
        return source.problem();
    move_content(to, from, bytes);
    return CL_SUCCESS;
}

cl_int enqueue_copy(cl_command_queue queue, std::string_view call, const EnqueueRequest& request, void* to,
                    const void* from, size_t bytes) {
    if (to == nullptr || from == nullptr)
        return CL_INVALID_VALUE;
    if (overlap(to, from, bytes))
        return CL_MEM_COPY_OVERLAP;
    if (const cl_int problem = check(queue, request); problem != CL_SUCCESS)
        return problem;
    for (const void* one : {static_cast<const void*>(to), from})
        if (const cl_int problem = check_bytes(*queue->context, call, one, bytes); problem != CL_SUCCESS)
            return problem;
    return enqueue(queue, request, [queue, call, to, from, bytes] {
        return copy_bytes(*queue->context, call, to, from, bytes);
    });
}

cl_int enqueue_fill(cl_command_queue queue, std::string_view call, const EnqueueRequest& request, void* to,
                    const Pattern& pattern, size_t bytes) {
    if (to == nullptr || pattern.at == nullptr || !std::has_single_bit(pattern.bytes) ||
        pattern.bytes > most_pattern_bytes || bytes % pattern.bytes != 0 ||
        reinterpret_cast<uint64_t>(to) % pattern.bytes != 0)
        return CL_INVALID_VALUE;
    if (const cl_int problem = check(queue, request); problem != CL_SUCCESS)
        return problem;
    if (const cl_int problem = check_bytes(*queue->context, call, pattern.at, pattern.bytes);
        problem != CL_SUCCESS)
        return problem;
    const auto* first = static_cast<const std::byte*>(pattern.at);
    return fill(queue, call, static_cast<std::byte*>(to), {first, first + pattern.bytes}, bytes, request);
}

cl_int enqueue_mem_fill(cl_command_queue queue, void* to, const void* pattern, size_t pattern_bytes,
                        size_t bytes, cl_uint count, const cl_event* list, cl_event* event) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    return enqueue_fill(queue, "clEnqueueMemFillINTEL",
                        request_of(CL_COMMAND_MEMFILL_INTEL, count, list, event), to,
                        {pattern, pattern_bytes}, bytes);
}

cl_int enqueue_memset(cl_command_queue queue, void* to, cl_int value, size_t bytes, cl_uint count,
                      const cl_event* list, cl_event* event) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (to == nullptr)
        return CL_INVALID_VALUE;
    const auto byte = static_cast<std::byte>(value & 0xff); // as in C
    return fill(queue, "clEnqueueMemsetINTEL", static_cast<std::byte*>(to), {byte}, bytes,
                request_of(command_memset, count, list, event));
}

cl_int enqueue_memcpy(cl_command_queue queue, cl_bool blocking, void* to, const void* from, size_t bytes,
                      cl_uint count, const cl_event* list, cl_event* event) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    EnqueueRequest request = request_of(CL_COMMAND_MEMCPY_INTEL, count, list, event);
    request.blocking = blocking != CL_FALSE;
    return enqueue_copy(queue, "clEnqueueMemcpyINTEL", request, to, from, bytes);
}

// All memory is device memory. As of version 1.2 of the extension no flags mean migration to the device.
cl_int enqueue_migrate_mem(cl_command_queue queue, const void* pointer, size_t bytes,
                           cl_mem_migration_flags flags, cl_uint count, const cl_event* list,
                           cl_event* event) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    constexpr cl_mem_migration_flags all =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (pointer == nullptr || (flags & ~all) != 0)
        return CL_INVALID_VALUE;
    return hint(queue, "clEnqueueMigrateMemINTEL", pointer, bytes,
                request_of(CL_COMMAND_MIGRATEMEM_INTEL, count, list, event));
}

// No advice is defined; vendor values are hints and are ignored.
cl_int enqueue_mem_advise(cl_command_queue queue, const void* pointer, size_t bytes,
                          cl_mem_advice_intel /*advice*/, cl_uint count, const cl_event* list,
                          cl_event* event) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (pointer == nullptr)
        return CL_INVALID_VALUE;
    return hint(queue, "clEnqueueMemAdviseINTEL", pointer, bytes,
                request_of(CL_COMMAND_MEMADVISE_INTEL, count, list, event));
}

} // namespace visor::opencl
