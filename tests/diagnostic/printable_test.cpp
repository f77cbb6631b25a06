#include "diagnostic/printable.h"

#include <gtest/gtest.h>

namespace visor {
namespace {

TEST(Printable, KeepsWhatIsText) {
    EXPECT_EQ(printable(""), "");
    EXPECT_EQ(printable("a\tb\n ~"), "a\tb\n ~");
    EXPECT_EQ(printable("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"), "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
    EXPECT_EQ(printable("\xc2\xa0"), "\xc2\xa0") << "the first behind the control characters";
}

TEST(Printable, ShowsWhatCommandsATerminal) {
    EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
    EXPECT_EQ(printable("a\rb\bc\x7f"), "a\\x0db\\x08c\\x7f");
    EXPECT_EQ(printable(std::string(1, '\0')), "\\x00");
    EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b") << "U+009B begins a command";
    EXPECT_EQ(printable("\x9b"), "\\x9b");
}

TEST(Printable, ShowsBytesThatAreNoText) {
    EXPECT_EQ(printable("\xc3"), "\\xc3");
    EXPECT_EQ(printable("\xc3("), "\\xc3(");
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");
    EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
    EXPECT_EQ(printable("\xff"), "\\xff");
}

TEST(Utf8, IsWellFormed) {
    for (const char* text :
         {"", "a\x1b", "\xc2\x80", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"})
        EXPECT_TRUE(is_utf8(text)) << printable(text);
    for (const char* text : {"\x80", "\x9d", "\xc3", "\xc3(", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                             "\xf4\x90\x80\x80", "\xff\xfe", "a\xe2\x82"})
        EXPECT_FALSE(is_utf8(text)) << printable(text);
}

} // namespace
} // namespace visor
