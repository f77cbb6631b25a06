#include "cli/console/console.h"

#include "diagnostic/printable.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace visor::cli {

namespace {

bool wants_color(ColorMode mode, int descriptor) {
    if (mode != ColorMode::automatic)
        return mode == ColorMode::always;
    const char* refused = std::getenv("NO_COLOR");
    if (refused != nullptr && *refused != '\0')
        return false;
    const char* terminal = std::getenv("TERM");
    return isatty(descriptor) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

// "file:line:col: error: ..." as the stages write it; anything else is a sentence that needs its kind before
// it.
bool has_place(std::string_view text) {
    const std::string_view first = text.substr(0, text.find('\n'));
    constexpr std::array<std::string_view, 5> kinds{
        ": error:", ": \x1b[31merror:", ": warning:", ": \x1b[35mwarning:", "unsupported by Visor:"};
    return std::ranges::any_of(
        kinds, [&](std::string_view kind) { return first.find(kind) != std::string_view::npos; });
}

} // namespace

Console::Console(ColorMode mode, bool quiet, bool verbose)
    : mode_(mode), quiet_(quiet), verbose_(verbose),
      color_(wants_color(mode, STDERR_FILENO) ? Color::on : Color::off) {}

Console Console::mute() {
    Console out(ColorMode::never, true, false);
    out.mute_ = true;
    return out;
}

void Console::report(const Failure& failure) const {
    constexpr std::string_view error = "error: ";
    constexpr std::string_view unsupported = "unsupported by Visor: ";
    std::string_view text = failure.text;
    if (text.starts_with(unsupported))
        return line(fmt::format("visor: {}", text));
    if (text.starts_with(error))
        text.remove_prefix(error.size());
    else if (has_place(text))
        return line(text);
    const bool colored = color_ == Color::on;
    line(fmt::format("visor: {}error:{} {}", colored ? "\x1b[31m" : "", colored ? "\x1b[0m" : "", text));
}

void Console::warning(std::string_view text) const {
    if (!quiet_ && !text.empty())
        line(text);
}

void Console::remark(std::string_view text) const {
    if (verbose_)
        line(text);
}

void Console::line(std::string_view text) const {
    if (mute_)
        return;
    while (text.ends_with('\n'))
        text.remove_suffix(1);
    fmt::print(stderr, "{}\n", text);
}

bool Console::is_watched() const {
    return !quiet_ && !mute_ && isatty(STDERR_FILENO) != 0;
}

Terminal Console::terminal() const {
    Terminal terminal;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal.columns = std::min<uint32_t>(size.ws_col, 100);
    if (wants_color(mode_, STDOUT_FILENO))
        terminal.ink = Ink::color;
    return terminal;
}

std::string Console::for_output(std::string text) {
    return isatty(STDOUT_FILENO) != 0 ? printable(text) : std::move(text);
}

ExitCode finish(const std::expected<void, Failure>& written, const Console& console) {
    if (written)
        return ExitCode::clean;
    console.report(written.error());
    console.line("visor: nothing was written");
    return written.error().code;
}

std::string grouped(uint64_t number) {
    std::string digits = fmt::format("{}", number);
    for (size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, 1, ' ');
    }
    return digits;
}

} // namespace visor::cli
