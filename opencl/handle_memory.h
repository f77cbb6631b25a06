// The memory of handles. An application may pass a handle whose object has ended, and the loader reads the
// dispatch table of any handle that it is given. So the memory of an object is never given back to the
// system, nor to objects of another kind: it keeps its header, of kind `gone`, and becomes an object of the
// same kind again only after some hundred others have ended.
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

// For one object of this kind; all of a kind have one size. Error: std::bad_alloc.
[[nodiscard]] void* take_memory(Kind kind, size_t bytes);
// Whether it is memory of an object of this kind, alive or ended: for handles that an application keeps among
// other bytes, and of which nothing may be read before that is known.
[[nodiscard]] bool is_handle_memory(Kind kind, const void* block);
// Of an object that was destroyed.
void return_memory(Kind kind, void* block, size_t bytes) noexcept;

} // namespace visor::opencl
