#include "tally.h"

#include "differential.h"
#include "tsv.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace visor::corpus {

Explained::Explained(const std::string& path) {
    test::read_tsv(path, [&](const std::vector<std::string>& row) {
        if (row.size() != 3)
            throw std::runtime_error("a row has three cells: source, kernel, reason");
        entries_.push_back({row[0], row[1]});
    });
}

bool Explained::names(const std::string& source, const std::string& kernel) const {
    return std::ranges::any_of(entries_, [&](const Entry& entry) {
        return source.ends_with(entry.source) && kernel == entry.kernel;
    });
}

Tally::Tally(const Files& files, bool verbose)
    : explained_(files.differs), done_(files.done), verbose_(verbose) {
    if (!files.log.empty())
        log_.open(files.log, std::ios::app);
}

void Tally::add(const std::string& source, Told told) {
    const std::lock_guard lock(mutex_);
    if (told.kind == disagreed && explained_.names(source, told.kernel))
        told.kind = explained;
    ++counts_[told.kind];
    if (was_compared(told.kind) && told.detail != wrote_nothing)
        compared_[source.substr(0, source.find('/'))][told.device].insert(source + " " + told.kernel);
    const std::string line = fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", told.kind, source, told.kernel,
                                         told.device, told.seed, told.detail);
    if (log_.is_open())
        log_ << line << std::flush;
    const bool unexplained = corpus::suspicious(told.kind);
    if (unexplained)
        ++suspicious_;
    if (unexplained || verbose_)
        fmt::print("{}", line);
    std::fflush(stdout);
}

void Tally::finish(const std::string& source) {
    const std::lock_guard lock(mutex_);
    if (!done_.empty())
        std::ofstream(done_, std::ios::app) << source << '\n';
}

size_t Tally::compared_on(const std::string& device) const {
    size_t kernels = 0;
    for (const auto& [package, devices] : compared_) {
        if (const auto found = devices.find(device); found != devices.end())
            kernels += found->second.size();
    }
    return kernels;
}

void Tally::print(const std::vector<std::string>& devices) const {
    for (const auto& [kind, count] : counts_)
        fmt::print("{:>8} {}\n", count, kind);
    fmt::print("kernels whose results were compared:\n{:>12}", "");
    for (const std::string& device : devices)
        fmt::print("{:>7}", device);
    for (const auto& [package, of_package] : compared_) {
        fmt::print("\n{:>12}", package);
        for (const std::string& device : devices) {
            const auto found = of_package.find(device);
            fmt::print("{:>7}", found == of_package.end() ? 0 : found->second.size());
        }
    }
    fmt::print("\n{:>12}", "all");
    std::set<std::string> kernels;
    for (const std::string& device : devices)
        fmt::print("{:>7}", compared_on(device));
    for (const auto& [package, of_package] : compared_) {
        for (const auto& [device, of_device] : of_package)
            kernels.insert(of_device.begin(), of_device.end());
    }
    fmt::print("\n{} kernels, each on one device or more\n", kernels.size());
}

} // namespace visor::corpus
