#include "launch/scopes.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace visor::launch {

namespace {

constexpr std::string_view declaration_mark = ".decl ";
constexpr std::string_view blanks = " \t\r";

bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Names of variables that the compiler itself declares: V0054.
bool is_compilers(std::string_view name) {
    constexpr size_t shortest = 5;
    return name.size() >= shortest && name.front() == 'V' &&
           name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

std::string_view without_comment(std::string_view line) {
    line = line.substr(0, line.find("//"));
    const size_t last = line.find_last_not_of(blanks);
    return line.substr(0, last + 1);
}

// Calls `visit(position, name)` for each possible variable name after `from`.
template <class Visit>
void each_name(std::string_view line, size_t from, const Visit& visit) {
    for (size_t at = from; at < line.size();) {
        if (!in_name(line[at])) {
            ++at;
            continue;
        }
        size_t end = at;
        while (end < line.size() && in_name(line[end]))
            ++end;
        const char before = at == 0 ? ' ' : line[at - 1];
        const bool name =
            !(line[at] >= '0' && line[at] <= '9') && before != ':' && before != '.' && before != '%';
        if (name)
            visit(at, line.substr(at, end - at));
        at = end;
    }
}

// One line of code: the position of its operands, after predicate, mnemonic and execution size.
struct Code {
    std::string_view mnemonic;
    size_t operands = 0;
    bool predicated = false;
};
Code code_of(std::string_view line) {
    Code code;
    size_t at = std::min(line.find_first_not_of(blanks), line.size());
    if (at < line.size() && line[at] == '(') {
        code.predicated = true;
        at = std::min(line.find_first_not_of(blanks, std::min(line.find(')', at), line.size() - 1) + 1),
                      line.size());
    }
    const size_t end = std::min(line.find_first_of(" \t(", at), line.size());
    code.mnemonic = line.substr(at, end - at);
    const size_t size_end = line.find(')', end);
    const size_t size_start = line.find_first_not_of(blanks, end);
    const bool sized = size_start != std::string_view::npos && line[size_start] == '(';
    code.operands = sized && size_end != std::string_view::npos ? size_end + 1 : end;
    return code;
}

// Legacy messages have their destination last, and stores write no variable.
bool is_written(std::string_view mnemonic, bool first, bool last) {
    const auto has = [&](std::string_view part) { return mnemonic.find(part) != std::string_view::npos; };
    if (has("scatter") || has("_st"))
        return false;
    const bool old_load = !has("lsc_") && (has("gather") || has("_ld"));
    return old_load ? last : first;
}

// A line that uses a name.
struct Use {
    size_t line;
    std::string mnemonic;
    bool fresh;      // it writes all of the variable and reads nothing of it
    size_t earliest; // the first declaration that it can mean
};

class Scopes {
public:
    explicit Scopes(std::string_view text) {
        while (!text.empty()) {
            const size_t end = text.find('\n');
            lines_.emplace_back(text.substr(0, end));
            text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        }
        for (size_t line = 0; line < lines_.size(); ++line)
            if (lines_[line].starts_with(declaration_mark))
                add_declaration(line);
        // Base variables come before their aliases.
        std::ranges::sort(repeated_, {}, [this](const std::string& name) { return declared_[name].front(); });
    }

    // Whether every name with several declarations was disambiguated.
    bool disambiguate() {
        constexpr size_t most = 256; // each needs a scan of the whole text
        size_t splits = 0;
        return std::ranges::all_of(repeated_, [&](const std::string& name) {
            return merge(name) || (++splits <= most && split(name));
        });
    }

    [[nodiscard]] std::string text() const {
        std::string out;
        for (const std::string& line : lines_)
            out.append(line).append("\n");
        return out;
    }

private:
    void add_declaration(size_t line) {
        std::string_view name = std::string_view(lines_[line]).substr(declaration_mark.size());
        name = name.substr(0, name.find_first_of(blanks));
        std::vector<size_t>& places = declared_[std::string(name)];
        places.push_back(line);
        if (places.size() == 2)
            repeated_.emplace_back(name);
    }

    // Identical declarations are merged: sibling blocks never need both at a time.
    bool merge(const std::string& name) {
        const std::vector<size_t>& places = declared_[name];
        const std::string first(without_comment(lines_[places.front()]));
        const bool alike = std::ranges::all_of(
            places, [&](size_t place) { return without_comment(lines_[place]) == first; });
        for (size_t i = 1; alike && i < places.size(); ++i)
            lines_[places[i]].clear();
        return alike;
    }

    bool split(const std::string& name) {
        const std::vector<size_t> places = declared_[name];
        // Other classes do not show the order of their first use.
        if (!std::ranges::all_of(places,
                                 [this](size_t place) { return lines_[place].contains(" v_type=G "); }))
            return false;
        const std::optional<std::vector<Use>> uses = uses_of(name, places);
        if (!uses)
            return false;
        std::optional<std::vector<size_t>> meant = of_one_template(*uses, places.size());
        if (!meant)
            meant = by_order(*uses, places.size());
        if (!meant)
            return false;
        rename(name, places, *uses, *meant);
        return true;
    }

    // The compiler declares its variables at their first use: a block's operands before the block's own
    // declarations. So an instruction after a use of a later variable belongs to a later block.
    std::optional<std::vector<Use>> uses_of(const std::string& name, const std::vector<size_t>& places) {
        std::vector<Use> uses;
        size_t newest = 0; // line that declares the newest variable of the compiler used so far
        for (size_t line = 0; line < lines_.size(); ++line) {
            const std::string_view code_line = without_comment(lines_[line]);
            if (code_line.empty() || code_line.starts_with('.') || code_line.ends_with(':'))
                continue;
            const Code code = code_of(code_line);
            std::vector<size_t> found;
            std::string_view first;
            std::string_view last;
            each_name(code_line, code.operands, [&](size_t place, std::string_view each) {
                if (each == name)
                    found.push_back(place);
                if (is_compilers(each))
                    if (const auto known = declared_.find(std::string(each)); known != declared_.end())
                        newest = std::max(newest, known->second.front());
                first = first.empty() ? each : first;
                last = each;
            });
            if (found.empty())
                continue;
            const auto later = std::ranges::upper_bound(places, newest);
            if (later == places.end())
                return std::nullopt;
            const bool written = found.size() == 1 && !code.predicated &&
                                 is_written(code.mnemonic, first == name, last == name);
            uses.push_back(
                {line, std::string(code.mnemonic), written, static_cast<size_t>(later - places.begin())});
        }
        return uses;
    }

    // Copies of one block, from unrolling: each has the same instructions.
    static std::optional<std::vector<size_t>> of_one_template(const std::vector<Use>& uses, size_t count) {
        if (uses.empty() || uses.size() % count != 0)
            return std::nullopt;
        const size_t each = uses.size() / count;
        std::vector<size_t> meant;
        for (size_t i = 0; i < uses.size(); ++i) {
            if (uses[i].mnemonic != uses[i % each].mnemonic || uses[i].earliest > i / each)
                return std::nullopt;
            meant.push_back(i / each);
        }
        return meant;
    }

    // Assigns uses as early as the order allows; reads follow writes in the same block. Every block uses what
    // it declares.
    static std::optional<std::vector<size_t>> by_order(const std::vector<Use>& uses, size_t count) {
        std::vector<size_t> meant;
        for (const Use& use : uses)
            meant.push_back(use.earliest);
        for (size_t i = uses.size(); i-- > 1;)
            if (meant[i] > meant[i - 1] && !uses[i].fresh)
                meant[i - 1] = meant[i];
        std::vector<bool> used(count);
        for (const size_t index : meant)
            used[index] = true;
        return std::ranges::find(used, false) == used.end() ? std::optional(meant) : std::nullopt;
    }

    std::string free_name(const std::string& name, size_t index) {
        for (;; ++index) {
            std::string candidate = fmt::format("{}_{}", name, index + 1);
            if (declared_.try_emplace(candidate).second)
                return candidate;
        }
    }

    void replace(size_t line, size_t from, std::string_view name, const std::string& with) {
        std::vector<size_t> found;
        each_name(without_comment(lines_[line]), from, [&](size_t place, std::string_view each) {
            if (each == name)
                found.push_back(place);
        });
        for (; !found.empty(); found.pop_back())
            lines_[line].replace(found.back(), name.size(), with);
    }

    void rename(const std::string& name, const std::vector<size_t>& places, const std::vector<Use>& uses,
                const std::vector<size_t>& meant) {
        std::vector<std::string> names{name};
        for (size_t i = 1; i < places.size(); ++i)
            names.push_back(free_name(name, i));
        for (size_t i = 0; i < uses.size(); ++i)
            replace(uses[i].line, code_of(lines_[uses[i].line]).operands, name, names[meant[i]]);
        for (size_t i = 1; i < places.size(); ++i) {
            lines_[places[i]].replace(declaration_mark.size(), name.size(), names[i]);
            const size_t end = i + 1 < places.size() ? places[i + 1] : lines_.size();
            const std::string alias = "alias=<" + name + ",";
            for (size_t line = places[i]; line < end && line < lines_.size();
                 ++line) // uses after the declaration
                if (const size_t at = lines_[line].find(alias);
                    at != std::string::npos && lines_[line].starts_with(declaration_mark))
                    lines_[line].replace(at, alias.size(), "alias=<" + names[i] + ",");
        }
    }

    std::vector<std::string> lines_;
    std::unordered_map<std::string, std::vector<size_t>> declared_; // the lines, by name
    std::vector<std::string> repeated_;
};

// Whether any name is declared twice, which is rare.
bool repeats_names(std::string_view text) {
    std::unordered_set<std::string_view> names;
    for (size_t at = text.starts_with(declaration_mark) ? 0 : text.find("\n.decl ");
         at != std::string_view::npos; at = text.find("\n.decl ", at + 1)) {
        std::string_view name = text.substr(text.find(' ', at) + 1);
        name = name.substr(0, name.find_first_of(" \t\r\n"));
        if (!names.insert(name).second)
            return true;
    }
    return false;
}

} // namespace

std::string disambiguate_scopes(std::string_view text) {
    if (repeats_names(text)) {
        Scopes scopes(text);
        if (scopes.disambiguate())
            return scopes.text();
    }
    return std::string(text);
}

} // namespace visor::launch
