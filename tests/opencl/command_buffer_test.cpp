// What command buffers record, and what comes of it when they are enqueued.
#include "command_buffers.h"

#include <array>
#include <cstring>
#include <thread>

namespace visor::opencl_test {

namespace {

using Ints = std::vector<cl_int>;

constexpr cl_command_buffer_state_khr recording = 0;
constexpr cl_command_buffer_state_khr executable = 1;
constexpr cl_command_buffer_state_khr pending = 2;

TEST_F(CommandBuffers, AreOfferedWithTheirVersion) {
    size_t bytes = 0;
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &bytes), CL_SUCCESS);
    std::vector<cl_name_version> all(bytes / sizeof(cl_name_version));
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, bytes, all.data(), nullptr),
              CL_SUCCESS);
    cl_version version = 0;
    for (const cl_name_version& one : all)
        if (std::strcmp(one.name, "cl_khr_command_buffer") == 0)
            version = one.version;
    EXPECT_EQ(version, CL_MAKE_VERSION(0, 9, 8));
    cl_bitfield answer = 0;
    EXPECT_EQ(clGetDeviceInfo(device, 0x12A9, sizeof answer, &answer, nullptr), CL_SUCCESS);
    EXPECT_EQ(answer, 1U + 4U + 8U) << "printf, simultaneous use, out of order";
    EXPECT_EQ(clGetDeviceInfo(device, 0x12AA, sizeof answer, &answer, nullptr), CL_SUCCESS);
    EXPECT_EQ(answer, 0U) << "required of queues";
    EXPECT_EQ(clGetDeviceInfo(device, 0x129A, sizeof answer, &answer, nullptr), CL_SUCCESS);
    EXPECT_EQ(answer, 3U) << "supported of queues: out of order, profiling";
    EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform(), "clUpdateMutableCommandsKHR"), nullptr);
}

TEST_F(CommandBuffers, ReplayCommandsInTheirOrder) {
    const cl_mem a = buffer(Ints(4, 0));
    const cl_mem b = buffer(Ints(4, 0));
    const cl_kernel kernel = kernel_of(scale, "scale");
    set(kernel, 0, a);
    set(kernel, 1, 3);
    set(kernel, 2, 1);
    const cl_command_buffer_khr one = made();
    EXPECT_EQ(add_fill(one, a, 5, 4), 1U);
    EXPECT_EQ(add_kernel(one, kernel, 4), 2U);
    EXPECT_EQ(add_copy(one, a, b, 16), 3U);
    EXPECT_EQ(add_fill(one, a, 9, 4), 4U);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(b, 4), Ints(4, 0)) << "nothing runs before it is enqueued";
    ASSERT_EQ(enqueue(one), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(b, 4), Ints(4, 16)) << "5 * 3 + 1";
    EXPECT_EQ(content<cl_int>(a, 4), Ints(4, 9));
}

TEST_F(CommandBuffers, ReplaysSeeWhatMemoryHoldsThen) {
    const cl_mem a = buffer(Ints{1, 2, 3, 4});
    const cl_mem b = buffer(Ints(4, 0));
    const cl_kernel kernel = kernel_of(scale, "scale");
    set(kernel, 0, b);
    set(kernel, 1, 10);
    set(kernel, 2, 7);
    const cl_command_buffer_khr one = made();
    add_copy(one, a, b, 16);
    add_kernel(one, kernel, 4);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    ASSERT_EQ(enqueue(one), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(b, 4), (Ints{17, 27, 37, 47}));
    const Ints other{5, 6, 7, 8};
    ASSERT_EQ(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, 16, other.data(), 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(enqueue(one), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(b, 4), (Ints{57, 67, 77, 87}));
}

TEST_F(CommandBuffers, ArgumentsAreThoseOfTheRecording) {
    const cl_mem a = buffer(Ints{1, 1});
    const cl_mem other = buffer(Ints{1, 1});
    const cl_kernel kernel = kernel_of(scale, "scale");
    set(kernel, 0, a);
    set(kernel, 1, 10);
    set(kernel, 2, 1);
    const cl_command_buffer_khr one = made();
    add_kernel(one, kernel, 2);
    set(kernel, 1, 2);
    set(kernel, 2, 5);
    add_kernel(one, kernel, 2); // has what was set meanwhile
    set(kernel, 0, other);
    set(kernel, 1, 100);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    ASSERT_EQ(enqueue(one), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(a, 2), Ints(2, 27)) << "(1 * 10 + 1) * 2 + 5";
    EXPECT_EQ(content<cl_int>(other, 2), Ints(2, 1));
}

TEST_F(CommandBuffers, SyncPointsAndBarriersOrderAnOutOfOrderQueue) {
    const cl_command_queue free_queue = queue_with(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const cl_mem a = buffer(Ints(4, 0));
    const cl_mem b = buffer(Ints(4, 0));
    const cl_kernel kernel = kernel_of(scale, "scale");
    set(kernel, 0, a);
    set(kernel, 1, 2);
    set(kernel, 2, 1);
    const cl_command_buffer_khr one = made(free_queue);
    const cl_sync_point_khr first = add_fill(one, a, 1, 4);
    const cl_sync_point_khr second = add_kernel(one, kernel, 4, {first});
    const cl_sync_point_khr third = add_kernel(one, kernel, 4, {second, first});
    const cl_sync_point_khr copied = add_copy(one, a, b, 16, {third});
    cl_sync_point_khr barrier = 0;
    ASSERT_EQ(api.barrier(one, nullptr, nullptr, 1, &copied, &barrier, nullptr), CL_SUCCESS);
    EXPECT_GT(barrier, copied);
    add_fill(one, a, -1, 4);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    ASSERT_EQ(enqueue(one), CL_SUCCESS);
    ASSERT_EQ(clFinish(free_queue), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(b, 4), Ints(4, 7)) << "(1 * 2 + 1) * 2 + 1";
    EXPECT_EQ(content<cl_int>(a, 4), Ints(4, -1));
}

TEST_F(CommandBuffers, HoldWhatTheyRecorded) {
    const cl_mem a = clCreateBuffer(context, 0, 16, nullptr, &code);
    const cl_mem b = buffer(Ints(4, 0));
    const cl_program program =
        clCreateProgramWithSource(context, 1, const_cast<const char**>(&scale), nullptr, &code);
    ASSERT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS);
    const cl_kernel kernel = clCreateKernel(program, "scale", &code);
    set(kernel, 0, a);
    set(kernel, 1, 2);
    set(kernel, 2, 3);
    const cl_command_queue own = clCreateCommandQueue(context, device, 0, &code);
    const cl_command_buffer_khr one = api.create(1, &own, nullptr, &code);
    add_fill(one, a, 20, 4);
    add_kernel(one, kernel, 4);
    add_copy(one, a, b, 16);
    cl_uint references = 0;
    EXPECT_EQ(clGetMemObjectInfo(a, CL_MEM_REFERENCE_COUNT, sizeof references, &references, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(references, 1U) << "holds are no references";
    EXPECT_EQ(clReleaseMemObject(a), CL_SUCCESS);
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(own), CL_SUCCESS);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    const cl_event start = clCreateUserEvent(context, &code);
    cl_event done = nullptr;
    ASSERT_EQ(api.enqueue(0, nullptr, one, 1, &start, &done), CL_SUCCESS);
    EXPECT_EQ(api.release(one), CL_SUCCESS); // while it is pending
    EXPECT_EQ(clSetUserEventStatus(start, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(b, 4), Ints(4, 43)) << "20 * 2 + 3";
    EXPECT_EQ(clReleaseEvent(start), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
    EXPECT_EQ(api.release(one), CL_INVALID_COMMAND_BUFFER_KHR);
    EXPECT_EQ(clReleaseMemObject(a), CL_INVALID_MEM_OBJECT) << "it ended with the buffer";
}

TEST_F(CommandBuffers, RunOnAnyQueueOfTheContext) {
    const cl_mem a = buffer(Ints(2, 0));
    const cl_kernel kernel = kernel_of(scale, "scale");
    set(kernel, 0, a);
    set(kernel, 1, 1);
    set(kernel, 2, 1);
    const cl_command_buffer_khr one = made();
    add_kernel(one, kernel, 2);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    for (const cl_command_queue_properties properties :
         {cl_command_queue_properties{0},
          cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
        cl_command_queue other = queue_with(properties);
        cl_event done = nullptr;
        ASSERT_EQ(api.enqueue(1, &other, one, 0, nullptr, &done), CL_SUCCESS);
        ASSERT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
        cl_command_queue of = nullptr;
        EXPECT_EQ(
            clGetEventInfo(done, CL_EVENT_COMMAND_QUEUE, sizeof(void*), static_cast<void*>(&of), nullptr),
            CL_SUCCESS);
        EXPECT_EQ(of, other);
        cl_command_type type = 0;
        EXPECT_EQ(clGetEventInfo(done, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
        EXPECT_EQ(type, 0x12A8U);
        EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
    }
    EXPECT_EQ(content<cl_int>(a, 2), Ints(2, 2));
}

// An in-order queue: no simultaneous use, with or without the flag.
TEST_F(CommandBuffers, WaitForEachOtherInAQueue) {
    const std::array<cl_command_buffer_properties_khr, 3> simultaneous{CL_COMMAND_BUFFER_FLAGS_KHR, 1, 0};
    for (const auto* properties :
         {static_cast<const cl_command_buffer_properties_khr*>(nullptr), simultaneous.data()}) {
        const cl_mem a = buffer(Ints(2, 1));
        const cl_kernel kernel = kernel_of(scale, "scale");
        set(kernel, 0, a);
        set(kernel, 1, 2);
        set(kernel, 2, 0);
        const cl_command_buffer_khr one = made(nullptr, properties);
        add_kernel(one, kernel, 2);
        ASSERT_EQ(api.finalize(one), CL_SUCCESS);
        const cl_event start = clCreateUserEvent(context, &code);
        ASSERT_EQ(api.enqueue(0, nullptr, one, 1, &start, nullptr), CL_SUCCESS);
        ASSERT_EQ(enqueue(one), CL_SUCCESS);
        ASSERT_EQ(enqueue(one), CL_SUCCESS);
        EXPECT_EQ(clSetUserEventStatus(start, CL_COMPLETE), CL_SUCCESS);
        EXPECT_EQ(content<cl_int>(a, 2), Ints(2, 8)) << "doubled three times";
        EXPECT_EQ(clReleaseEvent(start), CL_SUCCESS);
    }
}

TEST_F(CommandBuffers, TwoThreadsReplayOneBuffer) {
    const cl_mem a = buffer(Ints(1, 0));
    const cl_kernel kernel = kernel_of("kernel void count(global int* a) { atomic_inc(a); }\n", "count");
    set(kernel, 0, a);
    const std::array<cl_command_buffer_properties_khr, 3> simultaneous{CL_COMMAND_BUFFER_FLAGS_KHR, 1, 0};
    const cl_command_buffer_khr one = made(nullptr, simultaneous.data());
    add_kernel(one, kernel, 3);
    add_kernel(one, kernel, 2);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    const auto replay = [&](cl_command_queue on) {
        for (int i = 0; i < 20; ++i)
            EXPECT_EQ(api.enqueue(1, &on, one, 0, nullptr, nullptr), CL_SUCCESS);
        EXPECT_EQ(clFinish(on), CL_SUCCESS);
    };
    const cl_command_queue second = queue_with(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    std::thread other(replay, second);
    replay(queue);
    other.join();
    EXPECT_EQ(content<cl_int>(a, 1), Ints(1, 200)) << "2 x 20 x (3 + 2)";
}

TEST_F(CommandBuffers, TellTheirState) {
    for (const bool of_today : {false, true}) {
        const cl_mem a = buffer(Ints(2, 0));
        const cl_mem b = buffer(Ints(2, 0));
        const cl_command_buffer_khr one = made();
        EXPECT_EQ(ask<cl_uint>(one, CL_COMMAND_BUFFER_STATE_KHR), recording);
        if (of_today)
            ASSERT_EQ(api.copy(one, nullptr, nullptr, a, b, 0, 0, 8, 0, nullptr, nullptr, nullptr),
                      CL_SUCCESS);
        else
            ASSERT_EQ(api.old_copy(one, nullptr, a, b, 0, 0, 8, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
        EXPECT_EQ(ask<cl_uint>(one, CL_COMMAND_BUFFER_STATE_KHR), recording);
        ASSERT_EQ(api.finalize(one), CL_SUCCESS);
        EXPECT_EQ(ask<cl_uint>(one, CL_COMMAND_BUFFER_STATE_KHR), executable);
        const cl_event start = clCreateUserEvent(context, &code);
        for (int i = 0; i < 2; ++i)
            ASSERT_EQ(api.enqueue(0, nullptr, one, 1, &start, nullptr), CL_SUCCESS);
        EXPECT_EQ(ask<cl_uint>(one, CL_COMMAND_BUFFER_STATE_KHR), of_today ? executable : pending);
        EXPECT_EQ(clSetUserEventStatus(start, CL_COMPLETE), CL_SUCCESS);
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
        EXPECT_EQ(ask<cl_uint>(one, CL_COMMAND_BUFFER_STATE_KHR), executable);
        EXPECT_EQ(clReleaseEvent(start), CL_SUCCESS);
    }
}

TEST_F(CommandBuffers, TellWhatTheyWereMadeOf) {
    const std::array<cl_command_buffer_properties_khr, 3> given{CL_COMMAND_BUFFER_FLAGS_KHR, 1, 0};
    const cl_command_buffer_khr one = made(nullptr, given.data());
    EXPECT_EQ(ask<cl_uint>(one, CL_COMMAND_BUFFER_NUM_QUEUES_KHR), 1U);
    EXPECT_EQ(ask<cl_command_queue>(one, CL_COMMAND_BUFFER_QUEUES_KHR), queue);
    EXPECT_EQ(ask<cl_context>(one, 0x1299), context);
    using Given = std::array<cl_command_buffer_properties_khr, 3>;
    EXPECT_EQ(ask<Given>(one, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR), given);
    EXPECT_EQ(ask<cl_uint>(one, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR), 1U);
    EXPECT_EQ(api.retain(one), CL_SUCCESS);
    EXPECT_EQ(ask<cl_uint>(one, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR), 2U);
    EXPECT_EQ(api.release(one), CL_SUCCESS);
    EXPECT_EQ(ask<cl_uint>(one, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR), 1U);
    size_t bytes = 1;
    EXPECT_EQ(api.info(made(), CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, 0, nullptr, &bytes), CL_SUCCESS);
    EXPECT_EQ(bytes, 0U) << "made without";
}

TEST_F(CommandBuffers, HaveOneEventWithTheirTimes) {
    const cl_mem a = buffer(Ints(1 << 16, 1));
    const cl_kernel kernel = kernel_of(scale, "scale");
    set(kernel, 0, a);
    set(kernel, 1, 1);
    set(kernel, 2, 1);
    const cl_command_buffer_khr one = made();
    for (int i = 0; i < 3; ++i)
        add_kernel(one, kernel, 1 << 16);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    cl_event done = nullptr;
    ASSERT_EQ(enqueue(one, &done), CL_SUCCESS);
    ASSERT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
    std::array<cl_ulong, 5> times{};
    for (cl_uint i = 0; i < times.size(); ++i)
        EXPECT_EQ(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_QUEUED + i, sizeof(cl_ulong), &times[i],
                                          nullptr),
                  CL_SUCCESS);
    EXPECT_LE(times[0], times[1]);
    EXPECT_LE(times[1], times[2]);
    EXPECT_LT(times[2], times[3]) << "from the start of the first to the end of the last";
    EXPECT_EQ(times[3], times[4]);
    EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
}

TEST_F(CommandBuffers, EndWithTheErrorOfACommand) {
    const cl_mem a = buffer(Ints(4, 0));
    void* const shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
    const cl_kernel kernel = kernel_of(scale, "scale");
    ASSERT_EQ(clSetKernelArgSVMPointer(kernel, 0, shared), CL_SUCCESS);
    set(kernel, 1, 2);
    set(kernel, 2, 2);
    const cl_command_buffer_khr one = made();
    add_fill(one, a, 1, 4);
    add_kernel(one, kernel, 4);
    add_fill(one, a, 2, 4);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    clSVMFree(context, shared);
    cl_event done = nullptr;
    ASSERT_EQ(enqueue(one, &done), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &done), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(status_of(done), CL_OUT_OF_RESOURCES);
    EXPECT_EQ(content<cl_int>(a, 4), Ints(4, 1)) << "what comes after it does not run";
    EXPECT_EQ(ask<cl_uint>(one, CL_COMMAND_BUFFER_STATE_KHR), executable);
    EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
}

TEST_F(CommandBuffers, AFailedEventSpoilsThem) {
    const cl_mem a = buffer(Ints(2, 0));
    const cl_command_buffer_khr one = made();
    add_fill(one, a, 5, 2);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    const cl_event start = clCreateUserEvent(context, &code);
    cl_event done = nullptr;
    ASSERT_EQ(api.enqueue(0, nullptr, one, 1, &start, &done), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(start, -7), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(status_of(done), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(content<cl_int>(a, 2), Ints(2, 0));
    EXPECT_EQ(clReleaseEvent(start), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
}

TEST_F(CommandBuffers, NothingOfTheApplicationsIsReadLater) {
    const cl_mem a = buffer(Ints(8, 0));
    const cl_mem b = buffer(Ints(8, 0));
    const cl_command_buffer_khr one = made();
    cl_int pattern = 6;
    cl_sync_point_khr point = 0;
    ASSERT_EQ(api.fill(one, nullptr, nullptr, a, &pattern, 4, 0, 32, 0, nullptr, &point, nullptr),
              CL_SUCCESS);
    pattern = 99;
    std::array<size_t, 3> from{4, 0, 0};
    std::array<size_t, 3> to{8, 1, 0};
    std::array<size_t, 3> region{8, 1, 1};
    ASSERT_EQ(api.copy_rect(one, nullptr, nullptr, a, b, from.data(), to.data(), region.data(), 16, 0, 16, 0,
                            1, &point, nullptr, nullptr),
              CL_SUCCESS);
    point = 77;
    from = to = region = {1000, 1000, 1000};
    const cl_kernel kernel = kernel_of(scale, "scale");
    set(kernel, 0, b);
    set(kernel, 1, 2);
    set(kernel, 2, 1);
    size_t offset = 1;
    size_t global = 6;
    size_t local = 2;
    ASSERT_EQ(
        api.kernel(one, nullptr, nullptr, kernel, 1, &offset, &global, &local, 0, nullptr, nullptr, nullptr),
        CL_SUCCESS);
    offset = global = local = 1000;
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    ASSERT_EQ(enqueue(one), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(b, 8), (Ints{0, 1, 1, 1, 1, 1, 13, 6}));
}

TEST_F(CommandBuffers, SharedVirtualMemoryIsCopiedAndFilled) {
    auto* const shared = static_cast<cl_int*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
    ASSERT_NE(shared, nullptr);
    const Ints host{1, 2, 3, 4};
    const cl_short pattern = 0x0102;
    for (const bool of_today : {true, false}) {
        std::memset(shared, 0, 64);
        const cl_command_buffer_khr one = made();
        if (of_today) {
            EXPECT_EQ(
                api.svm_copy(one, nullptr, nullptr, shared, host.data(), 16, 0, nullptr, nullptr, nullptr),
                CL_SUCCESS);
            EXPECT_EQ(
                api.svm_fill(one, nullptr, nullptr, shared + 4, &pattern, 2, 8, 0, nullptr, nullptr, nullptr),
                CL_SUCCESS);
        } else {
            EXPECT_EQ(api.old_svm_copy(one, nullptr, shared, host.data(), 16, 0, nullptr, nullptr, nullptr),
                      CL_SUCCESS);
            EXPECT_EQ(
                api.old_svm_fill(one, nullptr, shared + 4, &pattern, 2, 8, 0, nullptr, nullptr, nullptr),
                CL_SUCCESS);
        }
        ASSERT_EQ(api.finalize(one), CL_SUCCESS);
        ASSERT_EQ(enqueue(one), CL_SUCCESS);
        ASSERT_EQ(clFinish(queue), CL_SUCCESS);
        EXPECT_EQ(Ints(shared, shared + 7), (Ints{1, 2, 3, 4, 0x01020102, 0x01020102, 0}));
    }
    clSVMFree(context, shared);
}

TEST_F(CommandBuffers, PartsOfABufferAreTheSameMemory) {
    const cl_mem whole = buffer(Ints(64, 0));
    const cl_buffer_region second_half{128, 128};
    const cl_mem part = keep(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &second_half, &code));
    const cl_kernel kernel = kernel_of(scale, "scale");
    set(kernel, 0, whole);
    set(kernel, 1, 3);
    set(kernel, 2, 1);
    const cl_command_buffer_khr one = made();
    add_fill(one, part, 5, 32);
    add_kernel(one, kernel, 64);
    add_copy(one, part, whole, 4);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    ASSERT_EQ(enqueue(one), CL_SUCCESS);
    const Ints now = content<cl_int>(whole, 64);
    EXPECT_EQ(now[0], 16) << "of the part: 5 * 3 + 1";
    EXPECT_EQ(now[1], 1) << "0 * 3 + 1";
    EXPECT_EQ(now[63], 16);
}

TEST_F(CommandBuffers, KernelsPrintInEachReplay) {
    const cl_kernel kernel = kernel_of("kernel void say(int n) { printf(\"said %d\\n\", n); }\n", "say");
    set(kernel, 0, 7);
    const cl_command_buffer_khr one = made();
    add_kernel(one, kernel, 1);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    testing::internal::CaptureStdout();
    EXPECT_EQ(enqueue(one), CL_SUCCESS);
    EXPECT_EQ(enqueue(one), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "said 7\nsaid 7\n");
}

TEST_F(CommandBuffers, MayBeEmptyAndHaveEmptyCommands) {
    const cl_command_buffer_khr empty = made();
    ASSERT_EQ(api.finalize(empty), CL_SUCCESS);
    EXPECT_EQ(enqueue(empty), CL_SUCCESS);
    const cl_mem a = buffer(Ints(2, 3));
    const cl_kernel kernel = kernel_of(scale, "scale");
    set(kernel, 0, a);
    set(kernel, 1, 2);
    set(kernel, 2, 2);
    const cl_command_buffer_khr one = made();
    add_kernel(one, kernel, 0);
    EXPECT_EQ(api.barrier(one, nullptr, nullptr, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    EXPECT_EQ(enqueue(one), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(a, 2), Ints(2, 3));
}

} // namespace

} // namespace visor::opencl_test
