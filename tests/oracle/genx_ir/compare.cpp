#include "compare.h"

#include "difference.h"
#include "isa/row.h"

#include <fmt/format.h>

#include <map>
#include <vector>

namespace visor::oracle {

namespace {

void rename_labels(Function& function) {
    for (Label& label : function.labels)
        label.name.clear();
    size_t defined = 0;
    for (const Instruction& instruction : function.code) {
        const isa::TextForm form = instruction.row->form;
        if (form != isa::TextForm::label && form != isa::TextForm::subroutine)
            continue;
        std::string& name = function.labels.at(instruction.operands.at(0).id).name;
        if (name.empty())
            name = fmt::format("label {}", defined++);
    }
}

// ---- lines

bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '@' || c == '?';
}

std::string_view without_comment(std::string_view line) {
    bool quoted = false;
    for (size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '"')
            quoted = !quoted;
        else if (!quoted && line.substr(at).starts_with("//"))
            line = line.substr(0, at);
    }
    const size_t last = line.find_last_not_of(" \t\r");
    const size_t first = line.find_first_not_of(" \t");
    return last == std::string_view::npos ? "" : line.substr(first, last + 1 - first);
}

std::string without_v_name(std::string_view line) {
    std::string kept(line);
    constexpr std::string_view key = " v_name=";
    const size_t at = line.starts_with(".decl") ? kept.find(key) : std::string::npos;
    if (at != std::string::npos)
        kept.erase(at, std::min(kept.find(' ', at + key.size()), kept.size()) - at);
    return kept;
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = without_comment(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.empty() && !line.starts_with(".version"))
            lines.push_back(without_v_name(line));
    }
    return lines;
}

using LabelNames = std::map<std::string, std::string, std::less<>>;

// `name:` and `.function "name"`, in the order of the lines.
LabelNames label_names(const std::vector<std::string>& lines) {
    LabelNames names;
    const auto define = [&](std::string name) {
        std::string order = fmt::format("<label {}>", names.size());
        names.try_emplace(std::move(name), std::move(order));
    };
    constexpr std::string_view mark = ".function \"";
    for (const std::string& line : lines) {
        if (line.starts_with(mark))
            define(line.substr(mark.size(), line.size() - mark.size() - 1));
        else if (line.ends_with(':') && line.find(' ') == std::string::npos)
            define(line.substr(0, line.size() - 1));
    }
    return names;
}

std::string with_labels(std::string_view line, const LabelNames& names) {
    std::string result;
    while (!line.empty()) {
        size_t end = 0;
        while (end < line.size() && in_name(line[end]))
            ++end;
        const auto label = names.find(line.substr(0, end));
        result += label == names.end() ? line.substr(0, end) : label->second;
        line.remove_prefix(end);
        if (!line.empty()) {
            result += line.front();
            line.remove_prefix(1);
        }
    }
    return result;
}

} // namespace

Module normalized(Module module) {
    module.major = 4;
    module.minor = 1;
    for (Function& function : module.functions) {
        for (OtherVariable& sampler : function.samplers)
            sampler.v_name.clear();
        for (OtherVariable& surface : function.surfaces)
            surface.v_name.clear();
        rename_labels(function);
    }
    return module;
}

std::string module_difference(const Module& sent, const Module& received) {
    return generator::difference(normalized(sent), normalized(received));
}

std::string line_difference(std::string_view sent, std::string_view received) {
    const std::vector<std::string> left = lines_of(sent);
    const std::vector<std::string> right = lines_of(received);
    const LabelNames left_names = label_names(left);
    const LabelNames right_names = label_names(right);
    for (size_t at = 0; at < left.size() || at < right.size(); ++at) {
        const std::string a = at < left.size() ? with_labels(left[at], left_names) : "(the end)";
        const std::string b = at < right.size() ? with_labels(right[at], right_names) : "(the end)";
        if (a != b)
            return fmt::format("line {}: `{}` became `{}`", at + 1, a, b);
    }
    return "";
}

} // namespace visor::oracle
