// Compiled conversions beside the host's, computed in long double.
#include "jit/translate/saturating_conversion.h"

#include "assembled.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace visor::jit {
namespace {

constexpr size_t lanes = 8;

template <class Real>
std::vector<Real> numbers() {
    constexpr Real inf = std::numeric_limits<Real>::infinity();
    std::vector<Real> all{std::numeric_limits<Real>::quiet_NaN(), inf, -inf,
                          std::numeric_limits<Real>::denorm_min(), std::numeric_limits<Real>::max()};
    for (const double number : {0.0, -0.0, 0.99, -0.99, 1.0, -1.0})
        all.push_back(static_cast<Real>(number));
    for (const int exponent : {7, 8, 15, 16, 24, 31, 32, 52, 53, 63, 64}) {
        const Real power = std::ldexp(Real{1}, exponent);
        for (const Real near : {power, std::nextafter(power, Real{0}), std::nextafter(power, inf), power - 1,
                                power + 1, power - Real{0.5}, power + Real{0.5}})
            all.insert(all.end(), {near, -near});
    }
    all.resize((all.size() + lanes - 1) / lanes * lanes, 0);
    return all;
}

template <class Integer, class Real>
Integer expected(Real number) {
    if (std::isnan(number))
        return 0;
    const long double whole = std::trunc(static_cast<long double>(number));
    if (whole < static_cast<long double>(std::numeric_limits<Integer>::min()))
        return std::numeric_limits<Integer>::min();
    if (whole > static_cast<long double>(std::numeric_limits<Integer>::max()))
        return std::numeric_limits<Integer>::max();
    return static_cast<Integer>(whole);
}

template <class Integer, class Real>
void compare() {
    for (const bool avx512 : {false, true}) {
        Assembled code;
        ASSERT_TRUE(code.parse("define void @f(ptr %from, ptr %to) {\n  ret void\n}\n"));
        llvm::Function& function = code.function();
        llvm::IRBuilder<> ir(function.getEntryBlock().getTerminator());
        llvm::Type* const real = sizeof(Real) == 4 ? ir.getFloatTy() : ir.getDoubleTy();
        llvm::Value* const number =
            ir.CreateAlignedLoad(llvm::FixedVectorType::get(real, lanes), function.getArg(0), llvm::Align(1));
        ir.CreateAlignedStore(
            saturated_integer(ir, number, std::is_signed_v<Integer>, 8 * sizeof(Integer), avx512),
            function.getArg(1), llvm::Align(1));
        code.verify();
        code.link();
        auto* const convert = code.linked<void(const Real*, Integer*)>();
        ASSERT_NE(convert, nullptr);
        const std::vector<Real> from = numbers<Real>();
        for (size_t first = 0; first < from.size(); first += lanes) {
            std::array<Integer, lanes> got{};
            convert(&from[first], got.data());
            for (size_t lane = 0; lane < lanes; ++lane)
                EXPECT_EQ(got[lane], (expected<Integer>(from[first + lane]))) << fmt::format(
                    "{} as {} bits, AVX-512 {}", from[first + lane], 8 * sizeof(Integer), avx512);
        }
    }
}

template <class Real>
void compare_all() {
    compare<int8_t, Real>();
    compare<uint8_t, Real>();
    compare<int16_t, Real>();
    compare<uint16_t, Real>();
    compare<int32_t, Real>();
    compare<uint32_t, Real>();
    compare<int64_t, Real>();
    compare<uint64_t, Real>();
}

TEST(SaturatingConversion, OfSingles) {
    compare_all<float>();
}

TEST(SaturatingConversion, OfDoubles) {
    compare_all<double>();
}

} // namespace
} // namespace visor::jit
