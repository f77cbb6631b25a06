#include "compile/cache.h"
#include "scratch_folder.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace visor::compile {
namespace {

size_t files_in(const std::filesystem::path& folder) {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(Cache, KeepsBuilds) {
    const ScratchFolder folder;
    const Cache cache(folder.path() / "deep", "er");
    EXPECT_FALSE(cache.find("key"));
    cache.store("key", {std::string("\0bin", 4), "log"});
    const auto found = cache.find("key");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->zebin, std::string("\0bin", 4));
    EXPECT_EQ(found->log, "log");
    EXPECT_FALSE(cache.find("other"));
    EXPECT_EQ(files_in(folder.path() / "deep" / "er"), 1U) << "nothing unfinished is left behind";
}

TEST(Cache, AnotherKeyUnderTheSameNameIsNoHit) {
    const ScratchFolder folder;
    const Cache cache(folder.path(), "c");
    cache.store("one", {"1", ""});
    std::filesystem::rename(cache.path_of("one"), cache.path_of("two")); // as if both had one hash
    EXPECT_FALSE(cache.find("two"));
}

TEST(Cache, DamageIsSeen) {
    const ScratchFolder folder;
    const Cache cache(folder.path(), "c");
    cache.store("key", {"binary", "log"});
    const std::filesystem::path file = cache.path_of("key");
    std::ifstream in(file, std::ios::binary);
    const std::string whole(std::istreambuf_iterator<char>(in), {});
    for (size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        std::ofstream(file, std::ios::binary) << damaged;
        EXPECT_FALSE(cache.find("key")) << "byte " << at;
        std::ofstream(file, std::ios::binary) << whole.substr(0, at);
        EXPECT_FALSE(cache.find("key")) << "cut at " << at;
    }
    cache.store("key", {"binary", "log"});
    EXPECT_TRUE(cache.find("key")) << "stored over the damage";
}

TEST(Cache, RemovesWhatWasUsedLongestAgo) {
    const ScratchFolder folder;
    const Cache cache(folder.path(), "c", 3000);
    const auto hours_ago = [&](const char* key, int hours) {
        std::filesystem::last_write_time(cache.path_of(key), std::filesystem::file_time_type::clock::now() -
                                                                 std::chrono::hours(hours));
    };
    const std::string kilobyte(1000, 'x');
    cache.store("a", {kilobyte, ""});
    cache.store("b", {kilobyte, ""});
    hours_ago("a", 5);
    hours_ago("b", 3);
    EXPECT_TRUE(cache.find("a")); // used now
    cache.store("c", {kilobyte, ""});
    EXPECT_TRUE(cache.find("a"));
    EXPECT_FALSE(cache.find("b"));
    EXPECT_TRUE(cache.find("c"));
}

TEST(Cache, SweepsUnfinishedFilesOfTheDead) {
    const ScratchFolder folder;
    const std::string old = folder.write("c/1-2.unfinished", "x");
    const std::string fresh = folder.write("c/3-4.unfinished", "x");
    std::filesystem::last_write_time(old,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
    Cache(folder.path(), "c").store("key", {"b", ""});
    EXPECT_FALSE(std::filesystem::exists(old));
    EXPECT_TRUE(std::filesystem::exists(fresh));
}

TEST(Cache, WithoutAFolderItOnlyMisses) {
    const ScratchFolder folder;
    const Cache cache(folder.write("file", ""), "under");
    cache.store("key", {"b", ""});
    EXPECT_FALSE(cache.find("key"));
}

TEST(Cache, ManyWritersOfOneKeyAgree) {
    const ScratchFolder folder;
    const Cache cache(folder.path(), "c");
    const std::string binary(100'000, 'z');
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            for (int round = 0; round < 20; ++round) {
                cache.store("key", {binary, ""});
                const auto found = cache.find("key");
                ASSERT_TRUE(found) << "an entry is never seen half written";
                EXPECT_EQ(found->zebin, binary);
            }
        });
    }
    threads.clear();
    EXPECT_EQ(files_in(folder.path() / "c"), 1U);
}

TEST(Cache, IsForThisUserAlone) {
    const ScratchFolder folder;
    const Cache cache(folder.path() / "root", "c");
    cache.store("key", {"b", ""});
    using std::filesystem::perms;
    const auto rights = [](const std::filesystem::path& path) {
        return std::filesystem::status(path).permissions();
    };
    EXPECT_EQ(rights(folder.path() / "root"), perms::owner_all);
    EXPECT_EQ(rights(folder.path() / "root/c"), perms::owner_all);
    EXPECT_EQ(rights(cache.path_of("key")), perms::owner_read | perms::owner_write);
}

TEST(Cache, WhatOthersCanWriteToIsLeftAlone) {
    using std::filesystem::perms;
    const ScratchFolder folder;
    const Cache cache(folder.path() / "root", "c");
    cache.store("key", {"b", ""});
    const auto with = [&](const std::filesystem::path& path, perms rights) {
        const perms before = std::filesystem::status(path).permissions();
        std::filesystem::permissions(path, before | rights);
        const bool found = cache.find("key").has_value();
        cache.store("other", {"o", ""});
        std::filesystem::permissions(path, before);
        return found;
    };
    EXPECT_FALSE(with(folder.path() / "root", perms::group_write));
    EXPECT_FALSE(with(folder.path() / "root/c", perms::others_write));
    EXPECT_FALSE(cache.find("other")) << "nothing is put there, either";
    EXPECT_FALSE(with(cache.path_of("key"), perms::others_write));
    EXPECT_TRUE(with(folder.path() / "root", perms::others_read));
}

TEST(Cache, LinksAreNotFollowed) {
    const ScratchFolder folder;
    const Cache cache(folder.path() / "root", "c");
    cache.store("key", {"b", ""});
    const std::filesystem::path entry = cache.path_of("key");
    const std::filesystem::path elsewhere = folder.path() / "elsewhere";
    std::filesystem::rename(entry, elsewhere);
    std::filesystem::create_symlink(elsewhere, entry);
    EXPECT_FALSE(cache.find("key"));
    cache.store("key", {"mine", ""});
    EXPECT_FALSE(std::filesystem::is_symlink(entry)) << "one of one's own replaces it";
    EXPECT_EQ(cache.find("key")->zebin, "mine");
    std::filesystem::remove(elsewhere);
    std::filesystem::rename(folder.path() / "root", elsewhere);
    std::filesystem::create_directory_symlink(elsewhere, folder.path() / "root");
    EXPECT_FALSE(cache.find("key"));
}

} // namespace
} // namespace visor::compile
