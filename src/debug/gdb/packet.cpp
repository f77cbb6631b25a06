#include "debug/gdb/packet.h"

#include <charconv>
#include <fmt/format.h>

namespace visor::debug::gdb {

namespace {

constexpr char interrupt_byte = 0x03;
constexpr char escape_byte = '}';
constexpr char escape_bit = 0x20;
constexpr std::string_view digits = "0123456789abcdef";

std::optional<uint8_t> byte_of(std::string_view two) {
    uint8_t value = 0;
    const auto [end, problem] = std::from_chars(two.data(), two.data() + two.size(), value, 16);
    if (two.size() != 2 || problem != std::errc{} || end != two.data() + two.size())
        return std::nullopt;
    return value;
}

} // namespace

Input PacketReader::next() {
    size_t at = 0;
    Input found;
    for (; at < buffer_.size() && found.kind == InputKind::nothing; ++at) {
        const char byte = buffer_[at];
        if (byte == '$')
            break;
        if (byte == interrupt_byte)
            found.kind = InputKind::interrupt;
        else if (byte == '-')
            found.kind = InputKind::repeat;
        else if (byte != '+' && ++junk_ > most_junk_bytes)
            found.kind = InputKind::garbage;
    }
    buffer_.erase(0, at);
    return found.kind == InputKind::nothing && !buffer_.empty() ? packet() : found;
}

// The buffer begins with '$'.
Input PacketReader::packet() {
    const size_t end = buffer_.find('#');
    if ((end == std::string::npos ? buffer_.size() : end) > most_packet_bytes + 1)
        return {.kind = InputKind::garbage, .content = {}};
    if (end == std::string::npos || buffer_.size() < end + 3)
        return {};
    Input found{.kind = InputKind::packet, .content = buffer_.substr(1, end - 1)};
    const auto sum = byte_of(std::string_view(buffer_).substr(end + 1, 2));
    buffer_.erase(0, end + 3);
    junk_ = 0;
    if (sum != checksum(found.content))
        return {.kind = ++bad_sums_ > most_bad_sums ? InputKind::garbage : InputKind::bad_sum, .content = {}};
    bad_sums_ = 0;
    return found;
}

bool PacketReader::take_interrupt() {
    const size_t at = buffer_.find(interrupt_byte);
    if (at == std::string::npos || buffer_.find('$') < at)
        return false;
    buffer_.erase(0, at + 1);
    return true;
}

uint8_t checksum(std::string_view content) {
    unsigned sum = 0;
    for (const char byte : content)
        sum += static_cast<unsigned char>(byte);
    return static_cast<uint8_t>(sum);
}

std::string framed(std::string_view content) {
    return fmt::format("${}#{:02x}", content, checksum(content));
}

std::string escaped(std::span<const std::byte> data) {
    std::string out;
    out.reserve(data.size());
    for (const std::byte one : data) {
        const auto byte = static_cast<char>(one);
        if (byte == '#' || byte == '$' || byte == '*' || byte == escape_byte) {
            out += escape_byte;
            out += static_cast<char>(byte ^ escape_bit);
        } else {
            out += byte;
        }
    }
    return out;
}

std::optional<std::string> unescaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (size_t k = 0; k < text.size(); ++k) {
        if (text[k] != escape_byte) {
            out += text[k];
            continue;
        }
        if (++k == text.size())
            return std::nullopt;
        out += static_cast<char>(text[k] ^ escape_bit);
    }
    return out;
}

std::string to_hex(std::span<const std::byte> data) {
    std::string out;
    out.reserve(2 * data.size());
    for (const std::byte byte : data) {
        out += digits[static_cast<size_t>(byte >> 4U)];
        out += digits[static_cast<size_t>(byte & std::byte{15})];
    }
    return out;
}

std::string to_hex(std::string_view text) {
    return to_hex(std::as_bytes(std::span(text)));
}

std::optional<std::string> from_hex(std::string_view text) {
    if (text.size() % 2 != 0)
        return std::nullopt;
    std::string out;
    out.reserve(text.size() / 2);
    for (size_t k = 0; k < text.size(); k += 2) {
        const auto byte = byte_of(text.substr(k, 2));
        if (!byte)
            return std::nullopt;
        out += static_cast<char>(*byte);
    }
    return out;
}

std::optional<uint64_t> Fields::number() {
    uint64_t value = 0;
    const char* const begin = rest_.data();
    const auto [end, problem] = std::from_chars(begin, begin + rest_.size(), value, 16);
    if (problem != std::errc{})
        return std::nullopt;
    rest_.remove_prefix(static_cast<size_t>(end - begin));
    return value;
}

bool Fields::take(std::string_view text) {
    if (!rest_.starts_with(text))
        return false;
    rest_.remove_prefix(text.size());
    return true;
}

std::string_view Fields::until(char separator) {
    const size_t at = rest_.find(separator);
    const std::string_view field = rest_.substr(0, at);
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at + 1);
    return field;
}

} // namespace visor::debug::gdb
