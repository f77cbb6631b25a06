#include "vm/printf.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

namespace visor::vm {

namespace {

// Type codes of arguments in a record.
enum class Code : uint32_t {
    byte = 1,
    word = 2,
    dword = 3,
    single = 4,
    string = 5,
    qword = 6,
    pointer = 7,
    twice = 8, // double
    byte_vector = 9,
    word_vector = 10,
    dword_vector = 11,
    qword_vector = 12,
    single_vector = 13,
    double_vector = 14,
};

constexpr uint32_t max_vector = 16;
constexpr int max_width = 1024; // of one conversion

// One argument: its elements as integers and as floats.
struct Argument {
    bool is_float = false;
    uint32_t bytes = 4; // of an element
    std::vector<uint64_t> bits;
};

class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class T>
    std::optional<T> take() {
        if (bytes_.size() - at_ < sizeof(T))
            return std::nullopt;
        T value;
        std::memcpy(&value, bytes_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    std::optional<uint64_t> take(uint32_t size) {
        if (bytes_.size() - at_ < size)
            return std::nullopt;
        uint64_t value = 0;
        std::memcpy(&value, bytes_.data() + at_, size);
        at_ += size;
        return value;
    }
    void skip(size_t count) { at_ = std::min(bytes_.size(), at_ + count); }
    [[nodiscard]] bool at_end() const { return at_ >= bytes_.size(); }

private:
    std::span<const std::byte> bytes_;
    size_t at_ = 0;
};

std::optional<Argument> take_argument(Reader& reader) {
    const auto code = reader.take<uint32_t>();
    if (!code || *code < 1 || *code > static_cast<uint32_t>(Code::double_vector))
        return std::nullopt;
    struct Shape {
        uint8_t bytes;
        bool is_float;
        bool vector;
    };
    constexpr std::array<Shape, 15> shapes{{{0, false, false},
                                            {1, false, false},
                                            {2, false, false},
                                            {4, false, false},
                                            {4, true, false},
                                            {8, false, false},
                                            {8, false, false},
                                            {8, false, false},
                                            {8, true, false},
                                            {1, false, true},
                                            {2, false, true},
                                            {4, false, true},
                                            {8, false, true},
                                            {4, true, true},
                                            {8, true, true}}};
    const Shape shape = shapes[*code];
    Argument argument{shape.is_float, shape.bytes, {}};
    uint32_t count = 1;
    if (shape.vector) {
        const auto given = reader.take<uint32_t>();
        if (!given || *given > max_vector)
            return std::nullopt;
        count = *given;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const auto bits = reader.take(shape.bytes);
        if (!bits)
            return std::nullopt;
        argument.bits.push_back(*bits);
    }
    // Elements smaller than four bytes are padded to four bytes each.
    if (shape.bytes < 4)
        reader.skip(size_t{4U - shape.bytes} * count);
    return argument;
}

double as_double(const Argument& argument, uint64_t bits) {
    if (!argument.is_float)
        return static_cast<double>(bits);
    if (argument.bytes == 8) {
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return static_cast<double>(value);
}

// A conversion specification: %[flags][width][.precision][vector][length]conversion.
struct Conversion {
    std::string flags;
    int width = 0;
    int precision = -1;
    uint32_t vector = 0; // elements; 0 = scalar
    uint32_t bytes = 4;  // of an integer element, by the length modifier
    char letter = 0;
};

int take_number(std::string_view text, size_t& at) {
    int number = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
        number = std::min(number * 10 + (text[at++] - '0'), max_width);
    return number;
}

// `at`: the index after the percent sign. nullopt: not a conversion.
std::optional<Conversion> take_conversion(std::string_view text, size_t& at) {
    Conversion out;
    while (at < text.size() && std::string_view("-+ #0").find(text[at]) != std::string_view::npos)
        out.flags += text[at++];
    out.width = take_number(text, at);
    if (at < text.size() && text[at] == '.') {
        ++at;
        out.precision = take_number(text, at);
    }
    if (at < text.size() && text[at] == 'v') {
        ++at;
        out.vector = static_cast<uint32_t>(take_number(text, at));
    }
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("hh")) {
        out.bytes = 1;
        at += 2;
    } else if (rest.starts_with("hl")) {
        at += 2;
    } else if (rest.starts_with('h')) {
        out.bytes = 2;
        ++at;
    } else if (rest.starts_with('l')) {
        out.bytes = 8;
        ++at;
    }
    if (at >= text.size())
        return std::nullopt;
    out.letter = text[at++];
    if (std::string_view("diouxXfFeEgGaAcsp").find(out.letter) == std::string_view::npos)
        return std::nullopt;
    return out;
}

template <class T>
std::string print(const Conversion& conversion, const char* length, T value) {
    std::string format = "%" + conversion.flags;
    if (conversion.width > 0)
        format += std::to_string(conversion.width);
    if (conversion.precision >= 0)
        format += "." + std::to_string(conversion.precision);
    format += length;
    format += conversion.letter;
    std::array<char, 2 * max_width + 512> out{};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int count = std::snprintf(out.data(), out.size(), format.c_str(), value);
#pragma GCC diagnostic pop
    return count < 0 ? ""
                     : std::string(out.data(), std::min<size_t>(static_cast<size_t>(count), out.size() - 1));
}

int64_t sign_extended(uint64_t bits, uint32_t bytes) {
    const unsigned unused = 64 - 8 * std::min(bytes, 8U);
    return static_cast<int64_t>(bits << unused) >> unused;
}

std::string print_element(const Conversion& conversion, const Argument& argument, uint64_t bits) {
    const uint32_t bytes = std::min(conversion.bytes, argument.bytes);
    switch (conversion.letter) {
    case 'd':
    case 'i':
        return print(conversion, "ll", static_cast<long long>(sign_extended(bits, bytes)));
    case 'c':
        return print(conversion, "", static_cast<int>(bits & 0xffU));
    case 'p':
        // NOLINTNEXTLINE(performance-no-int-to-ptr): %p wants a pointer
        return print(conversion, "", reinterpret_cast<void*>(bits));
    case 'o':
    case 'u':
    case 'x':
    case 'X': {
        const uint64_t mask = bytes >= 8 ? UINT64_MAX : (uint64_t{1} << 8U * bytes) - 1;
        return print(conversion, "ll", static_cast<unsigned long long>(bits & mask));
    }
    default:
        return print(conversion, "", as_double(argument, bits));
    }
}

// Formats `%s`, with its flags, width and precision.
std::string print_string(const Conversion& conversion, std::string_view text) {
    if (conversion.precision >= 0)
        text = text.substr(0, static_cast<size_t>(conversion.precision));
    const size_t width = static_cast<size_t>(conversion.width);
    const std::string padding(width > text.size() ? width - text.size() : 0, ' ');
    const bool left = conversion.flags.find('-') != std::string::npos;
    return left ? std::string(text) + padding : padding + std::string(text);
}

// Decodes a buffer's records in order, up to the limit of output.
class Printer {
public:
    Printer(std::span<const std::byte> records, const StringAt& string_at)
        : reader_(records), string_at_(string_at) {}

    std::string all() {
        while (!reader_.at_end()) {
            if (out_.size() > most_printed_bytes || strings_ > most_printed_bytes)
                return out_ +
                       fmt::format("\n[printf: more than {} bytes: output is lost]\n", most_printed_bytes);
            if (!record())
                return out_ + "\n[printf: the rest of the buffer is damaged]\n";
        }
        return std::move(out_);
    }

private:
    // The string at the address, up to the limit.
    std::optional<std::string_view> string_at(uint64_t address) {
        const auto found = string_at_(address);
        if (!found)
            return std::nullopt;
        strings_ += found->size();
        cut_ = cut_ || found->size() > longest_printed_string;
        return found->substr(0, longest_printed_string);
    }

    // Formats one record. False: it is damaged.
    bool record() {
        cut_ = false;
        const auto address = reader_.take<uint64_t>();
        const auto format = address ? string_at(*address) : std::nullopt;
        if (!format)
            return false;
        const size_t before = out_.size();
        if (!print(*format)) {
            out_.resize(before);
            return false;
        }
        if (cut_)
            out_ +=
                fmt::format("\n[printf: a string of more than {} bytes is cut]\n", longest_printed_string);
        return true;
    }

    bool print(std::string_view format) {
        for (size_t at = 0; at < format.size();) {
            const char c = format[at++];
            const bool percent = c == '%' && at < format.size() && format[at] == '%';
            at += percent ? 1 : 0;
            if (c != '%' || percent)
                out_ += c;
            else if (const auto conversion = take_conversion(format, at); !conversion || !print(*conversion))
                return false;
        }
        return true;
    }

    bool print(const Conversion& conversion) {
        const auto argument = take_argument(reader_);
        if (!argument || argument->bits.empty())
            return false;
        if (conversion.letter == 's') {
            out_ += print_string(conversion, string_at(argument->bits[0]).value_or("(null)"));
            return true;
        }
        for (size_t i = 0; i < argument->bits.size(); ++i)
            out_ += (i == 0 ? "" : ",") + print_element(conversion, *argument, argument->bits[i]);
        return true;
    }

    Reader reader_;
    const StringAt& string_at_;
    std::string out_;
    size_t strings_ = 0; // bytes of strings so far
    bool cut_ = false;   // of this record
};

} // namespace

std::string format_printf(std::span<const std::byte> buffer, const StringAt& string_at) {
    Reader header(buffer);
    const uint32_t end = header.take<uint32_t>().value_or(printf_buffer_header);
    const bool overflow = end > buffer.size();
    std::string out =
        Printer(buffer.subspan(std::min<size_t>(buffer.size(), printf_buffer_header))
                    .first(overflow ? 0 : std::max(end, printf_buffer_header) - printf_buffer_header),
                string_at)
            .all();
    if (overflow)
        out += "\n[printf: the buffer overflowed, output is lost]\n";
    return out;
}

} // namespace visor::vm
