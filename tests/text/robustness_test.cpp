// Damaged and hostile texts: nothing crashes, nothing takes more than linear time, and what is accepted comes
// back.
#include "reading.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include <fmt/format.h>

namespace visor::text {
namespace {

std::string sample() {
    std::ifstream file(VISOR_TEXT_DATA "/reduce_pvc.visaasm", std::ios::binary);
    std::stringstream content;
    content << file.rdbuf();
    return content.str();
}

// A refusal has its reasons; what is accepted is printed and read back as the same module.
void check(const std::string& text) {
    const Reading reading = read(text);
    static_cast<void>(reading.rendered());
    if (!reading.module.has_value()) {
        EXPECT_FALSE(reading.diagnostics.ok());
        return;
    }
    const std::string printed = print(*reading.module);
    const Reading again = read(printed);
    ASSERT_TRUE(again.module.has_value()) << text << again.rendered();
    EXPECT_TRUE(same(*reading.module, *again.module)) << text;
}

TEST(Robustness, Truncations) {
    const std::string text = sample();
    ASSERT_GT(text.size(), 5000U);
    for (size_t length = 0; length < text.size(); length += 13)
        check(text.substr(0, length));
}

TEST(Robustness, ByteMutations) {
    const std::string text = sample();
    constexpr std::string_view bytes = "()<>[]{},;:.&%!~-+*/\\\"'09axVPTSM_ \n\t\r@$?=|^#\0\xff";
    std::mt19937 random(1); // the same every time
    for (int round = 0; round < 1500; ++round) {
        std::string mutant = text;
        for (int change = 0; change < 3; ++change) {
            const size_t at = random() % mutant.size();
            switch (random() % 4) {
            case 0:
                mutant[at] = bytes[random() % bytes.size()];
                break;
            case 1:
                mutant.erase(at, 1 + random() % 8);
                break;
            case 2:
                mutant.insert(at, 1, bytes[random() % bytes.size()]);
                break;
            default:
                mutant.insert(at, mutant.substr(random() % mutant.size(), random() % 60));
                break;
            }
        }
        check(mutant);
    }
}

TEST(Robustness, EveryByteAloneOnALine) {
    for (int byte = 0; byte < 256; ++byte)
        check(kernel(std::string(1, static_cast<char>(byte))));
}

TEST(Robustness, LongThings) {
    constexpr size_t many = 300000;
    for (const char c :
         {'(', ')', '{', '}', '[', '<', '-', '~', '.', ',', '"', '\\', '/', '*', '\n', ' ', 'x', '0', '%'}) {
        check(kernel(std::string(many, c)));
        check(kernel("mov (M1, 8) V0036(0,0)<1> " + std::string(many, c)));
        check(kernel("mov." + std::string(many, c)));
        check(kernel("lsc_load.ugm (M1, 8) V0032:" + std::string(many, c)));
        check(std::string(many, c));
    }
    std::string joined;
    for (size_t line = 0; line < many / 10; ++line)
        joined += "\n \\\n";
    check(kernel("barrier" + joined));
    std::string comments;
    for (size_t line = 0; line < many / 10; ++line)
        comments += "/**/ ";
    check(kernel(comments + "barrier"));
}

TEST(Robustness, ManyErrorsAreCountedNotKept) {
    std::string lines;
    for (int line = 0; line < 20000; ++line)
        lines += fmt::format("foo{} (M1, 8)\n", line);
    const Reading reading = read_lines(lines);
    EXPECT_EQ(reading.diagnostics.all().size(), Diagnostics::default_max_errors);
    EXPECT_TRUE(reading.diagnostics.full());
}

// 100,000 attributes, and as many questions for one of them.
TEST(Robustness, ManyAttributesOfAKernel) {
    std::string source = ".version 4.1\n.kernel \"k\"\n";
    constexpr int many = 100000;
    for (int i = 0; i < many; ++i)
        source += fmt::format(".kernel_attr A{}=1\n", i);
    source += ".kernel_attr SimdSize=16\n.kernel_attr SimdSize=8\n";
    for (int i = 0; i < many; ++i)
        source += fmt::format(".decl x{} v_type=G type=d num_elts=%DispatchSimd\n", i);
    const Reading reading = read(source);
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    EXPECT_EQ(reading.function().attributes.size(), many + 2U);
    EXPECT_EQ(reading.function().general.back().elements, 16U) << "the first of a name";
}

TEST(Robustness, ManyInstructionsNamesLabelsAndScopes) {
    std::string lines;
    constexpr int many = 20000;
    for (int i = 0; i < many; ++i) {
        lines +=
            fmt::format("{{ .decl x v_type=G type=d num_elts=16\n .decl y{0} v_type=G type=d num_elts=16\n"
                        "L{0}:\n add (M1, 16) x(0,0)<1> y{0}(0,0)<1;1,0> 0x{0:x}:d\n goto (M1, 16) L{0} }}\n",
                        i);
    }
    const Reading reading = read_lines(lines);
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    EXPECT_EQ(reading.function().code.size(), 3U * many);
    EXPECT_EQ(reading.function().general.size(), 5U + 2U * many);
    EXPECT_EQ(reading.function().general.back().name, fmt::format("y{}", many - 1));
    EXPECT_EQ(reading.function().general[5 + 2 * (many - 1)].name, fmt::format("x_{}", many - 1));
}

} // namespace
} // namespace visor::text
