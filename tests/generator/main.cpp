// property NAME [--seconds N] [--count N] [--seed N] [FOLDER...]
//
// Runs one property over consecutive seeds until the time, the count or the first ten failures are reached.
// The folders hold texts to damage. VISOR_PROPERTY_SECONDS stands in for --seconds.
#include "last_words.h"
#include "property.h"

#include "isa/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace {

using namespace visor::generator;

struct Property {
    std::string_view name;
    std::string (*holds)(uint64_t seed, const Texts& texts, Seen& seen);
    bool refuses; // some of its inputs are refused, and rightly
};
constexpr std::array properties{
    Property{"text", generated_text, false},          Property{"binary", generated_binary, false},
    Property{"text-to-binary", assembled_text, true}, Property{"damaged-text", damaged_text, true},
    Property{"damaged-binary", damaged_binary, true}, Property{"damaged-names", damaged_names, false},
};

struct Request {
    const Property* property = nullptr;
    uint64_t seed = 1;
    std::optional<uint64_t> count;
    std::optional<uint64_t> seconds;
    Texts texts;
};

std::optional<uint64_t> number(std::string_view text) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

// In the order of their names, so that a seed means the same text everywhere.
void add_texts(const std::filesystem::path& folder, Texts& texts) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
        if (entry.path().extension() == ".visaasm")
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
}

bool take_option(Request& request, std::string_view name, std::string_view value) {
    const auto found = number(value);
    if (!found)
        return false;
    if (name == "--seed")
        request.seed = *found;
    else if (name == "--count")
        request.count = found;
    else if (name == "--seconds")
        request.seconds = found;
    else
        return false;
    return true;
}

std::optional<Request> request_of(std::span<char* const> arguments) {
    if (arguments.size() < 2)
        return std::nullopt;
    Request request;
    const auto property = std::ranges::find(properties, std::string_view(arguments[1]), &Property::name);
    if (property == properties.end())
        return std::nullopt;
    request.property = &*property;
    for (size_t i = 2; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        if (!argument.starts_with("--")) {
            add_texts(argument, request.texts);
            continue;
        }
        ++i;
        if (i == arguments.size() || !take_option(request, argument, arguments[i]))
            return std::nullopt;
    }
    const char* seconds = std::getenv("VISOR_PROPERTY_SECONDS"); // NOLINT(concurrency-mt-unsafe): one thread
    if (!request.count && !request.seconds)
        request.seconds = seconds == nullptr ? 10 : number(seconds).value_or(10);
    return request;
}

// A long run must have drawn every row, and not have refused all there was.
std::string too_little(const Request& request, const Seen& seen, uint64_t count) {
    constexpr size_t draws_per_row = 40;
    const size_t rows = visor::isa::table().size();
    if (count == 0)
        return "nothing was run";
    if (request.property->refuses)
        return count >= 1000 && seen.accepted == 0 ? "no input was accepted" : "";
    if (seen.instructions < rows * draws_per_row || seen.rows.size() == rows)
        return "";
    return fmt::format("{} of {} rows were never drawn", rows - seen.rows.size(), rows);
}

int run(const Request& request) {
    using Clock = std::chrono::steady_clock;
    constexpr unsigned seconds_per_input = 20;
    constexpr uint64_t most_failures = 10;
    const auto end = Clock::now() + std::chrono::seconds(request.seconds.value_or(0));
    const std::string_view name = request.property->name;
    speak_when_dying(name);
    Seen seen;
    uint64_t count = 0;
    uint64_t failures = 0;
    for (; failures < most_failures; ++count) {
        if ((request.count && count == *request.count) || (request.seconds && Clock::now() >= end))
            break;
        const uint64_t seed = request.seed + count;
        begin(seed, seconds_per_input);
        const std::string wrong = request.property->holds(seed, request.texts, seen);
        if (wrong.empty())
            continue;
        ++failures;
        fmt::print(stderr, "property {} --count 1 --seed {}\n{}\n", name, seed, wrong);
    }
    fmt::print("{}: {} inputs from seed {} on, {} instructions of {} rows", name, count, request.seed,
               seen.instructions, seen.rows.size());
    if (request.property->refuses)
        fmt::print(", {} accepted", seen.accepted);
    fmt::print(", {} failures\n", failures);
    const std::string little = too_little(request, seen, count);
    if (!little.empty())
        fmt::print(stderr, "{}\n", little);
    return failures == 0 && little.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

int main(int argc, char** argv) {
    const std::optional<Request> request = request_of({argv, static_cast<size_t>(argc)});
    if (!request) {
        fmt::print(stderr, "property NAME [--seconds N] [--count N] [--seed N] [FOLDER...], NAME one of:");
        for (const Property& property : properties)
            fmt::print(stderr, " {}", property.name);
        fmt::print(stderr, "\n");
        return 2;
    }
    return run(*request);
}
