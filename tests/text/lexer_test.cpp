#include "text/lexer.h"

#include <gtest/gtest.h>

namespace visor::text {
namespace {

struct Text {
    explicit Text(std::string_view source) : lex(source, diagnostics) {}
    Diagnostics diagnostics;
    Lexer lex;
};

TEST(Lexer, SkipsBlanksAndCommentsButNoNewline) {
    Text text("  /* a\nb */ \t// rest\nnext");
    EXPECT_TRUE(text.lex.at_line_end());
    EXPECT_EQ(text.lex.peek(), '\n');
    text.lex.skip_lines();
    EXPECT_EQ(text.lex.name(), "next");
}

TEST(Lexer, CarriageReturnsAreBlanks) {
    Text text("mov\r\nadd\r\n");
    EXPECT_EQ(text.lex.name(), "mov");
    EXPECT_TRUE(text.lex.at_line_end());
    text.lex.skip_lines();
    EXPECT_EQ(text.lex.name(), "add");
}

TEST(Lexer, ABackslashJoinsLines) {
    Text text("one \\\n two\n   \n \\\n three\nfour");
    EXPECT_EQ(text.lex.name(), "one");
    EXPECT_EQ(text.lex.name(), "two");
    EXPECT_EQ(text.lex.name(), "three") << "also when the backslash stands alone, lines below";
    EXPECT_TRUE(text.lex.at_line_end());
    text.lex.skip_lines();
    EXPECT_EQ(text.lex.name(), "four");
}

TEST(Lexer, NamesBuiltinsAndLabels) {
    Text text("a_1 %r0 _x$y:  L-1$:");
    EXPECT_EQ(text.lex.name(), "a_1");
    EXPECT_EQ(text.lex.name(), "");
    EXPECT_EQ(text.lex.name_or_builtin(), "%r0");
    EXPECT_EQ(text.lex.label_definition(), "_x$y");
    EXPECT_EQ(text.lex.label_definition(), "L-1$");
    EXPECT_TRUE(text.lex.at_end());
    EXPECT_EQ(text.lex.label_definition(), "");
}

TEST(Lexer, IntegersFit64Bits) {
    Text text("0 18446744073709551615 0xffffffffffffffff 0x00000000000000000001 18446744073709551616");
    EXPECT_EQ(text.lex.integer("")->value, 0U);
    EXPECT_EQ(text.lex.integer("")->value, UINT64_MAX);
    const std::optional<Integer> hex = text.lex.integer("");
    EXPECT_EQ(hex->value, UINT64_MAX);
    EXPECT_TRUE(hex->hex);
    EXPECT_EQ(text.lex.integer("")->value, 1U);
    EXPECT_FALSE(text.lex.integer("").has_value());
    EXPECT_EQ(text.diagnostics.all().at(0).rule, "number-too-large");
}

TEST(Lexer, StringsAreDecoded) {
    Text text(R"("plain" "a\"b\\c\t\x41\101\7z" "\q" "open)");
    EXPECT_EQ(text.lex.accept('x'), false);
    EXPECT_EQ(text.lex.string(), "plain");
    text.lex.skip_blanks();
    EXPECT_EQ(text.lex.string(), "a\"b\\c\tAA\az");
    text.lex.skip_blanks();
    EXPECT_FALSE(text.lex.string().has_value());
    EXPECT_EQ(text.diagnostics.all().at(0).rule, "bad-escape");
}

TEST(Lexer, AStringEndsOnItsLine) {
    Text text("\"open\nnext\"");
    EXPECT_FALSE(text.lex.string().has_value());
    EXPECT_EQ(text.diagnostics.all().at(0).rule, "unterminated-string");
}

TEST(Lexer, LocationsEndWithTheToken) {
    Text text("abc   // comment\n");
    text.lex.skip_blanks();
    EXPECT_EQ(text.lex.name(), "abc");
    EXPECT_TRUE(text.lex.at_line_end());
    EXPECT_EQ(text.lex.since(0), (Location{0, 3}));
}

TEST(Lexer, RecoveryStopsAtTheLineAndTheScope) {
    Text text("bad { \"}\" // }\n x } y\nz /* \n */ } w");
    text.lex.skip_rest();
    EXPECT_EQ(text.lex.peek(), '\n') << "braces in strings and comments are none";
    text.lex.skip_lines();
    text.lex.skip_rest();
    EXPECT_EQ(text.lex.peek(), '}');
    text.lex.advance();
    text.lex.skip_rest();
    text.lex.skip_lines();
    text.lex.skip_rest();
    EXPECT_EQ(text.lex.peek(), '}') << "a comment over lines is no end of a line";
}

TEST(Lexer, AnOpenCommentIsReported) {
    Text text("a /* b\n c");
    EXPECT_EQ(text.lex.name(), "a");
    EXPECT_TRUE(text.lex.at_line_end());
    EXPECT_TRUE(text.lex.at_end());
    EXPECT_EQ(text.diagnostics.all().at(0).rule, "unterminated-comment");
    EXPECT_EQ(text.diagnostics.all().at(0).where, (Location{2, 2}));
}

TEST(Lexer, ExpectationsNameWhatTheyFound) {
    Text text("foo");
    EXPECT_FALSE(text.lex.expected("a number"));
    EXPECT_EQ(text.diagnostics.all().at(0).message, "expected a number, found `foo`");
    Text end("\n");
    EXPECT_FALSE(end.lex.expected("a number"));
    EXPECT_EQ(end.diagnostics.all().at(0).message, "expected a number, found the end of the line");
    Text nul(std::string_view("\0", 1));
    EXPECT_FALSE(nul.lex.at_line_end()) << "a NUL byte ends nothing";
    EXPECT_FALSE(nul.lex.expected("a number"));
    EXPECT_EQ(nul.diagnostics.all().at(0).rule, "nul-byte");
}

} // namespace
} // namespace visor::text
