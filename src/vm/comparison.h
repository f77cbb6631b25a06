// Compares the functions of two files by meaning, whatever each file is: text, binary, zebin, or source that
// is compiled first. For the command line and the C API; runs nothing unless asked.
#pragma once

#include "compare/compare.h"
#include "vm/units.h"

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::vm {

struct File {
    std::string_view name; // in messages
    std::string_view content;
};

struct ComparisonRequest {
    UnitsRequest units;
    std::string kernel;                    // this one alone, "": all, and the functions beside them
    size_t most = compare::Options{}.most; // differences of a function
    uint32_t runs = 0; // kernels alone, by so many runs of each instead (vm/run_comparison.h)
};

// One side of a difference, where a reader finds it.
struct ComparedSide {
    std::string file; // "" : there is no such thing on this side
    uint32_t offset = 0;
    uint32_t line = 0; // from 1; 0 of a binary
    uint32_t column = 0;
    std::string text; // the instruction or declaration
};

struct ComparedDifference {
    std::string message;
    ComparedSide first;
    ComparedSide second;
};

struct ComparedFunction {
    std::string name;
    bool is_kernel = true;
    bool in_first = false;
    bool in_second = false;
    std::vector<ComparedDifference> differences; // when it is in both
    bool more = false;                           // there are further ones
    bool order_taken_literally = false;          // compare/compare.h
    uint32_t runs = 0;                           // that finished on both sides
    std::string untold;                          // why running tells nothing; "": it does

    [[nodiscard]] bool equal() const {
        return in_first && in_second && differences.empty() && untold.empty();
    }
};

struct ComparedFiles {
    std::vector<ComparedFunction> functions; // in the first file's order, then those of the second alone
    std::string warnings;                    // of the outside compiler, ready to print

    [[nodiscard]] bool equal() const;
    // Not equal, and all that says so is what running did not tell.
    [[nodiscard]] bool is_untold() const;
};

// Functions of one name belong together. A file that names no device is read for the other's, and two
// that name none for one that has what they use. Error: a file
// cannot be read, or neither has the kernel.
[[nodiscard]] std::expected<ComparedFiles, Error> compare_files(const File& first, const File& second,
                                                                const ComparisonRequest& request);

// As one object (docs/json.md).
[[nodiscard]] std::string json_of(const ComparedFiles& files, const File& first, const File& second);

} // namespace visor::vm
