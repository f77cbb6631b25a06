// A text as its lines, without their ends.
#pragma once

#include "diagnostic/location.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace visor::reduce {

using Lines = std::vector<std::string>;

[[nodiscard]] Lines split(std::string_view text);
[[nodiscard]] std::string join(const Lines& lines);

// What a line is, as far as that can be seen without a parser.
enum class LineKind : uint8_t {
    empty,       // or a comment
    kept,        // never touched (Options::kept_lines)
    head,        // .version, .kernel, .global_function
    declaration, // .decl
    directive,   // any other that begins with a dot
    label,       // a name with a colon
    other,       // an instruction
};
// Never `kept`: Search::kind says that.
[[nodiscard]] LineKind kind_of(std::string_view line);
// Whether the line begins a kernel or a function.
[[nodiscard]] bool begins_function(std::string_view line);

// From an offset in join(lines) to the line that it lies in.
class LineIndex {
public:
    explicit LineIndex(const Lines& lines);
    [[nodiscard]] size_t line_of(Location where) const;

private:
    std::vector<uint64_t> starts_;
};

} // namespace visor::reduce
