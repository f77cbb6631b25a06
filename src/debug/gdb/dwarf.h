// DWARF 4 of the code that runs: for each function a compile unit with a line table, and how to find the
// caller of a frame. Variables are not described.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace visor::debug::gdb {

// From `address` on up to the next row the code is of this line.
struct LineRow {
    uint64_t address = 0;
    uint32_t file = 0; // in FunctionImage::files
    uint32_t line = 1;
};

struct FunctionImage {
    std::string name;
    uint64_t begin = 0;
    uint64_t end = 0;       // > begin
    bool is_kernel = false; // nothing called it
    std::vector<std::string> files;
    std::vector<LineRow> rows; // by ascending addresses
};

struct Dwarf {
    std::vector<std::byte> abbreviations, info, line, frame;
};

[[nodiscard]] Dwarf dwarf_of(std::span<const FunctionImage> functions, const std::string& directory);

} // namespace visor::debug::gdb
