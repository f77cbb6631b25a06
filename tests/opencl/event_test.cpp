#include "fixture.h"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace visor::opencl_test {

namespace {

class Events : public OpenCl {
protected:
    cl_int status(cl_event event) {
        cl_int out = 99;
        EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof out, &out, nullptr),
                  CL_SUCCESS);
        return out;
    }
    cl_event user() {
        const cl_event event = clCreateUserEvent(context, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return event;
    }
    cl_command_queue out_of_order() {
        const cl_command_queue made =
            clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return made;
    }
};

TEST_F(Events, EnqueueingReturnsBeforeTheCommandRuns) {
    const cl_event gate = user();
    const cl_mem memory = buffer(std::vector<cl_int>{1, 2, 3, 4});
    std::array<cl_int, 4> out{};
    cl_event read = nullptr;
    ASSERT_EQ(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, 16, out.data(), 1, &gate, &read), CL_SUCCESS);
    EXPECT_EQ(status(read), CL_QUEUED);
    EXPECT_EQ(out[0], 0);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_INVALID_OPERATION);
    EXPECT_EQ(clWaitForEvents(1, &read), CL_SUCCESS);
    EXPECT_EQ(status(read), CL_COMPLETE);
    EXPECT_EQ(out[3], 4);
    EXPECT_EQ(clReleaseEvent(read), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

TEST_F(Events, AFailedEventSpoilsWhatNamesItAndNothingElse) {
    const cl_event gate = user();
    const cl_mem memory = buffer(std::vector<cl_int>{7});
    cl_int first = 0;
    cl_int second = 0;
    cl_event spoiled = nullptr;
    cl_event unharmed = nullptr;
    ASSERT_EQ(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, 4, &first, 1, &gate, &spoiled), CL_SUCCESS);
    ASSERT_EQ(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, 4, &second, 0, nullptr, &unharmed), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(gate, -7), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &spoiled), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_LT(status(spoiled), 0);
    EXPECT_EQ(clWaitForEvents(1, &unharmed), CL_SUCCESS);
    EXPECT_EQ(first, 0);
    EXPECT_EQ(second, 7);
    for (const cl_event event : {gate, spoiled, unharmed})
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

TEST_F(Events, WaitListsAreChecked) {
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, nullptr, &event), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &event, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(clWaitForEvents(0, nullptr), CL_INVALID_VALUE);
    const cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    const cl_event foreign = clCreateUserEvent(other, &code);
    EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &foreign, nullptr), CL_INVALID_CONTEXT);
    EXPECT_EQ(clReleaseEvent(foreign), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
}

TEST_F(Events, OutOfOrderQueuesWaitForTheirEventsAlone) {
    const cl_command_queue free = out_of_order();
    const cl_event gate = user();
    const cl_mem memory = buffer(std::vector<cl_int>{5});
    cl_int late = 0;
    cl_int early = 0;
    cl_event waits = nullptr;
    ASSERT_EQ(clEnqueueReadBuffer(free, memory, CL_FALSE, 0, 4, &late, 1, &gate, &waits), CL_SUCCESS);
    ASSERT_EQ(clEnqueueReadBuffer(free, memory, CL_TRUE, 0, 4, &early, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(early, 5);
    EXPECT_EQ(late, 0);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clFinish(free), CL_SUCCESS);
    EXPECT_EQ(late, 5);
    EXPECT_EQ(clReleaseEvent(waits), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(free), CL_SUCCESS);
}

TEST_F(Events, ABarrierHoldsBackWhatComesLaterAndAMarkerDoesNot) {
    const cl_command_queue free = out_of_order();
    const cl_event gate = user();
    cl_event marker = nullptr;
    cl_event before = nullptr;
    cl_event barrier = nullptr;
    cl_event behind = nullptr;
    ASSERT_EQ(clEnqueueMarkerWithWaitList(free, 1, &gate, &marker), CL_SUCCESS);
    ASSERT_EQ(clEnqueueMarkerWithWaitList(free, 0, nullptr, &before), CL_SUCCESS); // for all so far
    const cl_mem memory = buffer(std::vector<cl_int>{5});
    cl_int seen = 0;
    ASSERT_EQ(clEnqueueReadBuffer(free, memory, CL_TRUE, 0, 4, &seen, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(seen, 5);
    ASSERT_EQ(clEnqueueBarrierWithWaitList(free, 1, &gate, &barrier), CL_SUCCESS);
    cl_int late = 0;
    ASSERT_EQ(clEnqueueReadBuffer(free, memory, CL_FALSE, 0, 4, &late, 0, nullptr, &behind), CL_SUCCESS);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_GT(status(before), CL_COMPLETE);
    EXPECT_GT(status(behind), CL_COMPLETE);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clFinish(free), CL_SUCCESS);
    EXPECT_EQ(late, 5);
    for (const cl_event event : {gate, marker, before, barrier, behind}) {
        EXPECT_EQ(status(event), CL_COMPLETE);
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    }
    EXPECT_EQ(clReleaseCommandQueue(free), CL_SUCCESS);
}

struct ReportedFinding {
    std::mutex lock;
    std::condition_variable changed;
    std::vector<cl_int> statuses;
    cl_command_queue queue = nullptr;
    cl_mem memory = nullptr;
    cl_int value = 0;
    bool done = false;
};

TEST_F(Events, CallbacksAreCalledOnceForEachStage) {
    ReportedFinding told;
    const cl_event gate = user();
    const cl_mem memory = buffer(std::vector<cl_int>{5});
    cl_event read = nullptr;
    cl_int value = 0;
    ASSERT_EQ(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, 4, &value, 1, &gate, &read), CL_SUCCESS);
    const auto notice = [](cl_event, cl_int status, void* data) {
        auto& to = *static_cast<ReportedFinding*>(data);
        const std::lock_guard guard(to.lock);
        to.statuses.push_back(status);
        to.changed.notify_all();
    };
    for (const cl_int at : {CL_COMPLETE, CL_SUBMITTED, CL_RUNNING})
        EXPECT_EQ(clSetEventCallback(read, at, notice, &told), CL_SUCCESS);
    EXPECT_EQ(clSetEventCallback(read, CL_QUEUED, notice, &told), CL_INVALID_VALUE);
    EXPECT_EQ(clSetEventCallback(read, CL_COMPLETE, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    std::unique_lock lock(told.lock);
    ASSERT_TRUE(
        told.changed.wait_for(lock, std::chrono::seconds(20), [&] { return told.statuses.size() == 3; }));
    EXPECT_EQ(told.statuses, (std::vector<cl_int>{CL_SUBMITTED, CL_RUNNING, CL_COMPLETE}));
    lock.unlock();
    EXPECT_EQ(clReleaseEvent(read), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

TEST_F(Events, ACallbackMayEnqueue) {
    ReportedFinding told;
    told.queue = queue;
    told.memory = buffer(std::vector<cl_int>{41});
    cl_event first = nullptr;
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &first), CL_SUCCESS);
    const auto second = [](cl_event event, cl_int, void* data) {
        auto& to = *static_cast<ReportedFinding*>(data);
        clReleaseEvent(event);
        const std::lock_guard guard(to.lock);
        to.done = true;
        to.changed.notify_all();
    };
    static void(CL_CALLBACK * after)(cl_event, cl_int, void*) = second;
    const auto notice = [](cl_event, cl_int, void* data) {
        auto& to = *static_cast<ReportedFinding*>(data);
        cl_event read = nullptr;
        EXPECT_EQ(clEnqueueReadBuffer(to.queue, to.memory, CL_FALSE, 0, 4, &to.value, 0, nullptr, &read),
                  CL_SUCCESS);
        EXPECT_EQ(clSetEventCallback(read, CL_COMPLETE, after, data), CL_SUCCESS);
    };
    EXPECT_EQ(clSetEventCallback(first, CL_COMPLETE, notice, &told), CL_SUCCESS);
    std::unique_lock lock(told.lock);
    ASSERT_TRUE(told.changed.wait_for(lock, std::chrono::seconds(20), [&] { return told.done; }));
    EXPECT_EQ(told.value, 41);
    lock.unlock();
    EXPECT_EQ(clReleaseEvent(first), CL_SUCCESS);
}

TEST_F(Events, ProfilingTellsTimesInOrder) {
    const cl_mem memory = buffer(std::vector<cl_int>(1 << 16, 3));
    std::vector<cl_int> out(1 << 16);
    cl_event read = nullptr;
    ASSERT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, out.size() * 4, out.data(), 0, nullptr, &read),
              CL_SUCCESS);
    std::array<cl_ulong, 5> times{};
    for (cl_uint i = 0; i < times.size(); ++i)
        ASSERT_EQ(clGetEventProfilingInfo(read, CL_PROFILING_COMMAND_QUEUED + i, sizeof(cl_ulong), &times[i],
                                          nullptr),
                  CL_SUCCESS);
    for (size_t i = 1; i < times.size(); ++i)
        EXPECT_LE(times[i - 1], times[i]) << i;
    EXPECT_LT(times[2], times[3]);
    EXPECT_EQ(clReleaseEvent(read), CL_SUCCESS);
    const cl_event gate = user();
    EXPECT_EQ(
        clGetEventProfilingInfo(gate, CL_PROFILING_COMMAND_START, sizeof(cl_ulong), times.data(), nullptr),
        CL_PROFILING_INFO_NOT_AVAILABLE);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

// A chain as long as memory allows must not end in a stack that is too small.
TEST_F(Events, AFailureGoesThroughALongChain) {
    const cl_command_queue free = out_of_order();
    const cl_event gate = user();
    cl_event last = gate;
    constexpr int links = 50'000;
    for (int i = 0; i < links; ++i) {
        cl_event next = nullptr;
        ASSERT_EQ(clEnqueueMarkerWithWaitList(free, 1, &last, &next), CL_SUCCESS);
        if (last != gate)
            clReleaseEvent(last);
        last = next;
    }
    EXPECT_EQ(clSetUserEventStatus(gate, -1), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &last), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(clReleaseEvent(last), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(free), CL_SUCCESS);
}

// A flushed command runs in the end, whether its thread is busy, has just run out of work, or sleeps.
TEST_F(Events, CommandsRunThoughNobodyWaits) {
    const cl_mem memory = buffer(std::vector<cl_int>{5});
    for (int pause = 0; pause < 300; ++pause) {
        cl_int value = 0;
        cl_event read = nullptr;
        ASSERT_EQ(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, 4, &value, 0, nullptr, &read), CL_SUCCESS);
        ASSERT_EQ(clFlush(queue), CL_SUCCESS);
        const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (status(read) != CL_COMPLETE && std::chrono::steady_clock::now() < patience)
            std::this_thread::yield();
        ASSERT_EQ(status(read), CL_COMPLETE) << "after a pause of " << pause << " us";
        ASSERT_EQ(value, 5);
        EXPECT_EQ(clReleaseEvent(read), CL_SUCCESS);
        std::this_thread::sleep_for(std::chrono::microseconds(pause));
    }
}

TEST_F(Events, AQueueThatIsReleasedStillRunsItsCommands) {
    const cl_command_queue other = clCreateCommandQueue(context, device, 0, &code);
    const cl_mem memory = buffer(std::vector<cl_int>{1});
    const cl_int nine = 9;
    cl_event write = nullptr;
    const cl_event gate = user();
    ASSERT_EQ(clEnqueueFillBuffer(other, memory, &nine, 4, 0, 4, 1, &gate, &write), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(other), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &write), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(memory, 1)[0], 9);
    EXPECT_EQ(clReleaseEvent(write), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

} // namespace

} // namespace visor::opencl_test
