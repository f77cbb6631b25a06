#include "cli/value/npy.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace visor::cli {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

// The header is a Python dictionary with three keys. This reads exactly that much of Python.
class HeaderReader {
public:
    explicit HeaderReader(std::string_view text) : rest_(text) {}

    struct Header {
        std::optional<std::string> descr; // absent: a list, that is a record type
        std::optional<bool> fortran_order;
        std::optional<Shape> shape;
    };

    std::optional<Header> read() {
        Header header;
        if (!take('{'))
            return std::nullopt;
        while (!take('}')) {
            const auto key = quoted();
            if (!key || !take(':') || !value(*key, header))
                return std::nullopt;
            if (!take(',') && !peek('}'))
                return std::nullopt;
        }
        skip_space();
        if (!rest_.empty() || !header.fortran_order || !header.shape)
            return std::nullopt;
        return header;
    }

private:
    std::string_view rest_;

    void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n\r"), rest_.size())); }
    bool peek(char c) {
        skip_space();
        return rest_.starts_with(c);
    }
    bool take(char c) {
        const bool there = peek(c);
        if (there)
            rest_.remove_prefix(1);
        return there;
    }
    bool take_word(std::string_view word) {
        skip_space();
        const bool there = rest_.starts_with(word);
        if (there)
            rest_.remove_prefix(word.size());
        return there;
    }
    std::optional<std::string> quoted() {
        skip_space();
        if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"'))
            return std::nullopt;
        const size_t end = rest_.find(rest_.front(), 1);
        if (end == std::string_view::npos)
            return std::nullopt;
        std::string word(rest_.substr(1, end - 1));
        rest_.remove_prefix(end + 1);
        return word;
    }
    bool value(std::string_view key, Header& header) {
        if (key == "descr")
            return descr(header);
        if (key == "fortran_order") {
            if (take_word("True"))
                header.fortran_order = true;
            else if (take_word("False"))
                header.fortran_order = false;
            return header.fortran_order.has_value();
        }
        if (key == "shape")
            header.shape = shape();
        return header.shape.has_value() && key == "shape";
    }
    bool descr(Header& header) {
        if (!peek('[')) {
            header.descr = quoted();
            return header.descr.has_value();
        }
        // A record type: skip to the bracket that ends it.
        size_t depth = 0;
        for (size_t i = 0; i < rest_.size(); ++i) {
            depth += rest_[i] == '[' ? 1 : 0;
            if (rest_[i] == ']' && --depth == 0) {
                rest_.remove_prefix(i + 1);
                return true;
            }
        }
        return false;
    }
    std::optional<Shape> shape() {
        Shape sizes;
        if (!take('('))
            return std::nullopt;
        while (!take(')')) {
            skip_space();
            const size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
            const auto size = parse_unsigned(rest_.substr(0, digits));
            if (!size)
                return std::nullopt;
            sizes.push_back(*size);
            rest_.remove_prefix(digits);
            take_word("L"); // Python 2 wrote long integers so
            if (!take(',') && !peek(')'))
                return std::nullopt;
        }
        return sizes;
    }
};

constexpr const char* supported =
    "supported are little-endian i8 i16 i32 i64, u8 u16 u32 u64, f16 f32 f64, bool and "
    "bfloat16, in C order";

std::expected<Element, std::string> element_of_descr(std::string_view descr) {
    struct Known {
        std::string_view code;
        Element element;
    };
    // ml_dtypes, which gives NumPy its bfloat16, saves it as two opaque bytes.
    static constexpr std::array<Known, 14> known{{{"i1", Element::i8},
                                                  {"u1", Element::u8},
                                                  {"b1", Element::u8},
                                                  {"i2", Element::i16},
                                                  {"u2", Element::u16},
                                                  {"i4", Element::i32},
                                                  {"u4", Element::u32},
                                                  {"i8", Element::i64},
                                                  {"u8", Element::u64},
                                                  {"f2", Element::f16},
                                                  {"V2", Element::bf16},
                                                  {"f4", Element::f32},
                                                  {"f8", Element::f64},
                                                  {"E2", Element::bf16}}};
    const std::string_view code = descr.substr(std::min(descr.find_first_not_of("<>=|"), descr.size()));
    if (code.starts_with('O'))
        return std::unexpected(fmt::format("it holds Python objects (dtype `{}`); {}", descr, supported));
    const auto* const found =
        std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.code == code; });
    if (found == known.end())
        return std::unexpected(fmt::format("its element type `{}` is not supported; {}", descr, supported));
    if (descr.starts_with('>') && size_of(found->element) > 1)
        return std::unexpected(fmt::format("its numbers are big-endian (dtype `{}`); {}", descr, supported));
    return found->element;
}

struct Split {
    std::string_view header;
    std::span<const std::byte> data;
};

std::expected<Split, std::string> split(std::span<const std::byte> file) {
    const auto number = [&](size_t at) { return static_cast<size_t>(file[at]); };
    if (!is_npy(file))
        return std::unexpected("it is no NumPy file");
    if (file.size() < 10)
        return std::unexpected("its header is cut off");
    const size_t version = number(6);
    if (version < 1 || version > 3)
        return std::unexpected(fmt::format("its format version is {}; 1 to 3 are supported", version));
    const size_t start = version == 1 ? 10 : 12;
    if (file.size() < start)
        return std::unexpected("its header is cut off");
    size_t length = number(8) | number(9) << 8;
    if (version > 1)
        length |= number(10) << 16 | number(11) << 24;
    if (length > file.size() - start)
        return std::unexpected("its header is cut off");
    return Split{{reinterpret_cast<const char*>(file.data()) + start, length}, file.subspan(start + length)};
}

const char* descr_of(Element element) {
    switch (element) {
    case Element::i8:
        return "|i1";
    case Element::u8:
        return "|u1";
    case Element::i16:
        return "<i2";
    case Element::u16:
    case Element::bf16:
        return "<u2";
    case Element::i32:
        return "<i4";
    case Element::u32:
        return "<u4";
    case Element::i64:
        return "<i8";
    case Element::u64:
        return "<u8";
    case Element::f16:
        return "<f2";
    case Element::f32:
        return "<f4";
    case Element::f64:
        break;
    }
    return "<f8";
}

} // namespace

bool is_npy(std::span<const std::byte> file) {
    return file.size() >= magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0;
}

std::expected<Array, std::string> read_npy(std::span<const std::byte> file) {
    const auto parts = split(file);
    if (!parts)
        return std::unexpected(parts.error());
    const auto header = HeaderReader(parts->header).read();
    if (!header)
        return std::unexpected("its header is damaged");
    if (!header->descr)
        return std::unexpected(fmt::format("it holds records (a structured dtype); {}", supported));
    const auto element = element_of_descr(*header->descr);
    if (!element)
        return std::unexpected(element.error());
    if (*header->fortran_order)
        return std::unexpected(
            fmt::format("it is in Fortran order (save numpy.ascontiguousarray(x) instead); {}", supported));
    const auto bytes = bytes_of(*element, *header->shape);
    if (!bytes)
        return std::unexpected(bytes.error());
    if (*bytes != parts->data.size())
        return std::unexpected(fmt::format("shape {} of {} needs {} bytes of data, the file has {}",
                                           shape_text(*header->shape), name_of(*element), *bytes,
                                           parts->data.size()));
    return Array{*element, *header->shape, {parts->data.begin(), parts->data.end()}};
}

std::string npy_header(Element element, const Shape& shape) {
    const std::string sizes = fmt::format("{}{}", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
    std::string dictionary =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr_of(element), sizes);
    // The data starts at a multiple of 64 bytes, as NumPy itself aligns it.
    const size_t before = magic.size() + 4;
    dictionary.append(63 - (before + dictionary.size()) % 64, ' ');
    dictionary += '\n';
    std::string header(magic);
    header += '\x01';
    header += '\0';
    header += static_cast<char>(dictionary.size() & 0xff);
    header += static_cast<char>(dictionary.size() >> 8 & 0xff);
    return header + dictionary;
}

} // namespace visor::cli
