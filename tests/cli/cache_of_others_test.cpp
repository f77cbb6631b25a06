// What lies in the cache runs as machine code: only what is this user's own is taken.
#include "cli/end_to_end.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace visor::cli {
namespace {

namespace fs = std::filesystem;

class CacheOfOthers : public EndToEnd {
protected:
    CacheOfOthers() {
        kernel_ = source("add5.visaasm", hand_written);
        EXPECT_FALSE(takes_kept()) << "the first run fills it";
    }

    // Entries that are used are touched; others may be replaced.
    bool takes_kept() {
        std::vector<std::pair<std::string, ino_t>> entries;
        const auto old = fs::file_time_type::clock::now() - std::chrono::hours(24 * 365);
        for (const std::string& folder : {file("cache/native"), file("elsewhere/native")}) {
            std::error_code none;
            for (const auto& entry : fs::directory_iterator(folder, none)) {
                entries.emplace_back(entry.path().string(), inode_of(entry.path().string()));
                fs::last_write_time(entry.path(), old);
            }
        }
        ran_ = test::run({VISOR_PROGRAM, "run", kernel_, "--groups", "1", "--hw-threads", "1", "--engine",
                          "jit", "-q", "-a", "to=iota:i32:8", "-a", "amount=5", "--print", "to"},
                         {{"VISOR_CACHE_DIR", file("cache")}});
        EXPECT_EQ(ran_.exit_code, 0) << ran_.err;
        EXPECT_EQ(ran_.out, "to = 5 6 7 8 9 10 11 12\n");
        return std::ranges::any_of(entries, [&](const auto& entry) {
            return inode_of(entry.first) == entry.second &&
                   fs::last_write_time(entry.first) > old + std::chrono::hours(1);
        });
    }
    static ino_t inode_of(const std::string& path) {
        struct stat facts{};
        return stat(path.c_str(), &facts) == 0 ? facts.st_ino : 0;
    }
    void expect_warning(const std::string& path, const std::string& why) const {
        const std::string warning = "visor: warning: `" + path + "` is left alone: " + why + "\n";
        EXPECT_TRUE(ran_.err.starts_with(warning)) << ran_.err;
        EXPECT_EQ(ran_.err.rfind("visor: warning"), 0U) << "one line: " << ran_.err;
    }

    std::string kernel_;
    test::Finished ran_;
};

TEST_F(CacheOfOthers, OnesOwnIsTaken) {
    EXPECT_TRUE(takes_kept());
    EXPECT_FALSE(has(ran_.err, "warning")) << ran_.err;
}

TEST_F(CacheOfOthers, WhatOthersCanWriteToIsNot) {
    fs::permissions(file("cache"), fs::perms::owner_all | fs::perms::others_write);
    EXPECT_FALSE(takes_kept());
    expect_warning(file("cache"), "others may write to it");
    fs::permissions(file("cache"), fs::perms::owner_all);
    fs::permissions(file("cache/native"), fs::perms::owner_all | fs::perms::group_write);
    EXPECT_FALSE(takes_kept());
    expect_warning(file("cache/native"), "others may write to it");
}

TEST_F(CacheOfOthers, LinksAreNot) {
    fs::rename(file("cache"), file("elsewhere"));
    fs::create_directory_symlink("elsewhere", file("cache"));
    EXPECT_FALSE(takes_kept());
    expect_warning(file("cache"), "it is a link");
}

TEST_F(CacheOfOthers, NorIsWhatBelongsToAnother) {
    if (geteuid() != 0)
        GTEST_SKIP() << "nothing can be given to another user without root";
    constexpr uid_t nobody = 65534;
    std::string entry;
    for (const auto& one : fs::directory_iterator(file("cache/native")))
        entry = one.path().string();
    ASSERT_EQ(chown(entry.c_str(), nobody, nobody), 0);
    EXPECT_FALSE(takes_kept());
    expect_warning(entry, "it belongs to another user");
    EXPECT_TRUE(takes_kept()) << "the run before has replaced it";
    ASSERT_EQ(chown(file("cache").c_str(), nobody, nobody), 0);
    EXPECT_FALSE(takes_kept());
    expect_warning(file("cache"), "it belongs to another user");
}

} // namespace
} // namespace visor::cli
