// Random modules, well formed as the rows define it: every field of every instruction is filled from its
// kind, classes, types, codec and extent, so that a new row is tested without a word here. The same seed
// gives the same module. It knows no opcode and no meaning; what a program does when it runs is nobody's
// concern.
#pragma once

#include "module/module.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace visor::generator {

// What the module must be expressible in. Text has fields that a binary has no place for, and the other way
// round.
enum class Medium : uint8_t { text, binary };

struct GeneratorOptions {
    Medium medium = Medium::text;
    size_t most_functions = 2;
    size_t most_instructions = 24; // of a function, beside the marks of labels
    uint32_t grf_bytes = 32;
    std::span<const isa::Row* const> rows; // to draw from; empty: all
};

// Whether a module for this medium can contain the row.
[[nodiscard]] bool has_form(const isa::Row& row, Medium medium);

[[nodiscard]] Module generate(uint64_t seed, const GeneratorOptions& options);

} // namespace visor::generator
