#include "cli/options/manual.h"

#include "cli/options/help.h"
#include "isa/device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace visor::cli {

namespace {

// As roff wants it: a backslash doubled, dashes to copy, no line that begins with a control character.
std::string roff(std::string_view text) {
    std::string out;
    bool line_begins = true;
    for (const char c : text) {
        if (line_begins && (c == '.' || c == '\''))
            out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
        line_begins = c == '\n';
    }
    return out;
}

std::string heading(std::string_view title, std::string_view summary) {
    return fmt::format(".TH {} 1 \"\" \"Visor {}\" \"Visor\"\n.SH NAME\n{} \\- {}\n", roff(title),
                       vm::version(), roff(title), roff(summary));
}

// Text whose lines stay as they are.
std::string literal(std::string_view text) {
    return fmt::format(".nf\n{}\n.fi\n", roff(text));
}

// Names are spelled by the definition; the roff of the font changes between them is ours.
std::string entry(const OptionText& option) {
    std::string names;
    for (const std::string& name : option.names)
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
    const std::string type =
        option.type.empty() || option.positional ? "" : " \\fI" + roff(option.type) + "\\fR";
    return fmt::format(".TP\n{}{}\n{}\n", names, type, roff(option.help));
}

// A shell word in single quotes holds none itself.
std::string words_of(const VerbText& verb) {
    std::string words;
    for (const OptionText& option : verb.options)
        if (!option.positional)
            for (const std::string& name : option.names)
                words += (words.empty() ? "" : " ") + name;
    return words;
}

} // namespace

std::string overview_page(std::span<const VerbText> verbs) {
    std::string out =
        heading("visor", "a virtual machine for vISA, the virtual instruction set of Intel GPUs");
    out += ".SH SYNOPSIS\n\\fBvisor\\fR \\fIVERB\\fR [options]\n.SH VERBS\n";
    for (const VerbText& verb : verbs)
        out += fmt::format(".TP\n\\fB{}\\fR\n{}; see \\fBvisor\\-{}\\fR(1)\n", verb.name,
                           roff(verb.description), verb.name);
    out += ".SH EXIT STATUS\n" + literal(exit_codes_text);
    return out;
}

std::string manual_page(const VerbText& verb) {
    const size_t colon = verb.description.find(": `");
    std::string out = heading("visor-" + verb.name, verb.description.substr(0, colon));
    out += fmt::format(".SH SYNOPSIS\n\\fBvisor {}\\fR [options]", verb.name);
    for (const OptionText& option : verb.options)
        if (option.positional)
            out += fmt::format(" \\fI{}\\fR", roff(option.names.front()));
    out += "\n.SH DESCRIPTION\n" + roff(verb.description) + "\n.SH OPTIONS\n";
    std::string group;
    for (const OptionText& option : verb.options) {
        if (option.group != group)
            out += fmt::format(".SS {}\n", roff(option.group.empty() ? "Further options" : option.group));
        group = option.group;
        out += entry(option);
    }
    return out + ".SH NOTES\n" + literal(verb.footer) + ".SH SEE ALSO\n\\fBvisor\\fR(1)\n";
}

std::string bash_completion(std::span<const VerbText> verbs) {
    std::string names;
    std::string cases;
    for (const VerbText& verb : verbs) {
        names += (names.empty() ? "" : " ") + verb.name;
        cases += fmt::format("    {}) words='{}' ;;\n", verb.name, words_of(verb));
    }
    return fmt::format(R"(# Completion of `visor` for bash; made by `visor help completion bash`.
_visor() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '{} help --help --version' -- "$word"))
        return
    fi
    case $before in
    --device) words='{}' ;;
    --engine) words='auto interp jit' ;;
    --color) words='auto always never' ;;
    --profile) words='spec igc' ;;
    --emit) words='zebin spv visaasm' ;;
    esac
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        return
    fi
    case ${{COMP_WORDS[1]}} in
{}    esac
    case $word in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}}
complete -o filenames -F _visor visor
)",
                       names, fmt::join(isa::device_names(), " "), cases);
}

std::string definitions_json(std::span<const VerbText> verbs) {
    using nlohmann::ordered_json;
    ordered_json all = ordered_json::array();
    for (const VerbText& verb : verbs) {
        ordered_json options = ordered_json::array();
        for (const OptionText& option : verb.options)
            options.push_back({{"names", option.names},
                               {"type", option.type},
                               {"positional", option.positional},
                               {"group", option.group},
                               {"help", option.help}});
        all.push_back(
            {{"name", verb.name}, {"description", verb.description}, {"options", std::move(options)}});
    }
    return ordered_json{{"version", 1}, {"verbs", std::move(all)}}.dump(2) + "\n";
}

} // namespace visor::cli
