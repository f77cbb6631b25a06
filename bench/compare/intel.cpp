#include "intel.h"

#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <sched.h>
#include <utility>

namespace visor::compare {

Intel::Intel(const std::string& folder, unsigned threads, std::vector<std::string> options)
    : threads_(threads), options_(std::move(options)) {
    std::error_code unknown;
    const std::filesystem::path vendors = std::filesystem::absolute(folder, unknown) / "vendors";
    if (std::filesystem::exists(vendors / "intel-cpu.icd", unknown))
        vendors_ = vendors.string();
    else
        std::cerr << fmt::format("no column `{}`: {} does not have it; `scripts/setup intel-cpu` brings it\n",
                                 intel_column, folder);
}

// By itself it takes all CPUs: of 50 runs of the stencil on two, its two threads took 0.39 s of CPU time
// each. With the two variables one does all work (0 and 0.68 s), but the other now and then waits in a loop
// (histogram: 0.50 and 0.63 s of 200 runs), which it does not where the process has one CPU (0.01 and 0.75 s,
// /proc/PID/task/*/stat). CPU time is then no more than wall-clock time, which the story of each row tells.
Environment Intel::environment() const {
    const std::string threads = std::to_string(threads_);
    return {{"OCL_ICD_VENDORS", vendors_},
            {"CL_CONFIG_CPU_TBB_NUM_WORKERS", threads},
            {"DPCPP_CPU_NUM_CUS", threads}};
}

void keep_to_cpus(unsigned count) {
    cpu_set_t given{};
    if (sched_getaffinity(0, sizeof given, &given) != 0)
        return;
    cpu_set_t kept{};
    for (size_t cpu = CPU_SETSIZE; cpu-- > 0 && count > 0;) { // the first one has most interrupts
        if (CPU_ISSET(cpu, &given)) {
            CPU_SET(cpu, &kept);
            --count;
        }
    }
    sched_setaffinity(0, sizeof kept, &kept);
}

std::unique_ptr<Runner> Intel::runner(const Work& work) {
    if (!is_there())
        return nullptr;
    if (server_ == nullptr || server_->has_ended())
        server_ = std::make_unique<Server>("/proc/self/exe", threads_, options_, environment());
    auto runner = served_runner(*server_, work, intel_device);
    if (runner == nullptr)
        std::cerr << fmt::format("{} on {}: it cannot be prepared\n", work.name, intel_column);
    return runner;
}

} // namespace visor::compare
