#include "trial.h"

#include "vm/parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <regex>

namespace visor::corpus {

namespace {

// splitmix64
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U) {}
    uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15U;
        uint64_t z = state_;
        z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9U;
        z = (z ^ z >> 27U) * 0x94d049bb133111ebU;
        return z ^ z >> 31U;
    }
    int64_t below(int64_t limit) { return static_cast<int64_t>(bits() % static_cast<uint64_t>(limit)); }

private:
    uint64_t state_;
};

// Data of one kind: tame or wild.
class Maker {
public:
    explicit Maker(uint64_t seed) : random_(seed), tame_(seed % 2 == 1) {}

    void value(isa::Type type, std::byte* to) {
        if (type == isa::Type::f)
            put(static_cast<float>(number(20)), to);
        else if (type == isa::Type::df)
            put(number(40), to);
        else if (type == isa::Type::hf)
            put(static_cast<test::Half>(number(4)), to);
        else
            integer(isa::size_of(type), to);
    }
    // What a struct holds: words of four bytes, small integers or floats, each kind in every other seed.
    void opaque(std::byte* to) {
        if (tame_)
            integer(4, to);
        else
            put(static_cast<float>(number(4)), to);
    }
    void fraction(std::byte* to) { put(static_cast<float>(random_.below(256)) / 256, to); }
    // A scalar argument: more often than not a size.
    void scalar(isa::Type type, std::byte* to) {
        if (isa::is_float(type)) {
            value(type, to);
            return;
        }
        const uint64_t chosen = static_cast<uint64_t>(tame_ ? 8 + random_.below(9) : 1 + random_.below(40));
        std::memcpy(to, &chosen, isa::size_of(type));
    }

private:
    template <class T>
    static void put(T value, std::byte* to) {
        std::memcpy(to, &value, sizeof value);
    }
    double number(int exponents) {
        if (tame_)
            return static_cast<double>(random_.below(65) - 32) / 8;
        const double mantissa = 1 + static_cast<double>(random_.below(1 << 20)) / (1 << 20);
        const double magnitude =
            std::ldexp(mantissa, static_cast<int>(random_.below(2 * exponents)) - exponents);
        return random_.below(2) == 0 ? magnitude : -magnitude;
    }
    void integer(size_t bytes, std::byte* to) {
        const uint64_t chosen = tame_ ? static_cast<uint64_t>(random_.below(16)) : random_.bits();
        std::memcpy(to, &chosen, bytes);
    }

    Random random_;
    bool tame_;
};

// As compare.cpp reads it.
std::string kind_of(const vm::Parameter& parameter) {
    if (!parameter.element_known)
        return "struct";
    const isa::Type type = parameter.element;
    const char* kind = isa::is_float(type) ? "f" : "u";
    return fmt::format("{}{}{}", kind, isa::size_of(type) * 8, parameter.elements == 3 ? "x3" : "");
}

test::Argument make_array(const vm::Parameter& parameter, Maker& maker) {
    test::Argument argument{.kind = test::Argument::Kind::array,
                            .type = kind_of(parameter),
                            .data = std::vector<std::byte>(trial_buffer_bytes)};
    const size_t step = parameter.element_known ? isa::size_of(parameter.element) : 4;
    for (size_t at = 0; at < argument.data.size(); at += step) {
        if (parameter.element_known)
            maker.value(parameter.element, &argument.data[at]);
        else
            maker.opaque(&argument.data[at]);
    }
    return argument;
}

test::Argument make_value(const vm::Parameter& parameter, Maker& maker) {
    test::Argument argument{.kind = test::Argument::Kind::value,
                            .data = std::vector<std::byte>(parameter.bytes)};
    const size_t step = parameter.element_known ? isa::size_of(parameter.element) : 4;
    for (size_t at = 0; at + step <= argument.data.size(); at += step) {
        if (parameter.element_known)
            maker.scalar(parameter.element, &argument.data[at]);
        else
            maker.opaque(&argument.data[at]);
    }
    return argument;
}

// A name that the source's own typedef gives a type, so that its values are of that type.
vm::Parameter resolved(const vm::Parameter& parameter, std::string_view source) {
    if (parameter.element_known)
        return parameter;
    const std::string name = parameter.type_name.substr(0, parameter.type_name.find_first_of("* "));
    if (name.empty() ||
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") !=
            std::string::npos)
        return parameter;
    const std::regex definition("typedef\\s+([a-z][a-z0-9 ]*[a-z0-9])\\s+" + name + "\\s*;");
    std::cmatch found;
    if (!std::regex_search(source.data(), source.data() + source.size(), found, definition))
        return parameter;
    const vm::Parameter known = vm::parameter_of({.type_name = found[1].str()});
    vm::Parameter out = parameter;
    out.element = known.element;
    out.element_known = known.element_known;
    out.elements = known.elements;
    return out;
}

bool mentions_dimension(std::string_view source, char dimension) {
    for (const char* function : {"_id(", "_size(", "_id (", "_groups("}) {
        if (source.find(std::string(function) + dimension) != std::string_view::npos)
            return true;
    }
    return false;
}

// 128 work-items in groups of 32, or what the kernel asks for, in as many dimensions as its file speaks of.
void set_sizes(const vm::KernelFacts& kernel, std::string_view source, test::Launch& launch) {
    const std::array<test::Sizes, 3> locals{{{32, 1, 1}, {8, 4, 1}, {4, 4, 2}}};
    const std::array<test::Sizes, 3> groups{{{4, 1, 1}, {2, 2, 1}, {2, 2, 1}}};
    launch.dimensions = mentions_dimension(source, '2') ? 3 : mentions_dimension(source, '1') ? 2 : 1;
    const bool required = kernel.required_group_size[0] != 0;
    if (required)
        launch.dimensions = kernel.required_group_size[2] > 1   ? 3
                            : kernel.required_group_size[1] > 1 ? std::max(launch.dimensions, 2U)
                                                                : launch.dimensions;
    for (size_t d = 0; d < 3; ++d) {
        launch.local[d] = required ? kernel.required_group_size[d] : locals[launch.dimensions - 1][d];
        launch.global[d] = launch.local[d] * groups[launch.dimensions - 1][d];
    }
}

// Pixels of four floats between 0 and 1.
test::Argument make_image(const vm::Parameter& parameter, Maker& maker) {
    constexpr size_t numbers = size_t{4} * trial_image_size * trial_image_size * trial_image_size;
    test::Argument argument{.kind = test::Argument::Kind::image,
                            .type = parameter.type_name,
                            .data = std::vector<std::byte>(numbers * sizeof(float)),
                            .width = trial_image_size,
                            .height = trial_image_size};
    for (size_t i = 0; i < numbers; ++i)
        maker.fraction(&argument.data[i * sizeof(float)]);
    return argument;
}

std::expected<test::Launch, std::string> make(const vm::KernelFacts& kernel, std::string_view source,
                                              uint64_t seed, bool images) {
    test::Launch launch;
    launch.kernel = kernel.name;
    set_sizes(kernel, source, launch);
    Maker maker(seed);
    for (const vm::Parameter& written : kernel.parameters) {
        const vm::Parameter parameter = resolved(written, source);
        switch (parameter.kind) {
        case vm::ParameterKind::value:
            launch.arguments.push_back(make_value(parameter, maker));
            break;
        case vm::ParameterKind::buffer:
            launch.arguments.push_back(make_array(parameter, maker));
            break;
        case vm::ParameterKind::local:
            launch.arguments.push_back({.kind = test::Argument::Kind::local, .local_bytes = 4096});
            break;
        case vm::ParameterKind::image:
            if (images) {
                launch.arguments.push_back(make_image(parameter, maker));
                break;
            }
            [[fallthrough]];
        case vm::ParameterKind::sampler:
            if (images) {
                launch.arguments.push_back({.kind = test::Argument::Kind::sampler});
                break;
            }
            [[fallthrough]];
        default:
            return std::unexpected(fmt::format("argument `{}` is an image or a sampler", parameter.name));
        }
    }
    return launch;
}

} // namespace

std::expected<test::Launch, std::string> make_trial(const vm::KernelFacts& kernel, std::string_view source,
                                                    uint64_t seed) {
    return make(kernel, source, seed, false);
}

std::expected<test::Launch, std::string> make_trial_with_images(const vm::KernelFacts& kernel,
                                                                std::string_view source, uint64_t seed) {
    return make(kernel, source, seed, true);
}

} // namespace visor::corpus
