// Messages about an input: located, ranked, with a stable rule id, and collected rather than thrown, so that
// one run reports every error. A Diagnostics object belongs to one thread.
#pragma once

#include "diagnostic/location.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor {

enum class Severity : uint8_t { note, warning, error, unsupported };

struct Note {
    std::optional<Location> where;
    std::string message;
};

struct Diagnostic {
    Severity severity = Severity::error;
    std::optional<Location> where; // absent: about the input as a whole
    std::string message;
    std::string rule; // stable id such as "undeclared-variable"; printed in brackets
    std::vector<Note> notes;
};

// Collects messages in the order they were found. Past `max_errors` further errors are counted, not kept;
// likewise warnings past a number of their own (diagnostic/limits.h).
class Diagnostics {
public:
    static constexpr size_t default_max_errors = 100;

    explicit Diagnostics(size_t max_errors = default_max_errors) : max_errors_(max_errors) {}

    // The reference stays valid until the next report.
    Diagnostic& report(Severity severity, std::optional<Location> where, std::string rule,
                       std::string message);
    Diagnostic& error(std::optional<Location> where, std::string rule, std::string message) {
        return report(Severity::error, where, std::move(rule), std::move(message));
    }
    Diagnostic& warning(std::optional<Location> where, std::string rule, std::string message) {
        return report(Severity::warning, where, std::move(rule), std::move(message));
    }
    Diagnostic& unsupported(std::optional<Location> where, std::string rule, std::string message) {
        return report(Severity::unsupported, where, std::move(rule), std::move(message));
    }

    [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }
    [[nodiscard]] size_t errors() const { return errors_; }     // kept or not
    [[nodiscard]] size_t warnings() const { return warnings_; } //
    [[nodiscard]] size_t unsupported_count() const { return unsupported_; }
    [[nodiscard]] size_t dropped() const { return dropped_; } // errors past the limit
    [[nodiscard]] bool ok() const { return errors_ == 0 && unsupported_ == 0; }
    [[nodiscard]] bool full() const { return dropped_ > 0; } // no use in looking for more

private:
    size_t max_errors_;
    size_t errors_ = 0;
    size_t warnings_ = 0;
    size_t unsupported_ = 0;
    size_t dropped_ = 0;
    std::vector<Diagnostic> all_;
    Diagnostic overflow_; // where reports past the limit go
};

struct LineColumn {
    uint32_t line = 1;   // from 1
    uint32_t column = 1; // in bytes, from 1
};

// Where the lines of a text begin: looked for once, for many messages.
class LineStarts {
public:
    // `content` outlives it.
    explicit LineStarts(std::string_view content);
    [[nodiscard]] LineColumn place_of(uint32_t offset) const; // past the end means the end
    [[nodiscard]] std::string_view line_of(uint32_t offset) const;

private:
    [[nodiscard]] size_t index_of(uint32_t offset) const;

    std::string_view content_;
    std::vector<uint32_t> starts_;
};

// An input as messages speak of it.
struct SourceView {
    std::string_view name;    // as the user named it
    std::string_view content; // the bytes; text is shown, a binary only gives offsets
    bool binary = false;
    const LineStarts* lines = nullptr; // of `content`, where somebody has them
};

// Line and column of a byte offset; an offset past the end means the end.
[[nodiscard]] LineColumn line_column(std::string_view content, uint32_t offset);

enum class Color : uint8_t { off, on };

// `file:line:col: error: message [rule]`, the source line, `^~~~`, then notes; `file:0xOFFSET:` for binaries.
[[nodiscard]] std::string render(const Diagnostic& diagnostic, const SourceView& source, Color color);
[[nodiscard]] std::string render(const Diagnostics& diagnostics, const SourceView& source, Color color);

// The up to `count` candidates nearest in spelling to `word` (edit distance, case folded), nearest first;
// none that differ by more than a third of the word.
[[nodiscard]] std::vector<std::string>
nearest(std::string_view word, const std::vector<std::string_view>& candidates, size_t count = 3);

// " (did you mean `a`, `b`?)" or "".
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string_view>& candidates);

} // namespace visor
