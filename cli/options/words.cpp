#include "cli/options/words.h"

#include "diagnostic/diagnostic.h"

#include <bit>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::cli {

namespace {

// The compiler's options are one text, split as a shell would.
std::string quoted(const std::string& word) {
    if (word.find_first_of(" \t\n\"'\\") == std::string::npos)
        return word;
    std::string out = "\"";
    for (const char c : word) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + '"';
}

} // namespace

std::expected<Extent, Failure> parse_extent(std::string_view option, std::string_view text, uint64_t least,
                                            uint64_t most) {
    Extent extent;
    std::string_view rest = text;
    while (true) {
        const size_t comma = rest.find(',');
        const auto size = parse_unsigned(rest.substr(0, comma));
        if (!size || extent.dimensions == extent.size.size())
            return usage(fmt::format("{} takes X[,Y[,Z]], given `{}`", option, text));
        if (*size < least || *size > most)
            return usage(fmt::format("{} takes sizes from {} to {}, given `{}`", option, least, most, text));
        extent.size[extent.dimensions++] = *size;
        if (comma == std::string_view::npos)
            return extent;
        rest.remove_prefix(comma + 1);
    }
}

std::expected<uint64_t, Failure> parse_count(std::string_view option, std::string_view text, uint64_t most) {
    const auto count = parse_unsigned(text);
    if (!count)
        return usage(fmt::format("{}: {}", option, count.error()));
    if (*count > most)
        return usage(fmt::format("{} takes at most {}, given `{}`", option, most, text));
    return *count;
}

std::expected<double, Failure> parse_seconds(std::string_view option, std::string_view text) {
    const auto bits = parse_number(text, Element::f64);
    const double seconds = bits ? std::bit_cast<double>(*bits) : -1;
    if (!std::isfinite(seconds) || seconds < 0)
        return usage(fmt::format("{} takes seconds, given `{}`", option, text));
    return seconds;
}

std::expected<Seeds, Failure> parse_seeds(std::string_view seed, std::string_view seeds) {
    if (seeds.empty()) {
        const auto one = seed.empty() ? 0 : parse_count("--seed", seed);
        return one ? std::expected<Seeds, Failure>(Seeds{.first = *one, .last = {}})
                   : std::unexpected(one.error());
    }
    if (!seed.empty())
        return usage("--seed is one schedule, --seeds are several: give one of them");
    const size_t dots = seeds.find("..");
    const auto first = parse_unsigned(seeds.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : parse_unsigned(seeds.substr(dots + 2));
    constexpr uint64_t most = 1'000'000;
    if (!first || !last || *first > *last || *last - *first >= most)
        return usage(fmt::format("--seeds takes A..B, two numbers in order; given `{}`", seeds));
    return Seeds{.first = *first, .last = *last};
}

std::expected<size_t, Failure> parse_choice(std::string_view option, std::string_view text,
                                            std::span<const std::string_view> choices) {
    for (size_t i = 0; i < choices.size(); ++i)
        if (text == choices[i])
            return i;
    return usage(fmt::format("{}: `{}` is no choice{}; there are {}", option, text,
                             did_you_mean(text, {choices.begin(), choices.end()}), fmt::join(choices, " ")));
}

std::expected<std::string, Failure> parse_device(std::string_view text) {
    if (const isa::Device* device = isa::device_named(text))
        return device->name;
    return usage(fmt::format("--device: `{}` is unknown{}; there are {}", text,
                             did_you_mean(text, isa::device_names()), fmt::join(isa::device_names(), " ")));
}

std::expected<DeviceChoice, Failure> parse_device_choice(std::string_view text) {
    if (text.empty())
        return DeviceChoice{};
    if (text == "any")
        return DeviceChoice{nullptr};
    const auto name = parse_device(text);
    if (!name)
        return std::unexpected(name.error());
    return DeviceChoice{isa::device_named(*name)};
}

std::vector<std::string> separate_negative_values(std::span<const std::string> arguments) {
    std::vector<std::string> out;
    size_t values = 0; // of the current -a
    bool inside = false;
    for (const std::string& word : arguments) {
        const bool dash = word.starts_with('-') && word.size() > 1;
        const bool number = dash && (std::isdigit(static_cast<unsigned char>(word[1])) != 0 ||
                                     word[1] == '.' || word.starts_with("-inf") || word.starts_with("-nan"));
        if (inside && values > 0 && dash && !number)
            inside = false;
        if (inside && values > 0 && number)
            out.emplace_back("-a");
        if (inside)
            ++values;
        if (!inside && word == "-a") {
            inside = true;
            values = 0;
        }
        out.push_back(word);
    }
    return out;
}

std::expected<CompilerWords, Failure> take_compiler_words(std::span<const std::string> arguments) {
    CompilerWords words;
    const auto add_option = [&](const std::string& plain) {
        const std::string word = quoted(plain);
        words.options += (words.options.empty() ? "" : " ") + word;
    };
    for (size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        const bool takes_next = word == "-D" || word == "-U" || word == "-I";
        if (takes_next && i + 1 == arguments.size())
            return usage(fmt::format("{} needs a value", word));
        if (word == "-I")
            words.include_folders.push_back(arguments[++i]);
        else if (word.starts_with("-I"))
            words.include_folders.push_back(word.substr(2));
        else if (takes_next)
            add_option(word + arguments[++i]);
        else if (word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-cl-") ||
                 word == "-g" || word == "-gline-tables-only" || word == "-w" || word == "-Werror")
            add_option(word);
        else
            words.rest.push_back(word);
    }
    return words;
}

} // namespace visor::cli
