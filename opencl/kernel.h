// A kernel with the arguments that it has been given. It holds none of the objects among them: the
// application may release those, and gives others before it enqueues again. A command holds what it uses.
#pragma once

#include "launch/bind.h"
#include "opencl/memory/memory.h"
#include "opencl/memory/sampler.h"
#include "opencl/program.h"

#include <optional>
#include <variant>
#include <vector>

namespace visor::opencl {

struct ArgumentState {
    bool set = false;
    launch::ArgumentValue value;
    cl_mem memory = nullptr; // not held
    uint64_t serial = 0;     // the memory object's
    // Into shared virtual or unified shared memory: what it leads to is looked up when the kernel is
    // enqueued, and again when it runs.
    const void* pointer = nullptr;
};

// What the application has declared that the kernel reaches beside its arguments (clSetKernelExecInfo).
struct IndirectAccess {
    bool host = false;
    bool device = false;
    bool shared = false;
    std::vector<const void*> svm;
    std::vector<const void*> usm;
};

} // namespace visor::opencl

struct _cl_kernel : visor::opencl::Handle<visor::opencl::Kind::kernel> {
    _cl_kernel(visor::opencl::Ref<_cl_program> of, std::shared_ptr<const visor::vm::Program> from,
               size_t number);
    ~_cl_kernel();

    const visor::opencl::Ref<_cl_program> program;
    const std::shared_ptr<const visor::vm::Program> code; // the program may be built again
    const size_t index;

    std::mutex facts;
    std::vector<visor::opencl::ArgumentState> arguments;
    visor::opencl::IndirectAccess indirect;

    [[nodiscard]] const visor::launch::Signature& signature() const {
        return *code->kernels[index].signature;
    }
};

namespace visor::opencl {

[[nodiscard]] const isa::Device& device_of(const _cl_kernel& kernel);

// Work-items and offsets as the application gives them; null pointers where it leaves them open.
struct Space {
    cl_uint dimensions = 0;
    const size_t* offset = nullptr;
    const size_t* global = nullptr;
    const size_t* local = nullptr;
};
// CL_SUCCESS, or what is wrong with it for this kernel.
[[nodiscard]] cl_int check_space(const _cl_kernel& kernel, const Space& space);
[[nodiscard]] launch::Geometry geometry_of(const _cl_kernel& kernel, const Space& space);

// The kernel with its arguments as they are now, enqueued or recorded as the wish says.
[[nodiscard]] cl_int launch_kernel(cl_command_queue queue, const EnqueueRequest& wish, cl_kernel kernel,
                                   Space space);

// What a kernel finds at such a pointer: a kernel may reach all of the allocation that it leads into, or lies
// one past the end of, as in C. Nothing: it leads into none that is alive.
[[nodiscard]] std::optional<launch::Buffer> buffer_at(_cl_context& context, const void* pointer);
// What is wrong with a pointer that leads into none.
[[nodiscard]] Misuse misuse_of_argument(_cl_context& context, const void* pointer);

// Local memory of a group with the arguments as they are.
[[nodiscard]] uint64_t local_bytes(_cl_kernel& kernel);

} // namespace visor::opencl
