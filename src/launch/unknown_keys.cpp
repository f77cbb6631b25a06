#include "launch/unknown_keys.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace visor::launch {

namespace {

constexpr size_t max_unknown = 16;
constexpr size_t longest_shown = 60; // of a name or a value

std::string shown(const YAML::Node& node) {
    std::string text = node.IsScalar() ? node.Scalar() : "...";
    std::ranges::replace_if(text, [](char c) { return c >= 0 && c < ' '; }, '?');
    if (text.size() > longest_shown)
        text = text.substr(0, longest_shown) + "...";
    return text;
}

// The lists and maps below a level, by the key that holds them.
struct Below {
    KeyLevel level;
    std::string_view key;
    KeyLevel below;
};
constexpr std::array<Below, 12> levels{{
    // kernels and functions are walked one by one
    {KeyLevel::file, "global_host_access_table", KeyLevel::global_host_access_table},
    {KeyLevel::kernel, "user_attributes", KeyLevel::user_attributes},
    {KeyLevel::kernel, "execution_env", KeyLevel::execution_env},
    {KeyLevel::kernel, "payload_arguments", KeyLevel::payload_arguments},
    {KeyLevel::kernel, "per_thread_payload_arguments", KeyLevel::per_thread_payload_arguments},
    {KeyLevel::kernel, "binding_table_indices", KeyLevel::binding_table_indices},
    {KeyLevel::kernel, "per_thread_memory_buffers", KeyLevel::per_thread_memory_buffers},
    {KeyLevel::kernel, "inline_samplers", KeyLevel::inline_samplers},
    {KeyLevel::kernel, "experimental_properties", KeyLevel::experimental_properties},
    {KeyLevel::kernel, "debug_env", KeyLevel::debug_env},
    {KeyLevel::functions, "execution_env", KeyLevel::execution_env},
    {KeyLevel::kernels_misc_info, "args_info", KeyLevel::args_info},
}};

} // namespace

void add(Unknown& to, std::string what) {
    if (to.size() < max_unknown)
        to.push_back(std::move(what));
}

void add_unknown(const YAML::Node& map, KeyLevel level, std::string_view where, Unknown& to) {
    if (!map.IsMap())
        return;
    std::set<std::string> seen;
    for (const auto& entry : map) {
        const YAML::Node& key = entry.first;
        const YAML::Node& value = entry.second;
        const std::string name = key.IsScalar() ? key.Scalar() : "";
        const KnownKey* known = find_key(level, name);
        if (known == nullptr)
            add(to, fmt::format("`{}` in {}", shown(key), where));
        else if (!seen.insert(name).second)
            add(to, fmt::format("`{}` twice in {}", name, where));
        else if (!value.IsNull() && !is_known_value(*known, value.IsScalar() ? value.Scalar() : ""))
            add(to, fmt::format("`{}: {}` in {}", name, shown(value), where));
        const auto below = std::ranges::find_if(
            levels, [&](const Below& one) { return one.level == level && one.key == name; });
        if (below == levels.end() || known == nullptr)
            continue;
        const std::string inside = fmt::format("`{}`", name);
        add_unknown(value, below->below, inside, to);
        for (const YAML::Node& item : value.IsSequence() ? value : YAML::Node())
            add_unknown(item, below->below, inside, to);
    }
}

bool is_known_version(const YAML::Node& version) {
    return !version.IsDefined() || (version.IsScalar() && version.Scalar().starts_with("1."));
}

Unknown unknown_of_file(const YAML::Node& root) {
    Unknown out;
    add_unknown(root, KeyLevel::file, "the file", out);
    if (const YAML::Node version = root["version"]; !is_known_version(version))
        add(out, fmt::format("`version: {}` in the file", shown(version)));
    return out;
}

} // namespace visor::launch
