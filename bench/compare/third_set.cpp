// The third set: kernels as they are often written, without a thought of how they run, and what compilers
// make of private arrays, bytes, divisions and doubles. PoCL's result is what they are compared with.
#include "builder.h"

#include <algorithm>
#include <numeric>

namespace visor::compare {

namespace {

constexpr size_t mega = size_t{1} << 20U;

// In groups of 256 items in a row, or 16 by 16 in a square; 0: bit by bit.
Work in_a_row(Builder& builder, size_t items, double tolerance = 0) {
    return builder.over(1, {items, 1, 1}, {256, 1, 1}).done(tolerance, 0, nullptr);
}
Work in_a_square(Builder& builder, size_t side, double tolerance = 0) {
    return builder.over(2, {side, side, 1}, {16, 16, 1}).done(tolerance, 0, nullptr);
}

Work matmul_plain() {
    constexpr size_t size = 512;
    return in_a_square(Builder("product, plain", "matmul_plain")
                           .output(size * size * sizeof(float))
                           .input(floats(size * size, -1, 1))
                           .input(floats(size * size, -1, 1))
                           .value(static_cast<int>(size)),
                       size, 1e-3);
}

Work matmul_vectors() {
    constexpr size_t size = 512;
    return in_a_square(Builder("product, 4x4 an item", "matmul_vectors")
                           .output(size * size * sizeof(float))
                           .input(floats(size * size, -1, 1))
                           .input(floats(size * size, -1, 1))
                           .value(static_cast<int>(size)),
                       size / 4, 1e-3);
}

Work matvec_rows() {
    constexpr size_t size = 2048;
    return Builder("matrix by vector, a row an item", "matvec_rows")
        .output(size * sizeof(float))
        .input(floats(size * size, -1, 1))
        .input(floats(size, -1, 1))
        .value(static_cast<int>(size))
        .over(1, {size, 1, 1}, {64, 1, 1})
        .done(1e-3, 0, nullptr);
}

Work dot_parts() {
    constexpr size_t items = 65536;
    return in_a_row(Builder("dot product", "dot_parts")
                        .output(items / 256 * sizeof(float))
                        .input(floats(4 * mega, 0, 1))
                        .input(floats(4 * mega, 0, 1))
                        .value(static_cast<int>(4 * mega)),
                    items, 1e-4);
}

Work box_bytes() {
    constexpr size_t side = 2048;
    return in_a_square(Builder("box of bytes", "box_bytes")
                           .output(side * side)
                           .input(integers<uint8_t>(side * side))
                           .value(static_cast<int>(side))
                           .value(static_cast<int>(side)),
                       side);
}

Work box_tile() {
    constexpr size_t side = 2048;
    return in_a_square(Builder("box by tiles", "box_tile")
                           .output(side * side * sizeof(float))
                           .input(floats(side * side, 0, 1))
                           .value(static_cast<int>(side))
                           .value(static_cast<int>(side)),
                       side, 1e-5);
}

Work heat() {
    constexpr size_t side = 128;
    return Builder("heat in a cube", "heat")
        .output(side * side * side * sizeof(float))
        .input(floats(side * side * side, 0, 1))
        .value(static_cast<int>(side))
        .over(3, {side, side, side}, {64, 4, 1})
        .done(1e-5, 0, nullptr);
}

Work pi() {
    constexpr size_t items = 65536;
    return in_a_row(Builder("pi by chance", "pi")
                        .output(items * sizeof(uint32_t))
                        .input(integers<uint32_t>(items))
                        .value(256),
                    items);
}

Work modular_power() {
    constexpr size_t items = mega / 4;
    return in_a_row(Builder("modular powers", "modular_power")
                        .output(items * sizeof(uint64_t))
                        .input(integers<uint32_t>(items))
                        .input(integers<uint32_t>(items)),
                    items);
}

Work radix_count() {
    constexpr size_t items = 65536;
    return in_a_row(Builder("digits", "radix_count")
                        .output(items / 256 * 16 * sizeof(uint32_t))
                        .input(integers<uint32_t>(4 * mega))
                        .value(static_cast<int>(4 * mega))
                        .value(8),
                    items);
}

Work find_word() {
    constexpr size_t items = 65536;
    std::vector<uint8_t> text = integers<uint8_t>(items * 64 + 64);
    for (uint8_t& letter : text)
        letter = static_cast<uint8_t>('a' + letter % 4);
    return in_a_row(Builder("a word in a text", "find_word")
                        .output(items * sizeof(int))
                        .input(text)
                        .input(std::vector<uint8_t>{'a', 'b', 'a', 'd'})
                        .value(4),
                    items);
}

Work permute() {
    std::vector<uint32_t> order(4 * mega);
    std::iota(order.begin(), order.end(), 0U);
    Random random;
    for (size_t i = order.size() - 1; i > 0; --i)
        std::swap(order[i], order[random.next() % (i + 1)]);
    return in_a_row(Builder("permutation", "permute")
                        .output(4 * mega * sizeof(float))
                        .input(floats(4 * mega, 0, 1))
                        .input(order),
                    4 * mega);
}

Work sort_sixteen() {
    return in_a_row(Builder("sixteen numbers sorted", "sort_sixteen")
                        .output(mega * sizeof(int))
                        .input(integers<int>(mega)),
                    mega / 16);
}

Work nibbles() {
    constexpr size_t items = 16384;
    return in_a_row(Builder("private histogram", "nibbles")
                        .output(items * 16 * sizeof(uint32_t))
                        .input(integers<uint8_t>(items * 256)),
                    items);
}

Work mandelbrot_double() {
    constexpr size_t side = 1024;
    return in_a_square(Builder("mandelbrot, double", "mandelbrot_double")
                           .output(side * side * sizeof(int))
                           .value(static_cast<int>(side))
                           .value(static_cast<int>(side)),
                       side, -1);
}

Work functions() {
    return in_a_row(
        Builder("sin exp cos log pow", "functions").output(mega * sizeof(float)).input(floats(mega, 0, 4)),
        mega, 1e-5);
}

Work edit_words() {
    constexpr size_t items = 32768;
    std::vector<uint8_t> letters = integers<uint8_t>(items * 64);
    for (uint8_t& letter : letters)
        letter = static_cast<uint8_t>('a' + letter % 4);
    const auto half = static_cast<std::ptrdiff_t>(items * 32);
    return in_a_row(Builder("edit distance", "edit_words")
                        .output(items * sizeof(int))
                        .input(std::vector<uint8_t>(letters.begin(), letters.begin() + half))
                        .input(std::vector<uint8_t>(letters.begin() + half, letters.end())),
                    items);
}

Work gray() {
    return in_a_row(Builder("colors to gray", "gray").output(4 * mega).input(integers<uint8_t>(12 * mega)),
                    4 * mega);
}

Work dot_bytes() {
    constexpr size_t items = 32768;
    return in_a_row(Builder("dot products of bytes", "dot_bytes")
                        .output(items * sizeof(int))
                        .input(integers<uint8_t>(items * 256))
                        .input(integers<uint8_t>(items * 256)),
                    items);
}

Work fir() {
    return in_a_row(Builder("filter of 32", "fir")
                        .output(mega * sizeof(float))
                        .input(floats(mega + 32, -1, 1))
                        .input(floats(32, -1, 1)),
                    mega, 1e-4);
}

Work quotients() {
    constexpr size_t items = mega / 4;
    return in_a_row(Builder("quotients", "quotients")
                        .output(items * sizeof(int))
                        .input(integers<int>(items))
                        .input(integers<int>(items)),
                    items);
}

Work polynomial_double() {
    const std::vector<float> numbers = floats(mega, 0, 1);
    const std::vector<float> factors = floats(32, -1, 1);
    return in_a_row(Builder("polynomial, double", "polynomial_double")
                        .output(mega * sizeof(double))
                        .input(std::vector<double>(numbers.begin(), numbers.end()))
                        .input(std::vector<double>(factors.begin(), factors.end()))
                        .doubles(),
                    mega, 1e-12);
}

} // namespace

std::vector<Work> third_set() {
    std::vector<Work> all;
    for (Work (*const make)() : {matmul_plain,
                                 matmul_vectors,
                                 matvec_rows,
                                 dot_parts,
                                 box_bytes,
                                 box_tile,
                                 heat,
                                 pi,
                                 modular_power,
                                 radix_count,
                                 find_word,
                                 permute,
                                 sort_sixteen,
                                 nibbles,
                                 mandelbrot_double,
                                 functions,
                                 edit_words,
                                 gray,
                                 dot_bytes,
                                 fir,
                                 quotients,
                                 polynomial_double})
        all.push_back(make());
    return all;
}

} // namespace visor::compare
