// A small application of OpenCL that knows nothing of Visor: it does what its first word says with the first
// device of the first platform, and ends with 0 when that went well. With a second word the kernel is
// recorded in a command buffer, and that enqueued twice.
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr const char* program_text =
    "kernel void good(global int* a) { a[get_global_id(0)] = 1; }\n"
    "kernel void fault(global int* a) { *(global int*)(ulong)(a[0] + 16) = 1; }\n"
    "kernel void race(global int* a) { local int l[64]; l[get_local_id(0)] = a[get_global_id(0)];\n"
    "  a[get_global_id(0)] = l[63 - get_local_id(0)]; }\n"
    "kernel void wide(global int* a, int v) { a[get_global_id(0)] = v; }\n"
    "kernel void order(global int* a) {\n"
    "  if (get_sub_group_local_id() == 0) a[1 + get_sub_group_id()] = atomic_inc(a); }\n"
    "kernel void endless(global volatile int* a) { while (a[0] == 0) { } }\n";

template <class Function>
Function named(cl_platform_id platform, const char* name) {
    return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
}

cl_int replay_twice(cl_platform_id platform, cl_command_queue queue, cl_kernel kernel, size_t size) {
    cl_int code = CL_SUCCESS;
    const cl_command_buffer_khr buffer =
        named<clCreateCommandBufferKHR_fn>(platform, "clCreateCommandBufferKHR")(1, &queue, nullptr, &code);
    code = named<clCommandNDRangeKernelKHR_fn>(platform, "clCommandNDRangeKernelKHR")(
        buffer, nullptr, nullptr, kernel, 1, nullptr, &size, &size, 0, nullptr, nullptr, nullptr);
    named<clFinalizeCommandBufferKHR_fn>(platform, "clFinalizeCommandBufferKHR")(buffer);
    const auto enqueue = named<clEnqueueCommandBufferKHR_fn>(platform, "clEnqueueCommandBufferKHR");
    for (int i = 0; i < 2 && code == CL_SUCCESS; ++i)
        code = enqueue(0, nullptr, buffer, 0, nullptr, nullptr);
    named<clReleaseCommandBufferKHR_fn>(platform, "clReleaseCommandBufferKHR")(buffer);
    return code;
}

int launch(cl_context context, cl_command_queue queue, cl_kernel kernel, cl_int first) {
    cl_int code = CL_SUCCESS;
    const cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 256, nullptr, &code);
    clEnqueueFillBuffer(queue, memory, &first, 4, 0, 256, 0, nullptr, nullptr);
    clSetKernelArg(kernel, 0, sizeof memory, &memory);
    const size_t size = 64;
    code = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, &size, 0, nullptr, nullptr);
    clFinish(queue);
    clReleaseMemObject(memory);
    return code == CL_SUCCESS ? 0 : 11;
}

// Two programs whose kernels have the same name; the second one's races, twice.
int run_alike(cl_context context, cl_device_id device, cl_command_queue queue) {
    int result = 0;
    for (const char* text :
         {"kernel void alike(global int* a) { a[get_global_id(0)] = 1; }\n",
          "kernel void alike(global int* a) { local int l[64]; l[get_local_id(0)] = a[get_global_id(0)];\n"
          "  a[get_global_id(0)] = l[63 - get_local_id(0)]; }\n"}) {
        cl_int code = CL_SUCCESS;
        const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
        clBuildProgram(program, 1, &device, "", nullptr, nullptr);
        const cl_kernel kernel = clCreateKernel(program, "alike", &code);
        for (cl_int round = 0; round < 2; ++round)
            result = std::max(result, launch(context, queue, kernel, round));
        clReleaseKernel(kernel);
        clReleaseProgram(program);
    }
    return result;
}

// As an application's own cache does.
bool save(cl_program program, const std::string& path) {
    size_t bytes = 0;
    clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr);
    std::string binary(bytes, '\0');
    char* into = binary.data();
    clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof into, &into, nullptr);
    std::ofstream file(path, std::ios::binary);
    file << binary;
    return file.good();
}
cl_program load(cl_context context, cl_device_id device, const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string binary{std::istreambuf_iterator<char>(file), {}};
    const size_t bytes = binary.size();
    const auto* from = reinterpret_cast<const unsigned char*>(binary.data());
    cl_int code = CL_SUCCESS;
    const cl_program program = clCreateProgramWithBinary(context, 1, &device, &bytes, &from, nullptr, &code);
    clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    return program;
}

int run(std::string_view what, bool recorded) {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_uint platforms = 0;
    clGetPlatformIDs(1, &platform, &platforms);
    cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, nullptr);
    if (platforms != 1 || code != CL_SUCCESS)
        return 10;
    const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    const char* text = program_text;
    cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
    code = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    if (what == "early") { // another build, of what is in no cache, goes on while the process ends
        const std::string other = "kernel void k(global int* a) { *a = " + std::to_string(getpid()) + "; }";
        const char* other_text = other.c_str();
        const cl_program late = clCreateProgramWithSource(context, 1, &other_text, nullptr, &code);
        static std::array<const void*, 4> kept; // a leak checker finds them
        kept = {context, queue, program, late};
        return clBuildProgram(late, 0, nullptr, "", [](cl_program, void*) {}, nullptr) == CL_SUCCESS ? 0 : 12;
    }
    if (what == "alike") // each program has a kernel of this name
        return run_alike(context, device, queue);
    if (what.starts_with("save=")) {
        const bool saved = save(program, std::string(what.substr(5)));
        return saved ? 0 : 13;
    }
    if (what.starts_with("load=")) {
        program = load(context, device, std::string(what.substr(5)));
        what = "race";
    }
    const cl_kernel kernel = clCreateKernel(program, std::string(what).c_str(), &code);
    const cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 256, nullptr, &code);
    const cl_int zero = 0;
    clEnqueueFillBuffer(queue, memory, &zero, 4, 0, 256, 0, nullptr, nullptr);
    clSetKernelArg(kernel, 0, sizeof memory, &memory);
    if (what == "wide") {
        const cl_ulong wide = 7;
        clSetKernelArg(kernel, 1, sizeof wide, &wide);
        clSetKernelArg(kernel, 1, sizeof wide, &wide);
    }
    const size_t size = 64;
    code = recorded ? replay_twice(platform, queue, kernel, size)
                    : clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, &size, 0, nullptr, nullptr);
    clFinish(queue);
    clReleaseMemObject(memory);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return code == CL_SUCCESS ? 0 : 11;
}

} // namespace

int main(int count, char** words) {
    const std::string_view what = count > 1 ? words[1] : "good";
    if (what == "code")
        return 7;
    std::printf("hello\n");
    if (what == "forks") { // a child that ends in order, then it is killed itself
        run("good", false);
        std::fflush(stdout);
        if (const pid_t child = fork(); child == 0)
            std::exit(0);
        else
            waitpid(child, nullptr, 0);
        return std::raise(SIGKILL);
    }
    return run(what, count > 2);
}
