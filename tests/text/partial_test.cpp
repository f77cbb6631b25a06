// What is left of a text with errors: the kernels without any, when all errors lie in kernels.
#include "text/text.h"

#include <gtest/gtest.h>

namespace visor::text {
namespace {

constexpr const char* version = ".version 4.1\n";
constexpr const char* good = ".kernel \"good\"\n    ret (M1, 1)\n";
constexpr const char* better = ".kernel \"better\"\n.decl V v_type=G type=ud num_elts=8\n    ret (M1, 1)\n";

// "good better, without bad": names of what is left, and of what is refused; "" when nothing is left.
std::string left_of(const std::string& text, size_t max_errors = Diagnostics::default_max_errors) {
    Diagnostics diagnostics(max_errors);
    std::optional<PartialModule> partial;
    const auto module = parse(text, {}, diagnostics, partial);
    EXPECT_EQ(module.has_value(), diagnostics.ok());
    EXPECT_FALSE(module && partial);
    if (!partial)
        return "";
    std::string names;
    for (const Function& function : partial->module.functions)
        names += function.name + " ";
    names += "without";
    for (const std::string& name : partial->refused)
        names += " " + name;
    return names;
}

std::string bad(const std::string& line, const std::string& name = "bad") {
    return ".kernel \"" + name + "\"\n" + line + "\n    ret (M1, 1)\n";
}

TEST(Partial, KernelsWithoutErrors) {
    const std::string begin = version;
    EXPECT_EQ(left_of(begin + good + better), "") << "there is a module";
    EXPECT_EQ(left_of(begin + good + bad("    nonsense")), "good without bad");
    EXPECT_EQ(left_of(begin + bad("    nonsense") + good), "good without bad");
    EXPECT_EQ(left_of(begin + good + bad("    nonsense\n    more") + better + bad(".decl", "worse")),
              "good better without bad worse");
    EXPECT_EQ(left_of(begin + bad("    nonsense")), "without bad");
}

TEST(Partial, ErrorsThatAreFoundAtTheEndOfAKernel) {
    const std::string begin = version;
    EXPECT_EQ(left_of(begin + bad("    goto (M1, 8) nowhere") + good), "good without bad");
    EXPECT_EQ(left_of(begin + good + bad("    goto (M1, 8) nowhere")), "good without bad");
    EXPECT_EQ(left_of(begin + bad("    {") + good), "good without bad");
    EXPECT_EQ(left_of(begin + bad(".unknown") + good), "good without bad");
    EXPECT_EQ(left_of(begin + ".kernel \"bad\" rest\n" + good), "good without bad");
}

TEST(Partial, ErrorsOfTheText) {
    const std::string begin = version;
    EXPECT_EQ(left_of(""), "");
    EXPECT_EQ(left_of(good), "") << "no version";
    EXPECT_EQ(left_of(std::string(".version 7.0\n") + good + bad("    nonsense")), "");
    EXPECT_EQ(left_of(begin + "    nonsense\n" + good), "") << "in front of all kernels";
    EXPECT_EQ(left_of(begin + "}\n" + good), "");
    EXPECT_EQ(left_of(begin + good + ".kernel\n" + better), "") << "a kernel without a name";
    EXPECT_EQ(left_of(begin + good + better + good), "") << "two of one name";
    EXPECT_EQ(left_of(begin + good + ".global_function \"f\"\n    nonsense\n"), "");
    EXPECT_EQ(left_of(begin), "");
}

// More errors than are kept say nothing of the next kernel.
TEST(Partial, MoreErrorsThanAreKept) {
    std::string lines;
    for (int i = 0; i < 20; ++i)
        lines += "    nonsense\n";
    EXPECT_EQ(left_of(version + bad(lines) + good + bad(lines, "worse") + better, 5),
              "good better without bad worse");
    EXPECT_EQ(left_of(version + bad(lines) + good + ".global_function \"f\"\n    nonsense\n", 5), "");
}

} // namespace
} // namespace visor::text
