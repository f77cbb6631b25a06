// How objects end: who holds them until then, their destructor callbacks, and handles that are used
// afterwards.
#include "lives.h"

#include <array>
#include <future>
#include <string>

namespace visor::opencl_test {

namespace {

std::string& told() {
    static std::string all;
    return all;
}
// Destructor callbacks: each adds its letter.
template <char letter>
void CL_CALLBACK tell_memory(cl_mem memory, void* /*data*/) {
    told() += letter;
    EXPECT_EQ(clRetainMemObject(memory), CL_INVALID_MEM_OBJECT); // it is too late
    EXPECT_EQ(clReleaseMemObject(memory), CL_INVALID_MEM_OBJECT);
}
template <char letter>
void CL_CALLBACK tell_context(cl_context context, void* /*data*/) {
    told() += letter;
    EXPECT_EQ(clRetainContext(context), CL_INVALID_CONTEXT);
    EXPECT_EQ(clReleaseContext(context), CL_INVALID_CONTEXT);
    cl_int code = CL_SUCCESS;
    EXPECT_EQ(clCreateBuffer(context, 0, 64, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_CONTEXT);
}

class LivesEnd : public Lives {
protected:
    void SetUp() override {
        Lives::SetUp();
        told().clear();
    }
};

// ---- destructor callbacks

TEST_F(LivesEnd, CallbacksComeOnceAndLastFirst) {
    const cl_mem whole = buffer();
    const cl_mem part = part_of(whole);
    EXPECT_EQ(clSetMemObjectDestructorCallback(whole, tell_memory<'a'>, nullptr), CL_SUCCESS);
    EXPECT_EQ(clSetMemObjectDestructorCallback(whole, tell_memory<'b'>, nullptr), CL_SUCCESS);
    EXPECT_EQ(clSetMemObjectDestructorCallback(part, tell_memory<'p'>, nullptr), CL_SUCCESS);
    EXPECT_EQ(clSetContextDestructorCallback(context, tell_context<'x'>, nullptr), CL_SUCCESS);
    ASSERT_EQ(clReleaseMemObject(whole), CL_SUCCESS);
    revive(asked<cl_mem>(part, CL_MEM_ASSOCIATED_MEMOBJECT));
    EXPECT_EQ(clSetMemObjectDestructorCallback(whole, tell_memory<'c'>, nullptr), CL_SUCCESS);
    ASSERT_EQ(clReleaseContext(context), CL_SUCCESS);
    revive(asked<cl_context>(whole, CL_MEM_CONTEXT));
    EXPECT_EQ(clSetContextDestructorCallback(context, tell_context<'y'>, nullptr), CL_SUCCESS);
    EXPECT_EQ(told(), "");
    EXPECT_EQ(clReleaseMemObject(part), CL_SUCCESS);
    EXPECT_EQ(told(), "pcbayx"); // the part, what it held, what that held
    expect_ended(whole);
    expect_ended(context);
    EXPECT_EQ(told(), "pcbayx");
}

TEST_F(LivesEnd, CallbacksWaitForTheReferenceOfARevivedObject) {
    const cl_mem whole = buffer();
    const cl_mem part = part_of(whole);
    EXPECT_EQ(clSetMemObjectDestructorCallback(whole, tell_memory<'a'>, nullptr), CL_SUCCESS);
    ASSERT_EQ(clReleaseMemObject(whole), CL_SUCCESS);
    EXPECT_EQ(clRetainMemObject(whole), CL_SUCCESS); // and kept: it outlives its part now
    EXPECT_EQ(clReleaseMemObject(part), CL_SUCCESS);
    EXPECT_EQ(told(), "");
    EXPECT_EQ(references(whole), 1U);
    const cl_command_queue on = queue();
    use(on, whole);
    EXPECT_EQ(clReleaseMemObject(whole), CL_SUCCESS);
    EXPECT_EQ(told(), "a");
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

// ---- what commands hold

TEST_F(LivesEnd, CommandsHoldQueueKernelAndMemory) {
    const cl_command_queue on = queue();
    const cl_program of = program();
    const cl_kernel kernel = kernel_of(of);
    const cl_mem memory = buffer(64);
    EXPECT_EQ(clSetMemObjectDestructorCallback(memory, tell_memory<'a'>, nullptr), CL_SUCCESS);
    const cl_event gate = user_event();
    const cl_int value = 3;
    const size_t items = 16;
    cl_event launched = nullptr;
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof memory, &memory), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof value, &value), CL_SUCCESS);
    EXPECT_EQ(clEnqueueNDRangeKernel(on, kernel, 1, nullptr, &items, nullptr, 1, &gate, &launched),
              CL_SUCCESS);
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clReleaseProgram(of), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    revive(kernel);
    revive(of);
    revive(memory);
    revive(on);
    revive(context);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &launched), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
    EXPECT_EQ(told(), "a"); // let go of before the event is complete
    expect_ended(kernel);
    expect_ended(of);
    expect_ended(memory);
    EXPECT_EQ(clReleaseEvent(launched), CL_SUCCESS);
}

// It never runs, so it uses nothing, however long its event is kept.
TEST_F(LivesEnd, CommandsWhoseWaitListFailedLetGo) {
    const cl_command_queue on = queue();
    const cl_mem memory = buffer(64);
    EXPECT_EQ(clSetMemObjectDestructorCallback(memory, tell_memory<'a'>, nullptr), CL_SUCCESS);
    const cl_event gate = user_event();
    const cl_int zero = 0;
    std::array<cl_event, 2> filled{};
    for (cl_event& event : filled)
        EXPECT_EQ(clEnqueueFillBuffer(on, memory, &zero, sizeof zero, 0, 64, 1, &gate, &event), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(gate, -1), CL_SUCCESS);
    EXPECT_EQ(told(), "a");
    expect_ended(memory);
    for (const cl_event event : filled) {
        EXPECT_LT(asked<cl_int>(event, CL_EVENT_COMMAND_EXECUTION_STATUS), 0);
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    }
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST_F(LivesEnd, WhatWaitsForAUserEventHoldsIt) {
    const cl_command_queue on = queue();
    const cl_event gate = user_event();
    cl_event after = nullptr;
    EXPECT_EQ(clEnqueueMarkerWithWaitList(on, 1, &gate, &after), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
    revive(gate);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &after), CL_SUCCESS);
    EXPECT_EQ(clFinish(on), CL_SUCCESS);
    expect_ended(gate);
    EXPECT_EQ(clReleaseEvent(after), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

// A kernel holds none of its arguments: a launch needs new ones, also when another object has the address.
TEST_F(LivesEnd, KernelArgumentsAreNotTakenForTheirSuccessors) {
    const cl_command_queue on = queue();
    const cl_program of = program();
    const cl_kernel kernel = kernel_of(of);
    const cl_int value = 3;
    EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof value, &value), CL_SUCCESS);
    const cl_mem first = buffer(64);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof first, &first), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(first), CL_SUCCESS);
    cl_mem second = buffer(64);
    for (int i = 0; i < 1'000'000 && second != first; ++i) {
        EXPECT_EQ(clReleaseMemObject(second), CL_SUCCESS);
        second = buffer(64);
    }
    ASSERT_EQ(second, first) << "no successor: the test shows nothing";
    const size_t items = 16;
    EXPECT_EQ(clEnqueueNDRangeKernel(on, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
              CL_INVALID_KERNEL_ARGS);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof second, &second), CL_SUCCESS);
    EXPECT_EQ(clEnqueueNDRangeKernel(on, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clFinish(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(second), CL_SUCCESS);
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clReleaseProgram(of), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

// ---- what callbacks are given

TEST_F(LivesEnd, CallbacksMayKeepWhatTheyAreGiven) {
    const cl_command_queue on = queue();
    cl_event event = nullptr;
    const cl_event gate = user_event();
    EXPECT_EQ(clEnqueueMarkerWithWaitList(on, 1, &gate, &event), CL_SUCCESS);
    const cl_event over = user_event();
    EXPECT_EQ(clSetEventCallback(
                  event, CL_COMPLETE,
                  [](cl_event done, cl_int, void* data) {
                      revive(done);
                      EXPECT_EQ(clRetainEvent(done), CL_SUCCESS);
                      EXPECT_EQ(clSetUserEventStatus(static_cast<cl_event>(data), CL_COMPLETE), CL_SUCCESS);
                  },
                  over),
              CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &over), CL_SUCCESS);
    EXPECT_EQ(references(event), 1U); // the callback's
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(over), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST_F(LivesEnd, ABuildHoldsItsProgram) {
    struct Steps {
        std::promise<void> released;
        std::promise<void> over;
    } steps;
    const cl_program of =
        made(clCreateProgramWithSource(context, 1, const_cast<const char**>(&put_text), nullptr, &code));
    EXPECT_EQ(clBuildProgram(
                  of, 1, &device, "",
                  [](cl_program done, void* data) {
                      auto& wanted = *static_cast<Steps*>(data);
                      wanted.released.get_future().wait();
                      revive(done);
                      EXPECT_EQ(asked<size_t>(done, CL_PROGRAM_NUM_KERNELS), 1U);
                      wanted.over.set_value();
                  },
                  &steps),
              CL_SUCCESS);
    EXPECT_EQ(clReleaseProgram(of), CL_SUCCESS);
    steps.released.set_value();
    steps.over.get_future().wait();
    expect_ended(of);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

// ---- handles that are released too often

constexpr int many = 30;

template <class T>
void release_twice(const std::array<T, many>& all) {
    for (const T one : all)
        EXPECT_EQ(Calls<T>::release(one), CL_SUCCESS);
    for (const T one : all)
        expect_ended(one);
}
template <class Make>
auto thirty(Make make) {
    std::array<decltype(make()), many> out{};
    for (auto& one : out)
        one = make();
    return out;
}

TEST_F(LivesEnd, SecondReleasesAreRefused) {
    const cl_program of = program();
    release_twice(thirty([&] { return sampler(); }));
    release_twice(thirty([&] { return buffer(); }));
    release_twice(thirty([&] { return image(CL_MEM_OBJECT_IMAGE2D, nullptr); }));
    release_twice(thirty([&] { return queue(); }));
    release_twice(thirty([&] { return user_event(); }));
    release_twice(thirty([&] { return kernel_of(of); }));
    const cl_mem whole = buffer();
    release_twice(thirty([&] { return part_of(whole); }));
    for (const auto type :
         {cl_mem_object_type{CL_MEM_OBJECT_IMAGE1D_BUFFER}, cl_mem_object_type{CL_MEM_OBJECT_IMAGE2D}})
        release_twice(thirty([&] { return image(type, whole); }));
    const cl_mem plane = image(CL_MEM_OBJECT_IMAGE2D, nullptr);
    release_twice(thirty([&] { return image(CL_MEM_OBJECT_IMAGE2D, plane); }));
    const cl_kernel kernel = kernel_of(of);
    release_twice(thirty([&] { return made(clCloneKernel(kernel, &code)); }));
    const cl_command_queue on = queue();
    release_twice(thirty([&] {
        cl_event event = nullptr;
        EXPECT_EQ(clEnqueueMarkerWithWaitList(on, 0, nullptr, &event), CL_SUCCESS);
        EXPECT_EQ(clFinish(on), CL_SUCCESS);
        return event;
    }));
    const cl_program part =
        made(clCreateProgramWithSource(context, 1, const_cast<const char**>(&put_text), nullptr, &code));
    EXPECT_EQ(clCompileProgram(part, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
    release_twice(thirty(
        [&] { return made(clLinkProgram(context, 0, nullptr, "", 1, &part, nullptr, nullptr, &code)); }));
    EXPECT_EQ(clReleaseProgram(part), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(whole), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(plane), CL_SUCCESS);
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    release_twice(thirty([&] {
        return made(
            clCreateProgramWithSource(context, 1, const_cast<const char**>(&put_text), nullptr, &code));
    }));
    release_twice(
        thirty([&] { return made(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code)); }));
    EXPECT_EQ(clReleaseProgram(of), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

// Calls that are given the handle of an ended object say so.
TEST_F(LivesEnd, EndedObjectsAreRefusedAsArguments) {
    const cl_command_queue on = queue();
    const cl_mem memory = buffer();
    const cl_event gate = user_event();
    const cl_program of = program();
    const cl_kernel kernel = kernel_of(of);
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof memory, &memory), CL_INVALID_MEM_OBJECT);
    cl_int value = 0;
    EXPECT_EQ(clEnqueueReadBuffer(on, memory, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr),
              CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clEnqueueMarkerWithWaitList(on, 1, &gate, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(clWaitForEvents(1, &gate), CL_INVALID_EVENT);
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clReleaseProgram(of), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clCreateKernel(of, "put", &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_PROGRAM);
    EXPECT_EQ(clFinish(on), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    EXPECT_EQ(clCreateBuffer(context, 0, 64, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_CONTEXT);
}

} // namespace

} // namespace visor::opencl_test
