// A program that loads the platform's library itself, without the loader, and closes it: idle, with work in
// flight, and opens it again. It ends with 0 when all went on.
#include <CL/cl_icd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

void need(bool good, int line) {
    if (good)
        return;
    std::fprintf(stderr, "unload: line %d\n", line);
    _exit(1);
}

struct Opened {
    void* library = nullptr;
    cl_platform_id platform = nullptr;
    const cl_icd_dispatch* calls = nullptr;
};

Opened open_library() {
    Opened out;
    out.library = dlopen(VISOR_OPENCL, RTLD_NOW | RTLD_LOCAL);
    need(out.library != nullptr, __LINE__);
    const auto ask = reinterpret_cast<cl_int (*)(cl_uint, cl_platform_id*, cl_uint*)>(
        dlsym(out.library, "clIcdGetPlatformIDsKHR"));
    need(ask != nullptr && ask(1, &out.platform, nullptr) == CL_SUCCESS, __LINE__);
    out.calls =
        *reinterpret_cast<const cl_icd_dispatch* const*>(out.platform); // the first word of any handle
    return out;
}

struct Work {
    cl_command_queue queue = nullptr;
    cl_kernel kernel = nullptr;
    cl_mem memory = nullptr;
    static constexpr size_t items = 1 << 16;
};

Work make(const Opened& opened) {
    const cl_icd_dispatch& cl = *opened.calls;
    Work out;
    cl_device_id device = nullptr;
    cl_int code = cl.clGetDeviceIDs(opened.platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    need(code == CL_SUCCESS, __LINE__);
    const cl_context context = cl.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    out.queue = cl.clCreateCommandQueue(context, device, 0, &code);
    std::ifstream file(std::string(VISOR_ZEBINS) + "saxpy.skl.zebin", std::ios::binary);
    const std::string binary{std::istreambuf_iterator<char>(file), {}};
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
    const size_t length = binary.size();
    const cl_program program =
        cl.clCreateProgramWithBinary(context, 1, &device, &length, &bytes, nullptr, &code);
    need(cl.clBuildProgram(program, 1, &device, "", nullptr, nullptr) == CL_SUCCESS, __LINE__);
    out.kernel = cl.clCreateKernel(program, "saxpy", &code);
    std::vector<float> ones(Work::items, 1.0F);
    out.memory =
        cl.clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, Work::items * sizeof(float), ones.data(), &code);
    need(code == CL_SUCCESS, __LINE__);
    const float a = 1; // y = y + y
    const cl_int n = Work::items;
    need(cl.clSetKernelArg(out.kernel, 0, sizeof(cl_mem), static_cast<const void*>(&out.memory)) ==
             CL_SUCCESS,
         __LINE__);
    need(cl.clSetKernelArg(out.kernel, 1, sizeof(cl_mem), static_cast<const void*>(&out.memory)) ==
             CL_SUCCESS,
         __LINE__);
    need(cl.clSetKernelArg(out.kernel, 2, sizeof a, &a) == CL_SUCCESS, __LINE__);
    need(cl.clSetKernelArg(out.kernel, 3, sizeof n, &n) == CL_SUCCESS, __LINE__);
    return out;
}

void launch(const Opened& opened, const Work& work, int times) {
    for (int i = 0; i < times; ++i)
        need(opened.calls->clEnqueueNDRangeKernel(work.queue, work.kernel, 1, nullptr, &Work::items, nullptr,
                                                  0, nullptr, nullptr) == CL_SUCCESS,
             __LINE__);
}

float first(const Opened& opened, const Work& work) {
    float value = -1;
    need(opened.calls->clEnqueueReadBuffer(work.queue, work.memory, CL_TRUE, 0, sizeof value, &value, 0,
                                           nullptr, nullptr) == CL_SUCCESS,
         __LINE__);
    return value;
}

} // namespace

int main(int count, char** words) {
    const std::string_view how = count > 1 ? words[1] : "";
    setenv("OCL_ICD_VENDORS", "/nowhere", 1);
    const Opened opened = open_library();
    const Work work = make(opened);
    if (how == "idle") {
        launch(opened, work, 3);
        need(first(opened, work) == 8, __LINE__);
        need(dlclose(opened.library) == 0, __LINE__);
        usleep(50'000); // threads that idle wake up and wait again
        return 0;
    }
    launch(opened, work, 100); // 2^100
    need(dlclose(opened.library) == 0, __LINE__);
    if (how == "busy") { // the process ends with the work in flight
        usleep(20'000);
        return 0;
    }
    const Opened again = open_library();
    need(again.platform == opened.platform, __LINE__); // it was never gone
    need(first(again, work) == 0x1p100F, __LINE__);
    const Work other = make(again);
    launch(again, other, 2);
    need(first(again, other) == 4, __LINE__);
    need(dlclose(again.library) == 0, __LINE__);
    return 0;
}
