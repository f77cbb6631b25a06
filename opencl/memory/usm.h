// Unified shared memory: cl_intel_unified_shared_memory, over the context's device memory, whose addresses
// are the host's own. All three kinds are the same memory; what differs is what applications may do with it,
// and what checks hold against them.
#pragma once

#include "opencl/context.h"
#include "opencl/queue.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace visor::opencl {

// Waits for all commands that were enqueued in the context so far, but those that wait for this thread.
void wait_for_commands(_cl_context& context);

// ---- what SVM's commands have in common with those of USM; `call` is the function's name

// What the specifications of both ask of a copy, and of a fill; the queue is valid.
struct Pattern {
    const void* at = nullptr;
    size_t bytes = 0;
};
[[nodiscard]] cl_int enqueue_copy(cl_command_queue queue, std::string_view call, const EnqueueRequest& wish,
                                  void* to, const void* from, size_t bytes);
[[nodiscard]] cl_int enqueue_fill(cl_command_queue queue, std::string_view call, const EnqueueRequest& wish,
                                  void* to, const Pattern& pattern, size_t bytes);
// When a copy runs, also of buffers.
[[nodiscard]] cl_int copy_bytes(_cl_context& context, std::string_view call, void* to, const void* from,
                                size_t bytes);
// Likewise a fill; `bytes` is a multiple of the pattern's.
[[nodiscard]] cl_int fill_bytes(_cl_context& context, std::string_view call, std::byte* to,
                                std::span<const std::byte> pattern, size_t bytes);

// Frees what begins there, if it is an allocation of that kind; false: it is none, or no longer. Memory that
// a buffer lies in goes when that ends, which is told as a misuse.
bool give_back(_cl_context& context, std::string_view call, const void* pointer, bool usm);

// Touches of device memory by the host that nobody was told of, as findings (host_access.h).
void tell_host_accesses(_cl_context& context);

} // namespace visor::opencl
