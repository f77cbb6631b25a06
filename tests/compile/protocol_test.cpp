#include "compile/protocol.h"

#include <gtest/gtest.h>

namespace visor::compile {
namespace {

std::span<const char, header_bytes> header_of(const std::string& bytes) {
    return std::span<const char, header_bytes>(bytes.data(), header_bytes);
}
std::span<const char> body_of(const std::string& bytes) {
    return std::span(bytes).subspan(header_bytes);
}

TEST(Protocol, CarriesFieldsOfAnyBytes) {
    const std::string sent = encode({MessageKind::built, {"0", std::string("a\0b", 3), ""}});
    EXPECT_EQ(body_bytes(header_of(sent)), 3U * 8 + 1 + 3 + 0);
    const std::optional<Message> got = decode(header_of(sent), body_of(sent));
    ASSERT_TRUE(got);
    EXPECT_EQ(got->kind, MessageKind::built);
    EXPECT_EQ(got->fields, (std::vector<std::string>{"0", std::string("a\0b", 3), ""}));
}

TEST(Protocol, RefusesForeignHeaders) {
    std::string sent = encode({MessageKind::built, {"0"}});
    sent[0] = 'x';
    EXPECT_FALSE(body_bytes(header_of(sent)));
    sent = encode({MessageKind::built, {"0"}});
    sent[4] = 77; // no such kind
    EXPECT_FALSE(body_bytes(header_of(sent)));
    sent = encode({MessageKind::built, {"0"}});
    sent[14] = 1; // 2^48 bytes
    EXPECT_FALSE(body_bytes(header_of(sent)));
}

TEST(Protocol, RefusesFieldsPastTheEnd) {
    std::string sent = encode({MessageKind::built, {"abc"}});
    sent[header_bytes] = 4;
    EXPECT_FALSE(decode(header_of(sent), body_of(sent)));
    sent[header_bytes] = 2; // one byte is left: no room for a length
    EXPECT_FALSE(decode(header_of(sent), body_of(sent)));
    EXPECT_FALSE(decode(header_of(sent), body_of(sent).first(2))) << "shorter than announced";
}

} // namespace
} // namespace visor::compile
