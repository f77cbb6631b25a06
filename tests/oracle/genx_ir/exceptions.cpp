#include "exceptions.h"

#include "outside.h"
#include "tsv.h"

#include <fmt/format.h>

#include <stdexcept>

namespace visor::oracle {

namespace {

std::string key(const std::string& item, const std::string& device) {
    return item + " on " + device;
}

} // namespace

Exceptions::Exceptions(const std::string& repository, const std::string& part) {
    const std::string path = repository + "/tests/oracle/genx_ir/exceptions.tsv";
    test::read_tsv(path, [&](const std::vector<std::string>& row) {
        if (row.size() != 6 || row[3].empty() || row[5].empty())
            throw std::runtime_error("an entry has a part, an item, a device, a finding, code and a reason");
        if (row[0] != part)
            return;
        Entry entry{row[3], row[4] == "-" ? "" : row[4], row[5]};
        if (!entries_.try_emplace(key(row[1], row[2]), std::move(entry)).second)
            throw std::runtime_error("this entry stands here twice");
    });
}

Exceptions::Verdict Exceptions::judge(const std::string& item, const isa::Device& device, const Trip& trip) {
    const std::string name = key(item, device.name);
    const auto found = entries_.find(name);
    if (found == entries_.end()) {
        const bool good = trip.finding.empty();
        return {good, good ? "" : fmt::format("{}: {}", name, trip.finding)};
    }
    Entry& entry = found->second;
    entry.seen = true;
    if (trip.finding.empty())
        return {false, fmt::format("{}: passes; its entry in exceptions.tsv is stale", name)};
    if (trip.finding.find(entry.finding) == std::string::npos) {
        return {false, fmt::format("{}: fails, but not with `{}` as exceptions.tsv says: {}", name,
                                   entry.finding, trip.finding)};
    }
    if (!entry.code.empty() && machine_code(trip.binary, device).find(entry.code) == std::string::npos)
        return {false, fmt::format("{}: no `{}` in the reader's machine code", name, entry.code)};
    ++used_;
    return {true, fmt::format("{}: excepted: {}", name, entry.reason)};
}

std::vector<std::string> Exceptions::unseen() const {
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries_) {
        if (!entry.seen)
            names.push_back(name);
    }
    return names;
}

} // namespace visor::oracle
