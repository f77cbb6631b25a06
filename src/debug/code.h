// The code that runs, with the lines that its instructions came from.
#pragma once

#include "module/module.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace visor::debug {

// A line of a file, from 1 on; 0: not known.
struct Line {
    std::string_view file;
    uint32_t line = 0;

    [[nodiscard]] bool known() const { return line != 0; }
    friend bool operator==(const Line&, const Line&) = default;
};

// A kernel or a function that it can call. Locations are indices in the function's code.
class Code {
public:
    Code(std::shared_ptr<const Function> function, std::string text_name, std::string text);

    [[nodiscard]] const Function& function() const { return *function_; }
    [[nodiscard]] const std::shared_ptr<const Function>& shared() const { return function_; }
    [[nodiscard]] const std::string& text_name() const { return text_name_; }
    [[nodiscard]] const std::string& text() const { return text_; }
    // Whether the compiler told lines of a source.
    [[nodiscard]] bool has_source() const { return has_source_; }
    [[nodiscard]] Line source_line(uint32_t instruction) const; // of the source
    [[nodiscard]] Line text_line(uint32_t instruction) const;   // of the vISA text
    // The source's, else the text's.
    [[nodiscard]] Line line(uint32_t instruction) const;
    // The words of that line of the text, without spaces around them.
    [[nodiscard]] std::string_view words(uint32_t instruction) const;

    // Where a thread that comes to a line from another one begins it; a line without code is the next one
    // that has some, which `line` becomes. `file` may be the end of a path, or the text's name.
    [[nodiscard]] std::vector<uint32_t> begins_of(std::string_view file, uint32_t& line) const;
    // The first instruction that is executed.
    [[nodiscard]] uint32_t entry() const;

private:
    std::shared_ptr<const Function> function_;
    std::string text_name_;
    std::string text_;
    bool has_source_ = false;
    std::vector<Line> source_; // by instruction; empty without
    std::vector<uint32_t> text_lines_;
    std::vector<bool> runs_; // by instruction: not a label or a note
};

// "a/b/k.cl" ends with "k.cl" and with "b/k.cl", not with "x.cl".
[[nodiscard]] bool is_file(std::string_view path, std::string_view wanted);

} // namespace visor::debug
