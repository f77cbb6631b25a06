#include "results.h"

#include "rounds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <utility>

namespace visor::compare {

namespace {

std::string json_string(std::string_view text) {
    std::string out = "\"";
    for (const char character : text) {
        const auto byte = static_cast<uint8_t>(character);
        if (character == '"' || character == '\\')
            out += {'\\', character};
        else if (byte < 0x20 || byte >= 0x7f)
            out += fmt::format("\\u{:04x}", byte);
        else
            out += character;
    }
    return out + "\"";
}

std::string json_string_or_null(std::string_view text) {
    return text.empty() ? "null" : json_string(text);
}

// Six digits: the least of the values and one of them are the same text.
std::string number(double value) {
    return fmt::format("{:.6g}", value);
}

bool can_be_written(const Series& one) {
    return !one.rounds.empty() &&
           std::ranges::all_of(one.rounds, [](double value) { return std::isfinite(value) && value > 0; });
}

std::string row(const Series& one) {
    const auto [least, most] = std::ranges::minmax(one.rounds);
    std::string values;
    for (const double value : one.rounds)
        values += (values.empty() ? "" : ", ") + number(value);
    return fmt::format(
        R"(    {{"kernel": {}, "column": {}, "unit": {}, "median": {}, "least": {}, "most": {}, )"
        R"("values": [{}]}})",
        json_string(one.kernel), json_string(one.column), json_string(one.unit), number(median(one.rounds)),
        number(least), number(most), values);
}

std::string reference(const Reference& one) {
    return fmt::format(
        R"(    {{"kernel": {}, "column": "native", "name": "reference study", "unit": "speedup", "value": {}}})",
        json_string(one.kernel), number(one.native));
}

// A member with an array, an entry a line; its comma stands before.
std::string array(std::string_view name, const std::vector<std::string>& entries) {
    std::string out = fmt::format(",\n  {}: [", json_string(name));
    for (const std::string& entry : entries)
        out += (&entry == entries.data() ? "\n" : ",\n") + entry;
    return out + "\n  ]";
}

// What stands behind `name` and a colon; "": no line begins with it.
std::string_view field(std::string_view cpuinfo, std::string_view name) {
    while (!cpuinfo.empty()) {
        const std::string_view line = cpuinfo.substr(0, cpuinfo.find('\n'));
        const size_t colon = line.find(':');
        const size_t end = line.substr(0, colon).find_last_not_of(" \t");
        if (colon != std::string_view::npos && end != std::string_view::npos &&
            line.substr(0, end + 1) == name)
            return line.substr(std::min(colon + 2, line.size()));
        cpuinfo.remove_prefix(std::min(line.size() + 1, cpuinfo.size()));
    }
    return {};
}

bool has_flag(std::string_view flags, std::string_view name) {
    return fmt::format(" {} ", flags).find(fmt::format(" {} ", name)) != std::string::npos;
}

} // namespace

Machine machine_of(std::string_view cpuinfo, unsigned cpus) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> widths{
        {{"avx512f", "AVX-512"}, {"avx2", "AVX2"}, {"sse4_2", "SSE4.2"}}};
    Machine machine{.cpu = std::string(field(cpuinfo, "model name")), .cpus = cpus};
    const std::string_view family = field(cpuinfo, "cpu family");
    std::from_chars(family.data(), family.data() + family.size(), machine.family);
    const std::string_view flags = field(cpuinfo, "flags");
    const auto* const width =
        std::ranges::find_if(widths, [&](const auto& one) { return has_flag(flags, one.first); });
    if (width != widths.end())
        machine.vector = width->second;
    return machine;
}

std::string command_of(std::span<const char* const> arguments) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,=+-";
    std::string out;
    for (const std::string_view argument : arguments) {
        if (!out.empty())
            out += ' ';
        if (!argument.empty() && argument.find_first_not_of(plain) == std::string_view::npos) {
            out += argument;
            continue;
        }
        out += '\'';
        for (const char character : argument)
            out += character == '\'' ? std::string("'\\''") : std::string(1, character);
        out += '\'';
    }
    return out;
}

std::string json(const Conditions& conditions, std::span<const Series> measured,
                 std::span<const Reference> references) {
    std::vector<std::string> rows;
    for (const Series& one : measured)
        if (can_be_written(one))
            rows.push_back(row(one));
    std::vector<std::string> others;
    for (const Reference& one : references)
        others.push_back(reference(one));
    const Machine& machine = conditions.machine;
    std::string out = fmt::format("{{\n  \"schema\": 1,\n  \"date\": {},\n", json_string(conditions.date));
    out += fmt::format(R"(  "machine": {{"cpu": {}, "family": {}, "vector": {}, "cpus": {}}},)",
                       json_string_or_null(machine.cpu),
                       machine.family == 0 ? "null" : std::to_string(machine.family),
                       json_string_or_null(machine.vector), machine.cpus);
    out += fmt::format("\n  \"command\": {},\n  \"commit\": null", json_string(conditions.command));
    if (!others.empty())
        out += array("references", others);
    return out + array("rows", rows) + "\n}\n";
}

} // namespace visor::compare
