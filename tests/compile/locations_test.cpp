// Where compilers are looked for: folders of names alone, nothing is loaded.
#include "compile/locations.h"

#include "scratch_folder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace visor::compile {
namespace {

class InFolder : public testing::Test {
protected:
    ScratchFolder folder_;

    [[nodiscard]] bool is_found(const Locations& locations, const std::string& library) const {
        return std::ranges::any_of(locations.found, [&](const Location& location) {
            return location.library == std::filesystem::canonical(folder_ / library);
        });
    }
};

TEST_F(InFolder, AsItWasUnpacked) {
    folder_.write("usr/lib/x86_64-linux-gnu/libocloc.so", "");
    folder_.write("usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "");
    folder_.write("var/lib/dpkg/status", "");
    const std::vector<Location> found = locations_in(folder_.path());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].library, std::filesystem::canonical(folder_ / "usr/lib/x86_64-linux-gnu/libocloc.so"));
    EXPECT_EQ(found[0].loader, folder_ / "usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2");
    EXPECT_EQ(found[0].root, folder_.path());
}

TEST_F(InFolder, AsItWasInstalled) {
    folder_.write("lib/libocloc_legacy1.so", "");
    const std::vector<Location> found = locations_in(folder_.path());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].loader, "") << "the system's";
    EXPECT_EQ(found[0].root, "/");
    EXPECT_TRUE(locations_in(folder_ / "nowhere").empty());
}

TEST_F(InFolder, OfTheUser) {
    folder_.write("all/one/lib/libocloc.so", "");
    folder_.write("all/.unfinished-x/lib/libocloc.so", "");
    const Environment chosen("VISOR_COMPILER_DIR", folder_ / "all");
    EXPECT_TRUE(is_found(usual_locations(), "all/one/lib/libocloc.so"));
    EXPECT_FALSE(is_found(usual_locations(), "all/.unfinished-x/lib/libocloc.so"));
    const Environment none("VISOR_COMPILER_DIR", "");
    EXPECT_FALSE(is_found(usual_locations(), "all/one/lib/libocloc.so"));
}

TEST_F(InFolder, WhatOthersCanWriteToIsLeftAlone) {
    folder_.write("all/one/lib/libocloc.so", "");
    folder_.write("all/two/lib/libocloc.so", "");
    const Environment chosen("VISOR_COMPILER_DIR", folder_ / "all");
    ASSERT_EQ(chmod((folder_ / "all/one").c_str(), 0777), 0);
    const Locations some = usual_locations();
    EXPECT_FALSE(is_found(some, "all/one/lib/libocloc.so"));
    EXPECT_TRUE(is_found(some, "all/two/lib/libocloc.so"));
    ASSERT_EQ(some.problems.size(), 1U);
    EXPECT_TRUE(some.problems[0].starts_with("`" + (folder_ / "all/one") + "` is left alone"))
        << some.problems[0];
    ASSERT_EQ(chmod((folder_ / "all").c_str(), 0777), 0);
    EXPECT_FALSE(is_found(usual_locations(), "all/two/lib/libocloc.so")) << "the whole folder";
}

TEST_F(InFolder, EveryPartOfItCounts) {
    folder_.write("all/one/usr/lib/libocloc.so", "");
    folder_.write("all/one/usr/lib/ld-linux-x86-64.so.2", "");
    folder_.write("all/one/usr/lib/libigc.so", "");
    const Environment chosen("VISOR_COMPILER_DIR", folder_ / "all");
    const auto with = [&](const std::string& name) {
        EXPECT_EQ(chmod((folder_ / name).c_str(), 0777), 0);
        const bool usual = is_found(usual_locations(), "all/one/usr/lib/libocloc.so");
        const Locations named = chosen_locations(folder_ / "all/one");
        EXPECT_EQ(chmod((folder_ / name).c_str(), 0755), 0);
        EXPECT_EQ(usual, is_found(named, "all/one/usr/lib/libocloc.so"));
        EXPECT_EQ(named.problems.empty(), usual);
        return usual;
    };
    EXPECT_TRUE(is_found(usual_locations(), "all/one/usr/lib/libocloc.so"));
    for (const char* const name : {"all/one/usr", "all/one/usr/lib", "all/one/usr/lib/libocloc.so",
                                   "all/one/usr/lib/ld-linux-x86-64.so.2", "all/one/usr/lib/libigc.so"})
        EXPECT_FALSE(with(name)) << name;
}

TEST_F(InFolder, TheWorkingFolderIsNone) {
    folder_.write("libocloc.so", "");
    const std::filesystem::path before = std::filesystem::current_path();
    const Environment paths("LD_LIBRARY_PATH", ".:./:" + folder_.path().filename().string());
    std::filesystem::current_path(folder_.path());
    const Locations here = usual_locations();
    std::filesystem::current_path(folder_.path().parent_path());
    const Locations above = usual_locations();
    std::filesystem::current_path(before);
    EXPECT_FALSE(is_found(here, "libocloc.so"));
    EXPECT_FALSE(is_found(above, "libocloc.so"));
}

TEST(CompilerFolder, GoesByTheEnvironment) {
    const Environment home("HOME", "/h");
    const Environment data("XDG_DATA_HOME", "/d");
    {
        const Environment chosen("VISOR_COMPILER_DIR", "/c");
        EXPECT_EQ(compiler_folder(), "/c");
    }
}

} // namespace
} // namespace visor::compile
