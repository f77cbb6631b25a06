// All rows: by (opcode, sub-opcode), by mnemonic, by family.
#pragma once

#include "isa/row.h"

#include <span>
#include <string_view>
#include <vector>

namespace visor::isa {

// Every row, in order of (opcode, sub). Stable addresses for the life of the program.
[[nodiscard]] std::span<const Row* const> table();

// nullptr when there is none. `sub` is -1 for opcodes without sub-opcodes.
[[nodiscard]] const Row* find(uint8_t opcode, int sub);

// Whether an opcode is followed by a sub-opcode byte that selects the row (SVM, LSC, ...).
[[nodiscard]] bool has_sub_opcodes(uint8_t opcode);

// By mnemonic or accepted spelling, without suffixes: "scatter_scaled", "svm_atomic", "min". Exact case;
// nullptr when unknown. A typed LSC message that shares its mnemonic with an untyped one is
// reached through it: find(opcode::lsc_typed, untyped->sub) once ".tgm" is seen.
[[nodiscard]] const Row* find(std::string_view mnemonic);

// Every mnemonic and spelling, for suggestions.
[[nodiscard]] std::vector<std::string_view> mnemonics();

// The families' rows, each defined in isa/<family>.cpp.
namespace rows {
[[nodiscard]] std::span<const Row> arith();
[[nodiscard]] std::span<const Row> logic();
[[nodiscard]] std::span<const Row> compare();
[[nodiscard]] std::span<const Row> move();
[[nodiscard]] std::span<const Row> flow();
[[nodiscard]] std::span<const Row> scattered();
[[nodiscard]] std::span<const Row> block();
[[nodiscard]] std::span<const Row> svm();
[[nodiscard]] std::span<const Row> lsc();
[[nodiscard]] std::span<const Row> atomic();
[[nodiscard]] std::span<const Row> typed();
[[nodiscard]] std::span<const Row> sampler();
[[nodiscard]] std::span<const Row> sync();
[[nodiscard]] std::span<const Row> matrix();
[[nodiscard]] std::span<const Row> media();
[[nodiscard]] std::span<const Row> raw();
} // namespace rows

} // namespace visor::isa
