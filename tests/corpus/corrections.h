// What made-up arguments have to be corrected to: the rows of launches.tsv. A correction is of sizes and of
// data; nothing here knows what a kernel computes.
#pragma once

#include "examples/launch.h"
#include "vm/vm.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace visor::corpus {

// Array arguments by their names, as a launch left them.
using Kept = std::map<std::string, std::vector<std::byte>>;

class Corrections {
public:
    // Throws std::runtime_error that names the file and the line.
    explicit Corrections(const std::string& path);

    // Applies the rows that match, in their order. `kept`: what the launches of this source before left.
    // Throws std::runtime_error where a row that names the kernel speaks of an argument that it has not.
    void apply(const std::string& source, const vm::KernelFacts& kernel, const Kept& kept,
               test::Launch& launch) const;
    // Instructions of a hardware thread, where a row says how many; 0: none does.
    [[nodiscard]] uint64_t fuel(const std::string& source, const std::string& kernel) const;

private:
    struct Row {
        std::string source;
        std::string kernel; // `*` stands for any text in both
        std::vector<std::string> words;

        [[nodiscard]] bool matches(const std::string& source_name, const std::string& kernel_name) const;
    };
    std::vector<Row> rows_;
};

} // namespace visor::corpus
