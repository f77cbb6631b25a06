// Damaged files end in diagnostics that lie inside the file, or in a program: never in a crash.
#include "launch/zebin.h"
#include "sample.h"

#include <gtest/gtest.h>
#include <random>

namespace visor::launch {
namespace {

void check(std::span<const std::byte> file, bool must_fail) {
    Diagnostics diagnostics;
    const std::optional<Zebin> zebin = read_zebin(file, diagnostics);
    EXPECT_EQ(zebin.has_value(), diagnostics.ok());
    EXPECT_FALSE(must_fail && zebin);
    for (const Diagnostic& diagnostic : diagnostics.all()) {
        EXPECT_LE(diagnostic.where.value_or(Location{}).offset, file.size()) << diagnostic.message;
    }
}

class Damage : public testing::TestWithParam<const char*> {};

TEST_P(Damage, Cut) {
    const std::vector<std::byte> file = sample_file(GetParam());
    for (size_t bytes = 0; bytes < file.size(); bytes += 64)
        check(std::vector<std::byte>(file.begin(), file.begin() + static_cast<ptrdiff_t>(bytes)), true);
}

TEST_P(Damage, FlippedBits) {
    const std::vector<std::byte> file = sample_file(GetParam());
    std::mt19937 random(1);
    for (int round = 0; round < 400; ++round) {
        std::vector<std::byte> damaged = file;
        for (int flips = 0; flips <= round % 8; ++flips)
            damaged[random() % damaged.size()] ^= static_cast<std::byte>(1U << random() % 8);
        check(damaged, false);
    }
}

// The headers and tables are small: every byte of them.
TEST_P(Damage, HeadersAndTables) {
    const std::vector<std::byte> file = sample_file(GetParam());
    const size_t headers = file.size() - 20 * 64;
    for (const auto& [begin, end] : {std::pair<size_t, size_t>{0, 64}, {headers, file.size()}}) {
        for (size_t at = begin; at < end; ++at) {
            std::vector<std::byte> damaged = file;
            damaged[at] ^= static_cast<std::byte>(at % 3 == 0 ? 0xff : at % 3 == 1 ? 0x80 : 0x01);
            check(damaged, false);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, Damage, testing::Values("scope.skl.zebin", "sub_group.pvc.zebin"));

} // namespace
} // namespace visor::launch
