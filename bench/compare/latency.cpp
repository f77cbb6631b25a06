// How long a launch waits for its first code: every round starts with an empty cache.
#include "work.h"

#include "vm/vm.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>

namespace visor::compare {

namespace {

// Of this process alone; gone with it.
class CacheFolder {
public:
    CacheFolder() : path_(std::filesystem::temp_directory_path() / "visor-latency-XXXXXX") {
        if (mkdtemp(path_.data()) == nullptr)
            std::abort();
        setenv("VISOR_CACHE_DIR", path_.c_str(), 1);
    }
    ~CacheFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    CacheFolder(const CacheFolder&) = delete;
    CacheFolder& operator=(const CacheFolder&) = delete;
    CacheFolder(CacheFolder&&) = delete;
    CacheFolder& operator=(CacheFolder&&) = delete;

    void forget_code() const { std::filesystem::remove_all(std::filesystem::path(path_) / "native"); }

private:
    std::string path_;
};

} // namespace

int tell_latency(const std::vector<Work>& all, const std::vector<std::string>& devices, unsigned rounds) {
    const CacheFolder cache;
    std::cout << "| kernel |";
    for (const std::string& device : devices)
        std::cout << fmt::format(" {0} instructions | {0} ms, median | least | most |", device);
    std::cout << '\n';
    for (const Work& work : all) {
        std::cout << "| " << work.name << " |";
        for (const std::string& device : devices) {
            std::vector<double> milliseconds;
            uint32_t instructions = 0;
            for (unsigned round = 0; round < rounds; ++round) {
                cache.forget_code();
                const auto runner = visor_runner(work, device, 1);
                if (runner == nullptr || !runner->run())
                    return 1;
                const FirstCode code = runner->first_code();
                instructions = code.instructions;
                milliseconds.push_back(1e3 * code.seconds);
            }
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
