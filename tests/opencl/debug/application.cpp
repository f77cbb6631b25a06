// An application for the debugger. `plain` launches two kernels and prints what they leave; `race` one whose
// groups meet; `late` launches again after a second; `exit` calls exit() while a kernel runs; `fork` launches
// before and in a child; `idle` launches nothing.
#include <CL/cl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr const char* program_text = R"(kernel void fill(global int* a) {
    a[get_global_id(0)] = get_global_id(0);
}
kernel void steps(global int* a, int n) {
    int i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k <= i % n; ++k)
        sum += a[i] * k;
    a[i] = sum;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 5) a[7] = 99;
}
kernel void race(global int* a) {
    a[get_global_id(0)] = 1;
    a[(get_global_id(0) + 16) % 64] += 2;
}
)";

constexpr size_t items = 64;
constexpr size_t group = 16;

class Application {
public:
    bool start() {
        cl_platform_id platform = nullptr;
        cl_device_id device = nullptr;
        clGetPlatformIDs(1, &platform, nullptr);
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
            return false;
        context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
        queue_ = clCreateCommandQueueWithProperties(context_, device, nullptr, nullptr);
        const char* text = program_text;
        program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
        memory_ = clCreateBuffer(context_, CL_MEM_READ_WRITE, items * sizeof(int), nullptr, nullptr);
        return clBuildProgram(program_, 1, &device, "", nullptr, nullptr) == CL_SUCCESS;
    }
    void launch(const char* name) const {
        const cl_kernel kernel = clCreateKernel(program_, name, nullptr);
        const int n = 4;
        clSetKernelArg(kernel, 0, sizeof memory_, &memory_);
        if (name == std::string_view("steps"))
            clSetKernelArg(kernel, 1, sizeof n, &n);
        clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, &group, 0, nullptr, nullptr);
        clReleaseKernel(kernel);
        clFlush(queue_);
    }
    void print() const {
        std::vector<int> numbers(items);
        clEnqueueReadBuffer(queue_, memory_, CL_TRUE, 0, items * sizeof(int), numbers.data(), 0, nullptr,
                            nullptr);
        for (const int number : numbers)
            std::printf("%d ", number);
        std::printf("\n");
        std::fflush(stdout);
    }

private:
    cl_context context_ = nullptr;
    cl_command_queue queue_ = nullptr;
    cl_program program_ = nullptr;
    cl_mem memory_ = nullptr;
};

int run_plain(const Application& application) {
    application.launch("fill");
    application.launch("steps");
    application.print();
    return 0;
}

int run_fork(const Application& application) {
    run_plain(application);
    const pid_t child = fork();
    if (child == 0) {
        Application other;
        if (!other.start())
            _exit(11);
        run_plain(other);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

} // namespace

int main(int /*count*/, char** words) {
    const std::string_view what = words[1];
    if (what == "idle")
        return 0;
    Application application;
    if (!application.start())
        return 10;
    if (what == "fork")
        return run_fork(application);
    if (what == "race") {
        application.launch("fill");
        application.launch("race");
        application.print();
        return 0;
    }
    if (what == "late") {
        run_plain(application);
        std::this_thread::sleep_for(std::chrono::seconds(1));
        return run_plain(application);
    }
    if (what == "exit") {
        application.launch("steps");
        std::this_thread::sleep_for(std::chrono::seconds(1));
        std::exit(3); // while its kernel is stopped
    }
    return run_plain(application);
}
