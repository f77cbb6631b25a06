#include "profile/page.h"

#include "diagnostic/printable.h"
#include "profile/by_line.h"
#include "profile/picture.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace visor::profile {

namespace {

constexpr std::string_view style = R"(
body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:1200px;padding:0 1em;color:#1c2733;background:#fff}
h1{font-size:1.4em}h2{font-size:1.15em;margin-top:2em;border-bottom:1px solid #d5dbe1}h3{font-size:1em;margin:1.2em 0 .3em}
table{border-collapse:collapse}td,th{padding:.1em .6em;text-align:right;vertical-align:top}th{font-weight:600;color:#51606e}
td{white-space:nowrap}.wide{overflow-x:auto}td.text,th.text{text-align:left}table.source td.text{font-family:monospace;white-space:pre;tab-size:4}
tr:nth-child(even) td{background:#f7f9fa}tr.hot td{background:none}
.bar{display:inline-block;height:.7em;background:#3f7fbf}.low{color:#b3261e;font-weight:600}
.remark{color:#51606e;max-width:60em}pre.finding{background:#fdf1ef;border-left:3px solid #b3261e;padding:.5em;overflow:auto}
svg{background:#f2f5f7;margin:.3em 1em .3em 0;vertical-align:top}.heat{fill:#c2410c}.lane{fill:#1d6fb8}.limit{fill:#9aa7b3}
figure{display:inline-block;margin:0 1.5em 1em 0}figcaption{color:#51606e;font-size:.9em}
)";

// What is no character of HTML, or has a meaning there.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char letter : printable(text))
        switch (letter) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += letter;
        }
    return out;
}

double part(uint64_t of, uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(of) / static_cast<double>(whole);
}

std::string cell(uint64_t number) {
    return number == 0 ? "<td></td>" : fmt::format("<td>{}</td>", number);
}

std::string average_cell(uint64_t sum, uint64_t count) {
    return count == 0 ? "<td></td>" : fmt::format("<td>{:.2f}</td>", part(sum, count));
}

std::string text_cell(std::string_view text) {
    return fmt::format("<td class=\"text\">{}</td>", escaped(text));
}

Costs total_of(const Profile& profile) {
    Costs total;
    for (const FunctionCosts& function : profile.functions)
        for (size_t i = 0; i < function.costs.size(); ++i)
            if (runs(function.function->code[i]))
                total += function.costs[i];
    return total;
}

// ---- launches

std::string launches_of(const Profile& profile) {
    std::string rows;
    size_t number = 0;
    for (const LaunchFacts& launch : profile.facts)
        rows += fmt::format("<tr><td>{}</td>{}<td>SIMD{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                            number++, text_cell(launch.kernel), launch.simd, fmt::join(launch.groups, "x"),
                            fmt::join(launch.local_size, "x"), launch.threads);
    const std::string more =
        profile.launches > profile.facts.size()
            ? fmt::format("<p class=\"remark\">{} launches in all.</p>\n", profile.launches)
            : "";
    return fmt::format(
        "<h2>Launches</h2>\n<table id=\"launches\"><tr><th></th><th class=\"text\">kernel</th>"
        "<th></th><th>work-groups</th><th>work-items of a group</th><th>its hardware threads</th>"
        "</tr>\n{}</table>\n{}",
        rows, more);
}

// ---- source

constexpr std::string_view source_head =
    "<tr><th>line</th><th>instructions</th><th></th><th>lanes on</th><th>messages</th><th>bytes</th>"
    "<th>lines of 64 bytes<br>a message</th><th>bank rounds<br>a message</th><th>waited</th>"
    "<th class=\"text\"></th></tr>\n";

std::string source_row(uint32_t line, const Costs& costs, uint64_t most, std::string_view text) {
    constexpr double bar_width = 80;
    constexpr double few_lanes = 0.75;
    if (costs.executed == 0)
        return fmt::format(
            "<tr data-line=\"{}\"><td>{}</td><td></td><td></td><td></td><td></td><td></td><td></td>"
            "<td></td><td></td>{}</tr>\n",
            line, line, text_cell(text));
    const double heat = part(costs.executed, most);
    const double lanes = part(costs.lanes, costs.possible_lanes);
    return fmt::format(
        "<tr class=\"hot\" style=\"background:rgba(194,65,12,{:.2f})\" data-line=\"{}\" "
        "data-instructions=\"{}\"><td>{}</td><td>{}</td><td class=\"text\"><span class=\"bar\" "
        "style=\"width:{:.0f}px\"></span></td><td{}>{:.0f} %</td>{}{}{}{}{}{}</tr>\n",
        0.35 * heat, line, costs.executed, line == 0 ? "" : std::to_string(line), costs.executed,
        bar_width * heat, lanes < few_lanes ? " class=\"low\"" : "", 100 * lanes, cell(costs.all_messages()),
        cell(costs.bytes), average_cell(costs.lines, costs.lines == 0 ? 0 : costs.all_messages()),
        average_cell(costs.slm_rounds, costs.slm_rounds == 0 ? 0 : costs.all_messages()), cell(costs.waited),
        text_cell(text));
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size() - 1);
        lines.push_back(text.substr(0, text[end] == '\n' ? end : end + 1));
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::string source_table(const std::map<uint32_t, LineCosts>& costs, const std::optional<std::string>& text) {
    uint64_t most = 0;
    for (const auto& [line, found] : costs)
        most = std::max(most, found.costs.executed);
    std::string rows;
    const auto add = [&](uint32_t line, std::string_view words) {
        const auto found = costs.find(line);
        rows += source_row(line, found == costs.end() ? Costs{} : found->second.costs, most, words);
    };
    if (costs.contains(0))
        add(0, "code of the compiler's own");
    const auto lines = text ? lines_of(*text) : std::vector<std::string_view>{};
    for (uint32_t line = 1; line <= lines.size(); ++line)
        add(line, lines[line - 1]);
    for (auto further = costs.upper_bound(static_cast<uint32_t>(lines.size())); further != costs.end();
         ++further)
        if (further->first != 0)
            add(further->first, "");
    return fmt::format("<div class=\"wide\"><table class=\"source\">{}{}</table></div>\n", source_head, rows);
}

// Costs of all functions by their files, and of each function by the lines of its vISA text.
std::string sources_of(const Profile& profile, const PageFacts& facts) {
    FileCosts all;
    std::set<std::string, std::less<>> texts; // of vISA
    for (const FunctionCosts& function : profile.functions) {
        texts.insert(function.text_name);
        for (const auto& [file, lines] : by_line(function, Lines::source))
            for (const auto& [line, costs] : lines) {
                LineCosts& there = all[file][line];
                there.costs += costs.costs;
                there.most_executed = std::max(there.most_executed, costs.most_executed);
            }
    }
    std::string out = "<h2>Source</h2>\n";
    for (const auto& [file, lines] : all) {
        std::optional<std::string> text;
        for (const FunctionCosts& function : profile.functions)
            if (function.text_name == file)
                text = function.text;
        if (!text && facts.source)
            text = facts.source(file);
        out += fmt::format("<h3>{}</h3>\n{}", escaped(file), source_table(lines, text));
    }
    for (const FunctionCosts& function : profile.functions) {
        if (all.contains(function.text_name))
            continue;
        const FileCosts visa = by_line(function, Lines::visa);
        for (const auto& [file, lines] : visa)
            out += fmt::format("<details><summary>vISA of <b>{}</b>: {}</summary>\n{}</details>\n",
                               escaped(function.function->name), escaped(file),
                               source_table(lines, function.text));
    }
    return out;
}

// ---- memory

// The messages of one line to one array.
struct LineSite {
    Costs costs;
    const ArraySite* first = nullptr;
};
using SiteKey = std::tuple<std::string, uint32_t, machine::AccessKind>;

class Arrays {
public:
    explicit Arrays(const Profile& profile) : profile_(profile) {
        for (const FunctionCosts& function : profile.functions)
            places_.push_back(places_of(function, Lines::source));
    }

    [[nodiscard]] std::string text() const {
        std::string out = fmt::format(
            "<h2>Memory</h2>\n<p class=\"remark\">A message goes to cache lines of {} bytes: where it "
            "touches as many "
            "as would hold its bytes it is coalesced; where each lane touches a line of its own it is "
            "scattered. "
            "Shared local memory is taken as {} banks of {} bytes; a round takes one dword of each.</p>\n",
            line_bytes, slm_banks, slm_bank_bytes);
        for (const ArrayCosts& array : profile_.arrays)
            if (!array.sites.empty())
                out += text_of(array);
        return out;
    }

private:
    [[nodiscard]] std::map<SiteKey, LineSite> by_line_of(const ArrayCosts& array) const {
        std::map<SiteKey, LineSite> lines;
        for (const ArraySite& site : array.sites) {
            const Place& place = places_[site.function][site.instruction];
            LineSite& line = lines[{std::string(place.file), place.line, site.kind}];
            line.costs += site.costs;
            if (line.first == nullptr)
                line.first = &site;
        }
        return lines;
    }

    static std::string row_of(const SiteKey& key, const LineSite& line, const ArrayCosts& array) {
        const auto& [file, number, kind] = key;
        const uint64_t messages = line.costs.all_messages();
        const double touched = part(array.local ? line.costs.slm_rounds : line.costs.lines, messages);
        const double least = array.local ? 1 : part(line.costs.least_lines, messages);
        const bool scattered = touched > 2 * least;
        return fmt::format(
            "<tr class=\"site\" data-array=\"{}\" data-line=\"{}\" data-kind=\"{}\" "
            "data-messages=\"{}\" data-{}-per-message=\"{:.2f}\" data-least=\"{:.2f}\">{}<td>{}</td>"
            "<td>{}</td><td>{:.1f}</td><td{}>{:.2f}</td><td>{:.2f}</td><td class=\"text\">{}</td></tr>\n",
            escaped(array.label), number, machine::access_name(kind), messages,
            array.local ? "rounds" : "lines", touched, least, text_cell(fmt::format("{}:{}", file, number)),
            machine::access_name(kind), messages, part(line.costs.bytes, messages),
            scattered ? " class=\"low\"" : "", touched, least,
            scattered ? array.local ? "bank conflicts" : "scattered" : "");
    }

    [[nodiscard]] std::string text_of(const ArrayCosts& array) const {
        std::string rows;
        std::string pictures;
        constexpr size_t most_pictures = 8;
        size_t shown = 0;
        for (const auto& [key, line] : by_line_of(array)) {
            rows += row_of(key, line, array);
            const std::string picture = shown++ < most_pictures ? lane_picture(*line.first, array.local) : "";
            if (!picture.empty())
                pictures += fmt::format(
                    "<figure>{}<figcaption>line {}, the first {}: a row is a lane, {} the array's "
                    "bytes</figcaption></figure>\n",
                    picture, std::get<1>(key), machine::access_name(std::get<2>(key)), "from left to right");
        }
        std::string map = heat_picture(array);
        if (!map.empty())
            map =
                fmt::format("<figure>{}<figcaption>all of it from left to right, time from top to bottom, {} "
                            "instructions a row</figcaption></figure>\n",
                            map, array.heat.time_of_row());
        return fmt::format(
            "<h3>{}, {} bytes</h3>\n<table><tr><th class=\"text\">line</th><th></th><th>messages</th>"
            "<th>bytes a message</th><th>{}<br>a message</th><th>at least</th><th></th></tr>\n"
            "{}</table>\n{}{}",
            escaped(array.label), array.bytes,
            array.local ? "bank rounds" : fmt::format("lines of {} bytes", line_bytes), rows, map, pictures);
    }

    const Profile& profile_;
    std::vector<std::vector<Place>> places_;
};

std::string findings_of(const PageFacts& facts) {
    std::string out = "<h2>Findings</h2>\n";
    if (!facts.checked)
        return out + "<p class=\"remark\">Nothing was checked: <code>--check=all</code> does.</p>\n";
    if (facts.findings.empty())
        return out + "<p>None.</p>\n";
    for (const std::string& finding : facts.findings)
        out += fmt::format("<pre class=\"finding\">{}</pre>\n", escaped(finding));
    return out;
}

std::string summary_of(const Profile& profile) {
    const Costs total = total_of(profile);
    return fmt::format(
        "<p id=\"summary\" data-instructions=\"{}\">{} launch{}, {} instructions of hardware threads, "
        "{:.0f} % of their lanes on, {} messages, {} bytes.</p>\n",
        total.executed, profile.launches, profile.launches == 1 ? "" : "es", total.executed,
        100 * part(total.lanes, total.possible_lanes), total.all_messages(), total.bytes);
}

} // namespace

std::string page_of(const Profile& profile, const PageFacts& facts) {
    return fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>"
                       "<style>{1}</style></head><body>\n<h1>{0}</h1>\n{2}{3}{4}{5}{6}"
                       "<p class=\"remark\">Made by {7}.</p>\n</body></html>\n",
                       escaped(facts.title), style, summary_of(profile), findings_of(facts),
                       launches_of(profile), Arrays(profile).text(), sources_of(profile, facts),
                       escaped(facts.creator));
}

} // namespace visor::profile
