// Packets of gdb's remote protocol: framing, checksums, escapes, hexadecimal. All that comes is untrusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace visor::debug::gdb {

// Of a packet's content, both directions; said to gdb as PacketSize.
inline constexpr size_t most_packet_bytes = size_t{1} << 17U;
inline constexpr size_t most_junk_bytes = 4096; // between two packets
inline constexpr size_t most_bad_sums = 16;     // one after the other

enum class InputKind : uint8_t {
    nothing,   // more bytes are needed
    packet,    // `content`
    interrupt, // the byte 0x03 between packets
    repeat,    // the other side wants the last packet again
    bad_sum,   // a packet whose checksum is wrong
    garbage,   // no packets of this protocol: the connection is of no use
};
struct Input {
    InputKind kind = InputKind::nothing;
    std::string content;
};

// Finds packets in what arrives.
class PacketReader {
public:
    void feed(std::string_view bytes) { buffer_ += bytes; }
    [[nodiscard]] Input next();
    // Whether an interrupt waits before the next packet; it is taken.
    [[nodiscard]] bool take_interrupt();
    // More would not be looked at until next() has taken some.
    [[nodiscard]] bool is_full() const { return buffer_.size() > 2 * most_packet_bytes; }

private:
    [[nodiscard]] Input packet();

    std::string buffer_;
    size_t junk_ = 0;
    size_t bad_sums_ = 0;
};

// "$content#xx"
[[nodiscard]] std::string framed(std::string_view content);
[[nodiscard]] uint8_t checksum(std::string_view content);

// Of binary data: } precedes a byte that is xor 0x20.
[[nodiscard]] std::string escaped(std::span<const std::byte> data);
// Nothing: it ends with an escape.
[[nodiscard]] std::optional<std::string> unescaped(std::string_view text);

[[nodiscard]] std::string to_hex(std::span<const std::byte> data);
[[nodiscard]] std::string to_hex(std::string_view text);
// Nothing: not pairs of digits.
[[nodiscard]] std::optional<std::string> from_hex(std::string_view text);

// Reads a packet's content from left to right.
class Fields {
public:
    explicit Fields(std::string_view text) : rest_(text) {}

    // A hexadecimal number of at most 64 bits; nothing: there is none, and nothing is taken.
    [[nodiscard]] std::optional<uint64_t> number();
    // Takes the text if it comes next.
    [[nodiscard]] bool take(std::string_view text);
    // All up to the separator, which is taken, or up to the end.
    [[nodiscard]] std::string_view until(char separator);
    [[nodiscard]] std::string_view rest() const { return rest_; }
    [[nodiscard]] bool is_empty() const { return rest_.empty(); }

private:
    std::string_view rest_;
};

} // namespace visor::debug::gdb
