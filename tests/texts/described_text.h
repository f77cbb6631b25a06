// A text that says in comment lines what is expected of it. It parses and compares nothing of vISA itself.
//
//   // DEVICE pvc                                   the device to check for; without: any
//   // EXPECT [spec|igc] 7:12 error rule: message   a diagnostic, under both profiles or one; a part of its
//   message
//   // MARKS text                                   what the caret of the diagnostic above underlines
//   // NOTE 3:7 message                             a note of the diagnostic above
//   // ACCEPTED because ...                         why there is none (or no error) although one might expect
//   it
//   // CONFORMANCE case                             the row of conformance/bad-input.tsv that this file
//   answers
//   // WITH <NAME> = 00 [* 5000]                    <NAME> in the text stands for these bytes, so many times
//   // REFUSED 9:1 error rule: message              what the writer of binaries says to this module
//
// `-` instead of a place means that the diagnostic has none.
#pragma once

#include "diagnostic/diagnostic.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace visor {

struct ExpectedNote {
    std::string place; // "3:7"
    std::string message;
};

struct Expected {
    bool spec = true;  // under this profile
    bool igc = true;   //
    std::string place; // "7:12", or "-"
    std::string severity;
    std::string rule;
    std::string message; // a part of it
    std::string marks;   // "" = not checked
    std::vector<ExpectedNote> notes;
};

struct DescribedText {
    std::string name;
    std::string text; // bad inputs: what stands in front of the first directive, and only that
    std::string device;
    std::string conformance;
    std::string accepted;
    std::vector<Expected> expected;
    std::vector<Expected> refused;     // by the writer of binaries
    std::vector<std::string> mistakes; // lines that look like directives and are none
};

enum class Directives { behind_the_text, anywhere };
[[nodiscard]] DescribedText read_described_text(const std::filesystem::path& file, Directives where);
// Every .visaasm of a folder, in the order of names.
[[nodiscard]] std::vector<std::filesystem::path> texts_in(const std::filesystem::path& folder);

// "7:12 error rule: message", one line each.
[[nodiscard]] std::string shown(const Diagnostics& diagnostics, std::string_view text);
// What differs between the diagnostics and those expected; "" when nothing does. In the same order.
[[nodiscard]] std::string differences(const Diagnostics& found, const std::vector<Expected>& expected,
                                      std::string_view text);

} // namespace visor
