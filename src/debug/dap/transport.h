// Messages of the Debug Adapter Protocol over two descriptors: a header with the length, then JSON.
#pragma once

#include <cstdint>
#include <expected>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace visor::debug::dap {

inline constexpr size_t most_message_bytes = size_t{16} << 20U;
inline constexpr size_t most_message_levels = 100;
inline constexpr size_t most_header_bytes = 4096;

class Transport {
public:
    // Owns both, which may be the same.
    Transport(int in, int out) : in_(in), out_(out) {}
    ~Transport();
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    Transport(Transport&&) = delete;
    Transport& operator=(Transport&&) = delete;

    // The next message; nothing: the other side has gone. Error: it is no message, a sentence.
    [[nodiscard]] std::expected<std::optional<nlohmann::json>, std::string> read();
    // From any thread. What cannot be sent is lost: read() will tell.
    void send(const nlohmann::json& message);

private:
    // More of what was sent; false: that was all.
    [[nodiscard]] bool fill();

    int in_;
    int out_;
    std::string buffer_;
    std::mutex lock_;
};

} // namespace visor::debug::dap
