// What programs of the host need.
#pragma once

#include "programs.h"

#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace visor::opencl_extensions {

// What a module of SPIR-V says that it uses.
struct Declared {
    std::vector<uint32_t> capabilities;
    std::vector<std::string_view> extensions;
};
// Of kernel "k", whose argument is an int of each item: three times the item.
// `version`: of SPIR-V, 0x10400 for 1.4.
[[nodiscard]] std::vector<uint32_t> times_three_module(uint32_t version, const Declared& declared = {});
// Likewise, of ints that hold their item: three times the item and, added to it, its neighbour.
[[nodiscard]] std::vector<uint32_t> sub_group_module();

[[nodiscard]] std::span<const HostProgram> image_programs();
[[nodiscard]] std::span<const HostProgram> address_programs();
[[nodiscard]] std::span<const HostProgram> command_buffer_programs();
[[nodiscard]] std::span<const HostProgram> tracing_programs();

// "": they are the same.
template <class T>
std::string same(const char* what, const T& got, const T& expected) {
    return got == expected ? "" : fmt::format("{}: expected {}, got {}", what, expected, got);
}

// A handle that is released at the end.
template <class Handle, cl_int (*release)(Handle)>
class Owned {
public:
    explicit Owned(Handle handle) : handle_(handle) {}
    ~Owned() { reset(); }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    Owned(Owned&&) = delete;
    Owned& operator=(Owned&&) = delete;

    [[nodiscard]] Handle get() const { return handle_; }
    [[nodiscard]] const Handle* at() const { return &handle_; } // as an argument
    void reset() {
        if (handle_ != nullptr)
            release(std::exchange(handle_, nullptr));
    }

private:
    Handle handle_;
};
using Memory = Owned<cl_mem, clReleaseMemObject>;
using OwnedKernel = Owned<cl_kernel, clReleaseKernel>;
using OwnedProgram = Owned<cl_program, clReleaseProgram>;

// A function of an extension, by its name.
template <class Function>
Function function_of(const Session& session, const char* name) {
    cl_platform_id platform = nullptr;
    clGetDeviceInfo(session.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
    return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
}

} // namespace visor::opencl_extensions
