// Intel's OpenCL runtime for CPUs as a rival. It works in a process of its own: where another TBB is loaded
// it is no platform at all, its workers are billed to nobody else, and its end is a failure and not ours.
#pragma once

#include "server.h"
#include "work.h"

#include <memory>
#include <string>
#include <vector>

namespace visor::compare {

inline constexpr const char* intel_column = "Intel CPU runtime";
inline constexpr const char* intel_device = "intel-cpu"; // as serve() is asked for it

class Intel {
public:
    // `folder`: what `scripts/setup intel-cpu` brought. Says on standard error when it is not there.
    // `options`: of its `compare`, which say what the work is from.
    Intel(const std::string& folder, unsigned threads, std::vector<std::string> options);

    [[nodiscard]] bool is_there() const { return !vendors_.empty(); }
    // nullptr: it cannot, which standard error says. Ends the runner before.
    [[nodiscard]] std::unique_ptr<Runner> runner(const Work& work);

private:
    [[nodiscard]] Environment environment() const; // of its process

    std::string vendors_; // a folder for the loader; "": none
    unsigned threads_;
    std::vector<std::string> options_;
    std::unique_ptr<Server> server_;
};

// In the process that Intel starts, before the runtime is loaded: it keeps to so many CPUs.
void keep_to_cpus(unsigned count);
// There, through the loader.
[[nodiscard]] std::unique_ptr<Runner> intel_api_runner(const Work& work);

} // namespace visor::compare
