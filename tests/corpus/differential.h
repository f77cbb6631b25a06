// Every kernel of one source on Visor's devices and on PoCL, with the same data. Launches whose result is not
// determined are set aside under the name of the reason; nothing is called agreement that was not compared.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::corpus {

struct Comparison {
    std::string path;
    std::string options;
    std::string compiler; // "": the newest that knows the device
    std::vector<std::string> devices;
    uint64_t seeds = 2;         // 1, 2, ...
    uint64_t first = 0;         // launch to begin with; those before it are left out
    uint64_t most = UINT64_MAX; // kernels that are compared; behind them none begins
    std::string kernel;         // "": all
};

// What became of a launch on a device.
struct Verdict {
    std::string_view kind; // see below
    std::string kernel;
    std::string device;
    uint64_t seed = 0;
    std::string detail;
};

inline constexpr std::string_view agreed = "agreed";
inline constexpr std::string_view wrote_nothing = "nothing was written"; // its detail
// What speaks against Visor until it is explained.
inline constexpr std::string_view disagreed = "DISAGREED";
inline constexpr std::string_view faulted = "FAULTED";
inline constexpr std::string_view explained = "explained"; // disagreed, and differs.tsv has the reason

[[nodiscard]] constexpr bool suspicious(std::string_view kind) {
    return kind == disagreed || kind == faulted;
}
[[nodiscard]] constexpr bool was_compared(std::string_view kind) {
    return kind == agreed || kind == disagreed || kind == explained;
}

struct Listener {
    std::function<void(uint64_t launch, const std::string& kernel)> begins;
    std::function<void()> asks_witness; // which may crash
    std::function<void()> has_witness;
    std::function<void(const Verdict&)> verdict;
    // Once a kernel: in one of its launches it wrote something on each device, and that was compared.
    std::function<void(const std::string& kernel)> compared;
};

void compare(const Comparison& comparison, const Listener& listener);

} // namespace visor::corpus
