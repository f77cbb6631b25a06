// The second set: ten pieces of work, most of them with barriers and local memory.
#include "builder.h"
#include "native.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace visor::compare {

namespace {

// Floats that are small whole numbers: sums of their products have no rounding, in any order.
std::vector<float> small_numbers(size_t count, uint32_t end) {
    std::vector<float> values;
    for (const uint32_t word : integers<uint32_t>(count))
        values.push_back(static_cast<float>(word % end));
    return values;
}

constexpr int sobel_width = 2048;
constexpr int sobel_height = 1024;

Work sobel() {
    constexpr size_t items = size_t{sobel_width} * sobel_height;
    std::vector<uint8_t> image;
    for (const uint32_t word : integers<uint32_t>(items))
        image.push_back(static_cast<uint8_t>(word % 64)); // so that not all edges are the brightest
    return Builder("sobel 2048x1024", "sobel")
        .output(items)
        .input(image)
        .value(sobel_width)
        .value(sobel_height)
        .over(2, {sobel_width, sobel_height, 1}, {256, 1, 1})
        .done(0, 0, [](Arrays a) {
            native::sobel(at<uint8_t>(a, 0), at<uint8_t>(a, 1), sobel_width, sobel_height);
        });
}

Work fft() {
    constexpr size_t points = 1024;
    constexpr size_t groups = 512;
    std::vector<float> turns;
    for (size_t i = 0; i < points; ++i) {
        const double angle = -2 * std::numbers::pi * static_cast<double>(i) / points;
        turns.push_back(static_cast<float>(std::cos(angle)));
        turns.push_back(static_cast<float>(std::sin(angle)));
    }
    return Builder("FFT 512 x 1024", "fft")
        .output(groups * points * 2 * sizeof(float))
        .input(floats(groups * points * 2, -1, 1))
        .input(turns)
        .over(1, {groups * points / 4, 1, 1}, {points / 4, 1, 1})
        .done(5e-5, 0,
              [](Arrays a) { native::fft(at<float>(a, 0), at<float>(a, 1), at<float>(a, 2), groups); });
}

Work bitonic() {
    constexpr size_t keys = 512;
    constexpr size_t groups = 512;
    return Builder("bitonic sort 512 x 512", "bitonic")
        .output(groups * keys * sizeof(uint32_t))
        .input(integers<uint32_t>(groups * keys))
        .over(1, {groups * keys / 2, 1, 1}, {keys / 2, 1, 1})
        .done(0, 0, [](Arrays a) { native::sort_groups(at<uint32_t>(a, 0), at<uint32_t>(a, 1), groups); });
}

Work scan() {
    constexpr size_t items = 512;
    constexpr size_t groups = 2048;
    return Builder("scan 1M, 19 barriers", "scan")
        .output(groups * items * sizeof(uint32_t))
        .output(groups * sizeof(uint32_t))
        .input(integers<uint32_t>(groups * items))
        .over(1, {groups * items / 2, 1, 1}, {items / 2, 1, 1})
        .done(0, 0, [](Arrays a) {
            native::scan(at<uint32_t>(a, 0), at<uint32_t>(a, 1), at<uint32_t>(a, 2), groups);
        });
}

Work transpose() {
    constexpr int width = 2048;
    constexpr int height = 1024;
    constexpr size_t items = size_t{width} * height;
    return Builder("transpose 2048x1024", "transpose")
        .output(items * sizeof(float))
        .input(floats(items, -1, 1))
        .value(width)
        .value(height)
        .over(2, {width, height, 1}, {16, 16, 1})
        .done(0, 0, [](Arrays a) { native::transpose(at<float>(a, 0), at<float>(a, 1), width, height); });
}

Work convolution() {
    constexpr int width = 1024;
    constexpr int height = 1024;
    return Builder("convolution 1024x1024, 5x5", "convolution")
        .output(size_t{width} * height * sizeof(float))
        .input(floats(size_t{width + 4} * (height + 4), -1, 1))
        .input(floats(25, -1, 1))
        .value(width)
        .over(2, {width, height, 1}, {256, 1, 1})
        .done(1e-5, 0, [](Arrays a) {
            native::convolution(at<float>(a, 0), at<float>(a, 1), at<float>(a, 2), width, height);
        });
}

Work kmeans() {
    constexpr int points = 1 << 16;
    constexpr int clusters = 32;
    constexpr int features = 8;
    return Builder("k-means 64k x 32 x 8", "kmeans")
        .output(points * sizeof(int))
        .output(clusters * sizeof(uint32_t))
        .input(small_numbers(size_t{points} * features, 256))
        .input(small_numbers(size_t{clusters} * features, 251))
        .value(points)
        .value(clusters)
        .value(features)
        .over(1, {points, 1, 1}, {256, 1, 1})
        .done(0, 0, [](Arrays a) {
            native::kmeans(at<int>(a, 0), at<uint32_t>(a, 1), at<float>(a, 2), at<float>(a, 3), points,
                           clusters, features);
        });
}

uint32_t doubled(uint32_t byte) {
    return (byte << 1U ^ ((byte & 0x80U) != 0 ? 0x1bU : 0U)) & 255U;
}

// Of all bytes (FIPS 197, section 5.1.1): three generates the field, 0xf6 is its inverse.
std::vector<uint32_t> aes_substitutes() {
    std::vector<uint32_t> substitutes(256);
    uint32_t byte = 1;
    uint32_t inverse = 1;
    do {
        byte ^= doubled(byte);
        inverse ^= inverse << 1U;
        inverse ^= inverse << 2U;
        inverse ^= inverse << 4U;
        inverse = (inverse ^ ((inverse & 0x80U) != 0 ? 0x09U : 0U)) & 255U;
        const auto b = static_cast<uint8_t>(inverse);
        substitutes[byte] =
            uint32_t{0x63} ^ b ^ std::rotl(b, 1) ^ std::rotl(b, 2) ^ std::rotl(b, 3) ^ std::rotl(b, 4);
    } while (byte != 1);
    substitutes[0] = 0x63;
    return substitutes;
}

std::vector<uint32_t> aes_table() {
    std::vector<uint32_t> table;
    for (const uint32_t s : aes_substitutes())
        table.push_back(doubled(s) << 24U | s << 16U | s << 8U | (doubled(s) ^ s));
    return table;
}

// Eleven round keys (FIPS 197, section 5.2) of the key of its appendix A.1.
std::vector<uint32_t> aes_keys() {
    std::vector<uint32_t> keys{0x2b7e1516, 0x28aed2a6, 0xabf71588, 0x09cf4f3c};
    const auto substitutes = aes_substitutes();
    uint32_t round = 1;
    while (keys.size() < 44) {
        uint32_t word = keys.back();
        if (keys.size() % 4 == 0) {
            word = std::rotl(word, 8);
            word = substitutes[word >> 24U] << 24U | substitutes[word >> 16U & 255U] << 16U |
                   substitutes[word >> 8U & 255U] << 8U | substitutes[word & 255U];
            word ^= round << 24U;
            round = doubled(round);
        }
        keys.push_back(word ^ keys[keys.size() - 4]);
    }
    return keys;
}

Work aes() {
    constexpr size_t blocks = size_t{1} << 17U;
    constexpr uint32_t nonce = 0xf0f1f2f3;
    return Builder("AES-128 counter, 2 MB", "aes")
        .output(blocks * 16)
        .input(integers<uint32_t>(blocks * 4))
        .input(aes_table())
        .input(aes_keys())
        .value(nonce)
        .over(1, {blocks, 1, 1}, {256, 1, 1})
        .done(0, 0, [](Arrays a) {
            native::aes(at<uint32_t>(a, 0), at<uint32_t>(a, 1), at<uint32_t>(a, 2), at<uint32_t>(a, 3), nonce,
                        blocks);
        });
}

Work monte_carlo() {
    constexpr size_t items = size_t{1} << 14U;
    constexpr int paths = 16;
    constexpr double price = 100;
    constexpr double strike = 95;
    constexpr double drift = 0.03;
    constexpr double spread = 0.2;
    return Builder("Monte Carlo, double", "monte_carlo")
        .output(items * sizeof(double))
        .value(paths)
        .value(price)
        .value(strike)
        .value(drift)
        .value(spread)
        .over(1, {items, 1, 1}, {64, 1, 1})
        .doubles()
        .done(1e-12, 0, [](Arrays a) {
            native::monte_carlo(at<double>(a, 0), paths, price, strike, drift, spread, items);
        });
}

Work attention() {
    constexpr size_t queries = 512;
    constexpr size_t width = 64;
    constexpr size_t keys = 256;
    return Builder("attention 512x256x64", "attention")
        .output(queries * width * sizeof(float))
        .input(floats(queries * width, -1, 1))
        .input(floats(keys * width, -1, 1))
        .input(floats(keys * width, 0, 2))
        .value(0.125F)
        .over(1, {queries * width, 1, 1}, {width, 1, 1})
        .done(1e-5, 0, [](Arrays a) {
            native::attention(at<float>(a, 0), at<float>(a, 1), at<float>(a, 2), at<float>(a, 3), 0.125F,
                              queries);
        });
}

} // namespace

std::vector<Work> second_set() {
    std::vector<Work> all;
    all.push_back(sobel());
    all.push_back(fft());
    all.push_back(bitonic());
    all.push_back(scan());
    all.push_back(transpose());
    all.push_back(convolution());
    all.push_back(kmeans());
    all.push_back(aes());
    all.push_back(monte_carlo());
    all.push_back(attention());
    return all;
}

} // namespace visor::compare
