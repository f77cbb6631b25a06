// How long a launch waits for its first code: every round starts with an empty cache, as a program's first
// launch does, whose source is compiled before, while the process that makes code starts.
#include "work.h"

#include "process/process.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>

namespace visor::compare {

int tell_latency(const std::vector<Work>& all, const std::vector<std::string>& devices, unsigned rounds,
                 std::vector<Series>& measured) {
    const test::TemporaryFolder cache;
    setenv("VISOR_CACHE_DIR", cache.path().c_str(), 1);
    std::cout << "| kernel |";
    for (const std::string& device : devices)
        std::cout << fmt::format(" {0} instructions | {0} ms, median | least | most |", device);
    std::cout << '\n';
    for (const Work& work : all) {
        std::cout << "| " << work.name << " |";
        for (const std::string& device : devices) {
            std::vector<double> milliseconds;
            uint32_t instructions = 0;
            std::error_code ignored;
            for (unsigned round = 0; round < rounds; ++round) {
                for (const auto& entry : std::filesystem::directory_iterator(cache.path()))
                    std::filesystem::remove_all(entry, ignored); // somebody late may still write there
                const auto runner = visor_runner(work, device, 1);
                if (runner == nullptr || !runner->run())
                    return 1;
                const FirstCode code = runner->first_code();
                instructions = code.instructions;
                milliseconds.push_back(1e3 * code.seconds);
            }
            measured.push_back(
                {work.name, "Visor, " + device + ", instructions", "count", {1.0 * instructions}});
            measured.push_back({work.name, "Visor, " + device, "ms", milliseconds});
            std::ranges::sort(milliseconds);
            std::cout << fmt::format(" {} | {:.1f} | {:.1f} | {:.1f} |", instructions,
                                     milliseconds[milliseconds.size() / 2], milliseconds.front(),
                                     milliseconds.back());
        }
        std::cout << std::endl;
    }
    return 0;
}

} // namespace visor::compare
