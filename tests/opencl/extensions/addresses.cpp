// cl_ext_buffer_device_address 1.0, whose names not every header has.
#include "host.h"

#include <array>

namespace visor::opencl_extensions {

namespace {

constexpr cl_mem_properties private_address = 0x5000;
constexpr cl_mem_info device_address = 0x5001;
constexpr cl_kernel_exec_info device_pointers = 0x5002;
using SetPointer = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_ulong);

constexpr const char* kernels_source = R"(
kernel void tell(global int* buffer, global ulong* address) { *address = (ulong)buffer; }
kernel void follow(global ulong* address, global int* out) { *out = **(global int* global*)address + 1; }
kernel void before(global int* in, global int* out) { *out = in[-2] * 2; in[1] = 9; }
)";

cl_mem addressed(const Session& session, cl_mem_flags flags, size_t bytes, void* host) {
    const std::array<cl_mem_properties, 3> wish{private_address, CL_TRUE, 0};
    return clCreateBufferWithProperties(session.context, wish.data(), flags, bytes, host, nullptr);
}
cl_ulong address_of(cl_mem memory) {
    cl_ulong address = 0;
    clGetMemObjectInfo(memory, device_address, sizeof address, &address, nullptr);
    return address;
}
cl_int launch_one(const Session& session, const OwnedKernel& kernel) {
    const size_t one = 1;
    return clEnqueueNDRangeKernel(session.queue, kernel.get(), 1, nullptr, &one, nullptr, 0, nullptr,
                                  nullptr);
}
// The first problem of several steps.
std::string first_of(std::initializer_list<std::string> problems) {
    for (const std::string& problem : problems)
        if (!problem.empty())
            return problem;
    return "";
}

// Launches one item, and compares a number of `memory`.
template <class T>
std::string gives(const Session& session, const OwnedKernel& kernel, const Memory& memory, size_t offset,
                  T expected) {
    T got{};
    cl_int code = launch_one(session, kernel);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(session.queue, memory.get(), CL_TRUE, offset, sizeof got, &got, 0, nullptr,
                                   nullptr);
    return code != CL_SUCCESS ? fmt::format("a launch ends with {}", code) : same("a number", got, expected);
}

// What is told of a buffer, of its part and of another one.
std::string queries(const Session& session) {
    const Memory buffer(addressed(session, 0, 4096, nullptr));
    const Memory plain(clCreateBuffer(session.context, 0, 64, nullptr, nullptr));
    const cl_buffer_region region{1024, 64};
    const Memory part(clCreateSubBuffer(buffer.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
    const std::array<cl_mem_properties, 3> unknown{private_address + 7, CL_TRUE, 0};
    cl_int code = CL_SUCCESS;
    clCreateBufferWithProperties(session.context, unknown.data(), 0, 64, nullptr, &code);
    cl_ulong address = 0;
    return first_of({same("has an address", address_of(buffer.get()) != 0, true),
                     same("the part's", address_of(part.get()), address_of(buffer.get()) + region.origin),
                     same("a plain buffer's",
                          clGetMemObjectInfo(plain.get(), device_address, sizeof address, &address, nullptr),
                          cl_int{CL_INVALID_OPERATION}),
                     same("another property", code, cl_int{CL_INVALID_PROPERTY})});
}

// Kernels see the same address, follow it, and get it as an argument.
std::string kernels(const Session& session) {
    const auto set = function_of<SetPointer>(session, "clSetKernelArgDevicePointerEXT");
    if (set == nullptr)
        return "no clSetKernelArgDevicePointerEXT";
    cl_program built = nullptr;
    std::string problem = session.build(kernels_source, "", built);
    const OwnedProgram program(built);
    if (!problem.empty())
        return problem;
    std::array<int, 1024> content{5, 6, 7, 8};
    const Memory buffer(addressed(session, CL_MEM_COPY_HOST_PTR, sizeof content, content.data()));
    const cl_ulong address = address_of(buffer.get());
    const Memory plain(clCreateBuffer(session.context, 0, sizeof address, nullptr, nullptr));
    const Memory out(clCreateBuffer(session.context, 0, sizeof(int), nullptr, nullptr));
    const OwnedKernel tell(clCreateKernel(program.get(), "tell", nullptr));
    clSetKernelArg(tell.get(), 0, sizeof(cl_mem), buffer.at());
    clSetKernelArg(tell.get(), 1, sizeof(cl_mem), plain.at());
    const OwnedKernel follow(clCreateKernel(program.get(), "follow", nullptr));
    clSetKernelArg(follow.get(), 0, sizeof(cl_mem), plain.at());
    clSetKernelArg(follow.get(), 1, sizeof(cl_mem), out.at());
    const OwnedKernel before(clCreateKernel(program.get(), "before", nullptr));
    clSetKernelArg(before.get(), 1, sizeof(cl_mem), out.at());
    return first_of({gives(session, tell, plain, 0, address),
                     same("CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT",
                          clSetKernelExecInfo(follow.get(), device_pointers, sizeof address, &address),
                          cl_int{CL_SUCCESS}),
                     gives(session, follow, out, 0, 6),
                     same("an address in the middle", set(before.get(), 0, address + 3 * sizeof(int)),
                          cl_int{CL_SUCCESS}),
                     gives(session, before, out, 0, 12), gives(session, before, buffer, 4 * sizeof(int), 9)});
}

// What is refused: addresses of no buffer, and buffers that have ended.
std::string refusals(const Session& session) {
    const auto set = function_of<SetPointer>(session, "clSetKernelArgDevicePointerEXT");
    cl_program built = nullptr;
    std::string problem = session.build(kernels_source, "", built);
    const OwnedProgram program(built);
    if (set == nullptr || !problem.empty())
        return "no function or no program: " + problem;
    const OwnedKernel tell(clCreateKernel(program.get(), "tell", nullptr));
    Memory buffer(addressed(session, 0, 256, nullptr));
    const Memory plain(clCreateBuffer(session.context, 0, 8, nullptr, nullptr));
    const cl_ulong address = address_of(buffer.get());
    clSetKernelArg(tell.get(), 1, sizeof(cl_mem), plain.at());
    const std::string alive =
        first_of({same("the last byte", set(tell.get(), 0, address + 255), cl_int{CL_SUCCESS}),
                  same("behind it", set(tell.get(), 0, address + 256), cl_int{CL_INVALID_ARG_VALUE}),
                  same("an index", set(tell.get(), 2, address), cl_int{CL_INVALID_ARG_INDEX}),
                  same("no kernel", set(nullptr, 0, address), cl_int{CL_INVALID_KERNEL})});
    buffer.reset();
    return first_of({alive,
                     same("a launch without it", launch_one(session, tell), cl_int{CL_INVALID_KERNEL_ARGS}),
                     same("its address", set(tell.get(), 0, address), cl_int{CL_INVALID_ARG_VALUE}),
                     same("null", set(tell.get(), 0, 0), cl_int{CL_SUCCESS})});
}

// Memory of the application's own has its address.
std::string shared_memory(const Session& session) {
    void* const shared = clSVMAlloc(session.context, CL_MEM_READ_WRITE, 256, 0);
    Memory buffer(addressed(session, CL_MEM_USE_HOST_PTR, 256, shared));
    const cl_ulong address = address_of(buffer.get());
    buffer.reset();
    clSVMFree(session.context, shared);
    return same("its address", address, static_cast<cl_ulong>(reinterpret_cast<uintptr_t>(shared)));
}

constexpr const char* extension = "cl_ext_buffer_device_address";
constexpr std::array programs{HostProgram{extension, queries}, HostProgram{extension, kernels},
                              HostProgram{extension, refusals}, HostProgram{extension, shared_memory}};

} // namespace

std::span<const HostProgram> address_programs() {
    return programs;
}

} // namespace visor::opencl_extensions
