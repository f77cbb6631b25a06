// An object that the application has released lives on in those that hold it. The application gets its handle
// back from them: each query that gives a handle, and what can be done with it then.
#include "lives.h"

#include <array>
#include <bit>

namespace visor::opencl_test {

namespace {

TEST_F(Lives, ContextOfAQueue) {
    const cl_command_queue on = queue();
    expect_context_lives(on, CL_QUEUE_CONTEXT);
    const cl_mem memory = buffer();
    use(on, memory);
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    expect_ended(context);
}

TEST_F(Lives, ContextOfABuffer) {
    const cl_mem memory = buffer();
    expect_context_lives(memory, CL_MEM_CONTEXT);
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    expect_ended(context);
}

TEST_F(Lives, ContextOfASubBuffer) {
    const cl_mem whole = buffer();
    const cl_mem part = part_of(whole);
    EXPECT_EQ(clReleaseMemObject(whole), CL_SUCCESS);
    expect_context_lives(part, CL_MEM_CONTEXT);
    EXPECT_EQ(clReleaseMemObject(part), CL_SUCCESS);
    expect_ended(context);
}

TEST_F(Lives, ContextOfAnImage) {
    const cl_mem memory = image(CL_MEM_OBJECT_IMAGE2D, nullptr);
    expect_context_lives(memory, CL_MEM_CONTEXT);
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    expect_ended(context);
}

TEST_F(Lives, ContextOfASampler) {
    const cl_sampler of = sampler();
    expect_context_lives(of, CL_SAMPLER_CONTEXT);
    EXPECT_EQ(clReleaseSampler(of), CL_SUCCESS);
    expect_ended(context);
}

TEST_F(Lives, ContextOfAUserEvent) {
    const cl_event event = user_event();
    expect_context_lives(event, CL_EVENT_CONTEXT);
    EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    expect_ended(context);
}

TEST_F(Lives, ContextOfAProgram) {
    const cl_program of = program();
    expect_context_lives(of, CL_PROGRAM_CONTEXT);
    EXPECT_EQ(clBuildProgram(of, 1, &device, "", nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clReleaseProgram(of), CL_SUCCESS);
    expect_ended(context);
}

TEST_F(Lives, ContextAndQueueOfACommandsEvent) {
    const cl_command_queue on = queue();
    cl_event event = nullptr;
    ASSERT_EQ(clEnqueueMarkerWithWaitList(on, 0, nullptr, &event), CL_SUCCESS);
    ASSERT_EQ(clFinish(on), CL_SUCCESS);
    ASSERT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    const auto found = asked<cl_command_queue>(event, CL_EVENT_COMMAND_QUEUE);
    ASSERT_EQ(found, on);
    revive(found);
    expect_context_lives(event, CL_EVENT_CONTEXT);
    const cl_mem memory = buffer();
    use(found, memory);
    EXPECT_EQ(clFinish(found), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    expect_ended(on);
    expect_ended(context);
}

TEST_F(Lives, ProgramAndContextOfAKernel) {
    const cl_program of = program();
    const cl_kernel kernel = kernel_of(of);
    ASSERT_EQ(clReleaseProgram(of), CL_SUCCESS);
    const auto found = asked<cl_program>(kernel, CL_KERNEL_PROGRAM);
    ASSERT_EQ(found, of);
    revive(found);
    use(found);
    expect_context_lives(kernel, CL_KERNEL_CONTEXT);
    use(kernel);
    const cl_kernel copy = made(clCloneKernel(kernel, &code));
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    revive(asked<cl_program>(copy, CL_KERNEL_PROGRAM));
    EXPECT_EQ(clReleaseKernel(copy), CL_SUCCESS);
    expect_ended(kernel);
    expect_ended(of);
    expect_ended(context);
}

// As OpenVINO and PyOpenCL do it.
TEST_F(Lives, KernelOutlivesItsProgramsLastRelease) {
    const cl_program of = program();
    const cl_kernel kernel = kernel_of(of);
    ASSERT_EQ(clReleaseProgram(of), CL_SUCCESS);
    const cl_mem memory = buffer(64);
    for (int i = 0; i < 3; ++i) {
        const auto owner = asked<cl_program>(kernel, CL_KERNEL_PROGRAM);
        EXPECT_EQ(clRetainProgram(owner), CL_SUCCESS) << i;
        EXPECT_EQ(clReleaseProgram(owner), CL_SUCCESS) << i;
        EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof memory, &memory), CL_SUCCESS) << i;
    }
    use(kernel);
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    expect_ended(of);
}

TEST_F(Lives, WholeOfASubBuffer) {
    const cl_command_queue on = queue();
    const cl_mem whole = buffer();
    const cl_mem part = part_of(whole);
    ASSERT_EQ(clReleaseMemObject(whole), CL_SUCCESS);
    const auto found = asked<cl_mem>(part, CL_MEM_ASSOCIATED_MEMOBJECT);
    ASSERT_EQ(found, whole);
    revive(found);
    use(on, found);
    const cl_mem second = part_of(found);
    EXPECT_EQ(clReleaseMemObject(part), CL_SUCCESS);
    revive(asked<cl_mem>(second, CL_MEM_ASSOCIATED_MEMOBJECT));
    EXPECT_EQ(clReleaseMemObject(second), CL_SUCCESS);
    expect_ended(whole);
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST_F(Lives, BufferOfAnImage) {
    const cl_command_queue on = queue();
    for (const auto type :
         {cl_mem_object_type{CL_MEM_OBJECT_IMAGE1D_BUFFER}, cl_mem_object_type{CL_MEM_OBJECT_IMAGE2D}}) {
        const cl_mem memory = buffer();
        const cl_mem shown = image(type, memory);
        ASSERT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
        ASSERT_EQ(asked<cl_mem>(shown, CL_MEM_ASSOCIATED_MEMOBJECT), memory);
        cl_mem found = nullptr;
        EXPECT_EQ(clGetImageInfo(shown, CL_IMAGE_BUFFER, sizeof found, &found, nullptr), CL_SUCCESS);
        ASSERT_EQ(found, memory);
        revive(found);
        use(on, found);
        EXPECT_EQ(clReleaseMemObject(shown), CL_SUCCESS);
        expect_ended(memory);
    }
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST_F(Lives, ImageOfAnImage) {
    const cl_mem first = image(CL_MEM_OBJECT_IMAGE2D, nullptr);
    const cl_mem second = image(CL_MEM_OBJECT_IMAGE2D, first);
    ASSERT_EQ(clReleaseMemObject(first), CL_SUCCESS);
    const auto found = asked<cl_mem>(second, CL_MEM_ASSOCIATED_MEMOBJECT);
    ASSERT_EQ(found, first);
    revive(found);
    size_t width = 0;
    EXPECT_EQ(clGetImageInfo(found, CL_IMAGE_WIDTH, sizeof width, &width, nullptr), CL_SUCCESS);
    EXPECT_EQ(width, 16U);
    EXPECT_EQ(clReleaseMemObject(second), CL_SUCCESS);
    expect_ended(first);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

// Platform and root device never end, and references to a root device count nothing.
TEST_F(Lives, DevicesAndPlatformStay) {
    const cl_command_queue on = queue();
    const cl_program of =
        made(clCreateProgramWithSource(context, 1, const_cast<const char**>(&put_text), nullptr, &code));
    for (const cl_device_id found :
         {asked<cl_device_id>(on, CL_QUEUE_DEVICE), asked<cl_device_id>(context, CL_CONTEXT_DEVICES),
          asked<cl_device_id>(of, CL_PROGRAM_DEVICES)}) {
        ASSERT_EQ(found, device);
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(clRetainDevice(found), CL_SUCCESS);
        for (int i = 0; i < 6; ++i)
            EXPECT_EQ(clReleaseDevice(found), CL_SUCCESS);
        cl_uint count = 0;
        EXPECT_EQ(clGetDeviceInfo(found, CL_DEVICE_REFERENCE_COUNT, sizeof count, &count, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(count, 1U);
    }
    cl_platform_id home = nullptr;
    EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof home, &home, nullptr), CL_SUCCESS);
    EXPECT_EQ(home, platform());
    cl_device_id parent = device;
    EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, nullptr), CL_SUCCESS);
    EXPECT_EQ(parent, nullptr);
    EXPECT_EQ(asked<cl_command_queue>(on, CL_QUEUE_DEVICE_DEFAULT), nullptr);
    EXPECT_EQ(clReleaseProgram(of), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(on), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    use(context = made(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code)));
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST_F(Lives, PlatformOfAContextsProperties) {
    const std::array<cl_context_properties, 3> given{CL_CONTEXT_PLATFORM,
                                                     reinterpret_cast<cl_context_properties>(platform()), 0};
    const cl_context other = made(clCreateContext(given.data(), 1, &device, nullptr, nullptr, &code));
    std::array<cl_context_properties, 3> told{};
    EXPECT_EQ(clGetContextInfo(other, CL_CONTEXT_PROPERTIES, sizeof told, told.data(), nullptr), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
    cl_uint devices = 0;
    EXPECT_EQ(
        clGetDeviceIDs(std::bit_cast<cl_platform_id>(told[1]), CL_DEVICE_TYPE_ALL, 0, nullptr, &devices),
        CL_SUCCESS);
    EXPECT_EQ(devices, 1U);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

} // namespace

} // namespace visor::opencl_test
