// The instruction reference: every row has a page that says what the row says, its example assembles to the
// row itself, and the pages of the core five are what a reader of the documentation wrote down (data/).
#include "isa/reference.h"

#include "isa/table.h"
#include "text/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace visor::isa {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char c : text) {
        if (c == '\n')
            lines.emplace_back();
        else
            lines.back() += c;
    }
    return lines;
}

std::string hex(int value) {
    std::array<char, 8> text{};
    static_cast<void>(std::snprintf(text.data(), text.size(), "0x%02x", static_cast<unsigned>(value)));
    return text.data();
}

TEST(Reference, FitsEightyColumns) {
    for (const Row* row : table()) {
        const std::vector<std::string> lines = lines_of(page(*row));
        ASSERT_GT(lines.size(), 10U) << row->mnemonic;
        EXPECT_EQ(lines.back(), "") << row->mnemonic;
        for (const std::string& line : lines) {
            EXPECT_LE(line.size(), 80U) << row->mnemonic << ": " << line;
            EXPECT_FALSE(line.ends_with(' ')) << row->mnemonic << ": " << line;
        }
    }
}

TEST(Reference, NamesOpcodeMnemonicsAndPage) {
    for (const Row* row : table()) {
        const std::string text = page(*row);
        SCOPED_TRACE(row->mnemonic);
        EXPECT_TRUE(text.starts_with(std::string(row->mnemonic) + ' '));
        EXPECT_TRUE(text.contains("opcode " + hex(row->opcode)));
        if (row->sub >= 0) {
            EXPECT_TRUE(text.contains("opcode " + hex(row->opcode) + " " + hex(row->sub)));
        }
        EXPECT_TRUE(text.contains("\nPage            ")) << text;
        const Reference entry = reference(*row);
        EXPECT_EQ(entry.page, row->page);
        std::string spellings;
        for (const std::string& spelling : entry.spellings)
            spellings += (spellings.empty() ? "" : " ") + spelling;
        EXPECT_EQ(spellings, row->spellings);
    }
}

TEST(Reference, HasEveryFieldInWireOrder) {
    for (const Row* row : table()) {
        const std::string text = page(*row);
        const Reference entry = reference(*row);
        ASSERT_EQ(entry.fields.size(), row->format.size()) << row->mnemonic;
        size_t at = text.find("\nBinary\n");
        ASSERT_NE(at, std::string::npos) << row->mnemonic;
        for (size_t i = 0; i < entry.fields.size(); ++i) {
            EXPECT_EQ(entry.fields[i].name, row->format[i].name) << row->mnemonic;
            EXPECT_FALSE(entry.fields[i].meaning.empty()) << row->mnemonic << ' ' << entry.fields[i].name;
            at = text.find(std::string("\n    ") + row->format[i].name, at);
            ASSERT_NE(at, std::string::npos) << row->mnemonic << " lacks " << row->format[i].name << '\n'
                                             << text;
        }
    }
}

TEST(Reference, SaysWhyARowIsNotExecuted) {
    for (const Row* row : table()) {
        const bool is_unsupported = *row->unsupported != '\0';
        EXPECT_EQ(page(*row).contains("\nUnsupported     "), is_unsupported) << row->mnemonic;
    }
}

// A program around one line: everything that an example may name.
std::string program_around(const std::string& line) {
    std::string text = ".version 4.1\n.kernel \"k\"\n";
    for (unsigned id = 32; id < 48; ++id)
        text += ".decl V00" + std::to_string(id) + " v_type=G type=ud num_elts=256 align=GRF\n";
    text += ".decl A0 v_type=A num_elts=16\n.decl P1 v_type=P num_elts=32\n.decl P2 v_type=P num_elts=32\n"
            ".decl S0 v_type=S num_elts=1\n.decl T6 v_type=T num_elts=1\n";
    text += line + "\n";
    if (line.contains("L1") && !line.ends_with(":") && !line.starts_with(".function"))
        text += "L1:\n";
    return text;
}

TEST(Reference, ExamplesAssembleToTheirRow) {
    for (const Row* row : table()) {
        const std::string line = reference(*row).example;
        Diagnostics diagnostics;
        const std::string program = program_around(line);
        const auto module = text::parse(program, {}, diagnostics);
        ASSERT_TRUE(module) << render(diagnostics, {row->mnemonic, program}, Color::off);
        const std::vector<Instruction>& code = module->functions[0].code;
        ASSERT_FALSE(code.empty()) << line;
        EXPECT_EQ(code[0].row, row) << line;
        EXPECT_EQ(diagnostics.warnings(), 0U) << line;
    }
}

class PageOfTheCoreFive : public testing::TestWithParam<const char*> {};

TEST_P(PageOfTheCoreFive, IsWhatAReaderWroteDown) {
    const Row* row = find(std::string_view(GetParam()));
    ASSERT_NE(row, nullptr);
    std::ifstream in(std::string(VISOR_TEST_DATA) + "/" + GetParam() + ".txt");
    ASSERT_TRUE(in);
    const std::string expected{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    EXPECT_EQ(page(*row), expected);
}

INSTANTIATE_TEST_SUITE_P(Pages, PageOfTheCoreFive,
                         testing::Values("qw_gather", "scatter4_scaled", "scatter_scaled", "svm_atomic",
                                         "svm_block_ld"));

} // namespace
} // namespace visor::isa
