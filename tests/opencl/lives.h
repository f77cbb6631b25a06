// What the tests of objects' lives share: the calls of each kind of object, by its handle's type.
#pragma once

#include "fixture.h"

#include <chrono>
#include <thread>

namespace visor::opencl_test {

template <class T>
struct Calls;

template <>
struct Calls<cl_context> {
    static constexpr auto retain = clRetainContext;
    static constexpr auto release = clReleaseContext;
    static constexpr auto get = clGetContextInfo;
    static constexpr cl_uint count = CL_CONTEXT_REFERENCE_COUNT;
    static constexpr cl_int invalid = CL_INVALID_CONTEXT;
};
template <>
struct Calls<cl_command_queue> {
    static constexpr auto retain = clRetainCommandQueue;
    static constexpr auto release = clReleaseCommandQueue;
    static constexpr auto get = clGetCommandQueueInfo;
    static constexpr cl_uint count = CL_QUEUE_REFERENCE_COUNT;
    static constexpr cl_int invalid = CL_INVALID_COMMAND_QUEUE;
};
template <>
struct Calls<cl_event> {
    static constexpr auto retain = clRetainEvent;
    static constexpr auto release = clReleaseEvent;
    static constexpr auto get = clGetEventInfo;
    static constexpr cl_uint count = CL_EVENT_REFERENCE_COUNT;
    static constexpr cl_int invalid = CL_INVALID_EVENT;
};
template <>
struct Calls<cl_mem> {
    static constexpr auto retain = clRetainMemObject;
    static constexpr auto release = clReleaseMemObject;
    static constexpr auto get = clGetMemObjectInfo;
    static constexpr cl_uint count = CL_MEM_REFERENCE_COUNT;
    static constexpr cl_int invalid = CL_INVALID_MEM_OBJECT;
};
template <>
struct Calls<cl_sampler> {
    static constexpr auto retain = clRetainSampler;
    static constexpr auto release = clReleaseSampler;
    static constexpr auto get = clGetSamplerInfo;
    static constexpr cl_uint count = CL_SAMPLER_REFERENCE_COUNT;
    static constexpr cl_int invalid = CL_INVALID_SAMPLER;
};
template <>
struct Calls<cl_program> {
    static constexpr auto retain = clRetainProgram;
    static constexpr auto release = clReleaseProgram;
    static constexpr auto get = clGetProgramInfo;
    static constexpr cl_uint count = CL_PROGRAM_REFERENCE_COUNT;
    static constexpr cl_int invalid = CL_INVALID_PROGRAM;
};
template <>
struct Calls<cl_kernel> {
    static constexpr auto retain = clRetainKernel;
    static constexpr auto release = clReleaseKernel;
    static constexpr auto get = clGetKernelInfo;
    static constexpr cl_uint count = CL_KERNEL_REFERENCE_COUNT;
    static constexpr cl_int invalid = CL_INVALID_KERNEL;
};

template <class T>
cl_uint references(T handle) {
    cl_uint out = 9999;
    EXPECT_EQ(Calls<T>::get(handle, Calls<T>::count, sizeof out, &out, nullptr), CL_SUCCESS);
    return out;
}

// What a query gives: a handle, most of the time.
template <class T, class Object>
T asked(Object object, cl_uint what) {
    T out{};
    EXPECT_EQ(Calls<Object>::get(object, what, sizeof out, &out, nullptr), CL_SUCCESS);
    return out;
}

// An object that the application has no reference to, and that others hold: revived and released again, as
// often as the application likes.
template <class T>
void revive(T handle) {
    ASSERT_NE(handle, nullptr);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(references(handle), 0U);
        EXPECT_EQ(Calls<T>::release(handle), Calls<T>::invalid); // there is none to give back
        EXPECT_EQ(Calls<T>::retain(handle), CL_SUCCESS);
        EXPECT_EQ(Calls<T>::retain(handle), CL_SUCCESS);
        EXPECT_EQ(references(handle), 2U);
        EXPECT_EQ(Calls<T>::release(handle), CL_SUCCESS);
        EXPECT_EQ(Calls<T>::release(handle), CL_SUCCESS);
    }
    EXPECT_EQ(references(handle), 0U);
}

// After its end. A thread of the platform that ran a command lets go of what it used shortly after.
template <class T>
void expect_ended(T handle) {
    cl_uint count = 0;
    for (int i = 0;
         i < 10000 && Calls<T>::get(handle, Calls<T>::count, sizeof count, &count, nullptr) == CL_SUCCESS;
         ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(Calls<T>::get(handle, Calls<T>::count, sizeof count, &count, nullptr), Calls<T>::invalid);
    EXPECT_EQ(Calls<T>::retain(handle), Calls<T>::invalid);
    EXPECT_EQ(Calls<T>::release(handle), Calls<T>::invalid);
}

inline constexpr const char* put_text = "kernel void put(global int* p, int n) { p[get_global_id(0)] = n; }";

// Objects of the test's own, so that each test decides which of them go first.
class Lives : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_NE(platform(), nullptr);
        ASSERT_EQ(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        ASSERT_EQ(code, CL_SUCCESS);
    }

    template <class T>
    T made(T handle) const {
        EXPECT_EQ(code, CL_SUCCESS);
        EXPECT_NE(handle, nullptr);
        return handle;
    }
    cl_command_queue queue() { return made(clCreateCommandQueue(context, device, 0, &code)); }
    cl_mem buffer(size_t bytes = 4096) {
        return made(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code));
    }
    cl_mem part_of(cl_mem whole) {
        const cl_buffer_region region{0, 64};
        return made(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    }
    cl_mem image(cl_mem_object_type type, cl_mem of) {
        const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
        cl_image_desc wish{};
        wish.image_type = type;
        wish.image_width = 16;
        wish.image_height = type == CL_MEM_OBJECT_IMAGE2D ? 16 : 0;
        wish.buffer = of;
        return made(clCreateImage(context, CL_MEM_READ_WRITE, &format, &wish, nullptr, &code));
    }
    cl_sampler sampler() {
        return made(clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code));
    }
    cl_event user_event() { return made(clCreateUserEvent(context, &code)); }
    cl_program program() {
        const cl_program out =
            made(clCreateProgramWithSource(context, 1, const_cast<const char**>(&put_text), nullptr, &code));
        EXPECT_EQ(clBuildProgram(out, 1, &device, "", nullptr, nullptr), CL_SUCCESS);
        return out;
    }
    cl_kernel kernel_of(cl_program of) { return made(clCreateKernel(of, "put", &code)); }

    // The object is as good as any other.
    void use(cl_context of) {
        EXPECT_EQ(asked<cl_uint>(of, CL_CONTEXT_NUM_DEVICES), 1U);
        const cl_mem memory = made(clCreateBuffer(of, 0, 64, nullptr, &code));
        EXPECT_EQ(asked<cl_context>(memory, CL_MEM_CONTEXT), of);
        const cl_command_queue to = made(clCreateCommandQueue(of, device, 0, &code));
        use(to, memory);
        EXPECT_EQ(clReleaseCommandQueue(to), CL_SUCCESS);
        EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    }
    static void use(cl_command_queue on, cl_mem memory) {
        const cl_int value = 5;
        cl_int read = 0;
        EXPECT_EQ(clEnqueueWriteBuffer(on, memory, CL_FALSE, 0, sizeof value, &value, 0, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(clEnqueueReadBuffer(on, memory, CL_TRUE, 0, sizeof read, &read, 0, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(read, value);
    }
    // A launch of `put`.
    void use(cl_kernel kernel) {
        const cl_command_queue on = queue();
        const cl_mem memory = buffer(64);
        const cl_int value = 7;
        const size_t items = 16;
        EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof memory, &memory), CL_SUCCESS);
        EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof value, &value), CL_SUCCESS);
        EXPECT_EQ(clEnqueueNDRangeKernel(on, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
                  CL_SUCCESS);
        cl_int read = 0;
        EXPECT_EQ(clEnqueueReadBuffer(on, memory, CL_TRUE, 60, sizeof read, &read, 0, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(read, value);
        EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
        EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    }
    // The context's only reference is released; its handle comes back from `object`.
    template <class T>
    void expect_context_lives(T object, cl_uint what) {
        ASSERT_EQ(clReleaseContext(context), CL_SUCCESS);
        const auto found = asked<cl_context>(object, what);
        ASSERT_EQ(found, context);
        revive(found);
        use(found);
    }
    void use(cl_program of) {
        EXPECT_EQ(asked<size_t>(of, CL_PROGRAM_NUM_KERNELS), 1U);
        const cl_kernel kernel = kernel_of(of);
        EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    }

    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_int code = CL_SUCCESS;
};

} // namespace visor::opencl_test
