// Vector types: parts of them, their place in memory, lanes in any order.
#include "examples/host.h"

#include <algorithm>

namespace visor::test {

namespace {

bool vector_swizzle(Example& example) {
    constexpr size_t count = 64;
    Numbers numbers(41);
    const auto floats =
        each<float>(4 * count, [&](size_t) { return static_cast<float>(numbers.below(1000)); });
    const auto bytes = numbers.integers<uint8_t>(16 * count);
    const auto shorts = numbers.integers<int16_t>(3 * count);
    const auto floats_expected = rows<float>(count, [&](size_t i) {
        std::array<float, 4> v{};
        std::copy_n(floats.begin() + static_cast<ptrdiff_t>(4 * i), 4, v.begin());
        v = {v[1], v[1], v[0], v[3]};
        v[3] += v[2] * 2;
        return std::array{v[0], v[1], v[3], v[2]};
    });
    const auto bytes_expected = rows<uint8_t>(count, [&](size_t i) {
        std::array<unsigned, 16> in{};
        std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(16 * i), 16, in.begin());
        std::array<unsigned, 16> b = in;
        for (size_t k = 0; k < 8; ++k)
            b[2 * k + 1] = in[15 - 2 * k];
        for (unsigned k = 0; k < 4; ++k)
            b[size_t{4} * k] += k + 1;
        std::array<uint8_t, 16> result{};
        for (size_t k = 0; k < 16; ++k)
            result[k] = static_cast<uint8_t>(k < 8 ? b[k] ^ b[k + 8] : b[k]);
        return result;
    });
    const auto shorts_expected = rows<int16_t>(count, [&](size_t i) {
        const int x = shorts[3 * i], y = shorts[3 * i + 1], z = shorts[3 * i + 2];
        return std::array{static_cast<int16_t>(z + x), static_cast<int16_t>(-2 * x + x),
                          static_cast<int16_t>(3 * y + x)};
    });
    example.kernel("vector_swizzle").sizes(count, 16).array(floats).zeros<uint8_t>(16 * count).array(bytes);
    example.zeros<int16_t>(3 * count).array(shorts);
    return example.run() && same("floats", example.result<float>(0), floats_expected) &&
           same("bytes", example.result<uint8_t>(1), bytes_expected) &&
           same("shorts", example.result<int16_t>(3), shorts_expected);
}

bool vector_memory(Example& example) {
    constexpr size_t count = 48;
    Numbers numbers(42);
    const auto ints = each<int32_t>(10 * count, [&](size_t) { return numbers.below(1 << 20); });
    const auto bytes = numbers.integers<uint8_t>(10 * count);
    const auto longs =
        each<int64_t>(5 * count, [&](size_t) { return static_cast<int64_t>(numbers.bits64() >> 1U); });
    const auto ints_expected =
        each<int32_t>(10 * count, [&](size_t i) { return i % 10 == 0 || i % 10 == 9 ? 0 : ints[i] * 3; });
    const auto bytes_expected = each<uint8_t>(10 * count, [&](size_t i) {
        const size_t k = i % 10;
        const int byte = bytes[i];
        return static_cast<uint8_t>(k < 2 ? byte : k == 2 ? 0 : k < 7 ? byte + 1 : byte ^ 0xff);
    });
    const auto longs_expected =
        each<int64_t>(5 * count, [&](size_t i) { return i % 5 == 0 ? 0 : -longs[i]; });
    example.kernel("vector_memory").sizes(count, 16).zeros<int32_t>(10 * count).zeros<uint8_t>(10 * count);
    example.zeros<int64_t>(5 * count).array(ints).array(bytes).array(longs);
    return example.run() && same("ints", example.result<int32_t>(0), ints_expected) &&
           same("bytes", example.result<uint8_t>(1), bytes_expected) &&
           same("longs", example.result<int64_t>(2), longs_expected);
}

bool vector_shuffle(Example& example) {
    constexpr size_t count = 64;
    Numbers numbers(43);
    const auto in = each<int32_t>(4 * count, [&](size_t) { return numbers.below(90); });
    const auto masks = each<uint32_t>(4 * count, [&](size_t) { return numbers.next(); });
    const auto ints = each<int32_t>(4 * count, [&](size_t at) {
        const auto* const v = &in[at / 4 * 4];
        const uint32_t second = masks[at] >> 2U & 7U;
        return v[masks[at] & 3U] * 10 + v[second & 3U] + (second < 4 ? 0 : 100);
    });
    const auto shorts = each<uint16_t>(8 * count, [&](size_t at) {
        const auto* const mask = &masks[at / 8 * 4];
        const size_t lane = (7 - at % 8) ^ (mask[at % 4] & 7U);
        return static_cast<uint16_t>(lane < 4 ? mask[lane] : ~mask[lane - 4]);
    });
    example.kernel("vector_shuffle").sizes(count, 16).zeros<int32_t>(4 * count).zeros<uint16_t>(8 * count);
    example.array(in).array(masks);
    return example.run() && same("ints", example.result<int32_t>(0), ints) &&
           same("shorts", example.result<uint16_t>(1), shorts);
}

// Bounds: OpenCL C's for these functions in its full profile; a sum of products cancels, so its error is
// bounded absolutely.
bool geometric(Example& example) {
    constexpr size_t count = 64;
    using Number = long double;
    Numbers numbers(44);
    const auto left = numbers.floats(4 * count, 0.125F, 2);
    const auto right = numbers.floats(4 * count, -2, -0.125F);
    const auto sum = [](size_t lanes, auto of) {
        Number total = 0;
        for (size_t k = 0; k < lanes; ++k)
            total += of(k);
        return total;
    };
    const auto a = [&](size_t i, size_t k) { return static_cast<Number>(left[4 * i + k]); };
    const auto b = [&](size_t i, size_t k) { return static_cast<Number>(right[4 * i + k]); };
    const auto square = [](Number value) { return value * value; };
    const auto dots =
        each<Number>(count, [&](size_t i) { return sum(4, [&](size_t k) { return a(i, k) * b(i, k); }); });
    const auto lengths = each<Number>(
        count, [&](size_t i) { return std::sqrt(sum(4, [&](size_t k) { return square(a(i, k)); })); });
    const auto distances = each<Number>(count, [&](size_t i) {
        return std::sqrt(sum(3, [&](size_t k) { return square(a(i, k) - b(i, k)); }));
    });
    const auto fast = each<Number>(
        count, [&](size_t i) { return std::sqrt(sum(2, [&](size_t k) { return square(a(i, k)); })); });
    const auto crosses = each<float>(4 * count, [&](size_t at) {
        const size_t i = at / 4, y = (at + 1) % 4 % 3, z = (at % 4 + 2) % 3;
        const auto whole = [](Number value) { return std::rint(static_cast<float>(value) * 16); };
        return at % 4 == 3 ? 0.0F : whole(a(i, y)) * whole(b(i, z)) - whole(a(i, z)) * whole(b(i, y));
    });
    const auto directions =
        each<Number>(4 * count, [&](size_t at) { return a(at / 4, at % 4) / lengths[at / 4]; });
    example.kernel("geometric").sizes(count, 16).zeros<float>(4 * count).zeros<float>(8 * count);
    example.array(left).array(right);
    if (!example.run())
        return false;
    const auto scalars = example.result<float>(0);
    const auto vectors = example.result<float>(1);
    return within("dot", slice(scalars, 0, count), dots, 4e-6) &&
           within_ulps("length", slice(scalars, 1, count), lengths, 4.75) &&
           within_ulps("distance", slice(scalars, 2, count), distances, 5.5) &&
           within_ulps("fast_length", slice(scalars, 3, count), fast, 8192) &&
           same("cross", slice(vectors, 0, 4 * count), crosses) &&
           within_ulps("normalize", slice(vectors, 1, 4 * count), directions, 6);
}

} // namespace

std::span<const Check> vector_checks() {
    static constexpr std::array checks{
        Check{"vector_swizzle", vector_swizzle}, Check{"vector_memory", vector_memory},
        Check{"vector_shuffle", vector_shuffle}, Check{"geometric", geometric}};
    return checks;
}

} // namespace visor::test
