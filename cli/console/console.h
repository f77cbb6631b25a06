// What goes to standard error: messages, remarks, and the summary that is always its last line. Standard
// output belongs to results alone.
#pragma once

#include "cli/console/outcome.h"
#include "cli/value/output.h"
#include "diagnostic/diagnostic.h"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace visor::cli {

enum class ColorMode : uint8_t { automatic, always, never };

class Console {
public:
    Console(ColorMode mode, bool quiet, bool verbose);
    // Says nothing at all.
    [[nodiscard]] static Console mute();

    void report(const Failure& failure) const;
    void warning(std::string_view text) const; // not with -q
    void remark(std::string_view text) const;  // only with -v
    void line(std::string_view text) const;    // always: what was asked for, and the summary

    [[nodiscard]] Color color() const { return color_; }
    [[nodiscard]] bool
    is_watched() const; // remarks that only pass the time are read: a terminal, not with -q
    [[nodiscard]] Terminal terminal() const; // of standard output
    // What a kernel printed or a file is called, for standard output: it does not command a terminal.
    [[nodiscard]] static std::string for_output(std::string text);

private:
    ColorMode mode_;
    bool quiet_;
    bool verbose_;
    Color color_; // of standard error
    bool mute_ = false;
};

// How a verb ends that writes a file: a failure is reported, and that there is no output.
[[nodiscard]] ExitCode finish(const std::expected<void, Failure>& written, const Console& console);

// 12345678 as "12 345 678".
[[nodiscard]] std::string grouped(uint64_t number);

} // namespace visor::cli
