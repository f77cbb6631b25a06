// Unified shared memory: cl_intel_unified_shared_memory, in the context's device memory, which has the host's
// addresses. All three kinds are the same memory; they differ in permitted uses, and in checks.
#pragma once

#include "opencl/context.h"
#include "opencl/queue.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace visor::opencl {

// Waits for all commands enqueued in the context so far, except those that depend on this thread.
void wait_for_commands(_cl_context& context);

// ---- what SVM's commands have in common with those of USM; `call` is the function's name

// The specified checks of a copy and a fill; the queue is valid.
struct Pattern {
    const void* at = nullptr;
    size_t bytes = 0;
};
[[nodiscard]] cl_int enqueue_copy(cl_command_queue queue, std::string_view call,
                                  const EnqueueRequest& request, void* to, const void* from, size_t bytes);
[[nodiscard]] cl_int enqueue_fill(cl_command_queue queue, std::string_view call,
                                  const EnqueueRequest& request, void* to, const Pattern& pattern,
                                  size_t bytes);
// Executes a copy, also for buffers.
[[nodiscard]] cl_int copy_bytes(_cl_context& context, std::string_view call, void* to, const void* from,
                                size_t bytes);
// Likewise a fill; `bytes` is a multiple of the pattern's.
[[nodiscard]] cl_int fill_bytes(_cl_context& context, std::string_view call, std::byte* to,
                                std::span<const std::byte> pattern, size_t bytes);

// Frees the allocation of that kind that begins there; false: none, or freed before. Memory that a buffer
// uses is freed with the buffer, and reported as a misuse.
bool give_back(_cl_context& context, std::string_view call, const void* pointer, bool usm);

// Reports new host accesses to device memory as findings (host_access.h).
void report_host_accesses(_cl_context& context);

} // namespace visor::opencl
