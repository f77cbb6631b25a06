#include "cli/options/command_line.h"

#include "cli/options/help.h"
#include "cli/options/manual.h"
#include "cli/options/option_parser.h"
#include "diagnostic/diagnostic.h"

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::cli {

namespace {

struct Verb {
    std::string_view name;
    std::expected<Request, Failure> (*parse)(std::span<const std::string> arguments);
};
constexpr std::array verbs{
    Verb{"run", parse_run},       Verb{"cc", parse_cc},         Verb{"as", parse_as},
    Verb{"dis", parse_dis},       Verb{"check", parse_check},   Verb{"diff", parse_diff},
    Verb{"reduce", parse_reduce}, Verb{"report", parse_report}, Verb{"debug", parse_debug},
    Verb{"isa", parse_isa},       Verb{"info", parse_info}};

std::vector<std::string_view> verb_names() {
    std::vector<std::string_view> names;
    for (const Verb& verb : verbs)
        names.push_back(verb.name);
    return names;
}

std::expected<Request, Failure> unknown_verb(const std::string& word) {
    std::error_code ignored;
    const std::vector<std::string_view> known = verb_names();
    if (word.starts_with('-'))
        return usage(fmt::format("expected a verb before `{}`; verbs: {}", word, fmt::join(known, " ")));
    if (std::filesystem::exists(word, ignored))
        return usage(fmt::format("`{}` is a file; to run it: visor run {}", word, word));
    return usage(fmt::format("unknown verb `{}`{}; verbs: {}", word, did_you_mean(word, known),
                             fmt::join(known, " ")));
}

// Every verb's options, out of the parsers themselves.
std::expected<std::vector<VerbText>, Failure> definitions() {
    const std::vector<std::string> words{OptionParser::definition_word};
    std::vector<VerbText> out;
    for (const Verb& verb : verbs) {
        const auto answer = verb.parse(words);
        if (!answer)
            return std::unexpected(answer.error());
        out.push_back(*std::get<PrintedAnswer>(*answer).definition);
    }
    return out;
}

// `visor help`, `visor help json`, `visor help man [VERB]`, `visor help completion bash`
std::expected<Request, Failure> parse_help(std::span<const std::string> words) {
    if (words.empty())
        return PrintedAnswer{std::string(overview_text) + exit_codes_text, nullptr};
    const auto all = definitions();
    if (!all)
        return std::unexpected(all.error());
    if (words.size() == 1 && words[0] == "json")
        return PrintedAnswer{definitions_json(*all), nullptr};
    if (words.size() == 1 && words[0] == "man")
        return PrintedAnswer{overview_page(*all), nullptr};
    if (words.size() == 2 && words[0] == "man")
        for (const VerbText& verb : *all)
            if (verb.name == words[1])
                return PrintedAnswer{manual_page(verb), nullptr};
    if (words.size() == 2 && words[0] == "completion" && words[1] == "bash")
        return PrintedAnswer{bash_completion(*all), nullptr};
    return usage("visor help takes nothing, json, man [VERB] or completion bash");
}

} // namespace

std::expected<Request, Failure> parse_command_line(const std::vector<std::string>& arguments) {
    if (arguments.empty())
        return usage(
            fmt::format("a verb is missing; verbs: {}; see visor --help", fmt::join(verb_names(), " ")));
    const std::string& verb = arguments.front();
    const auto rest = std::span(arguments).subspan(1);
    for (const Verb& known : verbs)
        if (verb == known.name)
            return known.parse(rest);
    if (verb == "--version")
        return PrintedAnswer{fmt::format("visor {}\n", vm::version()), nullptr};
    if (verb == "help")
        return parse_help(rest);
    if (verb == "-h" || verb == "--help")
        return parse_help({});
    return unknown_verb(verb);
}

} // namespace visor::cli
