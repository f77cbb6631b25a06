// Decomposes flat addresses into a 64-bit base plus scaled 32-bit indices, as compilers make them: where
// nothing else is known of the lanes, range checks look at the indices, which are half as long.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <optional>
#include <vector>

namespace visor::jit {

// Each address = start + (index << shift), modulo 2^64, whether indices were extended with or without sign:
// who uses this asks for indices below 2^31 first.
struct BaseIndex {
    llvm::Value* start = nullptr; // i64
    llvm::Value* index = nullptr; // <n x i32>
    unsigned shift = 0;           // 3 at most
};

// Numbers that have to be added up are, at the builder's place; addresses are a vector of 64-bit numbers.
[[nodiscard]] std::optional<BaseIndex> base_and_index(llvm::IRBuilder<>& ir, llvm::Value* addresses);

// The same before anything is added up: each place = the sum of `terms` (numbers as wide as a place) +
// (index << shift), and then, of offsets, the `cleared` lowest bits are zero.
struct IndexTerms {
    std::vector<llvm::Value*> terms;
    llvm::Value* index = nullptr; // <n x i32>, or of 64 bits where it is said
    unsigned shift = 0;
    unsigned cleared = 0;
};
[[nodiscard]] std::optional<IndexTerms> address_terms(llvm::Value* addresses);
// Indices of 64 bits, where something is added to them that is no negative constant.
[[nodiscard]] std::optional<IndexTerms> wide_terms(llvm::Value* addresses);
// Of offsets of 32 bits; nothing is added when nothing else is known.
[[nodiscard]] IndexTerms offset_terms(llvm::Value* offsets);

} // namespace visor::jit
