// Rounding modes other than to nearest, and exact results that no format holds: computes in double precision
// with round to odd, then rounds once to the format that is stored.
#pragma once

#include "jit/translate/translator.h"

#include "number/round.h"

namespace visor::jit {

class Rounder {
public:
    using Value = llvm::Value;
    using Rounding = number::Rounding;

    Rounder(Translator& translator, uint32_t lanes, Rounding rounding)
        : translator_(translator), ir_(translator.ir()), lanes_(lanes), rounding_(rounding) {}

    // Of doubles that were singles or narrower; rounded to odd. To nearest, sums of products of halves can be
    // taken as singles, too: those hold the products, and two bits more than it takes to round once again.
    Value* sum(Value* a, Value* b);
    Value* product(Value* a, Value* b) { return ir_.CreateFMul(a, b); } // exact
    Value* product_sum(Value* a, Value* b, Value* c) { return sum(product(a, b), c); }
    Value* quotient(Value* a, Value* b);
    Value* square_root(Value* a);

    // a * b + c of doubles in the mode. `safe`: the lanes whose numbers are neither so large nor so small
    // that the error of a step is lost, and none that is NaN.
    Value* double_product_sum(Value* a, Value* b, Value* c, Value*& safe);

    // A double as a single: in the mode, or to odd on the way to a narrower format.
    Value* single(Value* value);
    Value* odd_single(Value* value);
    // A single's bits as a half or a bfloat16, in the mode.
    Value* half(Value* value);
    Value* bfloat(Value* value);
    // To an integer of the same format.
    Value* integral(Value* value);

private:
    Value* bits(uint32_t width, uint64_t value) { return translator_.constant(width, value, lanes_); }
    Value* odd(Value* rounded, Value* error);
    // By instructions of AVX-512 that round as they are told to.
    Value* product_sum_rounded_in_mode(Value* a, Value* b, Value* c);
    // What a + b is more than `rounded`, exactly.
    Value* sum_error(Value* rounded, Value* a, Value* b);
    // `pattern` is `value` rounded to nearest, `back` that as it was: the neighbour that the mode asks for.
    Value* corrected(Value* pattern, Value* value, Value* back, Rounding rounding);

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    uint32_t lanes_;
    Rounding rounding_;
};

} // namespace visor::jit
