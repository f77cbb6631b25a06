// Decomposes flat addresses into a 64-bit base plus scaled 32-bit indices, the form that compilers emit.
// Without lane-affine forms, range checks compare these indices, which are half as wide.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <optional>
#include <vector>

namespace visor::jit {

// Each address = start + (index << shift), modulo 2^64. Holds for zero- and sign-extended indices below 2^31:
// callers check this limit.
struct BaseIndex {
    llvm::Value* start = nullptr; // i64
    llvm::Value* index = nullptr; // <n x i32>
    unsigned shift = 0;           // at most 3
};

// Emits the sum of the base at the builder's insertion point; addresses are a vector of i64.
[[nodiscard]] std::optional<BaseIndex> base_and_index(llvm::IRBuilder<>& ir, llvm::Value* addresses);

// The same without the sum: each address = the sum of `terms` (as wide as an address) + (index << shift). In
// offsets, the `cleared` lowest bits are then zeroed.
struct IndexTerms {
    std::vector<llvm::Value*> terms;
    llvm::Value* index = nullptr; // <n x i32>, or i64 from wide_terms()
    unsigned shift = 0;
    unsigned cleared = 0;
};
[[nodiscard]] std::optional<IndexTerms> address_terms(llvm::Value* addresses);
// With 64-bit indices; requires at least one addend, and no negative constant.
[[nodiscard]] std::optional<IndexTerms> wide_terms(llvm::Value* addresses);
// For 32-bit offsets; falls back to the offsets themselves.
[[nodiscard]] IndexTerms offset_terms(llvm::Value* offsets);

} // namespace visor::jit
