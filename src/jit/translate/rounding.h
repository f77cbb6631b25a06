// Rounding modes other than to nearest, and exact results that no format represents: computes in double
// precision with round to odd, then rounds once to the stored format.
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

    // On doubles extended from singles or narrower; rounded to odd. To nearest, sums of products of halves
    // may be computed in singles as well: those represent the products, with two bits more than one rounding
    // needs.
    Value* sum(Value* a, Value* b);
    Value* product(Value* a, Value* b) { return ir_.CreateFMul(a, b); } // exact
    Value* product_sum(Value* a, Value* b, Value* c) { return sum(product(a, b), c); }
    Value* quotient(Value* a, Value* b);
    Value* square_root(Value* a);

    // a * b + c of doubles in the mode. `safe`: lanes without NaN whose magnitudes are such that no step's
    // error overflows or underflows.
    Value* double_product_sum(Value* a, Value* b, Value* c, Value*& safe);

    // A double as a single: in the mode, or to odd if rounded again to a narrower format.
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
    // By AVX-512 instructions with a rounding mode operand.
    Value* product_sum_rounded_in_mode(Value* a, Value* b, Value* c);
    // The exact error: a + b - `rounded`.
    Value* sum_error(Value* rounded, Value* a, Value* b);
    // `pattern`: the bits of `value` rounded to nearest; `back`: that extended again. Returns the neighbour
    // that the mode selects.
    Value* corrected(Value* pattern, Value* value, Value* back, Rounding rounding);

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    uint32_t lanes_;
    Rounding rounding_;
};

} // namespace visor::jit
