// enqueue [LAUNCHES]: what one launch of an empty kernel takes an application that waits for each, from
// clEnqueueNDRangeKernel to the end of clFinish, on the platform that OCL_ICD_VENDORS names; and the CPU time
// that platform and process take while nothing is asked of them.
#include "opencl/pocl.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <thread>
#include <vector>

namespace {

namespace opencl = visor::test::opencl;
using Clock = std::chrono::steady_clock;

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Setup {
    opencl::Context context;
    opencl::Queue queue;
    opencl::Program program;
    opencl::Kernel kernel;
};

bool prepare(Setup& setup, cl_device_id device) {
    setup.context.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
    setup.queue.reset(clCreateCommandQueueWithProperties(setup.context.get(), device, nullptr, nullptr));
    const char* text = "kernel void empty() {}";
    setup.program.reset(clCreateProgramWithSource(setup.context.get(), 1, &text, nullptr, nullptr));
    if (clBuildProgram(setup.program.get(), 1, &device, "", nullptr, nullptr) != CL_SUCCESS)
        return false;
    setup.kernel.reset(clCreateKernel(setup.program.get(), "empty", nullptr));
    return setup.kernel != nullptr;
}

bool launch(const Setup& setup) {
    const size_t one = 1;
    return clEnqueueNDRangeKernel(setup.queue.get(), setup.kernel.get(), 1, nullptr, &one, &one, 0, nullptr,
                                  nullptr) == CL_SUCCESS &&
           clFinish(setup.queue.get()) == CL_SUCCESS;
}

bool measure(const Setup& setup, size_t launches) {
    for (int i = 0; i < 1000; ++i) { // until code is there and threads have started
        if (!launch(setup))
            return false;
    }
    std::vector<double> microseconds(launches);
    const double cpu_begin = cpu_seconds();
    for (double& one : microseconds) {
        const auto begin = Clock::now();
        if (!launch(setup))
            return false;
        one = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    }
    const double cpu = 1e6 * (cpu_seconds() - cpu_begin) / static_cast<double>(launches);
    std::ranges::sort(microseconds);
    fmt::print("{} launches: median {:.1f} us, nine of ten below {:.1f} us; CPU time of one {:.1f} us\n",
               launches, microseconds[launches / 2], microseconds[launches * 9 / 10], cpu);
    return true;
}

void measure_idle() {
    const auto pause = std::chrono::seconds(5);
    const double begin = cpu_seconds();
    std::this_thread::sleep_for(pause);
    fmt::print("idle: {:.2f} ms of CPU time in {} seconds\n", 1e3 * (cpu_seconds() - begin), pause.count());
}

} // namespace

int main(int argc, char** argv) {
    size_t launches = 20000;
    if (argc > 1)
        std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), launches);
    const auto device = opencl::device_of("");
    Setup setup;
    if (!device || !prepare(setup, *device) || !measure(setup, std::max<size_t>(launches, 10))) {
        fmt::print(stderr, "enqueue: no platform, or a call failed\n");
        return 1;
    }
    measure_idle();
    return 0;
}
