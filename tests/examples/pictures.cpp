// Pictures as images. The filters work in floats: where the exact colour lies on the border between two
// bytes, either is right.
#include "examples/host.h"

#include <algorithm>

namespace visor::test {

namespace {

struct Scene {
    size_t width;
    size_t height;
    std::vector<uint8_t> pixels;

    [[nodiscard]] double at(int64_t x, int64_t y, size_t channel) const {
        const auto column = static_cast<size_t>(std::clamp<int64_t>(x, 0, static_cast<int64_t>(width) - 1));
        const auto row = static_cast<size_t>(std::clamp<int64_t>(y, 0, static_cast<int64_t>(height) - 1));
        return pixels[(row * width + column) * 4 + channel];
    }
};

Scene random_scene(size_t width, size_t height) {
    Numbers numbers(131);
    return {width, height, each<uint8_t>(width * height * 4, [&](size_t) {
                return static_cast<uint8_t>(numbers.below(256));
            })};
}

// The byte nearest to each number; of two, when the number is within `doubt` of the middle between them.
bool rounded(std::string_view what, const std::vector<uint8_t>& got, const std::vector<double>& exact,
             double doubt) {
    if (got.size() != exact.size()) {
        std::cout << what << ": " << got.size() << " bytes, expected " << exact.size() << '\n';
        return false;
    }
    size_t doubtful = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        const double distance = std::fabs(static_cast<double>(got[i]) - exact[i]);
        if (distance > 0.5 + doubt) {
            std::cout << what << '[' << i << "] is " << +got[i] << ", expected " << exact[i] << '\n';
            return false;
        }
        doubtful += distance > 0.5 - doubt ? 1 : 0;
    }
    // A doubt that covers everything would let everything pass.
    std::cout << what << ": " << got.size() << " bytes, " << doubtful << " of them could be either of two\n";
    return doubtful * 10 < got.size();
}

bool blur(Example& example) {
    constexpr size_t width = 48, height = 32;
    const Scene scene = random_scene(width, height);
    bool good = true;
    for (const auto& step : {std::array<int32_t, 2>{1, 0}, std::array<int32_t, 2>{0, 1}}) {
        constexpr std::array<double, 4> weights{20, 15, 6, 1};
        const auto exact = each<double>(scene.pixels.size(), [&](size_t i) {
            const auto x = static_cast<int64_t>(i / 4 % width);
            const auto y = static_cast<int64_t>(i / 4 / width);
            double sum = weights[0] * scene.at(x, y, i % 4);
            for (int64_t k = 1; k < 4; ++k)
                sum += weights[static_cast<size_t>(k)] * (scene.at(x + k * step[0], y + k * step[1], i % 4) +
                                                          scene.at(x - k * step[0], y - k * step[1], i % 4));
            return sum / 64;
        });
        example.kernel("blur").sizes({width, height, 1}, {16, 8, 1}, 2);
        example.image("rgba8", width, height, scene.pixels);
        example.image("rgba8", width, height, std::vector<uint8_t>(scene.pixels.size())).value(step);
        good = example.run() && rounded("target", example.result<uint8_t>(1), exact, 1e-3) && good;
    }
    return good;
}

// Smaller and larger.
bool resize(Example& example) {
    const Scene scene = random_scene(40, 30);
    bool good = true;
    for (const auto& size : {std::array<size_t, 2>{32, 16}, std::array<size_t, 2>{64, 40}}) {
        const auto exact = each<double>(size[0] * size[1] * 4, [&](size_t i) {
            const auto along = [](size_t place, size_t to, size_t from) {
                return (static_cast<double>(place) + 0.5) / static_cast<double>(to) *
                           static_cast<double>(from) -
                       0.5;
            };
            const double u = along(i / 4 % size[0], size[0], scene.width);
            const double v = along(i / 4 / size[0], size[1], scene.height);
            const auto x = static_cast<int64_t>(std::floor(u));
            const auto y = static_cast<int64_t>(std::floor(v));
            const double right = u - std::floor(u);
            const double below = v - std::floor(v);
            return (1 - below) * ((1 - right) * scene.at(x, y, i % 4) + right * scene.at(x + 1, y, i % 4)) +
                   below * ((1 - right) * scene.at(x, y + 1, i % 4) + right * scene.at(x + 1, y + 1, i % 4));
        });
        example.kernel("resize").sizes({size[0], size[1], 1}, {16, 8, 1}, 2);
        example.image("rgba8", scene.width, scene.height, scene.pixels);
        example.image("rgba8", size[0], size[1], std::vector<uint8_t>(size[0] * size[1] * 4));
        example.sampler("linear,clamp_edge,normalized");
        good = example.run() && rounded("target", example.result<uint8_t>(1), exact, 0.01) && good;
    }
    return good;
}

} // namespace

std::span<const Check> picture_checks() {
    static constexpr std::array checks{Check{"blur", blur}, Check{"resize", resize}};
    return checks;
}

} // namespace visor::test
