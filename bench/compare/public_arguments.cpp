// Arguments of public kernels, from a line of words each: "in f32 1024*4 -1 1", "out i32 16", "u32 7",
// "local 1024", "in image rgba f32 640 480 0 1".
#include "builder.h"
#include "public_set.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace visor::compare {

namespace {

constexpr size_t most_buffer_bytes = size_t{256} << 20U;
constexpr size_t most_local_bytes = size_t{64} << 10U;
constexpr size_t most_components = 16; // of a value

using Words = std::vector<std::string_view>;

Words words_of(std::string_view text) {
    Words words;
    while (!text.empty()) {
        const size_t end = std::min(text.find(' '), text.size());
        if (end > 0)
            words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

template <class T>
std::optional<T> number_of(std::string_view text) {
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    if constexpr (std::is_floating_point_v<T>)
        if (!std::isfinite(number))
            return std::nullopt;
    return number;
}

// Factors, such as 512*512*3; none: no number above 0, or one above the limit.
std::optional<size_t> product_of(std::string_view text, size_t limit) {
    size_t product = 1;
    for (;;) {
        const size_t end = std::min(text.find('*'), text.size());
        const auto factor = number_of<size_t>(text.substr(0, end));
        if (!factor || *factor == 0 || *factor > limit / product)
            return std::nullopt;
        product *= *factor;
        if (end == text.size())
            return product;
        text.remove_prefix(end + 1);
    }
}

template <class T>
T random_between(Random& random, T low, T high) {
    if constexpr (std::is_floating_point_v<T>)
        return low + (high - low) * static_cast<T>(random.between(0, 1));
    else
        return static_cast<T>(static_cast<uint64_t>(low) +
                              random.next() % (static_cast<uint64_t>(high) - static_cast<uint64_t>(low)));
}

// "step N from N", or "... below N": again from 0 there. Integers wrap.
template <class T>
std::optional<std::vector<T>> steps(size_t count, const Words& words) {
    const bool has_end = words.size() == 6;
    if ((words.size() != 4 && !has_end) || words[2] != "from" || (has_end && words[4] != "below"))
        return std::nullopt;
    const auto step = number_of<T>(words[1]);
    const auto start = number_of<T>(words[3]);
    const auto end = has_end ? number_of<uint32_t>(words[5]) : std::optional<uint32_t>(0);
    if (!step || !start || !end || (has_end && (*end == 0 || std::is_floating_point_v<T>)))
        return std::nullopt;
    std::vector<T> values(count);
    for (size_t i = 0; i < count; ++i) {
        if constexpr (std::is_floating_point_v<T>) {
            values[i] = *start + static_cast<T>(i) * *step;
        } else {
            const uint64_t value = static_cast<uint64_t>(*start) + i * static_cast<uint64_t>(*step);
            values[i] = static_cast<T>(has_end ? value % *end : value);
        }
    }
    return values;
}

template <class T>
std::vector<T> shuffled(size_t count) {
    std::vector<T> values(count);
    for (size_t i = 0; i < count; ++i)
        values[i] = static_cast<T>(i);
    Random random;
    for (size_t i = count - 1; i > 0; --i)
        std::swap(values[i], values[random.next() % (i + 1)]);
    return values;
}

// What fills a buffer; none: these words are no generator for this type.
template <class T>
std::optional<std::vector<T>> filled(size_t count, const Words& words) {
    std::vector<T> values(count);
    const std::string_view first = words.empty() ? "" : words[0];
    if (words.size() == 1 && first == "zero")
        return values;
    if (words.size() == 1 && first == "any" && std::is_integral_v<T>) {
        Random random;
        for (T& value : values)
            value = static_cast<T>(random.next());
        return values;
    }
    if (words.size() == 1 && first == "shuffled")
        return shuffled<T>(count);
    if (first == "step")
        return steps<T>(count, words);
    if (words.size() != 2)
        return std::nullopt;
    const auto last = number_of<T>(words[1]);
    if (last && first == "all") {
        std::ranges::fill(values, *last);
        return values;
    }
    const auto low = number_of<T>(first);
    if (!low || !last || *low >= *last)
        return std::nullopt;
    Random random;
    for (T& value : values)
        value = random_between(random, *low, *last);
    return values;
}

template <class T>
std::string add_typed(Work& work, const Words& words, bool fill) {
    if (words[0] != "in" && words[0] != "out" && words[0] != "inout") {
        if (words.size() < 2 || words.size() > 1 + most_components)
            return fmt::format("a value has 1 to {} components", most_components);
        std::vector<T> values;
        for (const std::string_view word : std::span(words).subspan(1)) {
            const auto value = number_of<T>(word);
            if (!value)
                return fmt::format("`{}` is no number of this type", word);
            values.push_back(*value);
        }
        work.arguments.push_back({.kind = Argument::Kind::value, .buffer = 0, .value = bytes_of(values)});
        return {};
    }
    const bool is_output = words[0] == "out";
    const auto count = words.size() < 3 ? std::nullopt : product_of(words[2], most_buffer_bytes / sizeof(T));
    if (!count)
        return fmt::format("a buffer has a number of elements, 1 to {} bytes", most_buffer_bytes);
    Words generator(words.begin() + 3, words.end());
    if (is_output && generator.empty())
        generator.emplace_back("zero");
    const auto values = filled<T>(fill ? *count : 1, generator);
    if (!values)
        return "the generator is none: zero, any (integers), shuffled, step N from N [below N], all N, or "
               "LOW HIGH";
    Buffer buffer{.content = fill ? bytes_of(*values) : std::vector<std::byte>(),
                  .is_result = words[0] != "in",
                  .compared = std::is_integral_v<T>         ? Compared::bits
                              : sizeof(T) == sizeof(double) ? Compared::double_floats
                                                            : Compared::single_floats};
    work.arguments.push_back({.kind = Argument::Kind::buffer, .buffer = work.buffers.size(), .value = {}});
    work.buffers.push_back(std::move(buffer));
    return {};
}

// ---- images

struct Texels {
    std::string_view name;
    cl_channel_type type;
    // Values of one channel after the other.
    std::optional<std::vector<std::byte>> (*fill)(size_t count, const Words& words);
};
template <class T>
std::optional<std::vector<std::byte>> texels(size_t count, const Words& words) {
    const auto values = filled<T>(count, words);
    return values ? std::optional(bytes_of(*values)) : std::nullopt;
}
constexpr std::array texel_types{
    Texels{"unorm8", CL_UNORM_INT8, texels<uint8_t>},
    Texels{"unorm16", CL_UNORM_INT16, texels<uint16_t>},
    Texels{"u8", CL_UNSIGNED_INT8, texels<uint8_t>},
    Texels{"f32", CL_FLOAT, texels<float>},
};
struct Order {
    std::string_view name;
    cl_channel_order order;
    size_t channels;
};
constexpr std::array orders{Order{"r", CL_R, 1}, Order{"rg", CL_RG, 2}, Order{"rgba", CL_RGBA, 4}};

// "in image ORDER TYPE WIDTH HEIGHT FILL", "out image ORDER TYPE WIDTH HEIGHT".
std::string add_image(Work& work, const Words& words, bool fill) {
    constexpr size_t most_side = 16384;
    const auto* const order = std::ranges::find(orders, words.size() < 6 ? "" : words[2], &Order::name);
    const auto* const type = std::ranges::find(texel_types, words.size() < 6 ? "" : words[3], &Texels::name);
    const auto width = words.size() < 6 ? std::nullopt : product_of(words[4], most_side);
    const auto height = words.size() < 6 ? std::nullopt : product_of(words[5], most_side);
    if (order == orders.end() || type == texel_types.end() || !width || !height || words[0] == "inout")
        return "an image is `in` or `out`, has the order r, rg or rgba, the type unorm8, unorm16, u8 or f32, "
               "and "
               "two sizes";
    const bool is_output = words[0] == "out";
    const Words generator(words.begin() + 6, words.end());
    const size_t count = *width * *height * order->channels;
    auto content = type->fill(fill ? count : 1, is_output && generator.empty() ? Words{"zero"} : generator);
    if (!content)
        return "the generator is none";
    if (!fill)
        content->clear();
    work.arguments.push_back({.kind = Argument::Kind::buffer, .buffer = work.buffers.size(), .value = {}});
    work.buffers.push_back(
        {.content = std::move(*content),
         .image = ImageLayout{.order = order->order, .type = type->type, .size = {*width, *height, 1}},
         .is_result = is_output,
         .compared = type->type == CL_FLOAT        ? Compared::single_floats
                     : type->type == CL_UNORM_INT8 ? Compared::bytes_by_one
                                                   : Compared::bits});
    return {};
}

struct Type {
    std::string_view name;
    std::string (*add)(Work&, const Words&, bool);
};
constexpr std::array types{
    Type{"i8", add_typed<int8_t>},    Type{"u8", add_typed<uint8_t>},   Type{"i16", add_typed<int16_t>},
    Type{"u16", add_typed<uint16_t>}, Type{"i32", add_typed<int32_t>},  Type{"u32", add_typed<uint32_t>},
    Type{"i64", add_typed<int64_t>},  Type{"u64", add_typed<uint64_t>}, Type{"f32", add_typed<float>},
    Type{"f64", add_typed<double>},
};

} // namespace

std::string add_argument(Work& work, std::string_view description, bool fill) {
    const Words words = words_of(description);
    if (words.empty())
        return "there is nothing";
    if (words[0] == "local") {
        const auto bytes = words.size() == 2 ? product_of(words[1], most_local_bytes) : std::nullopt;
        if (!bytes)
            return fmt::format("local memory has 1 to {} bytes", most_local_bytes);
        work.arguments.push_back(
            {.kind = Argument::Kind::local, .buffer = 0, .value = {}, .local_bytes = *bytes});
        return {};
    }
    const bool is_buffer = words[0] == "in" || words[0] == "out" || words[0] == "inout";
    if (is_buffer && words.size() < 2)
        return "a buffer has a type";
    if (is_buffer && words[1] == "image")
        return add_image(work, words, fill);
    const std::string_view name = words[is_buffer ? 1 : 0];
    const auto* const type = std::ranges::find(types, name, &Type::name);
    if (type == types.end())
        return fmt::format("`{}` is no type", name);
    return type->add(work, words, fill);
}

} // namespace visor::compare
