// Polynomial approximations of the math unit's functions on lanes of single precision. Each result lies
// within one unit in the last place of the exact one (rulings 40, 110). The functions' comments have the
// largest measured errors. Callers flush operands and results, and round to narrower formats.
#pragma once

#include "jit/translate/translator.h"

namespace visor::jit {

class MathApproximations {
public:
    using Value = llvm::Value;

    MathApproximations(Translator& translator, uint32_t lanes)
        : translator_(translator), ir_(translator.ir()), lanes_(lanes) {}

    // 2^x. Results below 2^-126 are accurate only with `denormals`; else they are some other number below
    // 2^-126.
    Value* exp2(Value* x, bool denormals);
    // Base 2. Without `denormals` no operand is denormal.
    Value* log2(Value* x, bool denormals);
    Value* reciprocal_root(Value* x);
    // |x|^y
    Value* power(Value* x, Value* y);
    // For |x| below 2^45, or NaN.
    Value* sine(Value* x) { return circular(x, 0); }
    Value* cosine(Value* x) { return circular(x, 1); }
    // Those lanes: i1 per lane.
    Value* is_circular(Value* x);

private:
    Value* number(Value* like, double value);
    Value* bits(uint32_t width, uint64_t value) { return translator_.constant(width, value, lanes_); }
    Value* fma(Value* a, Value* b, Value* c);
    // c[0] + c[1] * x + ...
    Value* polynomial(Value* x, llvm::ArrayRef<double> coefficients);
    Value* circular(Value* x, uint64_t quadrants);
    Value* exp2_in_double(Value* x);
    Value* log2_in_double(Value* x);
    Value* root_by_estimate(Value* x);
    Value* root_by_guess(Value* x);
    Value* root_of_usual(Value* x);
    Value* root_of_any(Value* x);
    Value* with_cold_path(Value* usual, llvm::function_ref<Value*()> hot, llvm::function_ref<Value*()> cold);
    // x in double precision.
    Value* widened(Value* x);

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    uint32_t lanes_;
};

} // namespace visor::jit
