#include "diagnostic/printable.h"

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>

namespace visor {

namespace {

constexpr uint32_t first_plain_above_ascii = 0xa0; // below are Unicode's further control characters

// Bytes of the well-formed UTF-8 sequence that `text` begins with, if it stands for a plain character; else
// 0.
size_t plain_sequence(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    const size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || length > text.size())
        return 0;
    uint32_t code = first & (0x7fU >> length);
    for (size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U)
            return 0;
        code = code << 6U | (byte(i) & 0x3fU);
    }
    const bool longer_than_needed = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return code < first_plain_above_ascii || longer_than_needed || surrogate || code > 0x10ffff ? 0 : length;
}

} // namespace

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const bool plain = (byte >= ' ' && byte < 0x7f) || byte == '\n' || byte == '\t';
        const size_t length = plain ? 1 : byte < 0x80 ? 0 : plain_sequence(text.substr(at));
        if (length == 0)
            fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
        else
            out += text.substr(at, length);
        at += length == 0 ? 1 : length;
    }
    return out;
}

} // namespace visor
