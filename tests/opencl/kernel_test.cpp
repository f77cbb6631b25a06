#include "fixture.h"

#include <array>
#include <numeric>

namespace visor::opencl_test {

namespace {

using Kernels = OpenCl;

TEST_F(Kernels, ArgumentsAreChecked) {
    const cl_kernel kernel =
        kernel_of("kernel void k(global int* a, int n, local int* l) { l[0] = n; a[0] = l[0]; }", "k");
    const cl_mem memory = buffer(std::vector<cl_int>{0});
    EXPECT_EQ(run(kernel, 1), CL_INVALID_KERNEL_ARGS);
    EXPECT_EQ(clSetKernelArg(kernel, 3, 4, &code), CL_INVALID_ARG_INDEX);
    EXPECT_EQ(clSetKernelArg(kernel, 1, 2, &memory), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(kernel, 1, 4, nullptr), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(clSetKernelArg(kernel, 0, 4, &memory), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof context, &context), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clSetKernelArg(kernel, 2, 4, &code), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(clSetKernelArg(kernel, 2, 0, nullptr), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(set(kernel, 0, memory), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 1, cl_int{6}), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 2, 64, nullptr), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(memory, 1)[0], 6);
    cl_ulong local = 0;
    EXPECT_EQ(
        clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(local, 64U);
}

TEST_F(Kernels, IndexSpacesAreChecked) {
    const cl_kernel kernel = kernel_of("kernel void k(global int* a) { a[get_global_id(0)] = 1; }", "k");
    const cl_mem memory = buffer(std::vector<cl_int>(256));
    EXPECT_EQ(set(kernel, 0, memory), CL_SUCCESS);
    const std::array<size_t, 3> size{16, 1, 1};
    const auto enqueue = [&](cl_uint dimensions, const size_t* global, const size_t* local,
                             const size_t* offset = nullptr) {
        return clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, 0, nullptr, nullptr);
    };
    EXPECT_EQ(enqueue(0, size.data(), nullptr), CL_INVALID_WORK_DIMENSION);
    EXPECT_EQ(enqueue(4, size.data(), nullptr), CL_INVALID_WORK_DIMENSION);
    const std::array<size_t, 1> seven{7};
    EXPECT_EQ(enqueue(1, size.data(), seven.data()), CL_INVALID_WORK_GROUP_SIZE);
    const std::array<size_t, 1> many{512};
    EXPECT_EQ(enqueue(1, many.data(), many.data()), CL_INVALID_WORK_ITEM_SIZE);
    const std::array<size_t, 1> none{0};
    EXPECT_EQ(enqueue(1, none.data(), nullptr), CL_SUCCESS);
    EXPECT_EQ(enqueue(2, nullptr, nullptr), CL_SUCCESS); // none at all is as good as zeros
    const std::array<size_t, 1> far{~size_t{0}};
    EXPECT_EQ(enqueue(1, size.data(), nullptr, far.data()), CL_INVALID_GLOBAL_OFFSET);
    EXPECT_EQ(clEnqueueTask(queue, kernel, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(memory, 2), (std::vector<cl_int>{1, 0}));
}

TEST_F(Kernels, ARequiredGroupSizeIsRequired) {
    const cl_kernel kernel = kernel_of("__attribute__((reqd_work_group_size(4,2,1))) kernel void k(global "
                                       "int* a) { a[get_global_linear_id()] = get_local_linear_id(); }",
                                       "k", "-cl-std=CL3.0");
    const cl_mem memory = buffer(std::vector<cl_int>(16, -1));
    EXPECT_EQ(set(kernel, 0, memory), CL_SUCCESS);
    const std::array<size_t, 2> global{4, 4};
    const std::array<size_t, 2> wrong{2, 4};
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global.data(), wrong.data(), 0, nullptr, nullptr),
        CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global.data(), nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(memory, 16),
              (std::vector<cl_int>{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}));
    std::array<size_t, 3> told{};
    EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof told,
                                       told.data(), nullptr),
              CL_SUCCESS);
    EXPECT_EQ(told, (std::array<size_t, 3>{4, 2, 1}));
}

TEST_F(Kernels, OffsetsAndSmallerLastGroupsCount) {
    const cl_kernel kernel = kernel_of(
        "kernel void k(global int* a) { a[get_global_id(0)] = get_group_id(0) * 100 + get_local_size(0); }",
        "k", "-cl-std=CL3.0");
    const cl_mem memory = buffer(std::vector<cl_int>(16, -1));
    EXPECT_EQ(set(kernel, 0, memory), CL_SUCCESS);
    const size_t offset = 2;
    const size_t global = 10;
    const size_t local = 4;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &global, &local, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(memory, 13),
              (std::vector<cl_int>{-1, -1, 4, 4, 4, 4, 104, 104, 104, 104, 202, 202, -1}));
}

TEST_F(Kernels, SubGroupsAreTold) {
    const cl_kernel kernel =
        kernel_of("__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global int* a) { "
                  "a[get_global_id(0)] = get_sub_group_id() * 100 + get_sub_group_local_id(); }",
                  "k", "-cl-std=CL3.0");
    const auto ask = [&](cl_kernel_sub_group_info what, size_t input) {
        size_t out = 0;
        EXPECT_EQ(
            clGetKernelSubGroupInfo(kernel, device, what, sizeof input, &input, sizeof out, &out, nullptr),
            CL_SUCCESS);
        return out;
    };
    EXPECT_EQ(ask(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 40), 16U);
    EXPECT_EQ(ask(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 40), 3U);
    EXPECT_EQ(ask(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 4), 64U);
    EXPECT_EQ(ask(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 1000), 0U);
    EXPECT_EQ(ask(CL_KERNEL_MAX_NUM_SUB_GROUPS, 0), 16U);
    EXPECT_EQ(ask(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0), 16U);
    const cl_mem memory = buffer(std::vector<cl_int>(40));
    EXPECT_EQ(set(kernel, 0, memory), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 40, 40), CL_SUCCESS);
    const auto out = content<cl_int>(memory, 40);
    EXPECT_EQ(out[15], 15);
    EXPECT_EQ(out[39], 207);
}

TEST_F(Kernels, GroupsShareLocalMemory) {
    const cl_kernel kernel = kernel_of(
        "kernel void k(global int* a, local int* l) { int i = get_local_id(0); l[i] = a[get_global_id(0)]; "
        "barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = l[get_local_size(0) - 1 - i]; }",
        "k");
    std::vector<cl_int> host(128);
    std::iota(host.begin(), host.end(), 0);
    const cl_mem memory = buffer(host);
    EXPECT_EQ(set(kernel, 0, memory), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 1, 256, nullptr), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 128, 64), CL_SUCCESS);
    const auto out = content<cl_int>(memory, 128);
    EXPECT_EQ(out[0], 63);
    EXPECT_EQ(out[64], 127);
    EXPECT_EQ(clSetKernelArg(kernel, 1, 65536 + 4, nullptr), CL_MAX_SIZE_RESTRICTION_EXCEEDED);
}

TEST_F(Kernels, CommandsKeepWhatTheyUse) {
    const cl_event gate = clCreateUserEvent(context, &code);
    const cl_mem out = buffer(std::vector<cl_int>{0});
    const cl_program program = source("kernel void k(global int* a, global int* b) { b[0] = a[0]; }");
    ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
    const cl_kernel kernel = clCreateKernel(program, "k", &code);
    const cl_int eleven = 11;
    const cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, const_cast<cl_int*>(&eleven), &code);
    EXPECT_EQ(set(kernel, 0, in), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 1, out), CL_SUCCESS);
    const size_t one = 1;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 1, &gate, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(in), CL_SUCCESS);
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(out, 1)[0], 11);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

TEST_F(Kernels, AReleasedArgumentIsNoArgument) {
    const cl_kernel kernel = kernel_of("kernel void k(global int* a, int n) { a[0] += n; }", "k");
    const cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, nullptr, &code);
    EXPECT_EQ(set(kernel, 0, memory), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 1, cl_int{10}), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 1), CL_INVALID_KERNEL_ARGS);
}

TEST_F(Kernels, AClonedKernelHasTheArguments) {
    const cl_kernel kernel = kernel_of("kernel void k(global int* a, int n) { a[0] += n; }", "k");
    const cl_mem memory = buffer(std::vector<cl_int>{1});
    EXPECT_EQ(set(kernel, 0, memory), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 1, cl_int{10}), CL_SUCCESS);
    const cl_kernel clone = clCloneKernel(kernel, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    kernels.push_back(clone);
    EXPECT_EQ(set(kernel, 1, cl_int{100}), CL_SUCCESS);
    EXPECT_EQ(run(clone, 1), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(memory, 1)[0], 11);
}

TEST_F(Kernels, AFaultEndsTheCommandAndNothingElse) {
    const cl_kernel kernel = kernel_of("kernel void k(global ulong* a) { *(global int*)(a[0]) = 1; }", "k");
    const cl_mem memory = buffer(std::vector<cl_ulong>{8});
    EXPECT_EQ(set(kernel, 0, memory), CL_SUCCESS);
    cl_event event = nullptr;
    const size_t one = 1;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, &event),
              CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    EXPECT_EQ(content<cl_ulong>(memory, 1)[0], 8U);
}

TEST_F(Kernels, PrintfGoesToStandardOutput) {
    const cl_kernel kernel = kernel_of(
        "kernel void k(int n) { printf(\"n is %d, %s, %v2d\\n\", n, \"text\", (int2)(n, -n)); }", "k");
    EXPECT_EQ(set(kernel, 0, cl_int{5}), CL_SUCCESS);
    testing::internal::CaptureStdout();
    EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "n is 5, text, 5,-5\n");
}

} // namespace

} // namespace visor::opencl_test
