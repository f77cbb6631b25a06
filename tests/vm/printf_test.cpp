#include "vm/printf.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <vector>

namespace visor::vm {
namespace {

// A buffer as a kernel fills it (launch ABI 2.9).
class Buffer {
public:
    template <class T>
    Buffer& put(T value) {
        const size_t at = bytes_.size();
        bytes_.resize(at + sizeof value);
        std::memcpy(bytes_.data() + at, &value, sizeof value);
        return *this;
    }
    Buffer& format(const std::string& text) {
        strings_[next_] = text;
        put(next_);
        next_ += 0x100;
        return *this;
    }
    Buffer& string(const std::string& text) {
        put(uint32_t{5});
        return format(text);
    }
    std::string print(uint32_t extra_end = 0) {
        const auto end = static_cast<uint32_t>(bytes_.size()) + extra_end;
        std::memcpy(bytes_.data(), &end, sizeof end);
        return format_printf(bytes_, [this](uint64_t address) -> std::optional<std::string_view> {
            const auto found = strings_.find(address);
            return found == strings_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
        });
    }

private:
    std::vector<std::byte> bytes_ = std::vector<std::byte>(4);
    std::map<uint64_t, std::string> strings_;
    uint64_t next_ = 0x1000;
};

constexpr uint32_t word = 2, dword = 3, single = 4, qword = 6, twice = 8, byte_vector = 9, float_vector = 13;

TEST(Printf, Scalars) {
    Buffer buffer;
    buffer.format("hello %d %5.2f %s|%%|%lx\n");
    buffer.put(dword)
        .put(int32_t{-7})
        .put(single)
        .put(2.5F)
        .string("there")
        .put(qword)
        .put(uint64_t{0x123456789});
    EXPECT_EQ(buffer.print(), "hello -7  2.50 there|%|123456789\n");
}

TEST(Printf, SubDwordsTakeFourBytes) {
    Buffer buffer;
    buffer.format("%hd %c;").put(word).put(int16_t{-2}).put(uint16_t{0xdead}).put(dword).put(uint32_t{'x'});
    EXPECT_EQ(buffer.print(), "-2 x;");
}

TEST(Printf, Vectors) {
    Buffer buffer;
    buffer.format("%v4hhd|%v2hlf").put(byte_vector).put(uint32_t{4});
    buffer.put(int8_t{1}).put(int8_t{-2}).put(int8_t{3}).put(int8_t{-128});
    for (int i = 0; i < 12; ++i)
        buffer.put(uint8_t{0xcc}); // the padding to four bytes an element
    buffer.put(float_vector).put(uint32_t{2}).put(1.5F).put(-0.25F);
    EXPECT_EQ(buffer.print(), "1,-2,3,-128|1.500000,-0.250000");
}

TEST(Printf, SeveralRecordsAndDoubles) {
    Buffer buffer;
    buffer.format("a").format("%g %e\n").put(twice).put(0.1).put(twice).put(1e300);
    EXPECT_EQ(buffer.print(), "a0.1 1.000000e+300\n");
}

TEST(Printf, DamageAndOverflowAreSaid) {
    Buffer unknown_string;
    unknown_string.put(uint64_t{0x99});
    EXPECT_NE(unknown_string.print().find("damaged"), std::string::npos);
    Buffer cut;
    cut.format("%d").put(dword);
    EXPECT_NE(cut.print().find("damaged"), std::string::npos);
    Buffer overflow;
    overflow.format("x");
    EXPECT_NE(overflow.print(1).find("overflowed"), std::string::npos);
    EXPECT_EQ(format_printf({}, [](uint64_t) { return std::nullopt; }),
              "\n[printf: the buffer overflowed, output is lost]\n");
}

TEST(Printf, HugeWidthsAreBounded) {
    Buffer buffer;
    buffer.format("%999999999d").put(dword).put(int32_t{1});
    EXPECT_EQ(buffer.print().size(), 1024U);
}

TEST(Printf, StringsHaveWidthsAndPrecisions) {
    Buffer buffer;
    buffer.format("%s|%6s|%-6s|%.2s|%5.1s|%2s\n");
    for (int i = 0; i < 6; ++i)
        buffer.string("abc");
    EXPECT_EQ(buffer.print(), "abc|   abc|abc   |ab|    a|abc\n");
    Buffer longer;
    longer.format("%s").string(std::string(5000, 'x'));
    EXPECT_EQ(longer.print(), std::string(5000, 'x'));
}

TEST(Printf, LongStringsAreCut) {
    Buffer buffer;
    buffer.format("%s").string(std::string(65536, 'x'));
    EXPECT_EQ(buffer.print(), std::string(65536, 'x'));
    Buffer longer;
    longer.format("%s").string(std::string(65537, 'x'));
    EXPECT_EQ(longer.print(),
              std::string(65536, 'x') + "\n[printf: a string of more than 65536 bytes is cut]\n");
}

// A buffer whose every record names the same long string: 8 bytes of it would be 65,536 of output.
TEST(Printf, AmountIsLimited) {
    Buffer buffer;
    buffer.format(std::string(65536, 'x'));
    for (int i = 0; i < 2000; ++i)
        buffer.put(uint64_t{0x1000}); // the first string
    const std::string out = buffer.print();
    const std::string lost = "\n[printf: more than 67108864 bytes: output is lost]\n";
    EXPECT_EQ(out.size(), size_t{1025} * 65536 + lost.size());
    EXPECT_TRUE(out.ends_with(lost));
}

// Strings that print nothing cost as much.
TEST(Printf, WhatIsReadIsLimited) {
    Buffer buffer;
    buffer.format("%.0s").string(std::string(65536, 'x'));
    for (int i = 0; i < 2000; ++i)
        buffer.put(uint64_t{0x1000}).put(uint32_t{5}).put(uint64_t{0x1100});
    EXPECT_EQ(buffer.print(), "\n[printf: more than 67108864 bytes: output is lost]\n");
}

} // namespace
} // namespace visor::vm
