// Command buffers of a context, for tests of them.
#pragma once

#include "command_buffer_api.h"
#include "fixture.h"

#include <initializer_list>

namespace visor::opencl_test {

// A context, and command buffers in it that end with the test.
class CommandBuffers : public OpenCl {
protected:
    void TearDown() override {
        for (const cl_command_buffer_khr one : buffers)
            EXPECT_EQ(api.release(one), CL_SUCCESS);
        OpenCl::TearDown();
        for (const cl_command_queue one : queues)
            EXPECT_EQ(clReleaseCommandQueue(one), CL_SUCCESS);
    }

    cl_command_buffer_khr made(cl_command_queue on = nullptr,
                               const cl_command_buffer_properties_khr* properties = nullptr) {
        const cl_command_queue own = on == nullptr ? queue : on;
        const cl_command_buffer_khr one = api.create(1, &own, properties, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        EXPECT_NE(one, nullptr);
        buffers.push_back(one);
        return one;
    }
    cl_command_queue queue_with(cl_command_queue_properties properties) {
        queues.push_back(clCreateCommandQueue(context, device, properties, &code));
        EXPECT_EQ(code, CL_SUCCESS);
        return queues.back();
    }

    // Each adds a command and returns its sync point.
    cl_sync_point_khr add_fill(cl_command_buffer_khr to, cl_mem memory, cl_int value, size_t count,
                               std::initializer_list<cl_sync_point_khr> after = {}) {
        cl_sync_point_khr point = 0;
        EXPECT_EQ(api.fill(to, nullptr, nullptr, memory, &value, sizeof value, 0, count * sizeof value,
                           static_cast<cl_uint>(after.size()), after.size() == 0 ? nullptr : after.begin(),
                           &point, nullptr),
                  CL_SUCCESS);
        return point;
    }
    cl_sync_point_khr add_copy(cl_command_buffer_khr to, cl_mem from, cl_mem memory, size_t bytes,
                               std::initializer_list<cl_sync_point_khr> after = {}) {
        cl_sync_point_khr point = 0;
        EXPECT_EQ(api.copy(to, nullptr, nullptr, from, memory, 0, 0, bytes,
                           static_cast<cl_uint>(after.size()), after.size() == 0 ? nullptr : after.begin(),
                           &point, nullptr),
                  CL_SUCCESS);
        return point;
    }
    cl_sync_point_khr add_kernel(cl_command_buffer_khr to, cl_kernel kernel, size_t global,
                                 std::initializer_list<cl_sync_point_khr> after = {}) {
        cl_sync_point_khr point = 0;
        EXPECT_EQ(api.kernel(to, nullptr, nullptr, kernel, 1, nullptr, &global, nullptr,
                             static_cast<cl_uint>(after.size()), after.size() == 0 ? nullptr : after.begin(),
                             &point, nullptr),
                  CL_SUCCESS);
        return point;
    }
    cl_int enqueue(cl_command_buffer_khr buffer, cl_event* event = nullptr) {
        return api.enqueue(0, nullptr, buffer, 0, nullptr, event);
    }
    template <class T>
    T ask(cl_command_buffer_khr buffer, cl_command_buffer_info_khr what) {
        T out{};
        size_t bytes = 0;
        EXPECT_EQ(api.info(buffer, what, sizeof out, &out, &bytes), CL_SUCCESS);
        EXPECT_EQ(bytes, sizeof out);
        return out;
    }
    cl_int status_of(cl_event event) {
        cl_int status = CL_QUEUED;
        EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
                  CL_SUCCESS);
        return status;
    }

    CommandBufferApi api{platform()};
    std::vector<cl_command_buffer_khr> buffers;
    std::vector<cl_command_queue> queues;

    // a[i] = a[i] * by + plus
    static constexpr const char* scale = "kernel void scale(global int* a, int by, int plus) {\n"
                                         "    a[get_global_id(0)] = a[get_global_id(0)] * by + plus;\n"
                                         "}\n";
};

} // namespace visor::opencl_test
