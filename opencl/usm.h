// Unified shared memory: cl_intel_unified_shared_memory, over the context's device memory, whose addresses
// are the host's own. All three kinds are the same memory; what differs is what applications may do with it,
// and what checks hold against them.
#pragma once

#include "opencl/context.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace visor::opencl {

// Waits for all commands that were enqueued in the context so far.
void wait_for_commands(_cl_context& context);

// ---- what SVM's commands have in common with those of USM; `call` is the function's name

[[nodiscard]] bool overlap(const void* a, const void* b, size_t bytes);
// When a copy is enqueued: CL_SUCCESS or CL_INVALID_VALUE (contexts.h).
[[nodiscard]] cl_int check_copy(_cl_context& context, std::string_view call, void* to, const void* from,
                                size_t bytes);
// When it runs.
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
