#include "launch/yaml_tree.h"

#include <gtest/gtest.h>

namespace visor::launch {
namespace {

TEST(YamlTree, AnchorsAloneAreHarmless) {
    EXPECT_EQ(tree_of("a: &x [1, 2]\n")["a"].size(), 2U);
    EXPECT_TRUE(tree_of("").IsNull());
}

// Each level ten times the one before: 10^9 words of two hundred characters.
TEST(YamlTree, AliasesAreRefused) {
    std::string text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n";
    for (int level = 1; level < 9; ++level) {
        const std::string before = "*a" + std::to_string(level - 1);
        text += "a" + std::to_string(level) + ": &a" + std::to_string(level) + " [" + before;
        for (int i = 1; i < 10; ++i)
            text += ", " + before;
        text += "]\n";
    }
    EXPECT_THROW(static_cast<void>(tree_of(text)), YAML::Exception);
    EXPECT_THROW(static_cast<void>(tree_of("a: &a [*a]\n")), YAML::Exception) << "a part of itself";
}

// Wherever a token may begin.
TEST(YamlTree, AliasesAreFoundAnywhere) {
    for (const char* const text :
         {"a: &x 1\nb: *x\n", "a: &x 1\nb: [1,*x]\n", "a: &x 1\nb: [*x]\n", "a: &x 1\nb:\n- *x\n",
          "a: &x 1\nb: {\"c\":*x}\n", "a: &x 1\n*x : 2\n", "a: &x b\nc:\n  *x\n", "[&x a,*x]",
          "- &x 1\n-\t*x\n", "a: 'float*'\nb: [&x 1, 2*3, *x]\n"})
        EXPECT_THROW(static_cast<void>(tree_of(text)), YAML::Exception) << text;
}

TEST(YamlTree, StarsInScalarsAreNone) {
    const YAML::Node root = tree_of("a: 'float*;8'\nb: 'float *;8'\nc: float4*\nd: uint**\n");
    EXPECT_EQ(root["a"].Scalar(), "float*;8");
    EXPECT_EQ(root["b"].Scalar(), "float *;8");
    EXPECT_EQ(root["c"].Scalar(), "float4*");
    EXPECT_EQ(root["d"].Scalar(), "uint**");
}

} // namespace
} // namespace visor::launch
