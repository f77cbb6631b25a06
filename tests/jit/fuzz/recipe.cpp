#include "recipe.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>
#include <sstream>

namespace visor::jit_fuzz {

namespace {

bool is_label(const std::string& line) {
    return line.ends_with(':');
}

void write(const Node& node, std::string& text) {
    const auto lines = [&text](const std::vector<std::string>& all) {
        for (const std::string& line : all)
            text += (is_label(line) ? "" : "    ") + line + '\n';
    };
    lines(node.before);
    for (const Node& child : node.body)
        write(child, text);
    lines(node.after);
}

std::set<std::string, std::less<>> names_in(const std::string& text) {
    std::set<std::string, std::less<>> names;
    std::string name;
    for (const char letter : text + ' ') {
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_') {
            name += letter;
            continue;
        }
        if (!name.empty())
            names.insert(std::move(name));
        name.clear();
    }
    return names;
}

// `next`: number of the node's first line. True when the node itself is to go.
bool remove_from(Node& node, const std::vector<uint32_t>& lines, uint32_t& next) {
    const auto hit = [&](size_t count) {
        const auto first = std::ranges::lower_bound(lines, next);
        const bool found = first != lines.end() && *first < next + count;
        next += static_cast<uint32_t>(count);
        return found;
    };
    bool goes = hit(node.before.size());
    std::vector<Node> kept;
    for (Node& child : node.body) {
        if (!remove_from(child, lines, next))
            kept.push_back(std::move(child));
        else
            for (Node& inner : child.body)
                kept.push_back(std::move(inner));
    }
    node.body = std::move(kept);
    goes = hit(node.after.size()) || goes;
    return goes;
}

size_t count(const Node& node) {
    const auto plain = [](const std::vector<std::string>& lines) {
        return static_cast<size_t>(
            std::ranges::count_if(lines, [](const std::string& line) { return !is_label(line); }));
    };
    size_t all = plain(node.before) + plain(node.after);
    for (const Node& child : node.body)
        all += count(child);
    return all;
}

std::string head_of(const Recipe& recipe, const std::string& code) {
    const Setting& setting = recipe.setting;
    std::string text = fmt::format(
        "// device {}\n// simd {}\n// threads {}\n// groups {}\n// last_lanes {}\n// level {}\n"
        "// lowered {}\n// tiers {}\n// data {}\n// launches {}\n// told {}\n",
        setting.device, setting.simd, setting.threads, setting.groups, setting.last_lanes, setting.level,
        setting.lowered ? 1 : 0, setting.tiers, setting.data, setting.launches, setting.told);
    text += recipe.head;
    auto names = names_in(code);
    for (const Declaration& declaration : recipe.declarations)
        if (!declaration.base.empty() && names.contains(declaration.name))
            names.insert(declaration.base);
    std::string inputs;
    for (const Declaration& declaration : recipe.declarations) {
        if (!declaration.name.empty() && !names.contains(declaration.name))
            continue;
        text += declaration.line + '\n';
        if (!declaration.input.empty())
            inputs += declaration.input + '\n';
    }
    return text + inputs + '\n';
}

} // namespace

std::string text_of(const Recipe& recipe) {
    std::string code;
    write(recipe.code, code);
    return head_of(recipe, code) + code;
}

std::expected<Setting, std::string> setting_of(const std::string& text) {
    Setting setting;
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line) && line.starts_with("//")) {
        std::istringstream words(line.substr(2));
        std::string key;
        words >> key;
        const auto read = [&words](auto& value) { return static_cast<bool>(words >> value); };
        const bool known = key == "device"       ? read(setting.device)
                           : key == "simd"       ? read(setting.simd)
                           : key == "threads"    ? read(setting.threads)
                           : key == "groups"     ? read(setting.groups)
                           : key == "last_lanes" ? read(setting.last_lanes)
                           : key == "level"      ? read(setting.level)
                           : key == "lowered"    ? read(setting.lowered)
                           : key == "tiers"      ? read(setting.tiers)
                           : key == "data"       ? read(setting.data)
                           : key == "launches"   ? read(setting.launches)
                           : key == "told"       ? read(setting.told)
                                                 : true; // a remark
        if (!known)
            return std::unexpected(line);
    }
    return setting;
}

bool remove_lines(Recipe& recipe, const std::vector<uint32_t>& lines) {
    std::string code;
    write(recipe.code, code);
    const std::string head = head_of(recipe, code);
    auto first = static_cast<uint32_t>(std::ranges::count(head, '\n')) + 1;
    const auto in_code = std::ranges::all_of(lines, [first](uint32_t line) { return line >= first; });
    return in_code && !remove_from(recipe.code, lines, first);
}

size_t instruction_count(const Recipe& recipe) {
    return count(recipe.code);
}

} // namespace visor::jit_fuzz
