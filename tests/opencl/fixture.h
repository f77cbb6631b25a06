// A context, a queue and what is built in them, through the loader with Visor as its only platform.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace visor::opencl_test {

inline cl_platform_id platform() {
    setenv("OCL_ICD_VENDORS", VISOR_VENDORS, 1);
    cl_platform_id out = nullptr;
    EXPECT_EQ(clGetPlatformIDs(1, &out, nullptr), CL_SUCCESS);
    return out;
}

class OpenCl : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_NE(platform(), nullptr);
        ASSERT_EQ(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        ASSERT_EQ(code, CL_SUCCESS);
        queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
        ASSERT_EQ(code, CL_SUCCESS);
    }
    void TearDown() override {
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
        for (const cl_mem memory : memories)
            EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
        for (const cl_kernel kernel : kernels)
            EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
        for (const cl_program program : programs)
            EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
        EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
        EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    }

    cl_program source(const char* text) {
        const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        programs.push_back(program);
        return program;
    }
    std::string log_of(cl_program program) {
        size_t bytes = 0;
        EXPECT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes),
                  CL_SUCCESS);
        std::string log(bytes, '\0');
        EXPECT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr),
                  CL_SUCCESS);
        log.resize(bytes - 1);
        return log;
    }
    cl_program built(const char* text, const char* options = "") {
        const cl_program program = source(text);
        EXPECT_EQ(clBuildProgram(program, 1, &device, options, nullptr, nullptr), CL_SUCCESS)
            << log_of(program);
        return program;
    }
    cl_kernel kernel_of(cl_program program, const char* name) {
        const cl_kernel kernel = clCreateKernel(program, name, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        kernels.push_back(kernel);
        return kernel;
    }
    cl_kernel kernel_of(const char* text, const char* name, const char* options = "") {
        return kernel_of(built(text, options), name);
    }
    template <class T>
    cl_mem buffer(const std::vector<T>& content, cl_mem_flags flags = CL_MEM_READ_WRITE) {
        const cl_mem memory =
            clCreateBuffer(context, flags | CL_MEM_COPY_HOST_PTR, content.size() * sizeof(T),
                           const_cast<T*>(content.data()), &code);
        EXPECT_EQ(code, CL_SUCCESS);
        memories.push_back(memory);
        return memory;
    }
    cl_mem keep(cl_mem memory) {
        EXPECT_EQ(code, CL_SUCCESS);
        memories.push_back(memory);
        return memory;
    }
    template <class T>
    std::vector<T> content(cl_mem memory, size_t count) {
        std::vector<T> out(count);
        EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, count * sizeof(T), out.data(), 0, nullptr,
                                      nullptr),
                  CL_SUCCESS);
        return out;
    }
    template <class T>
    cl_int set(cl_kernel kernel, cl_uint index, const T& value) {
        return clSetKernelArg(kernel, index, sizeof value, &value);
    }
    cl_int run(cl_kernel kernel, size_t global, size_t local = 0) {
        return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, local == 0 ? nullptr : &local, 0,
                                      nullptr, nullptr);
    }

    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_int code = CL_SUCCESS;
    std::vector<cl_mem> memories;
    std::vector<cl_kernel> kernels;
    std::vector<cl_program> programs;
};

} // namespace visor::opencl_test
