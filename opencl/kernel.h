// A kernel with its arguments. It does not hold the argument objects: the application may release them, and
// sets others before it enqueues again. Commands hold the objects that they use.
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
    // Into shared virtual or unified shared memory: the allocation is looked up when the kernel is enqueued,
    // and again when it runs.
    const void* pointer = nullptr;
};

// Indirect accesses that the application has declared (clSetKernelExecInfo).
struct IndirectAccess {
    bool host = false;
    bool device = false;
    bool shared = false;
    std::vector<const void*> svm;
    std::vector<const void*> usm;

    [[nodiscard]] bool any() const { return host || device || shared || !svm.empty() || !usm.empty(); }
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

// The application's sizes and offsets; null pointers: defaults.
struct Space {
    cl_uint dimensions = 0;
    const size_t* offset = nullptr;
    const size_t* global = nullptr;
    const size_t* local = nullptr;
};
// CL_SUCCESS, or the error for this kernel.
[[nodiscard]] cl_int check_space(const _cl_kernel& kernel, const Space& space);
[[nodiscard]] launch::Geometry geometry_of(const _cl_kernel& kernel, const Space& space);

// Enqueues or records the kernel with its current arguments.
[[nodiscard]] cl_int launch_kernel(cl_command_queue queue, const EnqueueRequest& request, cl_kernel kernel,
                                   Space space);

// The buffer of a pointer argument: all of the allocation that contains it, or that it is one past the end
// of, as in C. Nothing: no live allocation.
[[nodiscard]] std::optional<launch::Buffer> buffer_at(_cl_context& context, const void* pointer);
// The misuse of a pointer into no live allocation.
[[nodiscard]] Misuse misuse_of_argument(_cl_context& context, const void* pointer);

// Local memory of a group with the arguments as they are.
[[nodiscard]] uint64_t local_bytes(_cl_kernel& kernel);

} // namespace visor::opencl
