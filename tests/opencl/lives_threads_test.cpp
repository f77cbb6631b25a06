// Several threads revive, use and release one object while its owner lets go of it.
#include "lives.h"

#include <atomic>
#include <barrier>
#include <thread>

namespace visor::opencl_test {

namespace {

constexpr int threads = 4;

template <class Body>
void at_once(Body body) {
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i)
        all.emplace_back(body, i);
    for (std::thread& one : all)
        one.join();
}

class LivesThreads : public Lives {
protected:
    static void CL_CALLBACK count(cl_mem /*memory*/, void* data) { ++*static_cast<std::atomic<int>*>(data); }
    void expect(bool good) { wrong += good ? 0 : 1; }

    std::atomic<int> wrong{0};
};

// Each thread owns its kernel; the program and the context are nobody's but the kernels'.
TEST_F(LivesThreads, ReviveAProgramOfKernels) {
    constexpr int rounds = 2000;
    const cl_program of = program();
    std::vector<cl_kernel> kernels;
    for (int i = 0; i < threads; ++i)
        kernels.push_back(kernel_of(of));
    std::barrier start(threads + 1);
    std::thread owner([&] {
        start.arrive_and_wait();
        EXPECT_EQ(clReleaseProgram(of), CL_SUCCESS);
        EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    });
    at_once([&](int number) {
        const cl_kernel kernel = kernels[static_cast<size_t>(number)];
        start.arrive_and_wait();
        for (int i = 0; i < rounds; ++i) {
            cl_program found = nullptr;
            cl_context home = nullptr;
            size_t count = 0;
            expect(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof found, &found, nullptr) == CL_SUCCESS);
            expect(clRetainProgram(found) == CL_SUCCESS);
            expect(clGetProgramInfo(found, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr) ==
                   CL_SUCCESS);
            expect(clGetProgramInfo(found, CL_PROGRAM_CONTEXT, sizeof home, &home, nullptr) == CL_SUCCESS);
            expect(clRetainContext(home) == CL_SUCCESS);
            cl_int made = 0;
            const cl_mem memory = clCreateBuffer(home, 0, 64, nullptr, &made);
            expect(made == CL_SUCCESS && clReleaseMemObject(memory) == CL_SUCCESS);
            expect(clReleaseContext(home) == CL_SUCCESS);
            expect(clReleaseProgram(found) == CL_SUCCESS);
        }
        expect(clReleaseKernel(kernel) == CL_SUCCESS);
    });
    owner.join();
    EXPECT_EQ(wrong, 0);
    expect_ended(of);
    expect_ended(context);
}

// The last hold goes while others retain: who is refused finds the object ended, and nobody revives it.
TEST_F(LivesThreads, RetainAgainstTheLastHold) {
    constexpr int rounds = 300;
    std::atomic<int> ended{0};
    std::vector<cl_mem> wholes;
    std::vector<cl_mem> parts;
    for (int i = 0; i < rounds; ++i) {
        wholes.push_back(buffer(64));
        parts.push_back(part_of(wholes.back()));
        EXPECT_EQ(clSetMemObjectDestructorCallback(wholes.back(), count, &ended), CL_SUCCESS);
        EXPECT_EQ(clReleaseMemObject(wholes.back()), CL_SUCCESS);
    }
    std::barrier start(threads);
    at_once([&](int number) {
        for (size_t i = 0; i < rounds; ++i) {
            start.arrive_and_wait();
            if (number == 0) {
                expect(clReleaseMemObject(parts[i]) == CL_SUCCESS);
                continue;
            }
            // A few times: the threads could keep it alive for one another for good.
            for (int n = 0; n < 20; ++n) {
                const cl_int got = clRetainMemObject(wholes[i]);
                expect(got == CL_SUCCESS || got == CL_INVALID_MEM_OBJECT);
                if (got != CL_SUCCESS)
                    break;
                size_t bytes = 0;
                expect(clGetMemObjectInfo(wholes[i], CL_MEM_SIZE, sizeof bytes, &bytes, nullptr) ==
                       CL_SUCCESS);
                expect(bytes == 64);
                expect(clReleaseMemObject(wholes[i]) == CL_SUCCESS);
            }
        }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(ended, rounds);
    for (const cl_mem whole : wholes)
        expect_ended(whole);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    expect_ended(context);
}

// An event holds the queue; the threads have no references but those that they take and give back.
TEST_F(LivesThreads, UseAQueueWhileItsOwnerReleasesIt) {
    constexpr int rounds = 200;
    const cl_command_queue on = queue();
    const cl_event gate = user_event();
    cl_event last = nullptr;
    EXPECT_EQ(clEnqueueMarkerWithWaitList(on, 1, &gate, &last), CL_SUCCESS); // holds the queue
    std::barrier start(threads);
    at_once([&](int number) {
        start.arrive_and_wait();
        if (number == 0) {
            expect(clReleaseCommandQueue(on) == CL_SUCCESS);
            return;
        }
        for (int i = 0; i < rounds; ++i) {
            cl_command_queue found = nullptr;
            expect(clGetEventInfo(last, CL_EVENT_COMMAND_QUEUE, sizeof found, &found, nullptr) == CL_SUCCESS);
            expect(found == on && clRetainCommandQueue(found) == CL_SUCCESS);
            expect(clEnqueueMarkerWithWaitList(found, 0, nullptr, nullptr) == CL_SUCCESS);
            expect(clReleaseCommandQueue(found) == CL_SUCCESS);
        }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(references(on), 0U);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clFinish(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(last), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

} // namespace

} // namespace visor::opencl_test
