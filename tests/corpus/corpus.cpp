#include "corpus.h"

#include "process/process.h"
#include "tsv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

constexpr const char* all_devices = "skl,icllp,tgllp,dg2,pvc";

// How hashcat's host program builds a kernel is in its file's name: `_a0`, `_a1` and `_a3` are kernels that
// make their own candidates, in one of three ways; the others get them.
std::string attack_of(const std::string& stem) {
    for (const char mode : {'0', '1', '3'}) {
        if (stem.find(std::string("_a") + mode) != std::string::npos)
            return fmt::format("-DATTACK_EXEC=11 -DATTACK_KERN={0} -DATTACK_MODE={0}", mode);
    }
    return "-DATTACK_EXEC=10 -DATTACK_KERN=0 -DATTACK_MODE=0";
}

// Of kernels that have four kilobytes of shared local memory a work-item, the host program makes groups as
// large as fit; launches.tsv has the same number.
std::string local_size_of(const std::string& stem) {
    constexpr std::array large{"m09000-pure", "m18600-pure", "m25600-pure", "m25800-pure", "m28400-pure"};
    return std::ranges::find(large, stem) != large.end() ? " -DFIXED_LOCAL_SIZE=8 -DFIXED_LOCAL_SIZE_COMP=8"
                                                         : "";
}

// `prefix`: the options before those of one kernel.
std::vector<Source> hashcat_sources(const Folders& folders, const std::string& prefix) {
    std::set<std::string> stems;
    for (const auto& entry :
         std::filesystem::directory_iterator(folders.packages + "/hashcat-data/usr/share/hashcat/OpenCL")) {
        const std::string stem = entry.path().stem().string();
        if (entry.path().extension() == ".cl" && !stem.starts_with("inc_"))
            stems.insert(stem);
    }
    std::vector<Source> sources;
    for (const std::string& stem : stems) {
        sources.push_back({.name = "hashcat/" + stem,
                           .path = folders.repository + "/tests/corpus/sources/hashcat.cl",
                           .options = fmt::format("{} {} -DHASHCAT_KERNEL=<{}.cl>{}", prefix, attack_of(stem),
                                                  stem, local_size_of(stem)),
                           .devices = devices_named(all_devices),
                           .oracle = {}});
    }
    return sources;
}

} // namespace

std::vector<const isa::Device*> devices_named(const std::string& list) {
    std::vector<const isa::Device*> devices;
    if (list == "-")
        return devices;
    for (const std::string& name : test::split(list, ',')) {
        const isa::Device* device = isa::device_named(name);
        if (device == nullptr)
            throw std::runtime_error(fmt::format("`{}` is no device", name));
        devices.push_back(device);
    }
    return devices;
}

compile::CompilerFacts compiler_for(const std::string& name, const isa::Device& device) {
    const compile::CompilerList list = compile::list_compilers(name);
    for (const compile::CompilerFacts& compiler : list.found) {
        if (std::ranges::find(compiler.devices, device.name) != compiler.devices.end())
            return compiler;
    }
    throw std::runtime_error(fmt::format("no compiler{} here makes code for {}",
                                         name.empty() ? "" : " `" + name + "`", device.name));
}

std::vector<Source> read_all_sources(const Folders& folders) {
    std::vector<Source> sources = read_sources(folders);
    std::set<std::string> names;
    std::string hashcat; // options of its kernels, from a listed one
    for (Source& source : sources) {
        names.insert(source.name);
        source.devices = devices_named(all_devices);
        if (source.name.starts_with("hashcat/"))
            hashcat = source.options.substr(0, source.options.find(" -DATTACK_EXEC"));
    }
    for (Source& source : hashcat_sources(folders, hashcat)) {
        if (!names.contains(source.name))
            sources.push_back(std::move(source));
    }
    return sources;
}

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

uintmax_t bytes_of(const Source& source) {
    // hashcat.cl includes the kernel that it is of, which lies where the includes do.
    std::filesystem::path path = source.path;
    constexpr std::string_view kernel = "-DHASHCAT_KERNEL=<";
    constexpr std::string_view include = " -I";
    const size_t at = source.options.find(kernel);
    const size_t folder = source.options.find(include);
    if (at != std::string::npos && folder != std::string::npos) {
        const auto word = [&](size_t begin, char end) {
            return source.options.substr(begin, source.options.find(end, begin) - begin);
        };
        path = std::filesystem::path(word(folder + include.size(), ' ')) / word(at + kernel.size(), '>');
    }
    std::error_code none;
    const uintmax_t bytes = std::filesystem::file_size(path, none);
    return none ? 0 : bytes;
}

compile::Request request(const Source& source, const isa::Device& device, const std::string& compiler) {
    return {.name = source.path,
            .source = test::read_file(source.path),
            .device = device.name,
            .compiler = compiler,
            .options = source.options,
            .include_folders = {std::filesystem::path(source.path).parent_path()},
            .time_limit = 300};
}

} // namespace visor::corpus
