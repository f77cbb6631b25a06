// Memory objects: buffers, sub-buffers, images. All content is in the context's device memory. Host memory of
// CL_MEM_USE_HOST_PTR is the initial content and the target of maps: copied at creation, map and unmap, and
// never accessed by kernels.
#pragma once

#include "machine/image.h"
#include "opencl/context.h"
#include "opencl/memory/box.h"
#include "opencl/object.h"
#include "opencl/queue.h"

#include <mutex>
#include <optional>
#include <vector>

struct _cl_mem : visor::opencl::Handle<visor::opencl::Kind::memory> {
    _cl_mem(visor::opencl::Ref<_cl_context> of, cl_mem_object_type what, cl_mem_flags wanted);
    ~_cl_mem();

    const visor::opencl::Ref<_cl_context> context;
    uint64_t serial = 0; // unique in the context
    const cl_mem_object_type type;
    const cl_mem_flags flags;
    visor::opencl::Ref<_cl_mem> parent; // of a sub-buffer, or of an image created from a buffer or image
    size_t origin = 0;                  // in the parent
    size_t bytes = 0;
    std::byte* host = nullptr; // CL_MEM_USE_HOST_PTR
    uint64_t address = 0;
    bool owns = false;   // frees the memory
    uint64_t pinned = 0; // the SVM or USM allocation that it uses
    std::vector<cl_mem_properties> properties;
    bool has_device_address = false;  // it was queried: kernels may get pointers into it
    bool has_parents_address = false; // likewise, of a sub-buffer: pointers into the whole

    // Of an image:
    visor::machine::Image image;
    cl_image_format format{};
    cl_image_desc description{};

    struct Mapping {
        std::byte* shown = nullptr;  // to the application
        std::byte* device = nullptr; // where its content is
        visor::opencl::Pitch pitch;  // of both
        visor::opencl::Box box;
        bool writes = false;
    };
    std::mutex facts;
    std::vector<Mapping> mappings;
    visor::opencl::DestructorCallbacks destructor_callbacks;

    [[nodiscard]] std::byte* content() const { return visor::machine::Memory::host(address); }
    [[nodiscard]] bool is_buffer() const { return type == CL_MEM_OBJECT_BUFFER; }
    [[nodiscard]] bool is_image() const { return type != CL_MEM_OBJECT_BUFFER && type != CL_MEM_OBJECT_PIPE; }
    // Whether maps use other memory than the device's.
    [[nodiscard]] bool is_shadowed() const { return host != nullptr && host != content(); }
};

namespace visor::opencl {

[[nodiscard]] inline bool is_buffer(cl_mem memory) {
    return is_valid(memory) && memory->is_buffer();
}
[[nodiscard]] inline bool is_image(cl_mem memory) {
    return is_valid(memory) && memory->is_image();
}

// Holds the object with this serial number, if it is alive in this context; else nothing.
[[nodiscard]] Ref<_cl_mem> hold_if_alive(_cl_context& context, cl_mem memory, uint64_t serial);

// Whether a pointer is in shared virtual memory.
[[nodiscard]] bool is_svm(const _cl_context& context, const void* pointer);
// Validates flags: CL_SUCCESS or CL_INVALID_VALUE.
[[nodiscard]] cl_int check_flags(cl_mem_flags flags);
// Validates flags against host memory: CL_INVALID_HOST_PTR.
[[nodiscard]] cl_int check_host(cl_mem_flags flags, const void* host);
// Flags that a sub-buffer inherits.
[[nodiscard]] cl_mem_flags inherited(cl_mem_flags wanted, cl_mem_flags parent);
// Reads a property list, for CL_MEM_PROPERTIES: the only property requests a device address. Null: not
// supported.
[[nodiscard]] cl_int read_properties(const cl_mem_properties* given, std::vector<cl_mem_properties>& kept,
                                     bool* addressed);

// The buffer with a device address that contains an address, and its start.
struct AddressedBuffer {
    uint64_t address = 0;
    _cl_context::Addressed buffer;
};
[[nodiscard]] std::optional<AddressedBuffer> addressed_buffer(_cl_context& context, uint64_t address);

// Allocates device memory of `bytes`; uses host memory directly if it is SVM or USM.
[[nodiscard]] bool allocate_content(_cl_mem& memory, const void* host, const char* label);

// Registers a mapping, and fills it when it is read.
[[nodiscard]] cl_int enqueue_map(cl_command_queue queue, const EnqueueRequest& request, cl_mem memory,
                                 const _cl_mem::Mapping& mapping, cl_map_flags flags);
[[nodiscard]] cl_int check_map_flags(const _cl_mem& memory, cl_map_flags flags);

} // namespace visor::opencl
