#include "debug/dap/base64.h"

#include <cstdint>

namespace visor::debug::dap {

namespace {

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string to_base64(std::span<const std::byte> bytes) {
    std::string out;
    for (size_t at = 0; at < bytes.size(); at += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; ++k)
            bits = bits << 8U | (at + k < bytes.size() ? std::to_integer<uint32_t>(bytes[at + k]) : 0U);
        for (size_t k = 0; k < 4; ++k)
            out += at + k > bytes.size() ? '=' : letters[bits >> (18 - 6 * k) & 63U];
    }
    return out;
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
    if (text.size() % 4 != 0)
        return std::nullopt;
    const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    std::vector<std::byte> out;
    for (size_t at = 0; at < text.size(); at += 4) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 4; ++k) {
            const size_t value = at + k >= text.size() - padding ? 0 : letters.find(text[at + k]);
            if (value == std::string_view::npos)
                return std::nullopt;
            bits = bits << 6U | static_cast<uint32_t>(value);
        }
        for (size_t k = 0; k < 3; ++k)
            out.push_back(static_cast<std::byte>(bits >> (16 - 8 * k)));
    }
    out.resize(out.size() - padding);
    return out;
}

} // namespace visor::debug::dap
