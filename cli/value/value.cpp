#include "cli/value/value.h"

#include "diagnostic/diagnostic.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

namespace visor::cli {

namespace {

constexpr const char* grammar =
    "VALUE forms: 7  i32:7  1,2,3,4  bytes:@file  zeros:TYPE:SHAPE  iota:TYPE:SHAPE[:first]  "
    "fill:TYPE:SHAPE:value  rand:TYPE:SHAPE[:seed]  @x.npy  @x.bin[:TYPE]  local:BYTES  "
    "image:FORMAT:WxH[xD][:@FILE]  @x.png[:FORMAT]  sampler:FILTER,ADDRESS[,normalized]  null  @=NAME";

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    while (true) {
        const size_t end = text.find(at);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::string_view trimmed(std::string_view text) {
    const size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const size_t end = text.find_last_not_of(' ');
    return end == std::string_view::npos ? std::string_view{} : text.substr(begin, end + 1 - begin);
}

std::optional<Generator::Kind> generator_named(std::string_view word) {
    if (word == "zeros")
        return Generator::Kind::zeros;
    if (word == "iota")
        return Generator::Kind::iota;
    if (word == "fill")
        return Generator::Kind::fill;
    if (word == "rand")
        return Generator::Kind::rand;
    return std::nullopt;
}

std::expected<Value, std::string> parse_generator(Generator::Kind kind, std::string_view text) {
    const auto parts = split(text, ':');
    const auto wrong = [&](std::string_view why) {
        return std::unexpected(fmt::format("`{}`: {}", text, why));
    };
    const size_t most = kind == Generator::Kind::zeros ? 3 : 4;
    if (parts.size() < 3 || parts.size() > most || (kind == Generator::Kind::fill && parts.size() != 4))
        return wrong(fmt::format("expected {}:TYPE:SHAPE{}", parts[0],
                                 kind == Generator::Kind::zeros  ? ""
                                 : kind == Generator::Kind::fill ? ":value"
                                 : kind == Generator::Kind::iota ? "[:first]"
                                                                 : "[:seed]"));
    Generator generator{.kind = kind};
    const auto element = element_named(parts[1]);
    if (!element)
        return wrong(unknown_element(parts[1]));
    generator.element = *element;
    const auto shape = parse_shape(parts[2]);
    if (!shape)
        return wrong(shape.error());
    generator.shape = *shape;
    const auto bytes = bytes_of(generator.element, generator.shape);
    if (!bytes)
        return wrong(bytes.error());
    if (*bytes == 0)
        return wrong("an array needs at least one element");
    if (parts.size() == 4) {
        const auto number = kind == Generator::Kind::rand ? parse_unsigned(parts[3])
                                                          : parse_number(parts[3], generator.element);
        if (!number)
            return wrong(number.error());
        generator.parameter = *number;
    }
    return generator;
}

// A type after the last colon; a colon that belongs to the file's name is told by the file being there.
std::expected<ArrayFile, std::string> parse_file(std::string_view text) {
    if (text.empty())
        return std::unexpected("`@` needs a file's name behind it");
    const size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0)
        return ArrayFile{.path = std::string(text), .element = std::nullopt};
    if (const auto element = element_named(text.substr(colon + 1)))
        return ArrayFile{.path = std::string(text.substr(0, colon)), .element = element};
    std::error_code ignored;
    if (std::filesystem::exists(std::string(text), ignored))
        return ArrayFile{.path = std::string(text), .element = std::nullopt};
    return std::unexpected(fmt::format("`@{}`: {}", text, unknown_element(text.substr(colon + 1))));
}

std::expected<Value, std::string> parse_at(std::string_view text) {
    if (text.starts_with('=')) {
        if (text.size() == 1)
            return std::unexpected("`@=` needs an argument's name behind it");
        return SameAs{std::string(text.substr(1))};
    }
    // An image's channel format follows the colon, so this is asked before the element type.
    if (text.ends_with(".png") || text.substr(0, text.rfind(':')).ends_with(".png")) {
        auto image = parse_image(fmt::format("@{}", text));
        if (!image)
            return std::unexpected(image.error());
        return std::move(*image);
    }
    const auto file = parse_file(text);
    if (!file)
        return std::unexpected(file.error());
    return *file;
}

std::expected<Value, std::string> parse_numbers(std::string_view text) {
    Numbers numbers;
    std::optional<Element> element;
    for (std::string_view part : split(text, ',')) {
        part = trimmed(part);
        if (const size_t colon = part.find(':'); colon != std::string_view::npos) {
            element = element_named(part.substr(0, colon));
            if (!element)
                return std::unexpected(fmt::format("`{}`: {}", text, unknown_element(part.substr(0, colon))));
            part.remove_prefix(colon + 1);
        }
        if (part.empty())
            return std::unexpected(fmt::format("`{}`: a number is missing", text));
        numbers.push_back({element, std::string(part)});
    }
    return numbers;
}

std::optional<machine::Filler> filler_named(std::string_view word) {
    if (word == "lid.x")
        return machine::Filler::local_id_x;
    if (word == "lid.y")
        return machine::Filler::local_id_y;
    if (word == "lid.z")
        return machine::Filler::local_id_z;
    if (word == "tid")
        return machine::Filler::thread;
    if (word == "lane")
        return machine::Filler::lane;
    return std::nullopt;
}

std::string unknown_form(std::string_view text, std::string_view word) {
    std::vector<std::string_view> forms = element_names();
    forms.insert(forms.end(), {"zeros", "iota", "fill", "rand", "bytes", "local", "image", "sampler"});
    return fmt::format("`{}` is no VALUE{}\n{}", text, did_you_mean(word, forms), grammar);
}

// word:rest
std::expected<Value, std::string> parse_form(std::string_view text, std::string_view word,
                                             std::string_view rest) {
    if (const auto kind = generator_named(word))
        return parse_generator(*kind, text);
    if (word == "bytes") {
        if (rest.size() < 2 || rest.front() != '@')
            return std::unexpected(fmt::format("`{}`: expected bytes:@file", text));
        return FileBytes{std::string(rest.substr(1))};
    }
    if (word == "local") {
        const auto bytes = parse_unsigned(rest);
        if (!bytes)
            return std::unexpected(fmt::format("`{}`: {}; expected local:BYTES", text, bytes.error()));
        return LocalMemory{*bytes};
    }
    if (word == "image") {
        auto image = parse_image(text);
        if (!image)
            return std::unexpected(image.error());
        return std::move(*image);
    }
    if (word == "sampler") {
        const auto sampler = parse_sampler(rest);
        if (!sampler)
            return std::unexpected(sampler.error());
        return *sampler;
    }
    return std::unexpected(unknown_form(text, word));
}

bool is_target(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '%' || c == '$';
    });
}

// SplitMix64, any element of whose sequence is reached at once: `state` has moved on by one step for each
// element before.
constexpr uint64_t split_mix_step = 0x9e3779b97f4a7c15U;
uint64_t split_mix(uint64_t state) {
    uint64_t x = state + split_mix_step;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

template <class T>
T from_bits(uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value); // the low bytes: the host is little-endian, as the GPU is
    return value;
}

// `make(i)` is element i. Memory is written through memcpy: a surface's start need not suit the type.
template <class T, class Make>
void write_elements(std::span<std::byte> out, Make make) {
    for (size_t i = 0; i < out.size() / sizeof(T); ++i) {
        const T value = make(i);
        std::memcpy(out.data() + i * sizeof(T), &value, sizeof value);
    }
}

// Floats: 24 (f32) or 53 (f64) random bits below the point; 8 and 11 for the narrow ones.
void generate_random(const Generator& generator, std::span<std::byte> out) {
    const auto bits = [&](size_t i) { return split_mix(generator.parameter + i * split_mix_step); };
    switch (generator.element) {
    case Element::f16:
        return write_elements<_Float16>(out, [&](size_t i) {
            return static_cast<_Float16>(static_cast<float>(bits(i) >> 53) * 0x1p-11F);
        });
    case Element::bf16:
        return write_elements<uint16_t>(
            out, [&](size_t i) { return bf16_from(static_cast<double>(bits(i) >> 56) * 0x1p-8); });
    case Element::f32:
        return write_elements<float>(out,
                                     [&](size_t i) { return static_cast<float>(bits(i) >> 40) * 0x1p-24F; });
    case Element::f64:
        return write_elements<double>(out,
                                      [&](size_t i) { return static_cast<double>(bits(i) >> 11) * 0x1p-53; });
    default:
        break;
    }
    const size_t size = size_of(generator.element);
    for (size_t i = 0; i < out.size() / size; ++i) {
        const uint64_t value = bits(i);
        std::memcpy(out.data() + i * size, &value, size);
    }
}

void generate_iota(const Generator& generator, std::span<std::byte> out) {
    const uint64_t first = generator.parameter;
    switch (generator.element) {
    case Element::f16:
        return write_elements<_Float16>(out, [&](size_t i) {
            return static_cast<_Float16>(static_cast<double>(from_bits<_Float16>(first)) +
                                         static_cast<double>(i));
        });
    case Element::bf16:
        return write_elements<uint16_t>(out, [&](size_t i) {
            return bf16_from(static_cast<double>(from_bits<float>(first << 16)) + static_cast<double>(i));
        });
    case Element::f32:
        return write_elements<float>(out, [&](size_t i) {
            return static_cast<float>(static_cast<double>(from_bits<float>(first)) + static_cast<double>(i));
        });
    case Element::f64:
        return write_elements<double>(
            out, [&](size_t i) { return from_bits<double>(first) + static_cast<double>(i); });
    default:
        break;
    }
    const size_t size = size_of(generator.element);
    for (size_t i = 0; i < out.size() / size; ++i) {
        const uint64_t value = first + i;
        std::memcpy(out.data() + i * size, &value, size);
    }
}

void append(std::vector<std::byte>& bytes, uint64_t bits, size_t size) {
    const size_t at = bytes.size();
    bytes.resize(at + size);
    std::memcpy(bytes.data() + at, &bits, size);
}

} // namespace

std::expected<Value, std::string> parse_value(std::string_view text) {
    if (text.empty())
        return std::unexpected(fmt::format("a VALUE is missing\n{}", grammar));
    if (text.starts_with('@'))
        return parse_at(text.substr(1));
    if (text == "null")
        return Null{};
    if (const auto filler = filler_named(text))
        return Filler{*filler};
    const size_t colon = text.find(':');
    const std::string_view word = text.substr(0, colon);
    if (colon == std::string_view::npos || element_named(word) || word.find(',') != std::string_view::npos)
        return parse_numbers(text);
    return parse_form(text, word, text.substr(colon + 1));
}

std::expected<ArgumentText, std::string> parse_argument(std::string_view text) {
    ArgumentText argument;
    // No VALUE begins with a word and `=`, so what does names its parameter.
    if (const size_t equals = text.find('=');
        equals != std::string_view::npos && is_target(text.substr(0, equals))) {
        argument.target = text.substr(0, equals);
        text.remove_prefix(equals + 1);
    }
    argument.text = text;
    auto value = parse_value(text);
    if (!value)
        return std::unexpected(value.error());
    argument.value = std::move(*value);
    return argument;
}

bool is_array(const Value& value) {
    return std::holds_alternative<Generator>(value) || std::holds_alternative<ArrayFile>(value) ||
           std::holds_alternative<Array>(value) || std::holds_alternative<Named>(value);
}

bool is_image(const Value& value) {
    return std::holds_alternative<ImageValue>(value) || std::holds_alternative<Named>(value);
}

void generate(const Generator& generator, std::span<std::byte> out) {
    const size_t size = size_of(generator.element);
    switch (generator.kind) {
    case Generator::Kind::zeros:
        std::fill(out.begin(), out.end(), std::byte{0});
        return;
    case Generator::Kind::iota:
        return generate_iota(generator, out);
    case Generator::Kind::fill:
        for (size_t at = 0; at + size <= out.size(); at += size)
            std::memcpy(out.data() + at, &generator.parameter, size);
        return;
    case Generator::Kind::rand:
        return generate_random(generator, out);
    }
}

std::expected<std::vector<std::byte>, std::string> number_bytes(const Numbers& numbers, Element element) {
    std::vector<std::byte> bytes;
    for (const Number& number : numbers) {
        const Element own = number.element.value_or(element);
        const auto bits = parse_number(number.text, own);
        if (!bits)
            return std::unexpected(bits.error());
        append(bytes, *bits, size_of(own));
    }
    return bytes;
}

std::expected<std::vector<std::byte>, std::string> struct_bytes(const Numbers& numbers) {
    std::vector<std::byte> bytes;
    size_t widest = 1;
    const auto align = [&](size_t size) { bytes.resize((bytes.size() + size - 1) / size * size); };
    for (const Number& number : numbers) {
        Element element = number.element.value_or(Element::i32);
        auto bits = parse_number(number.text, element);
        if (!bits && !number.element) {
            element = Element::f32;
            bits = parse_number(number.text, element);
        }
        if (!bits)
            return std::unexpected(bits.error());
        align(size_of(element));
        widest = std::max<size_t>(widest, size_of(element));
        append(bytes, *bits, size_of(element));
    }
    align(widest);
    return bytes;
}

} // namespace visor::cli
