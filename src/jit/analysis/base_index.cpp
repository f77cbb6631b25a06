#include "jit/analysis/base_index.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace visor::jit {

namespace {

namespace match = llvm::PatternMatch;
using llvm::Value;

// Recursion limit on sums.
constexpr int max_terms = 8;
constexpr uint64_t max_shift = 3;

// Removes uniform addends from a vector; none for sums of two divergent vectors and for too many addends.
std::optional<std::vector<Value*>> take_terms(Value*& rest) {
    std::vector<Value*> terms;
    Value* left = nullptr;
    Value* right = nullptr;
    while (terms.size() < max_terms &&
           match::match(rest, match::m_Add(match::m_Value(left), match::m_Value(right)))) {
        Value* const first = llvm::getSplatValue(left);
        Value* const second = llvm::getSplatValue(right);
        if (first == nullptr && second == nullptr)
            return std::nullopt;
        terms.push_back(second != nullptr ? second : first);
        rest = second != nullptr ? left : right;
    }
    return terms;
}

// Removes a shift; false if it is too large.
bool take_shift(Value*& rest, unsigned& shift) {
    const llvm::APInt* distance = nullptr;
    Value* shifted = nullptr;
    if (!match::match(rest, match::m_Shl(match::m_Value(shifted), match::m_APInt(distance))))
        return true;
    if (distance->ugt(max_shift))
        return false;
    shift = static_cast<unsigned>(distance->getZExtValue());
    rest = shifted;
    return true;
}

// Removes addends and a shift; the rest is the index.
std::optional<IndexTerms> scaled(Value* sum) {
    IndexTerms found;
    found.index = sum;
    auto terms = take_terms(found.index);
    if (!terms || !take_shift(found.index, found.shift))
        return std::nullopt;
    found.terms = std::move(*terms);
    return found;
}

} // namespace

std::optional<IndexTerms> address_terms(Value* addresses) {
    auto found = scaled(addresses);
    if (!found || !match::match(found->index, match::m_ZExtOrSExt(match::m_Value(found->index))) ||
        found->index->getType()->getScalarSizeInBits() != 32)
        return std::nullopt;
    return found;
}

std::optional<IndexTerms> wide_terms(Value* addresses) {
    const auto is_negative = [](const Value* term) {
        const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(term);
        return constant != nullptr && constant->isNegative();
    };
    auto found = scaled(addresses);
    if (!found || found->terms.empty() || std::ranges::any_of(found->terms, is_negative))
        return std::nullopt;
    return found;
}

IndexTerms offset_terms(Value* offsets) {
    IndexTerms plain{.terms = {}, .index = offsets};
    Value* rest = offsets;
    unsigned cleared = 0;
    const llvm::APInt* kept = nullptr;
    Value* whole = nullptr;
    if (match::match(rest, match::m_And(match::m_Value(whole), match::m_APInt(kept))) &&
        kept->isNegatedPowerOf2()) {
        cleared = kept->countTrailingZeros();
        rest = whole;
    }
    auto found = scaled(rest);
    if (!found || found->shift < cleared)
        return plain;
    found->cleared = cleared;
    return std::move(*found);
}

std::optional<BaseIndex> base_and_index(llvm::IRBuilder<>& ir, Value* addresses) {
    const auto terms = address_terms(addresses);
    if (!terms)
        return std::nullopt;
    BaseIndex found{.start = ir.getInt64(0), .index = terms->index, .shift = terms->shift};
    for (Value* const term : terms->terms)
        found.start = ir.CreateAdd(found.start, term);
    return found;
}

} // namespace visor::jit
