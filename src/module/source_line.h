// Where in its source language an instruction came from: what the FILE and LOC instructions of a function say
// (a compiler writes them when it is asked for line tables). Text and binaries carry them as instructions
// like any other; this reads them once, as a table by instruction. It opens no file.
#pragma once

#include "module/module.h"

#include <string>
#include <string_view>
#include <vector>

namespace visor {

struct SourceLine {
    std::string_view file; // as FILE spells it; lives as long as the function
    uint32_t line = 0;     // from 1; 0: not told

    [[nodiscard]] bool known() const { return line != 0 && !file.empty(); }
};

// By index in the function's code; empty where it has no LOC. A FILE and a LOC hold for what follows them in
// the code. Line 0 is what compilers write for code of their own.
[[nodiscard]] std::vector<SourceLine> source_lines(const Function& function);

// "k.cl:12"; "" when it is not known.
[[nodiscard]] std::string text_of(const SourceLine& line);

// Gives the files of FILE instructions the names that people gave them: the file that was compiled is
// `given`, and what lies below `folder` is named from there. Compilers make all names absolute.
void name_files(Function& function, std::string_view given, std::string_view folder);

} // namespace visor
