// The program with --engine jit while its code generator is killed at any moment, its cache's disk is full,
// and its cache's files are damaged in many ways: the results are right every time.
#include "cli/end_to_end.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

namespace visor::cli {
namespace {

namespace fs = std::filesystem;

// Hand-written, so that no compiler but the JIT's has a part in it. 0 to 7, and 5.
constexpr const char* right = "to = 5 6 7 8 9 10 11 12\n";

class JitDamage : public EndToEnd {
protected:
    JitDamage() { kernel_ = source("add5.visaasm", hand_written); }

    [[nodiscard]] std::vector<std::string> command() const {
        return {VISOR_PROGRAM, "run", kernel_, "--groups",      "1",  "--hw-threads", "1",       "--engine",
                "jit",         "-v",  "-a",    "to=iota:i32:8", "-a", "amount=5",     "--print", "to"};
    }
    [[nodiscard]] std::string native() const { return fs::path(file("cache")) / "native"; }

    void expect_right(const test::Finished& ran, const std::string& when) const {
        EXPECT_EQ(ran.exit_code, 0) << when << ran.err;
        EXPECT_EQ(ran.out, right) << when << ran.err;
    }

    std::string kernel_;
};

bool has_code(const test::Finished& ran) {
    return has(ran.err, "jit engine: code in") && !has(ran.err, "no code for");
}

// From before it begins to when it has long ended; the seed is in the messages.
TEST_F(JitDamage, TheGeneratorIsKilledAtAnyMoment) {
    const fs::path parts = fs::path(VISOR_PROGRAM).parent_path().parent_path() / "libexec/visor";
    const fs::path own = file("libexec");
    fs::create_directory(own);
    for (const char* const part : {"visor-compile-worker", "visor-jit.so"})
        fs::create_symlink(parts / part, own / part);
    const std::string worker = own / "visor-jit-worker";
    test::write_file(worker,
                     fmt::format("#!/bin/sh\nexec timeout --foreground -s KILL $VISOR_TEST_DELAY '{}'\n",
                                 (parts / "visor-jit-worker").string()));
    fs::permissions(worker, fs::perms::owner_all);
    constexpr unsigned seed = 20;
    std::mt19937 random(seed);
    constexpr unsigned most = 36;
    unsigned killed = 0;
    unsigned finished = 0;
    for (unsigned i = 0; i <= most; ++i) {
        const unsigned microseconds = 1 + i * 3000 + static_cast<unsigned>(random() % 3000);
        const std::string delay = i == most ? "60" : fmt::format("{:.6f}", microseconds * 1e-6);
        fs::remove_all(native());
        const auto ran = test::run(command(), {{"VISOR_CACHE_DIR", file("cache")},
                                               {"VISOR_LIBEXEC", own.string()},
                                               {"VISOR_TEST_DELAY", delay}});
        expect_right(ran, fmt::format("seed {}, killed after {} s: ", seed, delay));
        ++(has_code(ran) ? finished : killed);
        // What was kept is whole: the next run takes it, or makes its own.
        expect_right(test::run(command(), {{"VISOR_CACHE_DIR", file("cache")}}), "afterwards: ");
    }
    EXPECT_GT(killed, 0U);
    EXPECT_GT(finished, 0U);
}

// A limit for files stands for a full disk: writing fails in the midst. Shells count it in 512 bytes.
TEST_F(JitDamage, TheDiskIsFull) {
    std::string line;
    for (const std::string& word : command())
        line += " '" + word + "'";
    bool short_of_room = false;
    bool kept = false;
    for (const unsigned blocks : {0U, 1U, 2U, 3U, 5U, 8U, 13U, 21U, 1000U}) {
        fs::remove_all(file("cache"));
        const std::string limited = fmt::format("trap '' XFSZ; ulimit -f {}; exec{}", blocks, line);
        const auto ran = test::run({"/bin/sh", "-c", limited}, {{"VISOR_CACHE_DIR", file("cache")}});
        expect_right(ran, fmt::format("{} blocks: ", blocks));
        EXPECT_TRUE(has_code(ran)) << ran.err;
        size_t files = 0;
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(native(), none)) {
            EXPECT_EQ(entry.path().extension(), ".build") << entry.path();
            EXPECT_LE(entry.file_size(), blocks * 512);
            ++files;
        }
        short_of_room = short_of_room || files == 0;
        kept = kept || files == 1;
        expect_right(test::run(command(), {{"VISOR_CACHE_DIR", file("cache")}}), "with room again: ");
    }
    EXPECT_TRUE(short_of_room);
    EXPECT_TRUE(kept);
}

// Where the folder should be is a file; and one that cannot be written to (which root can).
TEST_F(JitDamage, TheFolderCannotBe) {
    test::write_file(file("cache"), "in the way");
    expect_right(test::run(command(), {{"VISOR_CACHE_DIR", file("cache")}}), "a file: ");
    expect_right(test::run(command(), {{"VISOR_CACHE_DIR", "/proc/visor"}}), "/proc: ");
    expect_right(test::run(command(), {{"VISOR_CACHE_DIR", "/dev/full"}}), "/dev/full: ");
}

std::string damaged(const std::string& whole, unsigned kind, std::mt19937& random) {
    std::string bytes = whole;
    const size_t at = random() % bytes.size();
    switch (kind % 6) {
    case 0:
        bytes.resize(at);
        break;
    case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
        break;
    case 2: // a length in the header
        bytes[8 + random() % 24] = static_cast<char>(random());
        break;
    case 3:
        bytes += "more";
        break;
    case 4:
        std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(), '\0');
        break;
    default:
        bytes.clear();
        break;
    }
    return bytes;
}

TEST_F(JitDamage, FilesAreDamagedInManyWays) {
    expect_right(test::run(command(), {{"VISOR_CACHE_DIR", file("cache")}}), "at first: ");
    const fs::path entry = fs::directory_iterator(native())->path();
    const std::string whole = test::read_file(entry);
    ASSERT_GT(whole.size(), 100U);
    constexpr unsigned seed = 21;
    std::mt19937 random(seed);
    for (unsigned kind = 0; kind < 24; ++kind) {
        fs::remove(entry);
        test::write_file(entry, damaged(whole, kind, random));
        const auto ran = test::run(command(), {{"VISOR_CACHE_DIR", file("cache")}});
        expect_right(ran, fmt::format("seed {}, damage {}: ", seed, kind));
        EXPECT_TRUE(has_code(ran)) << ran.err;
        EXPECT_EQ(test::read_file(entry), whole) << "damage " << kind; // replaced
    }
    fs::remove(entry);
    fs::create_directory(entry); // in the entry's place
    expect_right(test::run(command(), {{"VISOR_CACHE_DIR", file("cache")}}), "a folder: ");
}

} // namespace
} // namespace visor::cli
