#include "by_hand.h"

#include "cli/launch/launch_file.h"
#include "process/process.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <sstream>

namespace visor::seeded {

namespace {

using Words = std::vector<std::string>;

// Behind "visor run"; blanks separate words.
std::optional<Words> run_line(const std::string& content) {
    constexpr std::string_view begin = "// RUN: visor run ";
    std::istringstream lines(content);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(begin))
            continue;
        std::istringstream rest(line.substr(begin.size()));
        Words words;
        for (std::string word; rest >> word;)
            words.push_back(word);
        return words;
    }
    return std::nullopt;
}

std::optional<uint32_t> number(const std::string& text) {
    uint32_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? std::optional(value)
                                                                           : std::nullopt;
}

std::optional<cli::Extent> extent(const std::string& text) {
    cli::Extent out;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const auto size = number(part);
        if (!size || out.dimensions == out.size.size())
            return std::nullopt;
        out.size.at(out.dimensions++) = *size;
    }
    return out;
}

// False: it is none that launches of these examples have, or its value is wrong.
bool take(const std::string& option, const std::string& value, ByHand& example) {
    if (option == "--device")
        example.device = value;
    else if (option == "--groups") {
        const auto groups = extent(value);
        example.launch.groups = groups.value_or(cli::Extent{});
        return groups.has_value();
    } else if (option == "--hw-threads")
        return (example.launch.hardware_threads = number(value)).has_value();
    else if (option == "--slm")
        return (example.launch.slm_bytes = number(value)).has_value();
    else if (option == "-a") {
        auto argument = cli::parse_argument(value);
        if (argument)
            example.launch.arguments.push_back(std::move(*argument));
        return argument.has_value();
    } else
        return option == "--print"; // which changes nothing
    return true;
}

// The word that is not understood; "" when all are.
std::string take(const Words& words, ByHand& example) {
    if (words.empty())
        return "RUN";
    const std::string folder = std::filesystem::path(example.path).parent_path().string();
    if (words[0].starts_with("%d/")) {
        const std::string path = folder + words[0].substr(2);
        auto job = cli::parse_launch_file(path, test::read_file(path));
        if (!job || job->launches.empty())
            return words[0];
        example.device = job->device;
        example.arrays = std::move(job->arrays);
        example.launch = std::move(job->launches.front());
    } else if (words[0] != "%s") {
        return words[0];
    }
    for (size_t i = 1; i < words.size(); i += 2)
        if (i + 1 == words.size() || !take(words[i], words[i + 1], example))
            return words[i];
    return "";
}

} // namespace

std::expected<std::vector<ByHand>, std::string> examples_by_hand(const std::string& folder) {
    std::vector<ByHand> examples;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".visaasm")
            continue;
        const std::string path = entry.path().string();
        ByHand& example = examples.emplace_back();
        example.name = entry.path().stem().string();
        example.path = path;
        example.device = cli::default_device;
        const std::string wrong = take(run_line(test::read_file(path)).value_or(Words{}), example);
        if (!wrong.empty())
            return std::unexpected(fmt::format("{}: {}", path, wrong));
    }
    std::ranges::sort(examples, {}, &ByHand::path);
    return examples;
}

} // namespace visor::seeded
