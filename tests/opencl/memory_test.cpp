#include "fixture.h"

#include <array>
#include <cstring>
#include <numeric>

namespace visor::opencl_test {

namespace {

using Memory = OpenCl;

std::vector<cl_int> counting(size_t count) {
    std::vector<cl_int> out(count);
    std::iota(out.begin(), out.end(), 0);
    return out;
}

TEST_F(Memory, BuffersAreChecked) {
    std::array<cl_int, 4> host{};
    EXPECT_EQ(clCreateBuffer(context, CL_MEM_READ_WRITE, 0, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_BUFFER_SIZE);
    EXPECT_EQ(clCreateBuffer(context, CL_MEM_READ_WRITE, 16, host.data(), &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_HOST_PTR);
    EXPECT_EQ(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 16, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_HOST_PTR);
    EXPECT_EQ(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    EXPECT_EQ(clCreateBuffer(context, CL_MEM_READ_WRITE, ~size_t{0}, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_BUFFER_SIZE);
}

TEST_F(Memory, WhatTheHostMayNotTouchItDoesNot) {
    const cl_mem hidden = keep(clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS, 16, nullptr, &code));
    std::array<cl_int, 4> host{};
    EXPECT_EQ(clEnqueueReadBuffer(queue, hidden, CL_TRUE, 0, 16, host.data(), 0, nullptr, nullptr),
              CL_INVALID_OPERATION);
    EXPECT_EQ(clEnqueueWriteBuffer(queue, hidden, CL_TRUE, 0, 16, host.data(), 0, nullptr, nullptr),
              CL_INVALID_OPERATION);
    EXPECT_EQ(clEnqueueMapBuffer(queue, hidden, CL_TRUE, CL_MAP_READ, 0, 16, 0, nullptr, nullptr, &code),
              nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION);
}

TEST_F(Memory, RangesAreChecked) {
    const cl_mem memory = buffer(counting(4));
    std::array<cl_int, 4> host{};
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 4, 16, host.data(), 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, ~size_t{0}, 16, host.data(), 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 16, nullptr, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueCopyBuffer(queue, memory, memory, 0, 4, 8, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
    EXPECT_EQ(clEnqueueCopyBuffer(queue, memory, memory, 0, 8, 8, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(memory, 4), (std::vector<cl_int>{0, 1, 0, 1}));
}

TEST_F(Memory, PatternsFill) {
    const cl_mem memory = buffer(counting(8));
    const std::array<cl_int, 2> pattern{7, -7};
    EXPECT_EQ(clEnqueueFillBuffer(queue, memory, pattern.data(), 8, 8, 16, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(memory, 8), (std::vector<cl_int>{0, 1, 7, -7, 7, -7, 6, 7}));
    EXPECT_EQ(clEnqueueFillBuffer(queue, memory, pattern.data(), 8, 4, 16, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueFillBuffer(queue, memory, pattern.data(), 3, 0, 6, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
}

TEST_F(Memory, SubBuffersAreWindows) {
    const cl_mem whole = buffer(counting(128));
    cl_buffer_region region{256, 64};
    const cl_mem part = keep(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    EXPECT_EQ(content<cl_int>(part, 2), (std::vector<cl_int>{64, 65}));
    size_t offset = 0;
    cl_mem parent = nullptr;
    EXPECT_EQ(clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof offset, &offset, nullptr), CL_SUCCESS);
    EXPECT_EQ(clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(offset, 256U);
    EXPECT_EQ(parent, whole);
    const cl_kernel kernel = kernel_of("kernel void k(global int* a) { a[get_global_id(0)] = -1; }", "k");
    EXPECT_EQ(set(kernel, 0, part), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 16), CL_SUCCESS);
    const auto all = content<cl_int>(whole, 128);
    EXPECT_EQ(all[63], 63);
    EXPECT_EQ(all[64], -1);
    EXPECT_EQ(all[79], -1);
    EXPECT_EQ(all[80], 80);
    region = {4, 64};
    EXPECT_EQ(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code), nullptr);
    EXPECT_EQ(code, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    region = {256, 512};
    EXPECT_EQ(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    region = {0, 16};
    EXPECT_EQ(clCreateSubBuffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_MEM_OBJECT);
}

TEST_F(Memory, RectanglesAreCutOut) {
    const cl_mem memory = buffer(counting(64)); // 4 x 4 x 4
    const std::array<size_t, 3> at{4, 1, 1};    // bytes, rows, slices
    const std::array<size_t, 3> none{};
    const std::array<size_t, 3> region{8, 2, 2};
    std::array<cl_int, 8> out{};
    EXPECT_EQ(clEnqueueReadBufferRect(queue, memory, CL_TRUE, at.data(), none.data(), region.data(), 16, 64,
                                      0, 0, out.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(out, (std::array<cl_int, 8>{21, 22, 25, 26, 37, 38, 41, 42}));
    EXPECT_EQ(clEnqueueReadBufferRect(queue, memory, CL_TRUE, at.data(), none.data(), region.data(), 4, 64, 0,
                                      0, out.data(), 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueCopyBufferRect(queue, memory, memory, at.data(), none.data(), region.data(), 16, 64,
                                      16, 64, 0, nullptr, nullptr),
              CL_MEM_COPY_OVERLAP);
    const std::array<size_t, 3> line{8, 1, 1};
    EXPECT_EQ(clEnqueueCopyBufferRect(queue, memory, memory, at.data(), none.data(), line.data(), 16, 64, 16,
                                      64, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(memory, 2), (std::vector<cl_int>{21, 22}));
    EXPECT_EQ(clEnqueueWriteBufferRect(queue, memory, CL_TRUE, none.data(), none.data(), region.data(), 16,
                                       64, 8, 16, out.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(memory, 6)[4], 25);
    const std::array<size_t, 3> too_deep{8, 2, 5};
    EXPECT_EQ(clEnqueueReadBufferRect(queue, memory, CL_TRUE, none.data(), none.data(), too_deep.data(), 16,
                                      64, 0, 0, out.data(), 0, nullptr, nullptr),
              CL_INVALID_VALUE);
}

// Modulo 2^64 all of these are small; nothing may be touched.
TEST_F(Memory, RectanglesOfTheHostThatWrapAreRefused) {
    const cl_mem memory = buffer(counting(64));
    constexpr size_t half = size_t{1} << 63U;
    const std::array<size_t, 3> none{};
    const std::array<size_t, 3> rows{4, 4, 1};
    const std::array<size_t, 3> row{4, 1, 1};
    std::array<cl_int, 64> host{};
    for (const bool reads : {true, false}) {
        const auto move = [&](const std::array<size_t, 3>& origin, const std::array<size_t, 3>& region,
                              size_t pitch) {
            const auto call = [&](auto function) {
                return function(queue, memory, CL_TRUE, none.data(), origin.data(), region.data(), 16, 64,
                                pitch, 0, host.data(), 0, nullptr, nullptr);
            };
            return reads ? call(clEnqueueReadBufferRect) : call(clEnqueueWriteBufferRect);
        };
        EXPECT_EQ(move(none, rows, half), CL_INVALID_VALUE);
        EXPECT_EQ(move({0, 2, 0}, row, half), CL_INVALID_VALUE);
        EXPECT_EQ(move({SIZE_MAX, 0, 0}, row, 16), CL_INVALID_VALUE);
        EXPECT_EQ(move({0, 0, half}, row, 16), CL_INVALID_VALUE);
        EXPECT_EQ(move(none, rows, 16), CL_SUCCESS);
    }
}

TEST_F(Memory, MapsShowAndChangeTheContent) {
    const cl_mem memory = buffer(counting(8));
    auto* shown = static_cast<cl_int*>(clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                                          8, 16, 0, nullptr, nullptr, &code));
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(shown[0], 2);
    shown[1] = 99;
    cl_uint count = 0;
    EXPECT_EQ(clGetMemObjectInfo(memory, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr), CL_SUCCESS);
    EXPECT_EQ(count, 1U);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, memory, shown + 1, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, memory, shown, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(memory, 4)[3], 99);
    EXPECT_EQ(clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4,
                                 0, nullptr, nullptr, &code),
              nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
}

TEST_F(Memory, HostMemoryInUseIsSeenThroughMaps) {
    std::vector<cl_int> host = counting(64);
    const cl_mem memory = keep(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 256, host.data(), &code));
    const cl_kernel kernel = kernel_of("kernel void k(global int* a) { a[get_global_id(0)] *= 2; }", "k");
    EXPECT_EQ(set(kernel, 0, memory), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 64), CL_SUCCESS);
    auto* shown = static_cast<cl_int*>(clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                                          0, 256, 0, nullptr, nullptr, &code));
    ASSERT_EQ(shown, host.data());
    EXPECT_EQ(host[21], 42);
    host[21] = 7;
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, memory, shown, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 64), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(memory, 22)[21], 14);
}

TEST_F(Memory, DestructorsAreToldLastFirst) {
    static std::vector<int> order;
    order.clear();
    const cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 16, nullptr, &code);
    EXPECT_EQ(clSetMemObjectDestructorCallback(
                  memory, [](cl_mem, void*) { order.push_back(1); }, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clSetMemObjectDestructorCallback(
                  memory, [](cl_mem, void*) { order.push_back(2); }, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    EXPECT_EQ(order, (std::vector<int>{2, 1}));
}

TEST_F(Memory, SharedMemoryHasOneAddress) {
    auto* shared = static_cast<cl_int*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 256, 0));
    ASSERT_NE(shared, nullptr);
    EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 256, 3), nullptr);
    EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 0, 0), nullptr);
    for (cl_int i = 0; i < 64; ++i)
        shared[i] = i;
    const cl_kernel kernel = kernel_of("kernel void k(global int* a) { a[get_global_id(0)] += 100; }", "k");
    EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, shared + 32), CL_SUCCESS);
    int stack = 0;
    EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, &stack), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(run(kernel, 16), CL_SUCCESS);
    EXPECT_EQ(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, shared, 256, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(shared[31], 31);
    EXPECT_EQ(shared[32], 132);
    EXPECT_EQ(shared[48], 48);
    EXPECT_EQ(clEnqueueSVMUnmap(queue, shared, 0, nullptr, nullptr), CL_SUCCESS);
    const cl_int seven = 7;
    EXPECT_EQ(clEnqueueSVMMemFill(queue, shared, &seven, 4, 16, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, shared + 8, shared, 16, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(shared[11], 7);
    EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, shared + 1, shared, 16, 0, nullptr, nullptr),
              CL_MEM_COPY_OVERLAP);
    // A pointer inside shared memory to shared memory: what it is for.
    auto* link = static_cast<cl_ulong*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 8, 0));
    const cl_kernel chase = kernel_of("kernel void k(global ulong* a) { *(global int*)a[0] = 5; }", "k");
    *link = reinterpret_cast<cl_ulong>(shared);
    EXPECT_EQ(clSetKernelArgSVMPointer(chase, 0, link), CL_SUCCESS);
    EXPECT_EQ(run(chase, 1), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(shared[0], 5);
    clSVMFree(context, shared);
    void* to_free = link;
    EXPECT_EQ(clEnqueueSVMFree(queue, 1, &to_free, nullptr, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
}

} // namespace

} // namespace visor::opencl_test
