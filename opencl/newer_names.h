// Names that Debian 12's headers lack. Newer headers have them as macros, hence in other letters here.
#pragma once

#include "opencl/headers.h"

namespace visor::opencl {

// cl_ext_float_atomics 1.0.0
inline constexpr cl_device_info device_single_fp_atomic_capabilities = 0x4231;
inline constexpr cl_device_info device_double_fp_atomic_capabilities = 0x4232;
inline constexpr cl_device_info device_half_fp_atomic_capabilities = 0x4233;

// cl_ext_buffer_device_address 1.0
using DeviceAddress = cl_ulong; // cl_mem_device_address_ext
inline constexpr cl_mem_properties mem_device_private_address = 0x5000;
inline constexpr cl_mem_info mem_device_address = 0x5001;
inline constexpr cl_kernel_exec_info kernel_exec_info_device_ptrs = 0x5002;

} // namespace visor::opencl
