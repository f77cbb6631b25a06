// allocate [SECONDS]: what an allocation takes an application while a kernel runs, on the platform that
// OCL_ICD_VENDORS names: 1,000 of each kind, allocated and freed, from one thread, during a kernel of so many
// seconds (2).
#include "opencl/pocl.h"
#include "opencl/usm.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <string_view>
#include <vector>

namespace {

namespace opencl = visor::test::opencl;
using Clock = std::chrono::steady_clock;

constexpr size_t count = 1000;
constexpr size_t bytes = 64 << 10;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

class Bench {
public:
    explicit Bench(cl_device_id device) : device_(device), usm_(platform_of(device)) {
        context_.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
        queue_.reset(clCreateCommandQueueWithProperties(context_.get(), device, nullptr, nullptr));
        const char* text =
            "kernel void turn(global uint* a, uint times) {\n"
            "  for (uint i = 0; i < times; ++i) a[get_global_id(0)] = a[get_global_id(0)] * 3 + 1; }";
        program_.reset(clCreateProgramWithSource(context_.get(), 1, &text, nullptr, nullptr));
        clBuildProgram(program_.get(), 1, &device, "", nullptr, nullptr);
        kernel_.reset(clCreateKernel(program_.get(), "turn", nullptr));
        memory_ = clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, 4096, nullptr, nullptr);
    }
    ~Bench() { clReleaseMemObject(memory_); }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;
    Bench(Bench&&) = delete;
    Bench& operator=(Bench&&) = delete;

    [[nodiscard]] bool is_ready() const { return kernel_ != nullptr && usm_.shared != nullptr; }

    // So many turns that the kernel takes that long, in code of the engine that it ends up with.
    void calibrate(double seconds) {
        constexpr cl_uint most = 1U << 31U;
        double taken = 0;
        for (turns_ = 1U << 20U; turns_ < most; turns_ *= 2) {
            const auto begin = Clock::now();
            clReleaseEvent(launch(turns_));
            clFinish(queue_.get());
            taken = seconds_since(begin);
            if (turns_ > (1U << 24U) && taken > seconds / 8)
                break;
        }
        turns_ = static_cast<cl_uint>(std::min<double>(UINT32_MAX, turns_ * seconds / taken));
    }

    void measure(std::string_view name, const std::function<void*()>& allocate,
                 const std::function<void(void*)>& free) {
        const auto begin = Clock::now();
        const cl_event event = launch(turns_);
        std::vector<double> milliseconds;
        for (size_t i = 0; i < count; ++i) {
            const auto start = Clock::now();
            void* const made = allocate();
            milliseconds.push_back(1e3 * seconds_since(start));
            if (made != nullptr)
                free(made);
        }
        cl_int status = CL_COMPLETE;
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
        clFinish(queue_.get());
        clReleaseEvent(event);
        std::ranges::sort(milliseconds);
        fmt::print(
            "{:16} {} allocations of {} KiB: median {:.4f} ms, 99 % below {:.4f} ms, longest {:.3f} ms; "
            "kernel of {:.2f} s{}\n",
            name, count, bytes >> 10U, milliseconds[count / 2], milliseconds[count * 99 / 100],
            milliseconds.back(), seconds_since(begin),
            status == CL_COMPLETE ? ", which was OVER before the last allocation" : "");
    }

    void measure_all() {
        measure("host", [this] { return usm_.host(context_.get(), nullptr, bytes, 0, nullptr); }, free_usm());
        measure(
            "device", [this] { return usm_.device(context_.get(), device_, nullptr, bytes, 0, nullptr); },
            free_usm());
        measure(
            "shared", [this] { return usm_.shared(context_.get(), device_, nullptr, bytes, 0, nullptr); },
            free_usm());
        measure(
            "SVM", [this] { return clSVMAlloc(context_.get(), CL_MEM_READ_WRITE, bytes, 0); },
            [this](void* made) { clSVMFree(context_.get(), made); });
        measure(
            "buffer",
            [this]() -> void* {
                return clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, bytes, nullptr, nullptr);
            },
            [](void* made) { clReleaseMemObject(static_cast<cl_mem>(made)); });
    }

private:
    static cl_platform_id platform_of(cl_device_id device) {
        cl_platform_id platform = nullptr;
        clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), static_cast<void*>(&platform),
                        nullptr);
        return platform;
    }
    std::function<void(void*)> free_usm() {
        return [this](void* made) { usm_.free(context_.get(), made); };
    }
    cl_event launch(cl_uint turns) {
        clSetKernelArg(kernel_.get(), 0, sizeof(cl_mem), static_cast<const void*>(&memory_));
        clSetKernelArg(kernel_.get(), 1, sizeof turns, &turns);
        const size_t items = 64;
        cl_event event = nullptr;
        clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), 1, nullptr, &items, nullptr, 0, nullptr, &event);
        return event;
    }

    cl_device_id device_;
    visor::opencl_test::Usm usm_;
    opencl::Context context_;
    opencl::Queue queue_;
    opencl::Program program_;
    opencl::Kernel kernel_;
    cl_mem memory_ = nullptr;
    cl_uint turns_ = 1;
};

} // namespace

int main(int argc, char** argv) {
    double seconds = 2;
    if (argc > 1)
        std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), seconds);
    const auto device = opencl::device_of("");
    if (!device) {
        fmt::print(stderr, "allocate: no platform\n");
        return 1;
    }
    Bench bench(*device);
    if (!bench.is_ready()) {
        fmt::print(stderr, "allocate: the platform has no unified shared memory, or does not build\n");
        return 1;
    }
    bench.calibrate(seconds);
    bench.measure_all();
    return 0;
}
