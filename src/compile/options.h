// Converts the user's options, split as by a shell, to the OpenCL compiler's form: its parser knows neither
// single quotes nor backslashes, and rejects line ends. Extracts include folders and makes them absolute,
// because the compiler runs in another folder.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace visor::compile {

struct Options {
    std::string text;     // without the include folders
    std::string internal; // internal options: extensions to add or remove
    std::vector<std::string> include_folders;
    bool reads_files = false;       // names further files to read, whose content is unknown here
    std::vector<std::string> named; // such files and folders, as they are named
};

// Error: one sentence about the option at fault. `is_source`: the program is OpenCL C, not SPIR-V, whose
// options are checked by another part of the compiler. docs/opencl.md has the table of what Intel's own
// options become.
[[nodiscard]] std::expected<Options, std::string> read_options(std::string_view text, bool is_source = true);

// `-I"folder"`. Error: a folder whose name the compiler cannot parse.
[[nodiscard]] std::expected<std::string, std::string> include_option(std::string_view folder);

} // namespace visor::compile
