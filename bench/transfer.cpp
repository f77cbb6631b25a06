// transfer [MIB]: how fast fills, copies, reads and writes of the platform that OCL_ICD_VENDORS names are, in
// GB/s of what they write, beside memset and memcpy of the same size on this thread; each the median of nine.
#include "opencl/pocl.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <vector>

namespace {

namespace opencl = visor::test::opencl;
using Clock = std::chrono::steady_clock;

struct Setup {
    opencl::Context context;
    opencl::Queue queue;
    opencl::Memory from;
    opencl::Memory to;
    opencl::Memory image;
};

constexpr size_t image_width = 4096; // pixels of four bytes

bool prepare(Setup& setup, cl_device_id device, size_t bytes) {
    setup.context.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
    setup.queue.reset(clCreateCommandQueueWithProperties(setup.context.get(), device, nullptr, nullptr));
    for (opencl::Memory* one : {&setup.from, &setup.to})
        one->reset(clCreateBuffer(setup.context.get(), CL_MEM_READ_WRITE, bytes, nullptr, nullptr));
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = image_width;
    shape.image_height = bytes / (image_width * 4);
    setup.image.reset(
        clCreateImage(setup.context.get(), CL_MEM_READ_WRITE, &format, &shape, nullptr, nullptr));
    return setup.from != nullptr && setup.to != nullptr;
}

// GB/s; 0: a call failed.
double speed_of(size_t bytes, const std::function<bool()>& work) {
    std::array<double, 9> seconds{};
    if (!work()) // the first one meets memory that was never touched
        return 0;
    for (double& one : seconds) {
        const auto begin = Clock::now();
        if (!work())
            return 0;
        one = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    std::ranges::nth_element(seconds, seconds.begin() + seconds.size() / 2);
    return 1e-9 * static_cast<double>(bytes) / seconds[seconds.size() / 2];
}

void measure(const Setup& setup, size_t bytes) {
    cl_command_queue queue = setup.queue.get();
    std::vector<unsigned char> host(bytes, 1);
    std::vector<unsigned char> other(bytes, 2);
    const auto done = [&](cl_int code) { return code == CL_SUCCESS && clFinish(queue) == CL_SUCCESS; };
    const auto tell = [&](const char* what, const std::function<bool()>& work) {
        fmt::print("{:<24} {:6.2f} GB/s\n", what, speed_of(bytes, work));
    };
    tell("memset", [&] { return std::memset(host.data(), host[7] + 1, bytes) != nullptr; });
    tell("memcpy", [&] { return std::memcpy(other.data(), host.data(), bytes) != nullptr; });
    const std::array<unsigned char, 128> pattern{1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (const size_t size : {size_t{1}, size_t{2}, size_t{4}, size_t{16}, size_t{128}})
        tell(fmt::format("fill, pattern of {}", size).c_str(), [&] {
            return done(clEnqueueFillBuffer(queue, setup.to.get(), pattern.data(), size, 0, bytes, 0, nullptr,
                                            nullptr));
        });
    tell("copy", [&] {
        return done(
            clEnqueueCopyBuffer(queue, setup.from.get(), setup.to.get(), 0, 0, bytes, 0, nullptr, nullptr));
    });
    const std::array<size_t, 3> origin{};
    const std::array<size_t, 3> region{1024, bytes / 1024, 1};
    tell("copy of rows of 1 KiB", [&] {
        return done(clEnqueueCopyBufferRect(queue, setup.from.get(), setup.to.get(), origin.data(),
                                            origin.data(), region.data(), 0, 0, 0, 0, 0, nullptr, nullptr));
    });
    tell("read", [&] {
        return done(
            clEnqueueReadBuffer(queue, setup.to.get(), CL_FALSE, 0, bytes, host.data(), 0, nullptr, nullptr));
    });
    tell("write", [&] {
        return done(clEnqueueWriteBuffer(queue, setup.to.get(), CL_FALSE, 0, bytes, host.data(), 0, nullptr,
                                         nullptr));
    });
    const std::array<size_t, 3> area{image_width, bytes / (image_width * 4), 1};
    const std::array<cl_uint, 4> color{1, 2, 3, 4};
    tell("fill of an image", [&] {
        return setup.image != nullptr &&
               done(clEnqueueFillImage(queue, setup.image.get(), color.data(), origin.data(), area.data(), 0,
                                       nullptr, nullptr));
    });
    tell("read of an image", [&] {
        return setup.image != nullptr &&
               done(clEnqueueReadImage(queue, setup.image.get(), CL_FALSE, origin.data(), area.data(), 0, 0,
                                       host.data(), 0, nullptr, nullptr));
    });
}

} // namespace

int main(int argc, char** argv) {
    size_t mib = 64;
    if (argc > 1)
        std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), mib);
    const size_t bytes = std::clamp<size_t>(mib, 1, 1024) << 20U;
    const auto device = opencl::device_of("");
    Setup setup;
    if (!device || !prepare(setup, *device, bytes)) {
        fmt::print(stderr, "transfer: no platform, or a call failed\n");
        return 1;
    }
    measure(setup, bytes);
    return 0;
}
