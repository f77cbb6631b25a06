// The codes of a row's literal fields that mean something. Which those are is what the codecs of isa/ answer
// in both directions: a code is drawn when its word is read back as the same code.
#pragma once

#include "isa/row.h"
#include "random.h"

#include <cstdint>
#include <span>

namespace visor::generator {

// The largest number that a literal field of this kind holds.
[[nodiscard]] uint64_t largest(isa::FieldKind kind);
[[nodiscard]] bool is_literal(isa::FieldKind kind);

// Every code that has a word; empty when the codec is for plain numbers.
[[nodiscard]] std::span<const uint64_t> codes(isa::Codec codec);

[[nodiscard]] uint64_t literal(Random& random, const isa::Field& field);

// First lane of a mask that `lanes` lanes may use: M1, M3 ... for 8 lanes, M1 and M5 for 16.
[[nodiscard]] uint8_t mask_offset(Random& random, unsigned lanes);

} // namespace visor::generator
