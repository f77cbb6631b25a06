#include "workers.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace visor::corpus {

void each_in_parallel(size_t count, const std::function<void(size_t)>& work) {
    std::atomic<size_t> next = 0;
    std::vector<std::jthread> workers; // joined at the end
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
        workers.emplace_back([&] {
            for (size_t at = next++; at < count; at = next++)
                work(at);
        });
    }
}

} // namespace visor::corpus
