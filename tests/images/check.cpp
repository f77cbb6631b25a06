// image_check SOURCE DEVICE: every pixel format, filter, address mode and shape on one of Visor's devices, or
// on PoCL ("pocl"), against the oracle. Exit code 0: nothing differs; 77: there is no PoCL.
#include "images/place.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

namespace visor::images {

namespace {

using oracle::Address;
using oracle::Color;
using oracle::Dimension;
using oracle::HostImage;
using oracle::HostSampler;
using oracle::ImageFormat;
using oracle::Numbers;

constexpr size_t items = 96; // coordinates of a launch

// The same numbers on every machine.
class Random {
public:
    uint32_t next() { // 24 bits
        state_ = state_ * 1664525U + 1013904223U;
        return state_ >> 8U;
    }
    float between(float low, float high) {
        return low + (high - low) * (static_cast<float>(next() & 0xffffU) / 65536.0F);
    }

private:
    uint32_t state_ = 61;
};

struct ShapeFacts {
    Dimension dimension;
    const char* name;
    std::array<size_t, 3> size;
    size_t layers;
    bool sampled;
};
constexpr std::array<ShapeFacts, 6> shapes{{{Dimension::d1, "d1", {13, 1, 1}, 1, true},
                                            {Dimension::d1_buffer, "d1_buffer", {29, 1, 1}, 1, false},
                                            {Dimension::d1_array, "d1_array", {7, 1, 1}, 4, true},
                                            {Dimension::d2, "d2", {8, 5, 1}, 1, true},
                                            {Dimension::d2_array, "d2_array", {5, 7, 1}, 3, true},
                                            {Dimension::d3, "d3", {4, 5, 3}, 1, true}}};

template <class T>
std::vector<std::byte> bytes_of(const std::vector<std::array<T, 4>>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(values[0]));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

// Any bits, but floats of moderate size.
std::vector<std::byte> random_pixels(const ImageFormat& format, size_t count, Random& random) {
    std::vector<std::byte> pixels;
    while (pixels.size() < count * oracle::pixel_bytes(format)) {
        if (format.type == oracle::cl::FLOAT) {
            const float value = random.between(-4, 4);
            const auto* bytes = reinterpret_cast<const std::byte*>(&value);
            pixels.insert(pixels.end(), bytes, bytes + sizeof value);
        } else if (format.type == oracle::cl::HALF_FLOAT) { // exponents up to 2, no infinity
            const uint32_t bits = random.next() % 0x4000U | (random.next() & 1U) << 15U;
            pixels.push_back(static_cast<std::byte>(bits));
            pixels.push_back(static_cast<std::byte>(bits >> 8U));
        } else {
            pixels.push_back(static_cast<std::byte>(random.next()));
        }
    }
    return pixels;
}

HostImage random_image(const ImageFormat& format, const ShapeFacts& shape, Random& random) {
    HostImage image{format, shape.dimension, shape.size, shape.layers, {}};
    image.pixels = random_pixels(format, image.count(), random);
    return image;
}

// A coordinate at which a filter that rounds a little otherwise finds the same texels.
bool is_clear(const HostImage& image, const HostSampler& sampler, unsigned side, float coordinate) {
    const auto size = static_cast<double>(image.size[side]);
    const double u = static_cast<double>(coordinate) * (sampler.normalized ? size : 1);
    constexpr double margin = 1e-3;
    if (sampler.address == Address::none) // outside is undefined
        return sampler.linear ? u > 0.5 && u < size - 0.5 && std::fabs(u - std::round(u)) > margin
                              : u > margin && u < size - margin && std::fabs(u - std::round(u)) > margin;
    // Where a nearest texel ends, rounding decides, unless the coordinate is exactly what it is.
    return sampler.linear || !sampler.normalized || std::fabs(u - std::round(u)) > margin;
}

float coordinate(const HostImage& image, const HostSampler& sampler, unsigned side, Random& random) {
    const auto size = static_cast<float>(image.size[side]);
    while (true) {
        float u = random.between(-1.4F, 2.4F);
        if (sampler.address == Address::none)
            u = random.between(0, 1);
        if (!sampler.normalized) {
            u *= size;
            if (random.next() % 2 == 0)
                u = std::round(u * 4) / 4; // centres and edges, too
        }
        if (is_clear(image, sampler, side, u))
            return u;
    }
}

class Checker {
public:
    explicit Checker(Place& place) : place_(place) {}

    void check_all();
    [[nodiscard]] int failures() const { return failures_; }

private:
    Place& place_;
    Random random_;
    int failures_ = 0;
    size_t launches_ = 0;
    size_t values_ = 0;
    std::map<std::string, size_t> excused_;
    size_t skipped_ = 0; // formats that the place does not have

    void check_reads(const ImageFormat& format, const ShapeFacts& shape);
    void check_sampled(HostImage& image, const std::string& kernel, const HostSampler& sampler);
    void check_integer_coordinates(HostImage& image, const std::string& kernel,
                                   std::optional<HostSampler> sampler);
    void check_writes(const ImageFormat& format, const ShapeFacts& shape);
    void check_own_samplers();
    void check_questions(const ShapeFacts& shape);
    void fail(const std::string& what);
    [[nodiscard]] bool launch(Run& run);
    void compare(const Run& run, const HostImage& image, const std::vector<std::byte>& got,
                 const std::vector<Color>& expected);
};

void Checker::fail(const std::string& what) {
    constexpr int most = 30;
    if (++failures_ <= most)
        std::cout << what << '\n';
}

std::string text_of(const Run& run) {
    std::ostringstream text;
    text << run.kernel << " of " << run.image->format.name;
    if (run.sampler)
        text << (run.sampler->linear ? ", linear" : ", nearest") << ", address mode "
             << static_cast<int>(run.sampler->address) << (run.sampler->normalized ? ", normalized" : "");
    return text.str();
}

bool Checker::launch(Run& run) {
    if (const std::string excuse = place_.excuse(run); !excuse.empty()) {
        ++excused_[excuse];
        return false;
    }
    ++launches_;
    const std::string problem = place_.run(run);
    if (!problem.empty())
        fail(text_of(run) + ": " + problem);
    return problem.empty();
}

// Results of four, or of depths one, number an item.
void Checker::compare(const Run& run, const HostImage& image, const std::vector<std::byte>& got,
                      const std::vector<Color>& expected) {
    const size_t channels = got.size() / 4 / expected.size();
    const size_t compared = place_.knows_alpha(run) ? channels : std::min<size_t>(channels, 3);
    for (size_t i = 0; i < expected.size(); ++i) {
        for (size_t c = 0; c < compared; ++c) {
            uint32_t bits = 0;
            std::memcpy(&bits, got.data() + (i * channels + c) * 4, 4);
            float real = 0;
            std::memcpy(&real, &bits, 4);
            const double want = expected[i].value[c];
            const Numbers numbers = oracle::numbers_of(image.format);
            const double value = numbers == Numbers::floats ? static_cast<double>(real)
                                 : numbers == Numbers::signed_integers
                                     ? static_cast<double>(static_cast<int32_t>(bits))
                                     : static_cast<double>(bits);
            const double last_place =
                static_cast<double>(static_cast<float>(want)) == want ? 0 : std::ldexp(std::fabs(want), -23);
            ++values_;
            if (std::fabs(value - want) <= expected[i].allowed[c] + last_place)
                continue;
            std::ostringstream text;
            text.precision(9);
            text << text_of(run) << ": item " << i << " channel " << c << " is " << value << ", expected "
                 << want << " within " << expected[i].allowed[c];
            if (run.kernel.ends_with("_f") || run.kernel.starts_with("own")) {
                std::array<float, 4> at{};
                std::memcpy(at.data(), run.arrays[0].data() + i * sizeof at, sizeof at);
                text << " at " << at[0] << ' ' << at[1] << ' ' << at[2];
            }
            return fail(text.str());
        }
    }
}

void Checker::check_sampled(HostImage& image, const std::string& kernel, const HostSampler& sampler) {
    std::vector<std::array<float, 4>> at(items);
    std::vector<Color> expected;
    for (auto& one : at) {
        for (unsigned side = 0; side < image.sides(); ++side)
            one[side] = coordinate(image, sampler, side, random_);
        if (image.has_layers())
            one[image.sides()] = random_.between(-1.2F, static_cast<float>(image.layers) + 0.8F);
        expected.push_back(oracle::read(image, sampler, one));
    }
    const size_t channels = kernel.starts_with("depth") ? 1 : 4;
    Run run{kernel, &image, sampler, {bytes_of(at), std::vector<std::byte>(items * channels * 4)}, items};
    if (kernel.starts_with("own"))
        run.sampler.reset();
    if (launch(run))
        compare(run, image, run.arrays[1], expected);
}

void Checker::check_integer_coordinates(HostImage& image, const std::string& kernel,
                                        std::optional<HostSampler> sampler) {
    const bool inside = !sampler || sampler->address == Address::none; // outside is undefined
    std::vector<std::array<int32_t, 4>> at(items);
    std::vector<Color> expected;
    for (auto& one : at) {
        const auto number = [&](size_t size) {
            const auto all = static_cast<int32_t>(size);
            const int32_t value = static_cast<int32_t>(random_.next() % (3 * size)) - all;
            return inside ? std::clamp(value, 0, all - 1) : value;
        };
        for (unsigned side = 0; side < image.sides(); ++side)
            one[side] = number(image.size[side]);
        if (image.has_layers())
            one[image.sides()] = static_cast<int32_t>(random_.next() % image.layers);
        expected.push_back(oracle::read(image, sampler.value_or(HostSampler{}), one));
    }
    const size_t channels = kernel.starts_with("depth") ? 1 : 4;
    Run run{kernel, &image, sampler, {bytes_of(at), std::vector<std::byte>(items * channels * 4)}, items};
    if (launch(run))
        compare(run, image, run.arrays[1], expected);
}

const char* letter(Numbers numbers) {
    return numbers == Numbers::floats ? "f" : numbers == Numbers::signed_integers ? "i" : "u";
}

void Checker::check_reads(const ImageFormat& format, const ShapeFacts& shape) {
    const bool depth = format.order == oracle::cl::DEPTH;
    HostImage image = random_image(format, shape, random_);
    const Numbers numbers = oracle::numbers_of(format);
    const std::string name = std::string(depth ? "depth" : shape.name) + "_" + letter(numbers);
    check_integer_coordinates(image, name + "p", std::nullopt);
    if (!shape.sampled)
        return;
    for (const Address address :
         {Address::none, Address::clamp, Address::clamp_edge, Address::repeat, Address::mirror}) {
        for (const bool linear : {false, true}) {
            if (linear && numbers != Numbers::floats)
                continue; // undefined
            for (const bool normalized : {false, true}) {
                if (normalized || (address != Address::repeat && address != Address::mirror))
                    check_sampled(image, name, {address, linear, normalized});
            }
        }
        if (address != Address::repeat && address != Address::mirror)
            check_integer_coordinates(image, name + "i", HostSampler{address, false, false});
    }
}

// Any bits, or floats around what normalized channels hold.
std::array<uint32_t, 4> random_color(Numbers numbers, Random& random) {
    std::array<uint32_t, 4> color{};
    for (uint32_t& channel : color) {
        const float real = random.between(-1.3F, 1.3F);
        channel = random.next() << 8U >> random.next() % 30;
        if (random.next() % 2 == 0)
            channel = ~channel;
        if (numbers == Numbers::floats)
            std::memcpy(&channel, &real, sizeof channel);
    }
    return color;
}

template <class T>
std::array<T, 4> as(const std::array<uint32_t, 4>& color) {
    std::array<T, 4> out{};
    std::memcpy(out.data(), color.data(), sizeof out);
    return out;
}

std::vector<std::byte> bytes_written(const ImageFormat& format, const std::array<uint32_t, 4>& color) {
    switch (oracle::numbers_of(format)) {
    case Numbers::floats:
        return oracle::written(format, as<float>(color));
    case Numbers::signed_integers:
        return oracle::written(format, as<int32_t>(color));
    case Numbers::unsigned_integers:
        break;
    }
    return oracle::written(format, color);
}

// Where pixel `index` lies.
std::array<int32_t, 4> place_of(const HostImage& image, size_t index) {
    std::array<int32_t, 4> place{};
    for (unsigned side = 0; side < image.sides(); index /= image.size[side++])
        place[side] = static_cast<int32_t>(index % image.size[side]);
    if (image.has_layers())
        place[image.sides()] = static_cast<int32_t>(index);
    return place;
}

// Every pixel is written once. (What writes outside do is left open by OpenCL.)
void Checker::check_writes(const ImageFormat& format, const ShapeFacts& shape) {
    const bool depth = format.order == oracle::cl::DEPTH;
    const Numbers numbers = oracle::numbers_of(format);
    HostImage image = random_image(format, shape, random_);
    HostImage expected = image;
    const size_t pixel = oracle::pixel_bytes(format);
    std::vector<std::array<int32_t, 4>> at;
    std::vector<std::array<uint32_t, 4>> colors;
    for (size_t i = 0; i < image.count(); ++i) {
        at.push_back(place_of(image, i));
        colors.push_back(random_color(numbers, random_));
        std::ranges::copy(bytes_written(format, colors.back()),
                          expected.pixels.begin() + static_cast<ptrdiff_t>(i * pixel));
    }
    std::vector<std::byte> content = bytes_of(colors);
    if (depth) { // one number an item
        content.clear();
        for (const auto& color : colors) {
            const auto* bytes = reinterpret_cast<const std::byte*>(color.data());
            content.insert(content.end(), bytes, bytes + 4);
        }
    }
    const std::string kernel = std::string(depth ? "depth" : shape.name) + "_w" + letter(numbers);
    Run run{kernel, &image, std::nullopt, {bytes_of(at), content}, at.size()};
    if (!launch(run))
        return;
    values_ += image.count();
    // What an unused bit becomes is open: pixels are compared as colours. sRGB is never written.
    for (size_t i = 0; i < image.count(); ++i) {
        const auto got = oracle::color_of(format, image.pixels.data() + i * pixel);
        const auto want = oracle::color_of(format, expected.pixels.data() + i * pixel);
        const double allowed = place_.rounds_exactly() ? 0 : oracle::step_of(format) * 1.0001;
        if (std::ranges::equal(got, want,
                               [&](double a, double b) { return a == b || std::fabs(a - b) <= allowed; }))
            continue;
        std::ostringstream text;
        text << text_of(run) << ": pixel " << i << " is " << got[0] << ' ' << got[1] << ' ' << got[2] << ' '
             << got[3] << ", expected " << want[0] << ' ' << want[1] << ' ' << want[2] << ' ' << want[3];
        return fail(text.str());
    }
}

void Checker::check_own_samplers() {
    const ImageFormat format{"rgba32f", oracle::cl::RGBA, oracle::cl::FLOAT};
    HostImage image = random_image(format, shapes[3], random_);
    check_sampled(image, "own_l", {Address::mirror, true, true});
    check_sampled(image, "own_n", {Address::clamp, false, false});
}

void Checker::check_questions(const ShapeFacts& shape) {
    const ImageFormat format{"rg16f", oracle::cl::RG, oracle::cl::HALF_FLOAT};
    const ImageFormat other{"rgba8", oracle::cl::RGBA, oracle::cl::UNORM_INT8};
    const bool has = place_.has(format, shape.dimension, false);
    HostImage image = random_image(has ? format : other, shape, random_);
    Run run{std::string("ask_") + shape.name, &image, std::nullopt, {std::vector<std::byte>(32)}, 1};
    if (!launch(run))
        return;
    std::array<int32_t, 8> got{};
    std::memcpy(got.data(), run.arrays[0].data(), sizeof got);
    const auto number = [](size_t value) { return static_cast<int32_t>(value); };
    std::array<int32_t, 8> want{number(image.size[0]), static_cast<int32_t>(image.format.type),
                                static_cast<int32_t>(image.format.order)};
    if (image.sides() >= 2)
        want[3] = number(image.size[1]);
    if (image.sides() == 3)
        want[4] = number(image.size[2]);
    if (image.has_layers())
        want[5] = number(image.layers);
    if (shape.dimension == Dimension::d2) {
        want[6] = want[0];
        want[7] = want[3];
    }
    values_ += got.size();
    for (size_t i = 0; i < got.size(); ++i) {
        if (got[i] != want[i])
            fail(text_of(run) + ": answer " + std::to_string(i) + " is " + std::to_string(got[i]) +
                 ", expected " + std::to_string(want[i]));
    }
}

void Checker::check_all() {
    for (const ImageFormat& format : oracle::image_formats()) {
        for (const ShapeFacts& shape : shapes) {
            const bool depth = format.order == oracle::cl::DEPTH;
            if (depth && (shape.dimension != Dimension::d2 || !place_.has_depth()))
                continue;
            const bool reads = place_.has(format, shape.dimension, false);
            const bool writes = place_.has(format, shape.dimension, true);
            skipped_ += reads && writes ? 0 : 1;
            if (reads)
                check_reads(format, shape);
            if (writes)
                check_writes(format, shape);
        }
    }
    check_own_samplers();
    for (const ShapeFacts& shape : shapes)
        check_questions(shape);
    for (const auto& [excuse, count] : excused_)
        std::cout << count << " launches left out: " << excuse << '\n';
    std::cout << launches_ << " launches, " << values_ << " values, " << skipped_
              << " pairs of format and shape that are not read or not written there, " << failures_
              << " failures\n";
}

std::string content_of(const char* path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

int check(const std::string& source, const std::string& device) {
    constexpr int skipped = 77; // as CMakeLists.txt tells ctest
    std::string problem;
    const auto place = device == "pocl" ? pocl_place(source, problem) : visor_place(device, source);
    if (place == nullptr && device == "pocl" && problem.empty()) {
        std::cout << "PoCL is missing: nothing was compared with it (`scripts/setup test` installs it)\n";
        return std::getenv("VISOR_TEST_NEEDS_POCL") != nullptr ? 1 : skipped;
    }
    if (place == nullptr) {
        std::cout << problem << '\n';
        return 1;
    }
    Checker checker(*place);
    checker.check_all();
    return checker.failures() == 0 ? 0 : 1;
}

} // namespace

} // namespace visor::images

int main(int count, char** words) {
    if (count != 3) {
        std::cout << "usage: image_check SOURCE DEVICE\n";
        return 2;
    }
    return visor::images::check(visor::images::content_of(words[1]), words[2]);
}
