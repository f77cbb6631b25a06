// opencl_builds [ROUNDS]: how long two threads of an application take to build a program each, against one
// that builds alone, on the platform that OCL_ICD_VENDORS names. Alone and together take turns, because the
// machine may have other things to do; every program is one that no cache has.
#include "opencl/pocl.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

namespace opencl = visor::test::opencl;
using Clock = std::chrono::steady_clock;

// Loops that the compiler unrolls: about a second of work for it.
std::string program_text(int number) {
    std::string text =
        fmt::format("// {} {} {}\n", getpid(), Clock::now().time_since_epoch().count(), number);
    for (int k = 0; k < 6; ++k) {
        text += fmt::format(
            "kernel void k{0}(global float* a, global const float* b) {{\n"
            "  float s[16];\n"
            "  for (int i = 0; i < 16; ++i) s[i] = b[get_global_id(0) * 16 + i];\n"
            "  for (int i = 0; i < 16; ++i)\n"
            "    for (int j = 0; j < 16; ++j) s[i] = native_sin(s[j] + s[i] * {0}.5f) + s[15 - j];\n"
            "  for (int i = 0; i < 16; ++i) a[get_global_id(0) * 16 + i] = s[i];\n"
            "}}\n",
            k + 1);
    }
    return text;
}

bool build(cl_context context, cl_device_id device, int number) {
    const std::string text = program_text(number);
    const char* start = text.c_str();
    const opencl::Program program(clCreateProgramWithSource(context, 1, &start, nullptr, nullptr));
    return clBuildProgram(program.get(), 1, &device, "", nullptr, nullptr) == CL_SUCCESS;
}

// Seconds; negative: a build failed.
double seconds_of(cl_context context, cl_device_id device, size_t threads) {
    std::array<bool, 2> good{};
    const auto begin = Clock::now();
    {
        std::vector<std::jthread> working;
        for (size_t i = 0; i < threads; ++i)
            working.emplace_back([&, i] { good[i] = build(context, device, static_cast<int>(i)); });
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return std::ranges::count(good, true) == static_cast<long>(threads) ? seconds : -1;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char** argv) {
    size_t rounds = 5;
    if (argc > 1)
        std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), rounds);
    auto device = opencl::device_of("");
    if (!device) {
        fmt::print(stderr, "opencl_builds: no platform\n");
        return 1;
    }
    const opencl::Context context(clCreateContext(nullptr, 1, &*device, nullptr, nullptr, nullptr));
    std::vector<double> alone;
    std::vector<double> together;
    std::vector<double> ratios;
    for (size_t i = 0; i < std::max<size_t>(rounds, 1); ++i) {
        alone.push_back(seconds_of(context.get(), *device, 1));
        together.push_back(seconds_of(context.get(), *device, 2));
        if (alone.back() < 0 || together.back() < 0) {
            fmt::print(stderr, "opencl_builds: a build failed\n");
            return 1;
        }
        ratios.push_back(together.back() / alone.back());
    }
    fmt::print("one build {:.2f} s, two at a time {:.2f} s (medians of {}); two take {:.2f} times as long "
               "(median of the ratios)\n",
               median(alone), median(together), alone.size(), median(ratios));
    return 0;
}
