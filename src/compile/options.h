// The user's option string, split as a shell would, in the form the OpenCL compiler takes: its own splitter
// knows neither single quotes nor backslashes, and refuses line ends. Include folders are taken out and made
// absolute, because the compiler runs in a folder of its own.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace visor::compile {

struct Options {
    std::string text;     // without the include folders
    std::string internal; // what the compiler takes beside them: extensions to add to or take from its list
    std::vector<std::string> include_folders;
    bool reads_files = false;       // names further files to read: what they hold is not known here
    std::vector<std::string> named; // such files and folders, as they are named
};

// Error: one sentence about the option at fault. `is_source`: the program is OpenCL C, not SPIR-V, whose
// options are checked by another part of the compiler. docs/opencl.md has the table of what Intel's own
// options become.
[[nodiscard]] std::expected<Options, std::string> read_options(std::string_view text, bool is_source = true);

// `-I"folder"`. Error: a folder whose name the compiler cannot be told.
[[nodiscard]] std::expected<std::string, std::string> include_option(std::string_view folder);

} // namespace visor::compile
