// What programs of the host need.
#pragma once

#include "programs.h"

namespace visor::opencl_extensions {

// Of kernel "k", whose argument is an int of each item: three times the item.
// `version`: of SPIR-V, 0x10400 for 1.4.
[[nodiscard]] std::vector<uint32_t> times_three_module(uint32_t version);
// Likewise, of ints that hold their item: three times the item and, added to it, its neighbour.
[[nodiscard]] std::vector<uint32_t> sub_group_module();

[[nodiscard]] std::span<const HostProgram> image_programs();

// A function of an extension, by its name.
template <class Function>
Function function_of(const Session& session, const char* name) {
    cl_platform_id platform = nullptr;
    clGetDeviceInfo(session.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
    return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
}

} // namespace visor::opencl_extensions
