// What the verbs' option lists share: help, colours, unknown words, options that are not supported yet.
#pragma once

#include "capture/recorder.h"
#include "cli/console/outcome.h"
#include "cli/options/request.h"

#include <CLI/CLI.hpp>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace visor::cli {

// The option parser splits words; every value stays text until words.h judges it, so that messages are ours.
class OptionParser {
public:
    OptionParser(const std::string& verb, const std::string& description, const std::string& footer)
        : app_(description, "visor " + verb) {
        app_.set_help_flag("-h,--help", "This text");
        app_.footer("\n" + footer);
        app_.get_formatter()->column_width(34);
        keep_lines(*app_.get_formatter());
        app_.add_option("--color", color_, "auto (default), always, never; NO_COLOR is obeyed");
        app_.add_flag("-q", talk_.quiet, "Errors and the summary only");
        app_.add_flag("-v", talk_.verbose, "Signature, launch shape, counts");
    }

    CLI::App& app() { return app_; }
    CLI::Option* text(const std::string& names, std::string& target, const std::string& what,
                      const std::string& type) {
        return app_.add_option(names, target, what)->type_name(type);
    }
    // What the contract knows and this version does not do: accepted, so that the answer can say so.
    void later(const std::string& name, const std::string& what, bool takes_value) {
        CLI::Option* option = takes_value ? app_.add_option(name, ignored_, what) : app_.add_flag(name, what);
        if (takes_value)
            option->type_name("")->expected(0, 1000);
        option->group("Not supported yet (exit 3)");
        later_.push_back(option);
    }

    // The one word that asks a verb for its definition instead; manual.h makes pages of them.
    static constexpr const char* definition_word = "--definition";

    // Nothing: go on. A text: print it. `needs_file`: refused without one.
    std::expected<std::optional<PrintedAnswer>, Failure>
    parse(std::vector<std::string> words, const std::string& device, const std::string* needed_file);
    [[nodiscard]] const Talk& talk() const { return talk_; }

private:
    // CLI11 makes paragraphs of texts that have lines of their own, from 2.5 on.
    template <class Formatter>
    static void keep_lines(Formatter& formatter) {
        if constexpr (requires { formatter.enable_footer_formatting(false); })
            formatter.enable_footer_formatting(false);
        if constexpr (requires { formatter.enable_description_formatting(false); })
            formatter.enable_description_formatting(false);
    }

    CLI::App app_;
    Talk talk_;
    std::string color_ = "auto";
    std::vector<std::string> ignored_;
    std::vector<CLI::Option*> later_;

    [[nodiscard]] std::shared_ptr<const VerbText> definition() const;
    Failure unknown_word(const std::vector<std::string>& extras);
};

// Those of the files of costs, of kernels and of applications; `group`: among which options, "": the first.
void add_profile_options(OptionParser& parser, profile::Paths& paths, const std::string& group);

// Which launches are captured, as they are written; `group` as above.
struct CaptureWords {
    std::string folder;
    std::string launches;
    std::string limit; // MiB
};
void add_capture_options(OptionParser& parser, CaptureWords& words, const std::string& group);
[[nodiscard]] std::expected<capture::Settings, Failure> parse_capture(const CaptureWords& words);

// Of `visor debug`, as they are written.
struct DebugWords {
    bool dap = false;
    bool stop_at_end = false;
    std::string port, history;
};
void add_debug_options(OptionParser& parser, DebugWords& words);
[[nodiscard]] std::expected<DebuggerChoice, Failure> debugger_choice(const DebugWords& words);

// Of `visor report`.
void add_page_option(OptionParser& parser, profile::Paths& paths);

// Both take the options of a run.
enum class RunVerb : uint8_t { run, report, debug };

// The verbs' option lists: their words to a request.
[[nodiscard]] std::expected<Request, Failure> parse_run(std::span<const std::string> arguments);
[[nodiscard]] std::expected<Request, Failure> parse_report(std::span<const std::string> arguments);
[[nodiscard]] std::expected<Request, Failure> parse_debug(std::span<const std::string> arguments);
[[nodiscard]] std::expected<Request, Failure>
parse_application(RunVerb verb, std::span<const std::string> options, std::span<const std::string> command);
[[nodiscard]] std::expected<Request, Failure> parse_cc(std::span<const std::string> arguments);
[[nodiscard]] std::expected<Request, Failure> parse_as(std::span<const std::string> arguments);
[[nodiscard]] std::expected<Request, Failure> parse_dis(std::span<const std::string> arguments);
[[nodiscard]] std::expected<Request, Failure> parse_check(std::span<const std::string> arguments);
[[nodiscard]] std::expected<Request, Failure> parse_diff(std::span<const std::string> arguments);
[[nodiscard]] std::expected<Request, Failure> parse_reduce(std::span<const std::string> arguments);
[[nodiscard]] std::expected<Request, Failure> parse_isa(std::span<const std::string> arguments);
[[nodiscard]] std::expected<Request, Failure> parse_info(std::span<const std::string> arguments);

// "all", or kinds of findings with commas between them.
[[nodiscard]] std::expected<std::array<bool, check::kinds>, Failure> parse_checks(std::string_view text);

} // namespace visor::cli
