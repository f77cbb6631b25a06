// Callbacks that do what callbacks may: call back, register, release, wait; objects in long chains; and
// threads that do the same thing to the same object at the same time.
#include "lives.h"

#include <array>
#include <atomic>
#include <barrier>
#include <bit>
#include <functional>
#include <thread>

namespace visor::opencl_test {

namespace {

class LivesCallbacks : public Lives {
protected:
    // What a callback is given; it says when it is over.
    struct Task {
        std::function<void(cl_event)> body;
        std::atomic<bool> over = false;
    };
    static void CL_CALLBACK work(cl_event event, cl_int /*status*/, void* data) {
        auto& task = *static_cast<Task*>(data);
        task.body(event);
        task.over = true;
    }
    static void CL_CALLBACK count(cl_event /*event*/, cl_int /*status*/, void* data) {
        ++*static_cast<std::atomic<int>*>(data);
    }
    template <class Condition>
    static void until(Condition condition) {
        for (int i = 0; i < 20000 && !condition(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_TRUE(condition());
    }
    cl_event marker(cl_command_queue on, cl_event after) {
        cl_event out = nullptr;
        EXPECT_EQ(clEnqueueMarkerWithWaitList(on, after == nullptr ? 0 : 1,
                                              after == nullptr ? nullptr : &after, &out),
                  CL_SUCCESS);
        return out;
    }
};

TEST_F(LivesCallbacks, WaitInACallback) {
    const cl_command_queue on = queue();
    const cl_command_queue other = queue();
    const cl_event gate = user_event();
    const cl_event first = marker(on, nullptr);
    const cl_event last = marker(other, gate);
    Task task{[&](cl_event event) {
        EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS); // its own: it is over
        EXPECT_EQ(clFinish(on), CL_SUCCESS);
        EXPECT_EQ(clWaitForEvents(1, &last), CL_SUCCESS); // which another thread lets go on
        const cl_mem memory = buffer(64);
        use(other, memory); // blocking
        EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    }};
    EXPECT_EQ(clSetEventCallback(first, CL_COMPLETE, work, &task), CL_SUCCESS);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    until([&] { return task.over.load(); });
    for (const cl_event event : {gate, first, last})
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(other), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

// The last reference of everything, and callbacks registered for the event that calls back.
TEST_F(LivesCallbacks, ReleaseAllInACallback) {
    const cl_command_queue on = queue();
    const cl_mem memory = buffer();
    const cl_event event = marker(on, nullptr);
    std::atomic<int> called = 0;
    Task task{[&](cl_event own) {
        for (int i = 0; i < 100; ++i)
            EXPECT_EQ(clSetEventCallback(own, CL_COMPLETE, count, &called), CL_SUCCESS);
        EXPECT_EQ(clReleaseEvent(own), CL_SUCCESS);
        EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
        EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
        EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
        revive(own);
        revive(on);
        revive(context);
    }};
    EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, work, &task), CL_SUCCESS);
    until([&] { return called == 100; });
    expect_ended(event);
    expect_ended(on);
    expect_ended(memory);
    expect_ended(context);
}

TEST_F(LivesCallbacks, DestructorCallbacksThatReleaseAndRegister) {
    struct Ends {
        cl_mem next = nullptr;
        std::atomic<int> count = 0;
    } ends;
    const cl_mem first = buffer(64);
    ends.next = buffer(64);
    const auto body = [](cl_mem ended, void* data) {
        auto& all = *static_cast<Ends*>(data);
        ++all.count;
        EXPECT_EQ(clSetMemObjectDestructorCallback(
                      ended, [](cl_mem, void*) { ADD_FAILURE() << "it has ended"; }, nullptr),
                  CL_INVALID_MEM_OBJECT);
        if (all.count == 1) {
            EXPECT_EQ(clReleaseMemObject(all.next), CL_SUCCESS);
        }
    };
    EXPECT_EQ(clSetMemObjectDestructorCallback(first, body, &ends), CL_SUCCESS);
    EXPECT_EQ(clSetMemObjectDestructorCallback(ends.next, body, &ends), CL_SUCCESS);
    EXPECT_EQ(
        clSetContextDestructorCallback(
            context,
            [](cl_context ended, void* data) {
                ++static_cast<Ends*>(data)->count;
                EXPECT_EQ(clReleaseContext(ended), CL_INVALID_CONTEXT);
                EXPECT_EQ(clSetContextDestructorCallback(
                              ended, [](cl_context, void*) { ADD_FAILURE() << "it has ended"; }, nullptr),
                          CL_INVALID_CONTEXT);
                cl_int made = CL_SUCCESS; // a new one is as good as any
                cl_device_id root = nullptr;
                EXPECT_EQ(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 1, &root, nullptr), CL_SUCCESS);
                const cl_context other = clCreateContext(nullptr, 1, &root, nullptr, nullptr, &made);
                EXPECT_EQ(made, CL_SUCCESS);
                EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
            },
            &ends),
        CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(first), CL_SUCCESS);
    EXPECT_EQ(ends.count, 3);
    expect_ended(context);
}

// The callback belongs to a command of the queue: what the queue does later waits for it, and cannot be
// awaited.
TEST_F(LivesCallbacks, NobodyWaitsForItself) {
    static cl_context home;
    static cl_event later;
    const cl_command_queue on = queue();
    home = context;
    later = nullptr;
    const cl_event gate = user_event();
    std::array<void*, 2> memory{clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0),
                                clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0)};
    const auto body = [](cl_command_queue own, cl_uint count, void** all, void*) {
        EXPECT_EQ(clFinish(own), CL_INVALID_OPERATION);
        EXPECT_EQ(clWaitForEvents(1, &later), CL_INVALID_OPERATION);
        const cl_int value = 1;
        EXPECT_EQ(clEnqueueSVMMemcpy(own, CL_TRUE, all[0], &value, sizeof value, 0, nullptr, nullptr),
                  CL_INVALID_OPERATION);
        const auto free = reinterpret_cast<clMemBlockingFreeINTEL_fn>(
            clGetExtensionFunctionAddressForPlatform(platform(), "clMemBlockingFreeINTEL"));
        const auto allocate = reinterpret_cast<clHostMemAllocINTEL_fn>(
            clGetExtensionFunctionAddressForPlatform(platform(), "clHostMemAllocINTEL"));
        EXPECT_EQ(free(home, allocate(home, nullptr, 64, 0, nullptr)), CL_SUCCESS);
        for (cl_uint i = 0; i < count; ++i)
            clSVMFree(home, all[i]);
    };
    EXPECT_EQ(clEnqueueSVMFree(on, 2, memory.data(), body, nullptr, 1, &gate, nullptr), CL_SUCCESS);
    later = marker(on, nullptr);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clFinish(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(later), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

// Handles that the application never set: nothing is read through them.
TEST_F(LivesCallbacks, WhatIsNoHandleIsNotRead) {
    const auto odd = std::bit_cast<cl_event>(uint64_t{0x0707070707070707});
    const cl_command_queue on = queue();
    for (const cl_event event : {odd, std::bit_cast<cl_event>(uint64_t{1}), cl_event{nullptr}}) {
        EXPECT_EQ(clEnqueueMarkerWithWaitList(on, 1, &event, nullptr), CL_INVALID_EVENT_WAIT_LIST);
        const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
        cl_image_desc wish{};
        wish.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
        wish.image_width = 4;
        wish.buffer = std::bit_cast<cl_mem>(event);
        EXPECT_EQ(clCreateImage(context, 0, &format, &wish, nullptr, &code), nullptr);
        EXPECT_EQ(code, CL_INVALID_IMAGE_DESCRIPTOR);
        const auto program = std::bit_cast<cl_program>(event);
        EXPECT_EQ(clLinkProgram(context, 0, nullptr, "", 1, &program, nullptr, nullptr, &code), nullptr);
        EXPECT_EQ(code, CL_INVALID_PROGRAM);
        const auto memory = std::bit_cast<cl_mem>(event);
        EXPECT_EQ(clEnqueueMigrateMemObjects(on, 1, &memory, 0, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
    }
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

// The last release ends many objects, each of which holds the next.
TEST_F(LivesCallbacks, LongChainsOfImagesEnd) {
    constexpr int length = 300'000;
    static std::atomic<int> ended;
    ended = 0;
    cl_mem last = image(CL_MEM_OBJECT_IMAGE2D, nullptr);
    for (int i = 0; i < length; ++i) {
        const cl_mem next = image(CL_MEM_OBJECT_IMAGE2D, last);
        ASSERT_NE(next, nullptr);
        ASSERT_EQ(
            clSetMemObjectDestructorCallback(last, [](cl_mem, void*) { ++ended; }, nullptr), CL_SUCCESS);
        ASSERT_EQ(clReleaseMemObject(last), CL_SUCCESS);
        last = next;
    }
    EXPECT_EQ(ended, 0);
    EXPECT_EQ(clReleaseMemObject(last), CL_SUCCESS);
    EXPECT_EQ(ended, length);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    expect_ended(context);
}

// Commands that wait for one another, callbacks for each, all let go at once.
TEST_F(LivesCallbacks, LongChainsOfEventsEnd) {
    constexpr int length = 20'000;
    for (const cl_int status : {CL_COMPLETE, -9}) {
        const cl_command_queue on =
            made(clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code));
        const cl_event gate = user_event();
        std::atomic<int> called = 0;
        cl_event last = gate;
        for (int i = 0; i < length; ++i) {
            const cl_event next = marker(on, last);
            ASSERT_EQ(clSetEventCallback(next, CL_COMPLETE, count, &called), CL_SUCCESS);
            if (last != gate) {
                ASSERT_EQ(clReleaseEvent(last), CL_SUCCESS);
            }
            last = next;
        }
        EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
        EXPECT_EQ(clSetUserEventStatus(gate, status), CL_SUCCESS);
        until([&] { return called == length; });
        EXPECT_EQ(clReleaseEvent(last), CL_SUCCESS);
        EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
        expect_ended(on);
    }
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

// Of many threads that release one reference, or give one status, exactly one does.
TEST_F(LivesCallbacks, OneOfManyThreadsDoesIt) {
    constexpr int threads = 4;
    constexpr int rounds = 300;
    std::barrier start(threads);
    std::array<cl_mem, rounds> memories{};
    std::array<cl_event, rounds> events{};
    std::array<std::atomic<int>, 3> done{};
    const cl_command_queue on = queue();
    for (int i = 0; i < rounds; ++i) {
        memories.at(static_cast<size_t>(i)) = buffer(64);
        events.at(static_cast<size_t>(i)) = user_event();
    }
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
        all.emplace_back([&] {
            for (size_t i = 0; i < rounds; ++i) {
                start.arrive_and_wait();
                done[0] += clReleaseMemObject(memories.at(i)) == CL_SUCCESS ? 1 : 0;
                // The event ends when all have released it, and nobody waits.
                done[1] += clSetUserEventStatus(events.at(i), CL_COMPLETE) == CL_SUCCESS ? 1 : 0;
                start.arrive_and_wait();
                done[2] += clReleaseEvent(events.at(i)) == CL_SUCCESS ? 1 : 0;
                static_cast<void>(clEnqueueMarkerWithWaitList(on, 0, nullptr, nullptr));
                static_cast<void>(clFinish(on));
            }
        });
    for (std::thread& one : all)
        one.join();
    for (const auto& number : done)
        EXPECT_EQ(number, rounds);
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

} // namespace

} // namespace visor::opencl_test
