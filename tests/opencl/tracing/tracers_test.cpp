// What callbacks see and may do, one after the other.
#include "recorder.h"

#include <sys/wait.h>
#include <unistd.h>

namespace visor::opencl_test {

namespace {

class Tracing : public OpenCl {
protected:
    // Functions that a callback of one call sees, a letter for each: E and X.
    static std::string sites(const std::vector<Seen>& seen) {
        std::string out;
        for (const Seen& one : seen)
            out += one.site == site_enter ? 'E' : 'X';
        return out;
    }
    cl_int ask_device() const {
        cl_device_type type = 0;
        return clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
    }
};

// The structures of arguments, as the public header has them.
struct CreateBufferArguments {
    cl_context* context;
    cl_mem_flags* flags;
    size_t* size;
    void** host_pointer;
    cl_int** code;
};
struct LaunchArguments {
    cl_command_queue* queue;
    cl_kernel* kernel;
    cl_uint* dimensions;
    const size_t** offset;
    const size_t** global;
    const size_t** local;
    cl_uint* wait_count;
    const cl_event** wait_list;
    cl_event** event;
};

TEST_F(Tracing, ArgumentsAndResultOfABuffer) {
    cl_mem result = nullptr;
    cl_int result_code = -1;
    int calls = 0;
    std::array<int, 16> content{};
    Recorder recorder(device, [&](cl_uint, const CallbackData& data) {
        const auto& arguments = *static_cast<const CreateBufferArguments*>(data.parameters);
        EXPECT_EQ(*arguments.context, context);
        EXPECT_EQ(*arguments.flags, cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR});
        EXPECT_EQ(*arguments.size, 64U);
        EXPECT_EQ(*arguments.host_pointer, content.data());
        EXPECT_EQ(*arguments.code, &code);
        ++calls;
        if (data.site == site_exit) {
            result = *static_cast<cl_mem*>(data.result);
            result_code = **arguments.code;
        }
    });
    recorder.enable({traced::create_buffer});
    code = -1;
    const cl_mem memory =
        keep(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 64, content.data(), &code));
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(result, memory);
    EXPECT_EQ(result_code, CL_SUCCESS);
    recorder.disable();
    keep(clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &code));
    EXPECT_EQ(calls, 2);
}

TEST_F(Tracing, ArgumentsOfALaunch) {
    const cl_kernel kernel = kernel_of("kernel void k(global int* a) { a[get_global_id(0)] = 7; }", "k");
    const cl_mem memory = buffer(std::vector<int>(32, 0));
    ASSERT_EQ(set(kernel, 0, memory), CL_SUCCESS);
    int calls = 0;
    Recorder recorder(device, [&](cl_uint, const CallbackData& data) {
        const auto& arguments = *static_cast<const LaunchArguments*>(data.parameters);
        EXPECT_EQ(*arguments.queue, queue);
        EXPECT_EQ(*arguments.kernel, kernel);
        EXPECT_EQ(*arguments.dimensions, 1U);
        EXPECT_EQ(*arguments.offset, nullptr);
        EXPECT_EQ((*arguments.global)[0], 32U);
        EXPECT_EQ((*arguments.local)[0], 8U);
        EXPECT_EQ(*arguments.wait_count, 0U);
        EXPECT_EQ(*arguments.wait_list, nullptr);
        EXPECT_EQ(*arguments.event, nullptr);
        ++calls;
    });
    recorder.enable({traced::enqueue_nd_range_kernel});
    EXPECT_EQ(run(kernel, 32, 8), CL_SUCCESS);
    EXPECT_EQ(calls, 2);
    recorder.disable();
    EXPECT_EQ(content<int>(memory, 32), std::vector<int>(32, 7)); // the launch is none the worse
}

TEST_F(Tracing, AFunctionWithoutAResult) {
    void* const memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
    ASSERT_NE(memory, nullptr);
    Recorder recorder(device, [&](cl_uint, const CallbackData& data) {
        EXPECT_EQ(data.result, nullptr);
        EXPECT_EQ(*static_cast<void** const*>(data.parameters)[1], memory);
    });
    recorder.enable({traced::svm_free});
    clSVMFree(context, memory);
    EXPECT_EQ(sites(recorder.take()), "EX");
}

TEST_F(Tracing, ACallThatFails) {
    cl_mem result = reinterpret_cast<cl_mem>(&code);
    Recorder recorder(device, [&](cl_uint, const CallbackData& data) {
        if (data.site == site_exit)
            result = *static_cast<cl_mem*>(data.result);
    });
    recorder.enable({traced::create_buffer});
    EXPECT_EQ(clCreateBuffer(context, 0, 0, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_BUFFER_SIZE);
    EXPECT_EQ(sites(recorder.take()), "EX");
    EXPECT_EQ(result, nullptr);
}

TEST_F(Tracing, ArgumentsAndResultsMayBeWritten) {
    Recorder recorder(device, [&](cl_uint function, const CallbackData& data) {
        if (function == traced::create_buffer && data.site == site_enter)
            *static_cast<const CreateBufferArguments*>(data.parameters)->size = 128;
        if (function == traced::finish && data.site == site_exit)
            *static_cast<cl_int*>(data.result) = -5000;
    });
    recorder.enable({traced::create_buffer, traced::finish});
    const cl_mem memory = keep(clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &code));
    size_t bytes = 0;
    EXPECT_EQ(clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr), CL_SUCCESS);
    EXPECT_EQ(bytes, 128U);
    EXPECT_EQ(clFinish(queue), -5000);
    recorder.disable();
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Tracing, TwoHandlesOneAfterTheOther) {
    std::string order;
    std::vector<cl_uint> correlations;
    const auto note = [&](char name, cl_ulong mark) {
        return [&, name, mark](cl_uint, const CallbackData& data) {
            order += name;
            order += data.site == site_enter ? 'E' : 'X';
            correlations.push_back(data.correlation_id);
            EXPECT_EQ(*data.correlation_data, data.site == site_enter ? 0 : mark) << name;
            *data.correlation_data = mark;
        };
    };
    Recorder first(device, note('1', 0x1111222233334444));
    Recorder second(device, note('2', 0x5555666677778888));
    second.enable({traced::get_device_info});
    first.enable({traced::get_device_info});
    EXPECT_EQ(ask_device(), CL_SUCCESS);
    EXPECT_EQ(order, "2E1E2X1X"); // in the order of their enabling
    ASSERT_EQ(correlations.size(), 4U);
    EXPECT_EQ(correlations, std::vector<cl_uint>(4, correlations.front()));
    second.disable();
    EXPECT_EQ(ask_device(), CL_SUCCESS);
    EXPECT_EQ(order, "2E1E2X1X1E1X");
    EXPECT_NE(correlations.front(), correlations.back());
}

TEST_F(Tracing, OnlyThePointsThatAreSet) {
    Recorder recorder(device);
    recorder.enable({traced::get_device_info, traced::finish});
    EXPECT_EQ(recorder.api.set_point(recorder.handle, traced::finish, CL_FALSE), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(sites(recorder.take()), "");
    EXPECT_EQ(ask_device(), CL_SUCCESS);
    EXPECT_EQ(sites(recorder.take()), "EX");
}

TEST_F(Tracing, WhatIsEnabledInTheMiddleGetsNoLoneExit) {
    Recorder late(device);
    Recorder recorder(device, [&](cl_uint, const CallbackData& data) {
        if (data.site == site_enter)
            late.enable({traced::get_device_info});
    });
    recorder.enable({traced::get_device_info});
    EXPECT_EQ(ask_device(), CL_SUCCESS);
    recorder.disable();
    EXPECT_EQ(sites(late.take()), "");
    EXPECT_EQ(ask_device(), CL_SUCCESS);
    EXPECT_EQ(sites(late.take()), "EX");
}

TEST_F(Tracing, WhatIsEnabledAnewInTheMiddleGetsNoExit) {
    Recorder recorder(device, [&](cl_uint, const CallbackData& data) {
        if (data.site == site_enter) {
            recorder.disable(); // inside of its own callback: does not wait for it
            recorder.enable({});
        }
    });
    recorder.enable({traced::get_device_info});
    EXPECT_EQ(ask_device(), CL_SUCCESS);
    EXPECT_EQ(sites(recorder.take()), "E");
}

TEST_F(Tracing, DestroyedInItsOwnCallback) {
    Recorder recorder(device, [&](cl_uint, const CallbackData&) { recorder.destroy(); });
    recorder.enable({traced::get_device_info});
    EXPECT_EQ(ask_device(), CL_SUCCESS);
    EXPECT_EQ(ask_device(), CL_SUCCESS);
    EXPECT_EQ(sites(recorder.take()), "E");
}

TEST_F(Tracing, CallsOfACallbackAreNotTraced) {
    Recorder recorder(device, [&](cl_uint, const CallbackData&) {
        EXPECT_EQ(ask_device(), CL_SUCCESS);
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    });
    recorder.enable({traced::get_device_info, traced::finish});
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(sites(recorder.take()), "EX");
}

TEST_F(Tracing, CallsInsideOfATracedCallAreNotTraced) {
    const cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &code);
    static int destroyed = 0;
    destroyed = 0;
    const auto callback = [](cl_mem, void* of) {
        cl_uint count = 0;
        EXPECT_EQ(clGetContextInfo(static_cast<cl_context>(of), CL_CONTEXT_REFERENCE_COUNT, sizeof count,
                                   &count, nullptr),
                  CL_SUCCESS);
        ++destroyed;
    };
    ASSERT_EQ(clSetMemObjectDestructorCallback(memory, callback, context), CL_SUCCESS);
    Recorder recorder(device);
    recorder.enable({traced::release_mem_object, traced::get_context_info});
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    EXPECT_EQ(destroyed, 1);
    const std::vector<Seen> seen = recorder.take();
    ASSERT_EQ(sites(seen), "EX");
    EXPECT_EQ(seen[0].function, traced::release_mem_object);
    EXPECT_EQ(seen[1].function, traced::release_mem_object);
}

TEST_F(Tracing, AnExceptionOfACallbackStaysThere) {
    Recorder recorder(device, [&](cl_uint, const CallbackData&) { throw std::runtime_error("on purpose"); });
    recorder.enable({traced::get_device_info});
    EXPECT_EQ(ask_device(), CL_SUCCESS);
    EXPECT_EQ(sites(recorder.take()), "EX");
    recorder.disable(); // which would wait for a callback that never returned
}

TEST_F(Tracing, AForkInACallback) {
    pid_t child = -1;
    Recorder recorder(device, [&](cl_uint, const CallbackData& data) {
        if (data.site == site_enter)
            child = fork();
    });
    recorder.enable({traced::get_device_info});
    EXPECT_EQ(ask_device(), CL_SUCCESS);
    ASSERT_NE(child, -1);
    if (child == 0) { // goes on with copies of everything
        const bool good = sites(recorder.take()) == "EX" && recorder.api.disable(recorder.handle) == 0 &&
                          ask_device() == CL_SUCCESS && sites(recorder.take()).empty();
        _exit(good ? 0 : 1);
    }
    EXPECT_EQ(sites(recorder.take()), "EX");
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

} // namespace

} // namespace visor::opencl_test
