// How often the instructions of a program fell back to the interpreter.
#pragma once

#include "program/program.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace visor::jit {

// By code index. Thread-safe.
class FallbackCounts {
public:
    explicit FallbackCounts(size_t instructions) : counts_(instructions) {}

    void add_one(uint32_t index) { counts_[index].fetch_add(1, std::memory_order_relaxed); }
    // To counts of one session, which are empty before the first one.
    static void add_one(std::vector<uint64_t>& counts, uint32_t index, size_t instructions) {
        if (counts.empty()) [[unlikely]]
            counts.resize(instructions);
        ++counts[index];
    }
    void add(std::span<const uint64_t> counts) {
        for (size_t i = 0; i < counts.size(); ++i)
            if (counts[i] != 0)
                counts_[i].fetch_add(counts[i], std::memory_order_relaxed);
    }
    [[nodiscard]] std::map<std::string, uint64_t> by_mnemonic(const Program& program) const {
        std::map<std::string, uint64_t> found;
        for (size_t i = 0; i < counts_.size(); ++i)
            if (const uint64_t count = counts_[i].load(std::memory_order_relaxed); count != 0)
                found[program.code[i].row->mnemonic] += count;
        return found;
    }

private:
    std::vector<std::atomic<uint64_t>> counts_;
};

} // namespace visor::jit
