// An application that uses unified shared memory as its first word says: well, or in one of the ways that
// only a check finds. Prints what its last call said.
#include "usm.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace {

using visor::opencl_test::Usm;

constexpr const char* text = "typedef struct { global int* p; } box;\n"
                             "kernel void add(global int* a, int n) { a[get_global_id(0)] += n; }\n"
                             "kernel void follow(global const box* b) { b->p[get_global_id(0)] += 7; }\n";
constexpr size_t items = 16;
constexpr size_t bytes = 4096;

struct Application {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_program program = nullptr;
    cl_int code = CL_SUCCESS;

    Application() {
        clGetPlatformIDs(1, &platform, nullptr);
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, nullptr);
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        queue = clCreateCommandQueue(context, device, 0, &code);
        program = clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, &code);
        clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    }
    ~Application() {
        clReleaseProgram(program);
        clReleaseCommandQueue(queue);
        clReleaseContext(context);
    }
    Application(const Application&) = delete;
    Application& operator=(const Application&) = delete;
    Application(Application&&) = delete;
    Application& operator=(Application&&) = delete;

    cl_int run(cl_kernel kernel) {
        const cl_int enqueued =
            clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
        return enqueued != CL_SUCCESS ? enqueued : clFinish(queue);
    }

    const char* source = text;
};

// A box in host memory that leads to 16 numbers in device memory.
struct Box {
    explicit Box(Application& of, const Usm& with)
        : usm(with), place(static_cast<void**>(usm.host(of.context, nullptr, 8, 0, &of.code))),
          numbers(usm.device(of.context, of.device, nullptr, bytes, 0, &of.code)),
          kernel(clCreateKernel(of.program, "follow", &of.code)) {
        const cl_int zero = 0;
        *place = numbers;
        usm.fill(of.queue, numbers, &zero, 4, bytes, 0, nullptr, nullptr);
        usm.set_argument(kernel, 0, place);
    }
    const Usm& usm;
    void** place;
    void* numbers;
    cl_kernel kernel;
};

cl_int follow(Application& app, const Usm& usm, std::string_view what) {
    Box box(app, usm);
    const cl_bool yes = CL_TRUE;
    if (what == "declared by kind")
        clSetKernelExecInfo(box.kernel, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof yes, &yes);
    if (what == "declared as another kind")
        clSetKernelExecInfo(box.kernel, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof yes, &yes);
    if (what == "declared by pointer") {
        const void* inside = static_cast<std::byte*>(box.numbers) + 100;
        clSetKernelExecInfo(box.kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof(void*), &inside);
    }
    if (what == "followed after free")
        usm.free(app.context, box.numbers);
    const cl_int code = app.run(box.kernel);
    usm.free(app.context, box.place);
    if (what != "followed after free")
        usm.free(app.context, box.numbers);
    clReleaseKernel(box.kernel);
    return code;
}

cl_int other_context(Application& app, const Usm& usm, bool as_argument) {
    const cl_context second = clCreateContext(nullptr, 1, &app.device, nullptr, nullptr, &app.code);
    void* const foreign = usm.shared(second, app.device, nullptr, bytes, 0, &app.code);
    void* const own = usm.shared(app.context, app.device, nullptr, bytes, 0, &app.code);
    const cl_kernel kernel = clCreateKernel(app.program, "add", &app.code);
    const cl_int code = as_argument ? usm.set_argument(kernel, 0, foreign)
                                    : usm.copy(app.queue, CL_TRUE, own, foreign, 64, 0, nullptr, nullptr);
    clReleaseKernel(kernel);
    usm.free(app.context, own);
    usm.free(second, foreign);
    clReleaseContext(second);
    return code;
}

cl_int after_free(Application& app, const Usm& usm, std::string_view what) {
    void* const memory = usm.shared(app.context, app.device, nullptr, bytes, 0, &app.code);
    const cl_kernel kernel = clCreateKernel(app.program, "add", &app.code);
    std::array<int, 16> own{};
    const bool before = what == "argument freed later";
    if (before)
        usm.set_argument(kernel, 0, memory);
    clSetKernelArg(kernel, 1, sizeof(int), own.data());
    usm.free(app.context, memory);
    cl_int code = CL_SUCCESS;
    if (before)
        code = app.run(kernel);
    else if (what == "freed twice")
        code = usm.free(app.context, memory);
    else if (what == "argument after free")
        code = usm.set_argument(kernel, 0, memory);
    else if (what == "copy after free")
        code = usm.copy(app.queue, CL_TRUE, own.data(), memory, 64, 0, nullptr, nullptr);
    else
        code = usm.set(app.queue, memory, 1, 64, 0, nullptr, nullptr);
    clReleaseKernel(kernel);
    return code;
}

cl_int outside(Application& app, const Usm& usm, bool as_argument) {
    void* const memory = usm.shared(app.context, app.device, nullptr, bytes, 0, &app.code);
    std::array<std::byte, 5000> own{};
    const cl_kernel kernel = clCreateKernel(app.program, "add", &app.code);
    const cl_int code =
        as_argument ? usm.set_argument(kernel, 0, own.data())
                    : usm.copy(app.queue, CL_TRUE, own.data(), memory, own.size(), 0, nullptr, nullptr);
    clReleaseKernel(kernel);
    usm.free(app.context, memory);
    return code;
}

// Memory given to calls that know nothing of it.
cl_int through_buffers(Application& app, const Usm& usm, std::string_view what) {
    void* const memory = usm.shared(app.context, app.device, nullptr, bytes, 0, &app.code);
    const cl_mem buffer = clCreateBuffer(app.context, CL_MEM_READ_WRITE, 64, nullptr, &app.code);
    cl_int code = CL_SUCCESS;
    if (what == "freed by the other call") {
        clSVMFree(app.context, memory);
    } else if (what == "buffer past the end") {
        clCreateBuffer(app.context, CL_MEM_USE_HOST_PTR, 5000, memory, &code);
    } else {
        usm.free(app.context, memory);
        code = clEnqueueReadBuffer(app.queue, buffer, CL_TRUE, 0, 64, memory, 0, nullptr, nullptr);
    }
    if (what != "read into freed memory")
        usm.free(app.context, memory);
    clReleaseMemObject(buffer);
    return code;
}

cl_int touch(Application& app, const Usm& usm, std::string_view what) {
    auto* const memory =
        static_cast<volatile int*>(what == "host touches shared memory"
                                       ? usm.shared(app.context, app.device, nullptr, bytes, 0, &app.code)
                                       : usm.device(app.context, app.device, nullptr, bytes, 0, &app.code));
    auto* const plain = const_cast<int*>(memory);
    const int one = 1;
    usm.fill(app.queue, plain, &one, 4, bytes, 0, nullptr, nullptr);
    clFinish(app.queue);
    const bool writes = what == "host writes device memory";
    if (writes)
        memory[3] = 5;
    else if (what != "device memory is left alone")
        std::printf("%d\n", memory[3]);
    int back = 0;
    const cl_int code = usm.copy(app.queue, CL_TRUE, &back, plain + 3, 4, 0, nullptr, nullptr);
    std::printf("%d\n", back);
    usm.free(app.context, plain);
    return code;
}

cl_int play(Application& app, const Usm& usm, std::string_view what) {
    if (what.starts_with("declared") || what == "not declared" || what == "followed after free")
        return follow(app, usm, what);
    if (what.starts_with("other context"))
        return other_context(app, usm, what.ends_with("argument"));
    if (what == "copy past the end" || what == "argument of the stack")
        return outside(app, usm, what.starts_with("argument"));
    if (what == "read into freed memory" || what == "buffer past the end" ||
        what == "freed by the other call")
        return through_buffers(app, usm, what);
    if (what.starts_with("host") || what.starts_with("device"))
        return touch(app, usm, what);
    return after_free(app, usm, what);
}

} // namespace

int main(int count, char** words) {
    Application app;
    const Usm usm(app.platform);
    const cl_int code = play(app, usm, count > 1 ? words[1] : "");
    std::printf("code %d\n", code);
    return 0;
}
