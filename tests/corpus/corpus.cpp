#include "corpus.h"

#include "process/process.h"
#include "tsv.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>

namespace visor::corpus {

namespace {

using OptionSets = std::map<std::string, std::string, std::less<>>;

void replace_all(std::string& text, std::string_view word, std::string_view by) {
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
        text.replace(at, word.size(), by);
}

std::vector<const isa::Device*> devices_named(const std::string& list) {
    std::vector<const isa::Device*> devices;
    if (list == "-")
        return devices;
    for (const std::string& name : test::split(list, ',')) {
        const isa::Device* device = isa::device_named(name);
        if (device == nullptr || !device->compiles)
            throw std::runtime_error(fmt::format("`{}` is no device to compile for", name));
        devices.push_back(device);
    }
    return devices;
}

// "@set more": what the set stands for, and more.
std::string options_of(const std::string& cell, const OptionSets& sets, const Folders& folders) {
    std::string options = cell == "-" ? "" : cell;
    if (options.starts_with('@')) {
        const size_t end = std::min(options.find(' '), options.size());
        const auto set = sets.find(options.substr(0, end));
        if (set == sets.end())
            throw std::runtime_error(fmt::format("no options are called `{}`", options.substr(0, end)));
        options = set->second + options.substr(end);
    }
    replace_all(options, "{corpus}", folders.packages);
    replace_all(options, "{repository}", folders.repository);
    return options;
}

Source read_source(const std::vector<std::string>& cells, const OptionSets& sets, const Folders& folders) {
    if (cells.size() != 5)
        throw std::runtime_error(fmt::format("{} cells, not 5", cells.size()));
    Source source{.name = cells[0],
                  .path = cells[1].starts_with("./") ? folders.repository + cells[1].substr(1)
                                                     : folders.packages + "/" + cells[1],
                  .options = options_of(cells[4], sets, folders),
                  .devices = devices_named(cells[2]),
                  .oracle = devices_named(cells[3])};
    for (const isa::Device* device : source.oracle) {
        if (std::ranges::find(source.devices, device) == source.devices.end())
            throw std::runtime_error(fmt::format("`{}` is not among the devices", device->name));
    }
    return source;
}

} // namespace

std::vector<Source> read_sources(const Folders& folders) {
    OptionSets sets;
    std::set<std::string> names;
    std::vector<Source> sources;
    test::read_tsv(folders.repository + "/tests/corpus/sources.tsv",
                   [&](const std::vector<std::string>& row) {
                       if (row[0].starts_with('@')) {
                           sets[row[0]] = row.at(1);
                           return;
                       }
                       sources.push_back(read_source(row, sets, folders));
                       if (!names.insert(row[0]).second)
                           throw std::runtime_error(fmt::format("`{}` stands here twice", row[0]));
                   });
    return sources;
}

compile::Request request(const Source& source, const isa::Device& device) {
    return {.name = source.path,
            .source = test::read_file(source.path),
            .device = device.name,
            .options = source.options,
            .include_folders = {std::filesystem::path(source.path).parent_path()},
            .time_limit = 300};
}

} // namespace visor::corpus
