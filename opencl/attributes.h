// Attributes that identify an Intel GPU to programs: facts of a model for each device
// (cl_intel_device_attribute_query, cl_khr_device_uuid, cl_khr_pci_bus_info).
#pragma once

#include "isa/device.h"
#include "opencl/query.h"

#include <optional>
#include <string_view>

namespace visor::opencl {

// One model's numbers, as reported by Intel's driver.
struct Attributes {
    isa::DeviceId device;
    bool integrated = false; // shares the host's memory
    cl_uint pci_id = 0;
    cl_version ip_version = 0;
    cl_uint slices = 1;
    cl_uint sub_slices = 1; // of a slice
    cl_uint units = 8;      // execution units of a sub-slice
    cl_uint threads = 7;    // hardware threads of an execution unit
    bool dp4a = false;
};
[[nodiscard]] const Attributes& attributes_of(const isa::Device& device);

// The version of Debian 12's driver, whose compiler Visor uses and whose behaviour it follows. Programs
// select workarounds by it.
inline constexpr std::string_view driver_version = "22.43.24595";

// Nothing: another function answers `what`.
[[nodiscard]] std::optional<cl_int> answer_attribute(const isa::Device& device, cl_device_info what,
                                                     const Query& answer);

} // namespace visor::opencl
