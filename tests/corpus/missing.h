// What of the corpus is known not to load, and why: the rows of missing.tsv. A row that is not needed any
// more is wrong.
#pragma once

#include "corpus.h"

#include <set>
#include <string>
#include <vector>

namespace visor::corpus {

class Missing {
public:
    // Throws std::runtime_error that names the file and the line, also where a source is not among these.
    Missing(const std::string& path, const std::vector<Source>& sources);

    struct Judged {
        size_t excepted = 0;           // problems that rows speak of
        std::vector<std::string> left; // those that none does, and the rows that no problem needs
    };
    // Of a source that was compiled by `compiler` for `device`.
    [[nodiscard]] Judged judge(const std::string& source, const isa::Device& device,
                               const compile::CompilerFacts& compiler,
                               const std::set<std::string>& problems) const;

private:
    struct Row {
        std::string source;
        std::set<std::string> compilers; // their libraries; empty: any
        const isa::Device* device;       // nullptr: every one
        std::string what;                // stands in the problem
    };
    std::vector<Row> rows_;
};

} // namespace visor::corpus
