// Checksums are by hand; the escapes are those of gdb's manual.
#include "debug/gdb/packet.h"

#include <gtest/gtest.h>

namespace visor::debug::gdb {
namespace {

Input one(std::string_view bytes) {
    PacketReader reader;
    reader.feed(bytes);
    return reader.next();
}

TEST(Packets, are_framed_with_a_sum) {
    EXPECT_EQ(framed("OK"), "$OK#9a"); // 0x4f + 0x4b
    EXPECT_EQ(framed(""), "$#00");
    EXPECT_EQ(checksum("\xff\x02"), 1);
}

TEST(Packets, come_in_any_pieces) {
    PacketReader reader;
    const std::string bytes = "+$OK#9a-\x03$g#67";
    std::vector<InputKind> kinds;
    std::string contents;
    for (const char byte : bytes) {
        reader.feed({&byte, 1});
        for (Input input = reader.next(); input.kind != InputKind::nothing; input = reader.next()) {
            kinds.push_back(input.kind);
            contents += input.content;
        }
    }
    EXPECT_EQ(kinds,
              (std::vector{InputKind::packet, InputKind::repeat, InputKind::interrupt, InputKind::packet}));
    EXPECT_EQ(contents, "OKg");
}

TEST(Packets, with_a_wrong_sum_are_not_taken) {
    EXPECT_EQ(one("$OK#9b").kind, InputKind::bad_sum);
    EXPECT_EQ(one("$OK#zz").kind, InputKind::bad_sum);
    EXPECT_EQ(one("$OK#9").kind, InputKind::nothing);
    PacketReader reader;
    for (size_t k = 0; k < most_bad_sums; ++k) {
        reader.feed("$x#00");
        EXPECT_EQ(reader.next().kind, InputKind::bad_sum);
    }
    reader.feed("$x#00");
    EXPECT_EQ(reader.next().kind, InputKind::garbage);
}

TEST(Packets, have_an_end) {
    EXPECT_EQ(one(std::string(most_junk_bytes, 'x')).kind, InputKind::nothing);
    EXPECT_EQ(one(std::string(most_junk_bytes + 1, 'x')).kind, InputKind::garbage);
    EXPECT_EQ(one("$" + std::string(most_packet_bytes + 1, 'x')).kind, InputKind::garbage);
    const std::string longest(most_packet_bytes, 'x');
    EXPECT_EQ(one(framed(longest)).content, longest);
    EXPECT_EQ(one(framed(longest + "x")).kind, InputKind::garbage);
}

TEST(Packets, interrupts_come_before_the_next_packet) {
    PacketReader reader;
    reader.feed("+\x03$OK#9a");
    EXPECT_TRUE(reader.take_interrupt());
    EXPECT_FALSE(reader.take_interrupt());
    EXPECT_EQ(reader.next().content, "OK");
    reader.feed("$a\x03#64");
    EXPECT_FALSE(reader.take_interrupt());
    EXPECT_EQ(reader.next().content, "a\x03");
}

TEST(Binary, is_escaped_and_back) {
    const std::string data = std::string("a}#$*\0b", 7);
    const std::string expected = std::string("a}\x5d}\x03}\x04}\x0a\0b", 11);
    EXPECT_EQ(escaped(std::as_bytes(std::span(data))), expected);
    EXPECT_EQ(unescaped(expected), data);
    EXPECT_FALSE(unescaped("ab}"));
}

TEST(Hexadecimal, is_pairs) {
    EXPECT_EQ(to_hex(std::string_view("\x00\xff\x10", 3)), "00ff10");
    EXPECT_EQ(from_hex("00fF"), std::string("\x00\xff", 2));
    EXPECT_EQ(from_hex(""), "");
    for (const char* bad : {"0", "0g", "+1", " 1", "0x"})
        EXPECT_FALSE(from_hex(bad)) << bad;
}

TEST(Words, are_taken_from_the_left) {
    Fields fields("1f,ffffffffffffffff;rest:x");
    EXPECT_EQ(fields.number(), 0x1fU);
    EXPECT_FALSE(fields.take(";"));
    EXPECT_FALSE(fields.number());
    EXPECT_TRUE(fields.take(","));
    EXPECT_EQ(fields.number(), UINT64_MAX);
    EXPECT_TRUE(fields.take(";"));
    EXPECT_EQ(fields.until(':'), "rest");
    EXPECT_EQ(fields.until(':'), "x");
    EXPECT_TRUE(fields.is_empty());
    EXPECT_FALSE(Fields("10000000000000000").number());
    EXPECT_FALSE(Fields("-1").number());
}

} // namespace
} // namespace visor::debug::gdb
