#include "missing.h"

#include "tsv.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace visor::corpus {

namespace {

// A row whose compiler this machine does not have speaks of none of those that it has.
std::set<std::string> libraries_of(const std::string& compiler) {
    std::set<std::string> libraries;
    for (const compile::CompilerFacts& one : compile::list_compilers(compiler).found)
        libraries.insert(one.library);
    if (libraries.empty())
        libraries.insert("none");
    return libraries;
}

} // namespace

Missing::Missing(const std::string& path, const std::vector<Source>& sources) {
    test::read_tsv(path, [&](const std::vector<std::string>& row) {
        if (row.size() != 5)
            throw std::runtime_error("a row has five cells: source, compiler, devices, what, reason");
        if (std::ranges::find(sources, row[0], &Source::name) == sources.end())
            throw std::runtime_error(fmt::format("`{}` is not in the list of sources", row[0]));
        const std::set<std::string> compilers =
            row[1] == "*" ? std::set<std::string>() : libraries_of(row[1]);
        if (row[2] == "*")
            rows_.push_back({row[0], compilers, nullptr, row[3]});
        else
            for (const isa::Device* device : devices_named(row[2]))
                rows_.push_back({row[0], compilers, device, row[3]});
    });
}

Missing::Judged Missing::judge(const std::string& source, const isa::Device& device,
                               const compile::CompilerFacts& compiler,
                               const std::set<std::string>& problems) const {
    Judged judged;
    std::vector<std::string> unnamed(problems.begin(), problems.end());
    for (const Row& row : rows_) {
        if (row.source != source || (row.device != nullptr && row.device != &device) ||
            (!row.compilers.empty() && !row.compilers.contains(compiler.library)))
            continue;
        const auto named = [&](const std::string& problem) {
            return problem.find(row.what) != std::string::npos;
        };
        if (std::ranges::none_of(problems, named))
            judged.left.push_back(fmt::format("missing.tsv: this is so no more: {}", row.what));
        std::erase_if(unnamed, named);
    }
    judged.excepted = problems.size() - unnamed.size();
    judged.left.insert(judged.left.end(), unnamed.begin(), unnamed.end());
    return judged;
}

} // namespace visor::corpus
