// The coefficients are minimax: found with the Remez exchange for the relative error of the whole function.
// Those in single precision are rounded one by one, and the rest fitted again to the rounded ones.
#include "jit/translate/math_approximations.h"

#include "jit/ir/native_width.h"

#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <limits>

namespace visor::jit {

namespace {

using llvm::Value;

// (2^r - 1) / r on [-1/2, 1/2].
constexpr std::array exp_single{0x1.62e43p-1,  0x1.ebfbdcp-3,  0x1.c6aee8p-5,
                                0x1.3b2d4cp-7, 0x1.5f3e52p-10, 0x1.41fc28p-13};
constexpr std::array exp_double{0x1.62e42ff0e17c7p-1, 0x1.ebfbe07785ea7p-3,  0x1.c6b08ac0b12c4p-5,
                                0x1.3b29f39d868cdp-7, 0x1.5d8a85acf5e94p-10, 0x1.445c842dac3b4p-13,
                                0x1.fde66268501f2p-17};
// log2(1 + f) / f on [sqrt(1/2) - 1, sqrt(2) - 1]; in single precision less 1, which is added exactly.
constexpr std::array log_single{0x1.c551dap-2, -0x1.715476p-1, 0x1.ec705p-2,  -0x1.715786p-2,
                                0x1.2784aap-2, -0x1.eb379cp-3, 0x1.a2bb88p-3, -0x1.83b842p-3,
                                0x1.7cc408p-3, -0x1.cf690ep-4};
constexpr std::array log_double{0x1.71547652b58f5p+0,  -0x1.71547651b71edp-1, 0x1.ec709de33c28fp-2,
                                -0x1.715478881a606p-2, 0x1.2776b6cd08198p-2,  -0x1.ec6f2e107f8acp-3,
                                0x1.a61b7ddf08217p-3,  -0x1.7188d1acd7a44p-3, 0x1.481fa9eb61000p-3,
                                -0x1.23d65ce00dc4dp-3, 0x1.0ace1a979dbd3p-3,  -0x1.13b87cef6b87ap-3,
                                0x1.0f61bf8b3af09p-3,  -0x1.1da55d76004d4p-4};
// (sin(r) / r - 1) / r^2 and (cos(r) - 1) / r^2 in r^2, r in [-pi/4, pi/4].
constexpr std::array sine_terms{-0x1.5555554cbb780p-3, 0x1.11110896e0adcp-7, -0x1.a00f9ddc72f88p-13,
                                0x1.6cd85c119caffp-19};
constexpr std::array cosine_terms{-0x1.ffffffcb830e4p-2, 0x1.55553c77e280fp-5, -0x1.6c07f0ec33de2p-10,
                                  0x1.99167a6d8343ap-16};

// ((1 + t)^(-1/2) - 1) / t for what the guess below leaves, t in [-0.07, 0.07], weighted by the result's ulp.
constexpr std::array root_terms{-0x1.ffff94p-2, 0x1.800042p-2, -0x1.41719ap-2, 0x1.18374p-2};
constexpr uint64_t root_guess = 0x5f377400; // minus half the bits of x: 1 / sqrt(x) within 3.5 percent
constexpr uint64_t twelve_bits = 0xfffff000;

// Adding a number to these rounds it to an integer, in the lowest bits.
constexpr double to_integer_single = 0x1.8p23;
constexpr double to_integer_double = 0x1.8p52;

// The bits of sqrt(1/2): smaller mantissas count as part of the next lower binade.
constexpr uint64_t root_half_single = 0x3f3504f3;
constexpr uint64_t root_half_double = 0x3fe6a09e667f3bcd;

constexpr uint64_t smallest_normal = 0x00800000;
constexpr uint64_t infinity_bits = 0x7f800000;
// 2^126: from about here the square of a reciprocal root is denormal, and no longer exact.
constexpr uint64_t least_of_small_squares = 0x7e800000;

} // namespace

Value* MathApproximations::number(Value* like, double value) {
    return llvm::ConstantFP::get(like->getType(), value);
}

Value* MathApproximations::fma(Value* a, Value* b, Value* c) {
    return ir_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
}

Value* MathApproximations::polynomial(Value* x, llvm::ArrayRef<double> coefficients) {
    Value* sum = number(x, coefficients.back());
    for (const double coefficient : llvm::reverse(coefficients.drop_back()))
        sum = fma(sum, x, number(x, coefficient));
    return sum;
}

Value* MathApproximations::widened(Value* x) {
    return ir_.CreateFPExt(x, translator_.vector(ir_.getDoubleTy(), lanes_));
}

// x = n + r, 2^x = 2^n * (1 + r * q(r)); 0.94 ulp. The comparisons preserve NaNs.
Value* MathApproximations::exp2(Value* x, bool denormals) {
    Value* const high = number(x, denormals ? 129.0 : 128.0);
    Value* const low = number(x, denormals ? -151.0 : -126.25);
    Value* at = ir_.CreateSelect(ir_.CreateFCmpOLT(high, x), high, x);
    at = ir_.CreateSelect(ir_.CreateFCmpOGT(low, at), low, at);
    // With denormals the lowest bits hold n + 254: the power is a product of two, each of half the exponent.
    Value* const rounder = number(x, to_integer_single + (denormals ? 254.0 : 0.0));
    Value* const rounded = ir_.CreateFAdd(at, rounder);
    Value* const rest = ir_.CreateFSub(at, ir_.CreateFSub(rounded, rounder));
    Value* const power = fma(polynomial(rest, exp_single), rest, number(x, 1.0));
    Value* const integer = translator_.as(rounded, ir_.getInt32Ty());
    Value* const shift = bits(32, 23);
    if (denormals) {
        Value* const half = ir_.CreateLShr(integer, bits(32, 1));
        Value* const first = ir_.CreateShl(half, shift);
        Value* const second = ir_.CreateShl(ir_.CreateSub(integer, half), shift);
        return ir_.CreateFMul(ir_.CreateFMul(power, translator_.as(first, ir_.getFloatTy())),
                              translator_.as(second, ir_.getFloatTy()));
    }
    Value* const scaled =
        ir_.CreateAdd(translator_.as(power, ir_.getInt32Ty()), ir_.CreateShl(integer, shift));
    return ir_.CreateSelect(ir_.CreateFCmpUNO(x, x), x, translator_.as(scaled, ir_.getFloatTy()));
}

// x = 2^e * (1 + f), log2 x = e + (f + f * p(f)); 0.96 ulp.
Value* MathApproximations::log2(Value* x, bool denormals) {
    Value* normal = x;
    Value* below = number(x, 0.0); // to subtract from the exponent
    if (denormals) {
        Value* const small = ir_.CreateFCmpOLT(x, number(x, 0x1p-126));
        normal = ir_.CreateSelect(small, ir_.CreateFMul(x, number(x, 0x1p23)), x);
        below = ir_.CreateSelect(small, number(x, 23.0), below);
    }
    Value* const pattern = translator_.as(normal, ir_.getInt32Ty());
    Value* const exponent = ir_.CreateAShr(ir_.CreateSub(pattern, bits(32, root_half_single)), bits(32, 23));
    Value* const mantissa =
        translator_.as(ir_.CreateSub(pattern, ir_.CreateShl(exponent, bits(32, 23))), ir_.getFloatTy());
    Value* const f = ir_.CreateFSub(mantissa, number(x, 1.0));
    Value* whole = ir_.CreateSIToFP(exponent, x->getType());
    if (denormals)
        whole = ir_.CreateFSub(whole, below);
    // Pairs of the upper terms, for instruction-level parallelism.
    const auto& c = log_single;
    const auto pair = [&](size_t k) { return fma(number(x, c[k + 1]), f, number(x, c[k])); };
    Value* const square = ir_.CreateFMul(f, f);
    Value* sum = fma(fma(pair(8), square, pair(6)), square, pair(4));
    for (size_t k = 4; k-- > 0;)
        sum = fma(sum, f, number(x, c[k]));
    Value* const result = ir_.CreateFAdd(whole, fma(sum, f, f));
    // Zeros, negative numbers, infinity and NaN.
    const double infinity = std::numeric_limits<double>::infinity();
    Value* const zero = number(x, 0.0);
    Value* special = ir_.CreateSelect(ir_.CreateFCmpOLT(x, zero), llvm::ConstantFP::getNaN(x->getType()), x);
    special = ir_.CreateSelect(ir_.CreateFCmpOEQ(x, zero), number(x, -infinity), special);
    Value* const from = ir_.CreateSub(translator_.as(x, ir_.getInt32Ty()), bits(32, 1));
    return ir_.CreateSelect(ir_.CreateICmpULT(from, bits(32, infinity_bits - 1)), result, special);
}

// One step of fourth order from a guess by the bits. The guess has so few bits that its square is exact, and
// so is the residual. 0.89 ulp.
Value* MathApproximations::root_of_usual(Value* x) {
    Value* const half = ir_.CreateLShr(translator_.as(x, ir_.getInt32Ty()), bits(32, 1));
    Value* const guess = ir_.CreateSub(bits(32, root_guess), half);
    Value* const y = translator_.as(ir_.CreateAnd(guess, bits(32, twelve_bits)), ir_.getFloatTy());
    Value* const excess = fma(x, ir_.CreateFMul(y, y), number(x, -1.0));
    return fma(ir_.CreateFMul(y, excess), polynomial(excess, root_terms), y);
}

// A square root and a division, then a step of second order where that is finite.
Value* MathApproximations::root_of_any(Value* x) {
    Value* const root = ir_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
    Value* const y = ir_.CreateFDiv(number(x, 1.0), root);
    Value* const product = ir_.CreateFMul(x, y);
    Value* const rest = fma(x, y, ir_.CreateFNeg(product));
    Value* const excess = fma(rest, y, fma(product, y, number(x, -1.0)));
    Value* const step = ir_.CreateFMul(ir_.CreateFMul(y, number(x, -0.5)), excess);
    return ir_.CreateSelect(ir_.CreateFCmpUNO(step, step), y, ir_.CreateFAdd(y, step));
}

Value* MathApproximations::reciprocal_root(Value* x) {
    return translator_.options().estimates ? root_by_estimate(x) : root_by_guess(x);
}

Value* MathApproximations::root_by_guess(Value* x) {
    Value* const above = ir_.CreateSub(translator_.as(x, ir_.getInt32Ty()), bits(32, smallest_normal));
    Value* const usual = ir_.CreateICmpULT(above, bits(32, least_of_small_squares - smallest_normal));
    return with_cold_path(usual, [&] { return root_of_usual(x); }, [&] { return root_of_any(x); });
}

// One step of second order from the CPU's own estimate, which lies within 2^-14. 0.86 ulp.
Value* MathApproximations::root_by_estimate(Value* x) {
    const uint32_t part = lanes_ > 8 ? 16 : lanes_ > 4 ? 8 : 4;
    const size_t width = part == 16 ? 2 : part == 8 ? 1 : 0;
    Value* const y = in_native_width(ir_, x, part, [&](llvm::ArrayRef<Value*> own) {
        constexpr std::array estimates{llvm::Intrinsic::x86_avx512_rsqrt14_ps_128,
                                       llvm::Intrinsic::x86_avx512_rsqrt14_ps_256,
                                       llvm::Intrinsic::x86_avx512_rsqrt14_ps_512};
        Value* const every_lane = ir_.getIntN(std::max(part, 8U), (1U << part) - 1);
        return ir_.CreateIntrinsic(estimates[width], {},
                                   {own[0], llvm::Constant::getNullValue(own[0]->getType()), every_lane});
    });
    // For x zero, denormal, infinite or NaN the square is one of these, too. Exceptions: larger denormals
    // have normal squares, which are as accurate as others. From 2^126 on squares are denormal, and not
    // exact.
    Value* const square = ir_.CreateFMul(y, y);
    Value* const unusual = in_native_width(ir_, square, part, [&](llvm::ArrayRef<Value*> own) {
        constexpr std::array classes{llvm::Intrinsic::x86_avx512_fpclass_ps_128,
                                     llvm::Intrinsic::x86_avx512_fpclass_ps_256,
                                     llvm::Intrinsic::x86_avx512_fpclass_ps_512};
        return ir_.CreateIntrinsic(classes[width], {}, {own[0], ir_.getInt32(0xff)});
    });
    const auto step = [&] {
        Value* const rest = fma(ir_.CreateFNeg(x), square, number(x, 1.0));
        // An integer addition, which has a higher throughput than a multiplication.
        Value* const half = ir_.CreateSub(translator_.as(y, ir_.getInt32Ty()), bits(32, smallest_normal));
        return fma(translator_.as(half, ir_.getFloatTy()), rest, y);
    };
    return with_cold_path(ir_.CreateNot(unusual), step, [&] { return root_of_any(x); });
}

// `cold` if any lane is unusual.
Value* MathApproximations::with_cold_path(Value* usual, llvm::function_ref<Value*()> hot,
                                          llvm::function_ref<Value*()> cold) {
    llvm::BasicBlock* const plain = translator_.block("all_usual");
    llvm::BasicBlock* const special = translator_.block("some_unusual");
    llvm::BasicBlock* const done = translator_.block("done");
    ir_.CreateCondBr(translator_.every(usual), plain, special,
                     llvm::MDBuilder(ir_.getContext()).createBranchWeights(1000, 1));
    translator_.begin(plain);
    Value* const fast = hot();
    ir_.CreateBr(done);
    translator_.begin(special);
    Value* const slow = cold();
    ir_.CreateBr(done);
    translator_.begin(done);
    llvm::PHINode* const result = ir_.CreatePHI(fast->getType(), 2);
    result->addIncoming(fast, plain);
    result->addIncoming(slow, special);
    return result;
}

// Subtracts multiples of a quarter turn in double precision, which has enough bits: 0.51 ulp.
Value* MathApproximations::circular(Value* x, uint64_t quadrants) {
    Value* const wide = widened(x);
    Value* const turns = ir_.CreateFMul(wide, number(wide, 0x1.45f306dc9c883p-1)); // 2 / pi
    Value* const rounded = ir_.CreateFAdd(turns, number(wide, to_integer_double));
    Value* const whole = ir_.CreateFSub(rounded, number(wide, to_integer_double));
    Value* rest = fma(whole, number(wide, -0x1.921fb54442d18p0), wide); // pi / 2 in two parts
    rest = fma(whole, number(wide, -0x1.1a62633145c07p-54), rest);
    Value* const square = ir_.CreateFMul(rest, rest);
    Value* const one = number(wide, 1.0);
    Value* const sine = ir_.CreateFMul(fma(polynomial(square, sine_terms), square, one), rest);
    Value* const cosine = fma(polynomial(square, cosine_terms), square, one);
    Value* quarter = translator_.as(rounded, ir_.getInt64Ty());
    if (quadrants != 0)
        quarter = ir_.CreateAdd(quarter, bits(64, quadrants));
    Value* const odd = ir_.CreateTrunc(quarter, translator_.vector(ir_.getInt1Ty(), lanes_));
    Value* const chosen = ir_.CreateSelect(odd, cosine, sine);
    Value* const sign = ir_.CreateShl(ir_.CreateAnd(quarter, bits(64, 2)), bits(64, 62));
    Value* const signed_result = ir_.CreateXor(translator_.as(chosen, ir_.getInt64Ty()), sign);
    return ir_.CreateFPTrunc(translator_.as(signed_result, ir_.getDoubleTy()), x->getType());
}

Value* MathApproximations::is_circular(Value* x) {
    Value* const magnitude = ir_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    return ir_.CreateFCmpULT(magnitude, number(x, 0x1p45));
}

// ---- powers: in double precision, 0.52 ulp

Value* MathApproximations::exp2_in_double(Value* x) {
    Value* const high = number(x, 300.0); // beyond the range of singles and of their inverses
    Value* const low = number(x, -300.0);
    Value* at = ir_.CreateSelect(ir_.CreateFCmpOLT(high, x), high, x);
    at = ir_.CreateSelect(ir_.CreateFCmpOGT(low, at), low, at);
    Value* const rounded = ir_.CreateFAdd(at, number(x, to_integer_double));
    Value* const rest = ir_.CreateFSub(at, ir_.CreateFSub(rounded, number(x, to_integer_double)));
    Value* const power = fma(polynomial(rest, exp_double), rest, number(x, 1.0));
    Value* const scale = ir_.CreateShl(translator_.as(rounded, ir_.getInt64Ty()), bits(64, 52));
    Value* const scaled = ir_.CreateAdd(translator_.as(power, ir_.getInt64Ty()), scale);
    return ir_.CreateSelect(ir_.CreateFCmpUNO(x, x), x, translator_.as(scaled, ir_.getDoubleTy()));
}

// On extended singles, not negative: denormals are normal here. The exponent fits a 32-bit integer, which
// every CPU converts.
Value* MathApproximations::log2_in_double(Value* x) {
    Value* const pattern = translator_.as(x, ir_.getInt64Ty());
    Value* const up = ir_.CreateSub(pattern, bits(64, root_half_double));
    Value* const upper =
        ir_.CreateTrunc(ir_.CreateLShr(up, bits(64, 32)), translator_.vector(ir_.getInt32Ty(), lanes_));
    Value* const exponent = ir_.CreateAShr(upper, bits(32, 20));
    Value* const scale = ir_.CreateAnd(up, bits(64, 0xfff0000000000000));
    Value* const mantissa = translator_.as(ir_.CreateSub(pattern, scale), ir_.getDoubleTy());
    Value* const f = ir_.CreateFSub(mantissa, number(x, 1.0));
    Value* const whole = ir_.CreateSIToFP(exponent, x->getType());
    Value* const result = fma(polynomial(f, log_double), f, whole);
    const double infinity = std::numeric_limits<double>::infinity();
    Value* special = ir_.CreateSelect(ir_.CreateFCmpOEQ(x, number(x, 0.0)), number(x, -infinity), x);
    Value* const ordinary =
        ir_.CreateAnd(ir_.CreateFCmpOGT(x, number(x, 0.0)), ir_.CreateFCmpOLT(x, number(x, infinity)));
    return ir_.CreateSelect(ordinary, result, special);
}

Value* MathApproximations::power(Value* x, Value* y) {
    Value* const base = widened(ir_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x));
    Value* const exponent = widened(y);
    Value* const product = ir_.CreateFMul(exponent, log2_in_double(base));
    Value* const result = ir_.CreateFPTrunc(exp2_in_double(product), x->getType());
    // 1 to any power, and anything to the power of zero.
    Value* const one = number(base, 1.0);
    Value* const is_one =
        ir_.CreateOr(ir_.CreateFCmpOEQ(base, one), ir_.CreateFCmpOEQ(exponent, number(exponent, 0.0)));
    return ir_.CreateSelect(is_one, number(x, 1.0), result);
}

} // namespace visor::jit
