// Memory objects: buffers, parts of them, images. All content lies in the context's device memory. Host
// memory that the application wants used is the source of the content and what a map shows: copied when an
// object is made, mapped and unmapped, and never touched by a kernel.
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
    uint64_t serial = 0; // none other of the context has it
    const cl_mem_object_type type;
    const cl_mem_flags flags;
    visor::opencl::Ref<_cl_mem> parent; // of a sub-buffer, or of an image made from a buffer or image
    size_t origin = 0;                  // in the parent
    size_t bytes = 0;
    std::byte* host = nullptr; // that the application wants used
    uint64_t address = 0;
    bool owns = false;   // gives the memory back
    uint64_t pinned = 0; // the allocation of pointers that it lies in
    std::vector<cl_mem_properties> properties;
    bool has_device_address = false;  // is told, and kernels may be given pointers into it
    bool has_parents_address = false; // likewise, of a part: pointers lead into the whole

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
    // What the application sees is not the device's memory itself.
    [[nodiscard]] bool is_shadowed() const { return host != nullptr && host != content(); }
};

namespace visor::opencl {

[[nodiscard]] inline bool is_buffer(cl_mem memory) {
    return is_valid(memory) && memory->is_buffer();
}
[[nodiscard]] inline bool is_image(cl_mem memory) {
    return is_valid(memory) && memory->is_image();
}

// The object with this serial number, held, if it is alive in this context; else nothing.
[[nodiscard]] Ref<_cl_mem> hold_if_alive(_cl_context& context, cl_mem memory, uint64_t serial);

// Whether a pointer leads into shared virtual memory.
[[nodiscard]] bool is_svm(const _cl_context& context, const void* pointer);
// Whether flags go together: CL_SUCCESS or CL_INVALID_VALUE.
[[nodiscard]] cl_int check_flags(cl_mem_flags flags);
// Flags against host memory: CL_INVALID_HOST_PTR.
[[nodiscard]] cl_int check_host(cl_mem_flags flags, const void* host);
// Flags that a part takes over from its whole.
[[nodiscard]] cl_mem_flags inherited(cl_mem_flags wanted, cl_mem_flags parent);
// A list of properties, for CL_MEM_PROPERTIES: the one there is asks for a device address. Null: none is to
// be had.
[[nodiscard]] cl_int read_properties(const cl_mem_properties* given, std::vector<cl_mem_properties>& kept,
                                     bool* addressed);

// The buffer with a device address that an address leads into, and where it begins.
struct AddressedBuffer {
    uint64_t address = 0;
    _cl_context::Addressed buffer;
};
[[nodiscard]] std::optional<AddressedBuffer> addressed_buffer(_cl_context& context, uint64_t address);

// Device memory for `bytes`; shared memory of the application's own that it wants used is used itself.
[[nodiscard]] bool place_content(_cl_mem& memory, const void* host, const char* label);

// A mapping made known, and filled when it is looked at.
[[nodiscard]] cl_int enqueue_map(cl_command_queue queue, const EnqueueRequest& wish, cl_mem memory,
                                 const _cl_mem::Mapping& mapping, cl_map_flags flags);
[[nodiscard]] cl_int check_map_flags(const _cl_mem& memory, cl_map_flags flags);

} // namespace visor::opencl
