#include "compile/protocol.h"

#include <cstring>

namespace visor::compile {

namespace {

constexpr uint32_t magic = 0x31577356; // "VsW1"

template <class T>
void append(std::string& out, T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out.append(bytes, sizeof value);
}

template <class T>
T load(const char* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

} // namespace

std::string encode(const Message& message) {
    uint64_t body = 0;
    for (const std::string& field : message.fields)
        body += sizeof(uint64_t) + field.size();
    std::string out;
    out.reserve(header_bytes + body);
    append(out, magic);
    append(out, static_cast<uint32_t>(message.kind));
    append(out, body);
    for (const std::string& field : message.fields) {
        append(out, uint64_t{field.size()});
        out += field;
    }
    return out;
}

std::optional<uint64_t> body_bytes(std::span<const char, header_bytes> header) {
    const auto bytes = load<uint64_t>(header.data() + 8);
    const auto kind = load<uint32_t>(header.data() + 4);
    const bool ours =
        load<uint32_t>(header.data()) == magic && kind <= static_cast<uint32_t>(MessageKind::missing);
    if (!ours || bytes > max_message_bytes)
        return std::nullopt;
    return bytes;
}

std::optional<Message> decode(std::span<const char, header_bytes> header, std::span<const char> body) {
    if (body_bytes(header) != body.size())
        return std::nullopt;
    Message message{static_cast<MessageKind>(load<uint32_t>(header.data() + 4)), {}};
    while (!body.empty()) {
        if (body.size() < sizeof(uint64_t))
            return std::nullopt;
        const auto bytes = load<uint64_t>(body.data());
        body = body.subspan(sizeof(uint64_t));
        if (bytes > body.size())
            return std::nullopt;
        message.fields.emplace_back(body.data(), bytes);
        body = body.subspan(bytes);
    }
    return message;
}

} // namespace visor::compile
