// The Khronos headers, at the version that this library implements. They are C and warn as C does.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS

#define CL_ENABLE_BETA_EXTENSIONS // newer headers hide cl_khr_command_buffer otherwise

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
