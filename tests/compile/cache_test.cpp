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
    const Cache cache(folder.path() / "deep" / "er");
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
    const Cache cache(folder.path());
    cache.store("one", {"1", ""});
    std::filesystem::rename(cache.path_of("one"), cache.path_of("two")); // as if both had one hash
    EXPECT_FALSE(cache.find("two"));
}

TEST(Cache, DamageIsSeen) {
    const ScratchFolder folder;
    const Cache cache(folder.path());
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
    const Cache cache(folder.path(), 3000);
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
    const std::string old = folder.write("1-2.unfinished", "x");
    const std::string fresh = folder.write("3-4.unfinished", "x");
    std::filesystem::last_write_time(old,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
    Cache(folder.path()).store("key", {"b", ""});
    EXPECT_FALSE(std::filesystem::exists(old));
    EXPECT_TRUE(std::filesystem::exists(fresh));
}

TEST(Cache, WithoutAFolderItOnlyMisses) {
    const ScratchFolder folder;
    const Cache cache(std::filesystem::path(folder.write("file", "")) / "under");
    cache.store("key", {"b", ""});
    EXPECT_FALSE(cache.find("key"));
}

TEST(Cache, ManyWritersOfOneKeyAgree) {
    const ScratchFolder folder;
    const Cache cache(folder.path());
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
    EXPECT_EQ(files_in(folder.path()), 1U);
}

} // namespace
} // namespace visor::compile
