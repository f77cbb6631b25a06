#include "trace/value.h"

#include "number/half.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>

namespace visor::trace {

namespace {

template <class T>
T load(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

double float_value(const std::byte* bytes, isa::Type type) {
    switch (type) {
    case isa::Type::df:
        return load<double>(bytes);
    case isa::Type::hf:
        return static_cast<double>(number::half_to_float(load<uint16_t>(bytes)));
    case isa::Type::bf:
        return static_cast<double>(number::bfloat_to_float(load<uint16_t>(bytes)));
    default:
        return static_cast<double>(load<float>(bytes));
    }
}

bool is_shown_as_float(isa::Type type) {
    return type == isa::Type::df || type == isa::Type::f || type == isa::Type::hf || type == isa::Type::bf ||
           type == isa::Type::tf32;
}

} // namespace

std::string number_text(const std::byte* bytes, isa::Type type) {
    if (type == isa::Type::df)
        return fmt::format("{}", load<double>(bytes));
    if (is_shown_as_float(type)) // each is a float's value: the shortest text of that
        return fmt::format("{}", static_cast<float>(float_value(bytes, type)));
    const size_t size = isa::size_of(type);
    uint64_t bits = 0;
    std::memcpy(&bits, bytes, size);
    if (!isa::is_integer(type) || !isa::is_signed(type) || size == 0)
        return fmt::format("{}", bits);
    const auto unused = static_cast<unsigned>(64 - 8 * size);
    return fmt::format("{}", static_cast<int64_t>(bits << unused) >> unused);
}

std::string json_number(const std::byte* bytes, isa::Type type) {
    if (is_shown_as_float(type) && !std::isfinite(float_value(bytes, type)))
        return fmt::format("\"{}\"", number_text(bytes, type));
    return number_text(bytes, type);
}

std::string json_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += {'\\', c};
        else if (byte < 0x20)
            out += fmt::format("\\u{:04x}", byte);
        else
            out += byte < 0x7f ? c : '?';
    }
    return out + '"';
}

} // namespace visor::trace
