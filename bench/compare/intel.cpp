#include "intel.h"

#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <utility>

namespace visor::compare {

Intel::Intel(const std::string& folder, unsigned threads, std::string set)
    : threads_(threads), set_(std::move(set)) {
    std::error_code unknown;
    const std::filesystem::path vendors = std::filesystem::absolute(folder, unknown) / "vendors";
    if (std::filesystem::exists(vendors / "intel-cpu.icd", unknown))
        vendors_ = vendors.string();
    else
        std::cerr << fmt::format("no column `{}`: {} does not have it; `scripts/setup intel-cpu` brings it\n",
                                 intel_column, folder);
}

// By itself it takes all CPUs: of 300 runs of n-body on two, its two threads took 1.52 and 1.75 s of CPU
// time. With CL_CONFIG_CPU_TBB_NUM_WORKERS=1 they take turns (0.54 and 2.92 s), with DPCPP_CPU_NUM_CUS=1 one
// does all (0.01 and 3.46 s; /proc/PID/task/*/stat), and CPU time is no more than wall-clock time, which the
// story of each row tells.
Environment Intel::environment() const {
    const std::string threads = std::to_string(threads_);
    return {{"OCL_ICD_VENDORS", vendors_},
            {"CL_CONFIG_CPU_TBB_NUM_WORKERS", threads},
            {"DPCPP_CPU_NUM_CUS", threads}};
}

std::unique_ptr<Runner> Intel::runner(const Work& work) {
    if (!is_there())
        return nullptr;
    if (server_ == nullptr || server_->has_ended())
        server_ = std::make_unique<Server>("/proc/self/exe", threads_,
                                           std::vector<std::string>{"--set", set_}, environment());
    auto runner = served_runner(*server_, work, intel_device);
    if (runner == nullptr)
        std::cerr << fmt::format("{} on {}: it cannot be prepared\n", work.name, intel_column);
    return runner;
}

} // namespace visor::compare
