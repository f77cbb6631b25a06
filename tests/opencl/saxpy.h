// A context with a queue and a kernel that needs no compiler, for programs that end in unusual ways.
#pragma once

#include <CL/cl.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace visor::opencl_test {

// A zebin of tests/launch/data, for skl.
inline std::string zebin(const std::string& name) {
    std::ifstream file(std::string(VISOR_ZEBINS) + name + ".skl.zebin", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Built; nullptr: it could not be.
inline cl_program program_of(cl_context context, cl_device_id device, const std::string& binary) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
    const size_t length = binary.size();
    const cl_program made = clCreateProgramWithBinary(context, 1, &device, &length, &bytes, nullptr, nullptr);
    return clBuildProgram(made, 1, &device, "", nullptr, nullptr) == CL_SUCCESS ? made : nullptr;
}

// y = 2 * x + y, of ones and zeros: y grows by two with every launch. What a call returned that failed is in
// `problem`.
struct Saxpy {
    static constexpr size_t items = 1 << 16; // more than one thread's share

    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_program program = nullptr;
    cl_kernel kernel = nullptr;
    cl_mem x = nullptr;
    cl_mem y = nullptr;
    cl_int problem = CL_SUCCESS;

    explicit Saxpy(cl_command_queue_properties properties = 0) {
        setenv("OCL_ICD_VENDORS", VISOR_VENDORS, 1);
        note(clGetPlatformIDs(1, &platform, nullptr));
        note(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
        cl_int code = CL_SUCCESS;
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        note(code);
        queue = clCreateCommandQueue(context, device, properties, &code);
        note(code);
        program = program_of(context, device, zebin("saxpy"));
        kernel = clCreateKernel(program, "saxpy", &code);
        note(code);
        std::vector<float> ones(items, 1.0F);
        x = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, items * sizeof(float), ones.data(), &code);
        note(code);
        std::vector<float> zeros(items, 0.0F);
        y = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, items * sizeof(float), zeros.data(), &code);
        note(code);
        const float a = 2;
        const cl_int n = items;
        note(clSetKernelArg(kernel, 0, sizeof(cl_mem), static_cast<const void*>(&y)));
        note(clSetKernelArg(kernel, 1, sizeof(cl_mem), static_cast<const void*>(&x)));
        note(clSetKernelArg(kernel, 2, sizeof a, &a));
        note(clSetKernelArg(kernel, 3, sizeof n, &n));
    }

    void note(cl_int code) {
        if (problem == CL_SUCCESS)
            problem = code;
    }
    [[nodiscard]] cl_int launch(cl_uint waits = 0, const cl_event* list = nullptr,
                                cl_event* event = nullptr) const {
        return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, waits, list, event);
    }
    // The last element, after all launches so far; negative: it could not be read.
    [[nodiscard]] float last() const {
        float value = -1;
        const cl_int code = clEnqueueReadBuffer(queue, y, CL_TRUE, (items - 1) * sizeof value, sizeof value,
                                                &value, 0, nullptr, nullptr);
        return code == CL_SUCCESS ? value : static_cast<float>(code);
    }
    void release() {
        note(clReleaseMemObject(x));
        note(clReleaseMemObject(y));
        note(clReleaseKernel(kernel));
        note(clReleaseProgram(program));
        note(clReleaseCommandQueue(queue));
        note(clReleaseContext(context));
    }
};

} // namespace visor::opencl_test
