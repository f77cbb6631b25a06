// Makes a vISA text smaller as long as a predicate holds, as llvm-reduce and cvise do it for LLVM IR and C:
// delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002) over
// kernels, lines, declarations, operands and lanes.
//
// The text is changed line by line, so that comments, launch metadata and whatever the parser does not know
// stay what they are. A change is not meant to keep what the program computes: the predicate alone decides.
#pragma once

#include "text/text.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>

namespace visor::reduce {

enum class Answer : uint8_t {
    interesting, // what is looked for is still there: the text is kept
    boring,
    stop, // end with what there is
};

// What decides. Both are called on the thread that reduces, and may be slow; the second one usually starts a
// process.
struct Judge {
    // Asked first: a text that it refuses is not shown to `ask`.
    std::function<bool(std::string_view text)> is_valid;
    std::function<Answer(std::string_view text)> ask;
};

struct Progress {
    std::string_view pass;
    size_t lines = 0;
    uint64_t tests = 0;
};

struct Options {
    std::string_view kept_lines{}; // lines that begin so are never touched; empty: none. It outlives the call
    text::Options parse;           // how the text is read
    uint64_t most_tests = 0;       // texts that `ask` is shown at most; 0: any number
    std::function<void(const Progress&)> on_progress{}; // after each pass; empty: none
};

struct Reduced {
    std::string text;     // the smallest one for which `ask` said `interesting`
    size_t lines = 0;     // of it
    uint64_t tests = 0;   // texts that `ask` was shown
    uint64_t kept = 0;    // of those, the interesting ones
    uint64_t invalid = 0; // texts that `is_valid` refused
    bool complete = true; // false: stopped before nothing could be made smaller any more
};

enum class Refusal : uint8_t {
    boring,  // `ask` does not find the text interesting as it is
    stopped, // before that was known
};

// No line, operand or lane of the result can go alone, unless it was stopped. Time: a number of tests that is
// quadratic in the lines at worst and mostly n log n, each with a parse of the text.
[[nodiscard]] std::expected<Reduced, Refusal> minimize(std::string_view text, const Options& options,
                                                       const Judge& judge);

} // namespace visor::reduce
