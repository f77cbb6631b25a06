#include "compile/includes.h"
#include "scratch_folder.h"

#include <gtest/gtest.h>

namespace visor::compile {
namespace {

class Includes : public testing::Test {
protected:
    ScratchFolder folder_;

    [[nodiscard]] std::optional<std::string> of(std::string_view source) const {
        const std::vector<std::string> folders{folder_.path().string(), folder_ / "inc"};
        return included_files(source, folders[0], folders);
    }
};

TEST_F(Includes, ASourceWithoutAnyHasNone) {
    EXPECT_EQ(of("kernel void f() {}\n"), "");
    EXPECT_EQ(of("// include \"x.h\", or import it\nint include;\n"), "") << "no directive";
}

TEST_F(Includes, ContentsAreFollowed) {
    const std::string near = folder_.write("near.h", "#include \"sub/deep.h\"\nNEAR");
    const std::string deep = folder_.write("sub/deep.h", "#  include <far.h>\nDEEP");
    const std::string far = folder_.write("inc/far.h", "#include \"near.h\"\nFAR"); // a circle
    const auto found = of("#include \"near.h\" // comment\n");
    ASSERT_TRUE(found);
    EXPECT_NE(found->find("NEAR"), std::string::npos);
    EXPECT_NE(found->find("DEEP"), std::string::npos);
    EXPECT_NE(found->find("FAR"), std::string::npos);
    EXPECT_NE(found->find(deep), std::string::npos) << "names are part of it";

    folder_.write("inc/far.h", "#include \"near.h\"\nOTHER");
    EXPECT_NE(of("#include \"near.h\"\n"), found) << "a changed header changes the answer";
}

TEST_F(Includes, TheIncludingFilesFolderComesFirst) {
    folder_.write("sub/a.h", "#include \"b.h\"\n");
    folder_.write("sub/b.h", "BESIDE");
    folder_.write("b.h", "ABOVE");
    const auto quoted = of("#include \"sub/a.h\"\n");
    ASSERT_TRUE(quoted);
    EXPECT_NE(quoted->find("BESIDE"), std::string::npos);
    EXPECT_EQ(quoted->find("ABOVE"), std::string::npos);
}

TEST_F(Includes, WhatCannotBeKnownSaysSo) {
    folder_.write("x.h", "X");
    EXPECT_TRUE(of("#include \"x.h\"\n"));
    EXPECT_FALSE(of("#include \"missing.h\"\n"));
    EXPECT_FALSE(of("#include NAME\n")) << "computed";
    EXPECT_FALSE(of("#import \"x.h\"\n"));
    EXPECT_FALSE(of("#include_next <x.h>\n"));
    EXPECT_FALSE(of("#if __has_include(\"y.h\")\n#endif\n"));
    EXPECT_FALSE(of("# /* hidden */ include \"missing.h\"\n"));
    EXPECT_FALSE(of("/*\n*/ #include \"missing.h\"\n"));
    EXPECT_FALSE(of("#inc\\\nlude \"missing.h\"\n")) << "spliced lines";
    EXPECT_FALSE(of("%: include \"missing.h\"\n")) << "digraph";
    EXPECT_FALSE(of("constant char s[] = __TIME__;\n")) << "differs from day to day";
}

TEST_F(Includes, AFolderIsNoFile) {
    std::filesystem::create_directories(folder_ / "dir.h");
    EXPECT_FALSE(of("#include \"dir.h\"\n"));
}

} // namespace
} // namespace visor::compile
