// Handles and callbacks on several threads.
#include "recorder.h"

#include <atomic>
#include <chrono>
#include <future>
#include <pthread.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace visor::opencl_test {

namespace {

using namespace std::chrono_literals;

cl_int ask(cl_device_id device) {
    cl_device_type type = 0;
    return clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
}

// A callback that does not return from its entry before it may.
struct Gate {
    std::promise<void> entered;
    std::promise<void> may_return;

    void pass(const CallbackData& data) {
        if (data.site != site_enter)
            return;
        entered.set_value();
        may_return.get_future().wait();
    }
};

class TracingThreads : public OpenCl {};

TEST_F(TracingThreads, DisablingWaitsForCallbacks) {
    Gate gate;
    Recorder recorder(device, [&](cl_uint, const CallbackData& data) { gate.pass(data); });
    recorder.enable({traced::get_device_info});
    auto call = std::async(std::launch::async, [&] { return ask(device); });
    gate.entered.get_future().wait();
    auto disabling = std::async(std::launch::async, [&] { return recorder.api.disable(recorder.handle); });
    EXPECT_EQ(disabling.wait_for(100ms), std::future_status::timeout);
    gate.may_return.set_value();
    EXPECT_EQ(disabling.get(), CL_SUCCESS);
    EXPECT_EQ(call.get(), CL_SUCCESS);
    EXPECT_EQ(recorder.count(site_enter), 1U);
    EXPECT_EQ(recorder.count(site_exit), 0U); // it was disabled by then
}

TEST_F(TracingThreads, DestroyingWaitsForCallbacks) {
    Gate gate;
    Recorder recorder(device, [&](cl_uint, const CallbackData& data) { gate.pass(data); });
    recorder.enable({traced::get_device_info});
    auto call = std::async(std::launch::async, [&] { return ask(device); });
    gate.entered.get_future().wait();
    auto destroying = std::async(std::launch::async, [&] { recorder.destroy(); });
    EXPECT_EQ(destroying.wait_for(100ms), std::future_status::timeout);
    gate.may_return.set_value();
    destroying.get();
    EXPECT_EQ(call.get(), CL_SUCCESS);
    EXPECT_EQ(recorder.count(site_exit), 0U);
}

// Only callbacks are waited for: a call may last, and wait for what the thread that disables does next.
TEST_F(TracingThreads, DisablingDoesNotWaitForCalls) {
    const cl_event event = clCreateUserEvent(context, &code);
    std::promise<void> entered;
    Recorder recorder(device, [&](cl_uint, const CallbackData&) { entered.set_value(); });
    recorder.enable({traced::wait_for_events});
    auto call = std::async(std::launch::async, [&] { return clWaitForEvents(1, &event); });
    entered.get_future().wait();
    recorder.disable();
    EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(call.get(), CL_SUCCESS);
    EXPECT_EQ(recorder.count(site_exit), 0U);
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

// Inside of a callback nothing waits: two that disable each other would wait for good.
TEST_F(TracingThreads, CallbacksDisableEachOther) {
    Recorder* first = nullptr;
    Recorder* second = nullptr;
    std::atomic<int> inside = 0;
    const auto disable_other = [&](Recorder*& other) {
        return [&](cl_uint, const CallbackData& data) {
            if (data.site == site_exit)
                return;
            ++inside;
            while (inside < 2)
                std::this_thread::yield();
            other->disable();
        };
    };
    Recorder one(device, disable_other(second));
    Recorder two(device, disable_other(first));
    first = &one;
    second = &two;
    one.enable({traced::get_device_info});
    two.enable({traced::get_context_info});
    auto call = std::async(std::launch::async, [&] { return ask(device); });
    cl_uint count = 0;
    EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(call.get(), CL_SUCCESS);
    EXPECT_EQ(one.count(site_enter) + two.count(site_enter), 2U);
}

TEST_F(TracingThreads, AThreadThatEndsInACallback) {
    Recorder recorder(device, [&](cl_uint, const CallbackData& data) {
        if (data.site == site_enter)
            pthread_exit(nullptr);
    });
    recorder.enable({traced::get_device_info});
    pthread_t thread{};
    const auto body = [](void* of) -> void* {
        ask(static_cast<cl_device_id>(of));
        return of; // not reached
    };
    ASSERT_EQ(pthread_create(&thread, nullptr, body, device), 0);
    void* result = &thread;
    ASSERT_EQ(pthread_join(thread, &result), 0);
    EXPECT_EQ(result, nullptr);
    recorder.disable(); // which would wait for a callback that never returned
    EXPECT_EQ(recorder.count(site_enter), 1U);
    EXPECT_EQ(recorder.count(site_exit), 0U);
}

// Callbacks, enabling, disabling and destroying at once; what has an entry alone was disabled in between.
TEST_F(TracingThreads, AllAtOnce) {
    std::atomic<bool> over = false;
    std::mutex lock;
    std::multiset<cl_uint> entered;
    std::multiset<cl_uint> left;
    std::vector<std::thread> callers;
    for (int i = 0; i < 2; ++i)
        callers.emplace_back([&] {
            while (!over)
                EXPECT_EQ(ask(device), CL_SUCCESS);
        });
    const auto keep_correlation = [&](cl_uint, const CallbackData& data) {
        const std::lock_guard guard(lock);
        (data.site == site_enter ? entered : left).insert(data.correlation_id);
    };
    for (int round = 0; round < 30; ++round) {
        Recorder recorder(device, keep_correlation);
        recorder.enable({traced::get_device_info});
        while (recorder.count(site_exit) < 3)
            std::this_thread::yield();
        if (round % 2 == 0)
            recorder.disable();
        recorder.destroy();
        const size_t then = recorder.count(site_enter);
        std::this_thread::yield();
        EXPECT_EQ(recorder.count(site_enter), then); // none comes after that
    }
    over = true;
    for (std::thread& caller : callers)
        caller.join();
    EXPECT_GE(left.size(), 90U);
    for (const cl_uint id : entered)
        EXPECT_EQ(entered.count(id), 1U);
    for (const cl_uint id : left)
        EXPECT_TRUE(left.count(id) == 1 && entered.count(id) == 1) << id;
}

// The child of a fork while another thread is in a callback: refused, and not traced.
TEST_F(TracingThreads, AForkWhileACallbackRuns) {
    Gate gate;
    Recorder recorder(device, [&](cl_uint, const CallbackData& data) { gate.pass(data); });
    recorder.enable({traced::get_device_info});
    auto call = std::async(std::launch::async, [&] { return ask(device); });
    gate.entered.get_future().wait();
    const pid_t child = fork();
    if (child == 0) {
        alarm(20); // instead of waiting for good
        const bool refused = ask(device) == CL_OUT_OF_RESOURCES &&
                             recorder.api.disable(recorder.handle) == CL_OUT_OF_RESOURCES;
        _exit(refused ? 0 : 1);
    }
    gate.may_return.set_value();
    EXPECT_EQ(call.get(), CL_SUCCESS);
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(recorder.count(site_exit), 1U);
}

} // namespace

} // namespace visor::opencl_test
