#include "diagnostic/printable.h"

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>

namespace visor {

namespace {

constexpr uint32_t first_plain_above_ascii = 0xa0; // below are Unicode's further control characters

struct Character {
    uint32_t code = 0;
    size_t bytes = 0; // 0: there is none
};

// The character above ASCII that `text` begins with, when it is well-formed.
Character beyond_ascii(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    const size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || length > text.size())
        return {};
    uint32_t code = first & (0x7fU >> length);
    for (size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U)
            return {};
        code = code << 6U | (byte(i) & 0x3fU);
    }
    const bool longer_than_needed = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return longer_than_needed || surrogate || code > 0x10ffff ? Character{} : Character{code, length};
}

// Bytes of what a terminal shows as it is; 0: the next byte is something else.
size_t plain_bytes(std::string_view text) {
    const auto byte = static_cast<unsigned char>(text[0]);
    if (byte < 0x80)
        return (byte >= ' ' && byte < 0x7f) || byte == '\n' || byte == '\t' ? 1 : 0;
    const Character found = beyond_ascii(text);
    return found.code < first_plain_above_ascii ? 0 : found.bytes;
}

} // namespace

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const size_t bytes = plain_bytes(text.substr(at));
        if (bytes == 0)
            fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[at]));
        else
            out += text.substr(at, bytes);
        at += bytes == 0 ? 1 : bytes;
    }
    return out;
}

bool is_utf8(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
        const bool ascii = static_cast<unsigned char>(text[at]) < 0x80;
        const size_t bytes = ascii ? 1 : beyond_ascii(text.substr(at)).bytes;
        if (bytes == 0)
            return false;
        at += bytes;
    }
    return true;
}

} // namespace visor
