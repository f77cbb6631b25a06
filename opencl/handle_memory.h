// The memory of handles. Applications may pass stale handles, and the loader reads the dispatch table of any
// handle. So an object's memory is never freed, nor reused for another kind: it keeps its header, of kind
// `gone`, and is reused for the same kind only after some hundred others have ended.
#pragma once

#include "opencl/headers.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace visor::opencl {

enum class Kind : uint32_t {
    platform = 0x5649'0001,
    device,
    context,
    queue,
    event,
    memory,
    sampler,
    program,
    kernel,
    command_buffer,
    gone
};

[[nodiscard]] const cl_icd_dispatch& dispatch_table();

struct Header {
    const cl_icd_dispatch* dispatch;
    std::atomic<Kind> kind;
    std::atomic<uint64_t> counts; // object.h
    Header* next = nullptr;       // that ended after this one
};

// Allocates an object of this kind; all of a kind have one size. Error: std::bad_alloc.
[[nodiscard]] void* take_memory(Kind kind, size_t bytes);
// Whether it is memory of an object of this kind, alive or ended: for bytes that may be a handle, and must
// not be dereferenced before.
[[nodiscard]] bool is_handle_memory(Kind kind, const void* block);
// Returns a destroyed object's memory.
void return_memory(Kind kind, void* block, size_t bytes) noexcept;

} // namespace visor::opencl
