#include "cli/options/option_parser.h"

#include "cli/options/words.h"
#include "cli/report/installation.h"
#include "diagnostic/diagnostic.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace visor::cli {

Failure OptionParser::unknown_word(const std::vector<std::string>& extras) {
    const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& word) {
        return word.starts_with('-') && word.size() > 1;
    });
    if (option == extras.end())
        return {ExitCode::usage,
                fmt::format("unexpected `{}`; arguments of the kernel go behind -a, see {} --help",
                            extras.front(), app_.get_name())};
    std::vector<std::string> names;
    for (const CLI::Option* known : app_.get_options()) {
        for (const std::string& name : known->get_lnames())
            names.push_back("--" + name);
        for (const std::string& name : known->get_snames())
            names.push_back("-" + name);
    }
    const std::string word = option->substr(0, option->find('='));
    return {ExitCode::usage, fmt::format("unknown option `{}`{}; see {} --help", word,
                                         did_you_mean(word, {names.begin(), names.end()}), app_.get_name())};
}

std::shared_ptr<const VerbText> OptionParser::definition() const {
    auto out = std::make_shared<VerbText>();
    constexpr std::string_view program = "visor ";
    out->name = app_.get_name().substr(program.size());
    out->description = app_.get_description();
    out->footer = app_.get_footer();
    for (const CLI::Option* option : app_.get_options()) {
        OptionText& text = out->options.emplace_back();
        for (const std::string& name : option->get_snames())
            text.names.push_back("-" + name);
        for (const std::string& name : option->get_lnames())
            text.names.push_back("--" + name);
        text.positional = option->get_positional();
        if (text.positional)
            text.names = {option->get_name()};
        if (option->get_type_size() != 0)
            text.type = option->get_type_name();
        text.help = option->get_description();
        if (option->get_group() != "Options")
            text.group = option->get_group();
    }
    return out;
}

namespace {

bool asks_for_devices(const std::vector<std::string>& words) {
    constexpr std::array<std::string_view, 2> option{"--device", "help"};
    return !std::ranges::search(words, option).empty() ||
           std::ranges::find(words, "--device=help") != words.end();
}

} // namespace

std::expected<std::optional<PrintedAnswer>, Failure> OptionParser::parse(std::vector<std::string> words,
                                                                         const std::string& device,
                                                                         const std::string* needed_file) {
    if (words.size() == 1 && words.front() == definition_word)
        return PrintedAnswer{{}, definition()};
    const bool lists_devices = asks_for_devices(words);
    std::reverse(words.begin(), words.end()); // as CLI11 wants it
    try {
        app_.parse(words);
    } catch (const CLI::CallForHelp&) {
        return PrintedAnswer{app_.help(), nullptr};
    } catch (const CLI::ExtrasError&) {
        return std::unexpected(unknown_word(app_.remaining()));
    } catch (const CLI::ParseError& error) {
        if (lists_devices) // which needs no FILE; CLI11 asks for it before or after it has set values
            return PrintedAnswer{device_table(), nullptr};
        return usage(fmt::format("{}; see {} --help", error.what(), app_.get_name()));
    }
    if (device == "help")
        return PrintedAnswer{device_table(), nullptr};
    constexpr std::array<std::string_view, 3> choices{"auto", "always", "never"};
    const auto color = parse_choice("--color", color_, choices);
    if (!color)
        return std::unexpected(color.error());
    talk_.color = static_cast<ColorMode>(*color);
    for (const CLI::Option* option : later_)
        if (option->count() > 0)
            return not_yet(fmt::format("{} of {}", option->get_name(), app_.get_name()));
    if (needed_file != nullptr && needed_file->empty())
        return usage(fmt::format("{} needs a FILE; see {} --help", app_.get_name(), app_.get_name()));
    return std::nullopt;
}

void add_profile_options(OptionParser& parser, profile::Paths& paths, const std::string& group) {
    const std::vector<CLI::Option*> added{
        parser.text(
            "--profile-out", paths.profile,
            "What instructions and messages cost, by line: callgrind's format, or collapsed stacks (.folded)",
            "FILE"),
        parser.text("--coverage-out", paths.coverage, "Which lines ran, in lcov's format", "FILE"),
        parser.text(
            "--timeline-out", paths.timeline,
            "Launches, work-groups and barriers as a Chrome trace; %p in a FILE is the process's number",
            "FILE")};
    for (CLI::Option* const option : added)
        if (!group.empty())
            option->group(group);
}

void add_capture_options(OptionParser& parser, CaptureWords& words, const std::string& group) {
    const std::vector<CLI::Option*> added{
        parser.text("--capture", words.folder,
                    "Write each launch as a folder that `visor run FOLDER` launches again; %p in DIR is the "
                    "process's number",
                    "DIR"),
        parser.text("--capture-launches", words.launches,
                    "Only these: KERNEL, KERNEL:N or KERNEL:N..M of its launches, :N..M of all, with commas "
                    "(default: all)",
                    "LIST"),
        parser.text("--capture-limit", words.limit, "MiB of all folders of a process (default 4096)", "MIB")};
    for (CLI::Option* const option : added)
        if (!group.empty())
            option->group(group);
}

std::expected<capture::Settings, Failure> parse_capture(const CaptureWords& words) {
    constexpr uint64_t most_mebibytes = uint64_t{1} << 30U;
    capture::Settings out;
    out.folder = words.folder;
    auto selection = capture::parse_selection(words.launches);
    if (!selection)
        return usage(fmt::format("--capture-launches: {}", selection.error()));
    out.launches = std::move(*selection);
    if (!words.limit.empty()) {
        const auto limit = parse_count("--capture-limit", words.limit, most_mebibytes);
        if (!limit)
            return std::unexpected(limit.error());
        out.mebibytes = *limit;
    }
    if (words.folder.empty() && !(words.launches + words.limit).empty())
        return usage("--capture-launches and --capture-limit go with --capture DIR");
    return out;
}

void add_page_option(OptionParser& parser, profile::Paths& paths) {
    paths.page = "report.html";
    parser.text("-o,--output", paths.page, "The page (default report.html); %p in it is the process's number",
                "FILE");
}

} // namespace visor::cli
