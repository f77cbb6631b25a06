#include "compile/trust.h"

#include "scratch_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace visor::compile {
namespace {

namespace fs = std::filesystem;

constexpr uid_t nobody = 65534;

mode_t mode_of(const fs::path& path) {
    struct stat facts{};
    EXPECT_EQ(lstat(path.c_str(), &facts), 0) << path;
    return facts.st_mode & 07777;
}

class Trust : public testing::Test {
protected:
    ScratchFolder folder_;
    const fs::path root_ = folder_.path() / "root";

    [[nodiscard]] Owned open_it(Missing missing = Missing::left) const {
        return open_own_folder(root_, "name", missing);
    }
    void make() const { fs::create_directories(root_ / "name"); }
    void expect_left_alone(const fs::path& path, const std::string& why) const {
        const Owned opened = open_it();
        EXPECT_FALSE(opened.descriptor.is_open());
        EXPECT_EQ(opened.problem, "`" + path.string() + "` is left alone: " + why);
    }
};

#define NEEDS_ROOT                                                                                           \
    if (geteuid() != 0)                                                                                      \
    GTEST_SKIP() << "nothing can be given to another user without root"

TEST_F(Trust, WhatIsMadeIsForThisUserAlone) {
    const mode_t before = umask(0);
    const Owned opened = open_own_folder(folder_.path() / "deep/er/root", "name", Missing::made);
    umask(before);
    EXPECT_TRUE(opened.descriptor.is_open()) << opened.problem;
    for (const char* const path : {"deep", "deep/er", "deep/er/root", "deep/er/root/name"})
        EXPECT_EQ(mode_of(folder_.path() / path), 0700U) << path;
}

TEST_F(Trust, WhatIsMissingIsNoProblem) {
    const Owned opened = open_it();
    EXPECT_FALSE(opened.descriptor.is_open());
    EXPECT_EQ(opened.problem, "");
    EXPECT_FALSE(fs::exists(root_));
}

TEST_F(Trust, OthersMayRead) {
    make();
    ASSERT_EQ(chmod(root_.c_str(), 0755), 0);
    EXPECT_TRUE(open_it().descriptor.is_open());
}

TEST_F(Trust, OthersMayNotWrite) {
    make();
    ASSERT_EQ(chmod(root_.c_str(), 0775), 0);
    expect_left_alone(root_, "others may write to it");
    ASSERT_EQ(chmod(root_.c_str(), 0700), 0);
    ASSERT_EQ(chmod((root_ / "name").c_str(), 0702), 0);
    expect_left_alone(root_ / "name", "others may write to it");
}

TEST_F(Trust, LinksAreNotFollowed) {
    make();
    fs::rename(root_, folder_.path() / "elsewhere");
    fs::create_symlink("elsewhere", root_);
    expect_left_alone(root_, "it is a link");
    EXPECT_FALSE(open_own_folder(root_ / "", "name", Missing::left).descriptor.is_open()) << "with a slash";
    EXPECT_FALSE(open_own_folder(root_ / ".", "name", Missing::made).descriptor.is_open());
    fs::remove(root_);
    fs::create_directories(root_);
    fs::create_symlink("../elsewhere/name", root_ / "name");
    expect_left_alone(root_ / "name", "it is a link");
}

TEST_F(Trust, OfAnotherUser) {
    NEEDS_ROOT;
    make();
    ASSERT_EQ(chown((root_ / "name").c_str(), nobody, nobody), 0);
    expect_left_alone(root_ / "name", "it belongs to another user");
    ASSERT_EQ(chown(root_.c_str(), nobody, nobody), 0);
    expect_left_alone(root_, "it belongs to another user");
}

TEST_F(Trust, Files) {
    make();
    const Owned folder = open_it();
    const fs::path file = folder_.write("root/name/file", "x");
    EXPECT_TRUE(open_own_file(folder, file).descriptor.is_open());
    ASSERT_EQ(chmod(file.c_str(), 0666), 0);
    EXPECT_EQ(open_own_file(folder, file).problem,
              "`" + file.string() + "` is left alone: others may write to it");
    const fs::path link = root_ / "name/link";
    fs::create_symlink(folder_.write("other", "x"), link);
    EXPECT_EQ(open_own_file(folder, link).problem, "`" + link.string() + "` is left alone: it is a link");
    EXPECT_FALSE(open_own_file(folder, link).descriptor.is_open());
    ASSERT_EQ(mkfifo((root_ / "name/pipe").c_str(), 0600), 0);
    EXPECT_FALSE(open_own_file(folder, root_ / "name/pipe").descriptor.is_open())
        << "and nobody waits for it";
    const Owned none = open_own_file(folder, root_ / "name/none");
    EXPECT_FALSE(none.descriptor.is_open());
    EXPECT_EQ(none.problem, "");
}

TEST_F(Trust, AFileOfAnotherUser) {
    NEEDS_ROOT;
    make();
    const fs::path file = folder_.write("root/name/file", "x");
    ASSERT_EQ(chown(file.c_str(), nobody, nobody), 0);
    EXPECT_EQ(open_own_file(open_it(), file).problem,
              "`" + file.string() + "` is left alone: it belongs to another user");
}

// ---- by name

TEST_F(Trust, EveryFolderOnTheWayCounts) {
    const fs::path file = folder_.write("a/b/file", "x");
    EXPECT_EQ(distrusted(file), std::nullopt);
    EXPECT_EQ(distrusted(folder_.path() / "a/../a/./b//file"), std::nullopt);
    ASSERT_EQ(chmod((folder_.path() / "a").c_str(), 0777), 0);
    EXPECT_EQ(distrusted(file), folder_ / "a");
    ASSERT_EQ(chmod((folder_.path() / "a").c_str(), 01777), 0) << "as /tmp";
    EXPECT_EQ(distrusted(file), std::nullopt);
    EXPECT_EQ(distrusted(folder_.path() / "a"), folder_ / "a") << "others can put something in";
    ASSERT_EQ(chmod(file.c_str(), 0620), 0);
    EXPECT_EQ(distrusted(file), file.string());
    EXPECT_EQ(distrusted(folder_ / "none"), folder_ / "none");
}

TEST_F(Trust, LinksCountWithWhatTheyLeadTo) {
    folder_.write("real/file", "x");
    fs::create_symlink("real", folder_ / "relative");
    fs::create_symlink(folder_.path() / "relative/file", folder_ / "absolute");
    fs::create_symlink("round", folder_ / "round");
    EXPECT_EQ(distrusted(folder_ / "relative/file"), std::nullopt);
    EXPECT_EQ(distrusted(folder_ / "absolute"), std::nullopt);
    EXPECT_EQ(distrusted(folder_ / "round"), folder_ / "round");
    ASSERT_EQ(chmod((folder_ / "real").c_str(), 0777), 0);
    EXPECT_EQ(distrusted(folder_ / "absolute"), folder_ / "real");
}

TEST_F(Trust, ALinkOfAnotherUser) {
    NEEDS_ROOT;
    folder_.write("real/file", "x");
    fs::create_symlink("real", folder_ / "link");
    ASSERT_EQ(lchown((folder_ / "link").c_str(), nobody, nobody), 0);
    EXPECT_EQ(distrusted(folder_ / "link/file"), folder_ / "link");
    ASSERT_EQ(chown((folder_ / "real/file").c_str(), nobody, nobody), 0);
    EXPECT_EQ(distrusted(folder_ / "real/file"), folder_ / "real/file");
}

} // namespace
} // namespace visor::compile
