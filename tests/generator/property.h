// The properties that random modules and damaged inputs are held to. Each takes a seed and returns what is
// wrong, or nothing when it holds.
#pragma once

#include "generator.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace visor::generator {

// What a run has seen: one that saw nothing shall not pass.
struct Seen {
    size_t instructions = 0;
    size_t accepted = 0; // inputs that might have been refused and were not
    std::set<const isa::Row*> rows;

    void add(const Module& module);
};

// Texts of programs to damage, beside generated ones.
using Texts = std::vector<std::string>;

// print -> parse gives the same module, and prints again identically.
[[nodiscard]] std::string text_round_trip(const Module& module);
// The same but for what text loses.
[[nodiscard]] std::string disassembly_round_trip(const Module& module);
// The same of a module that profile igc allows on some device; of any other nothing is asked.
[[nodiscard]] std::string allowed_disassembly_round_trip(const Module& module);
// write -> read gives the same module but for what a binary loses, and writes again identically; or the
// writer refuses the module and says why.
[[nodiscard]] std::string assembly_round_trip(const Module& module);
// write -> read, of a module that a binary can hold.
[[nodiscard]] std::string binary_round_trip(const Module& module);

[[nodiscard]] std::string generated_text(uint64_t seed, const Texts& texts, Seen& seen);

// write -> read gives the same module, and writes again identically; what the binary says, text says as well.
[[nodiscard]] std::string generated_binary(uint64_t seed, const Texts& texts, Seen& seen);

// A binary whose names text cannot tell is read under names that it can; then as above.
[[nodiscard]] std::string damaged_names(uint64_t seed, const Texts& texts, Seen& seen);

// What text says is refused by the binary's writer, or the binary says it as well: nothing is lost in
// silence.
[[nodiscard]] std::string assembled_text(uint64_t seed, const Texts& texts, Seen& seen);

// Damaged text is refused, or it survives printing: no silent change of meaning.
[[nodiscard]] std::string damaged_text(uint64_t seed, const Texts& texts, Seen& seen);

// The same for a damaged binary.
[[nodiscard]] std::string damaged_binary(uint64_t seed, const Texts& texts, Seen& seen);

} // namespace visor::generator
