// Work-items that work together: barriers, and the functions of work-groups and sub-groups.
#include "examples/host.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>

namespace visor::test {

namespace {

bool reduction(Example& example) {
    constexpr size_t count = 1000, group = 128;
    Numbers numbers(4);
    std::vector<int32_t> data(count);
    std::vector<int32_t> expected(8);
    for (size_t i = 0; i < count; ++i) {
        data[i] = static_cast<int32_t>(numbers.next()) - (1 << 23);
        expected[i / group] += data[i];
    }
    example.kernel("reduction").sizes(1024, group).zeros<int32_t>(8).array(data).local_memory(4 * group);
    example.value(int32_t{count});
    return example.run() && same("sums", example.result<int32_t>(0), expected);
}

// The nine results that work_group_functions.cl and sub_group_functions.cl write for work-item `me` of
// `part`; `asked` is the number that the votes are about.
std::array<int32_t, 9> collective(std::span<const int32_t> part, size_t me, size_t broadcast, int32_t asked,
                                  int32_t greatest) {
    const auto sum = [](std::span<const int32_t> values) {
        return static_cast<int32_t>(std::accumulate(values.begin(), values.end(), 0U));
    };
    const auto before = part.first(me);
    const auto with_me = part.first(me + 1);
    const bool any = std::ranges::find(part, asked) != part.end();
    const bool all = std::ranges::all_of(part, [&](int32_t value) { return value > asked; });
    return {sum(part),
            std::ranges::min(part),
            greatest,
            sum(before),
            sum(with_me),
            std::ranges::max(with_me),
            me == 0 ? std::numeric_limits<int32_t>::max() : std::ranges::min(before),
            part[broadcast],
            int{any} | int{all} << 1};
}

// Full of numbers above one at index 7, but for the second half.
std::vector<int32_t> numbers_to_vote_on(uint32_t seed, size_t count) {
    Numbers numbers(seed);
    auto in = numbers.integers<int32_t>(count);
    in[7] = -1000;
    for (size_t i = count / 2; i < count; ++i)
        in[i] |= 0x40000000, in[i] &= 0x7fffffff;
    return in;
}

bool work_group_functions(Example& example) {
    constexpr size_t count = 128, group = 64;
    const auto in = numbers_to_vote_on(71, count);
    const auto expected = rows<int32_t>(count, [&](size_t i) {
        const auto part = std::span(in).subspan(i / group * group, group);
        return collective(part, i % group, 5, in[7], std::ranges::max(part));
    });
    example.kernel("work_group_functions").options("-cl-std=CL2.0").sizes(count, group);
    example.zeros<int32_t>(9 * count).array(in);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

// How wide a sub-group is the device says; everything else follows.
bool sub_group_functions(Example& example) {
    constexpr size_t count = 128, group = 64;
    const auto in = numbers_to_vote_on(72, count);
    example.kernel("sub_group_functions").options("-cl-std=CL2.0").sizes(count, group);
    example.zeros<int32_t>(9 * count).zeros<float>(count).zeros<int32_t>(4 * count).array(in);
    if (!example.run())
        return false;
    const auto width = static_cast<size_t>(example.result<int32_t>(2)[0]);
    if (width != 8 && width != 16 && width != 32) {
        std::cout << "no width of a sub-group: " << width << '\n';
        return false;
    }
    const auto part_of = [&](size_t i) { return std::span(in).subspan(i / width * width, width); };
    const auto expected = rows<int32_t>(count, [&](size_t i) {
        const auto unsigned_less = [](int32_t a, int32_t b) {
            return static_cast<uint32_t>(a) < static_cast<uint32_t>(b);
        };
        return collective(part_of(i), i % width, 3, in[7], std::ranges::max(part_of(i), unsigned_less));
    });
    const auto floats = each<float>(count, [&](size_t i) { // whole numbers: exact in any order
        float sum = 0;
        for (const int32_t value : part_of(i))
            sum += static_cast<float>(value >> 16);
        return sum;
    });
    const auto shape = rows<int32_t>(count, [&](size_t i) {
        const std::array values{width, i % width, i % group / width, group / width};
        return each<int32_t>(4, [&](size_t k) { return static_cast<int32_t>(values[k]); });
    });
    return same("out", example.result<int32_t>(0), expected) &&
           same("floats", example.result<float>(1), floats) &&
           same("shape", example.result<int32_t>(2), shape);
}

constexpr size_t width = 16; // of the sub-groups that ask for it

bool sub_group_shuffle(Example& example) {
    constexpr size_t count = 64;
    Numbers numbers(73);
    const auto in = each<int32_t>(count, [&](size_t) { return numbers.below(100000); });
    const auto expected = rows<int32_t>(count, [&](size_t i) {
        const auto* const part = &in[i / width * width];
        const size_t lane = i % width;
        return std::array{part[static_cast<size_t>(in[i]) % width],
                          part[7],
                          part[lane ^ 5U],
                          lane + 3 < width ? part[lane + 3] : -part[lane + 3 - width],
                          lane >= 2 ? part[lane - 2] : -part[lane + width - 2],
                          part[width - 1 - lane] * 3};
    });
    const auto floats = each<float>(count, [&](size_t i) { return static_cast<float>(in[i ^ 8U]); });
    const auto longs = each<int64_t>(count, [&](size_t i) { return int64_t{in[i ^ 1U]} << 33; });
    example.kernel("sub_group_shuffle").sizes(count, 32).zeros<int32_t>(6 * count).zeros<float>(count);
    example.zeros<int64_t>(count).array(in);
    return example.run() && same("out", example.result<int32_t>(0), expected) &&
           same("floats", example.result<float>(1), floats) &&
           same("longs", example.result<int64_t>(2), longs);
}

bool sub_group_block_io(Example& example) {
    constexpr size_t count = 64;
    Numbers numbers(74);
    const auto in = numbers.integers<uint32_t>(4 * count);
    const auto words = numbers.integers<uint16_t>(2 * count);
    const auto expected = each<uint32_t>(4 * count, [&](size_t at) {
        const auto* const block = &in[at / 64 * 64];
        const size_t row = at % 64 / width, lane = at % width;
        return block[(3 - row) * width + lane] + (row == 0 ? block[lane] : static_cast<uint32_t>(row) - 1);
    });
    const auto expected_words = each<uint16_t>(2 * count, [&](size_t at) {
        const size_t row = at % 32 / width;
        return static_cast<uint16_t>(words[at / 32 * 32 + (1 - row) * width + at % width] *
                                     (row == 0 ? 3 : 5));
    });
    example.kernel("sub_group_block_io")
        .sizes(count, 32)
        .zeros<uint32_t>(4 * count)
        .zeros<uint16_t>(2 * count);
    example.array(in).array(words);
    return example.run() && same("out", example.result<uint32_t>(0), expected) &&
           same("words", example.result<uint16_t>(1), expected_words);
}

bool sub_group_ballot(Example& example) {
    constexpr size_t count = 64;
    Numbers numbers(75);
    const auto in = each<int32_t>(count, [&](size_t) { return numbers.below(1000); });
    const auto expected = rows<uint32_t>(count, [&](size_t i) {
        const auto* const part = &in[i / width * width];
        const size_t lane = i % width;
        uint32_t thirds = 0, odd_fifths = 0;
        size_t first_odd = width;
        for (size_t k = width; k-- > 0;) {
            thirds |= uint32_t{part[k] % 3 == 0} << k;
            odd_fifths |= uint32_t{part[k] % 10 == 5} << k;
            first_odd = part[k] % 2 == 1 ? k : first_odd;
        }
        const uint32_t among_odd = in[i] % 2 == 0 ? 0
                                                  : odd_fifths | uint32_t{lane == first_odd} << 16U |
                                                        static_cast<uint32_t>(part[first_odd]) << 17U;
        return std::array{thirds,
                          static_cast<uint32_t>(std::popcount(thirds)),
                          static_cast<uint32_t>(std::popcount(thirds & ((1U << lane) - 1))),
                          thirds >> lane & 1U,
                          static_cast<uint32_t>(part[0]),
                          uint32_t{lane == 0},
                          thirds >> (static_cast<uint32_t>(in[i]) & 15U) & 1U,
                          among_odd};
    });
    example.kernel("sub_group_ballot").options("-cl-std=CL2.0").sizes(count, 32);
    example.zeros<uint32_t>(8 * count).array(in);
    return example.run() && same("out", example.result<uint32_t>(0), expected);
}

bool sub_group_clustered(Example& example) {
    constexpr size_t count = 64;
    Numbers numbers(76);
    const auto in = each<int32_t>(count, [&](size_t) { return numbers.below(100000); });
    const auto expected = rows<int32_t>(count, [&](size_t i) {
        const auto* const part = &in[i / width * width];
        int32_t four = 0, eight = 0, two = 0, sum = 0, high = 0;
        for (size_t k = 0; k < 4; ++k)
            four += in[i / 4 * 4 + k];
        for (size_t k = 0; k < 8; ++k)
            eight = std::max(eight, in[i / 8 * 8 + k]);
        for (size_t k = 0; k < 2; ++k)
            two ^= in[i / 2 * 2 + k];
        for (size_t k = 0; k < width; ++k) {
            if (part[k] % 3 != 0) {
                sum += part[k];
                high = k <= i % width ? std::max(high, part[k]) : high;
            }
        }
        const bool here = in[i] % 3 != 0;
        return std::array{four,           eight,          two, part[static_cast<size_t>(in[i]) % width],
                          here ? sum : 0, here ? high : 0};
    });
    example.kernel("sub_group_clustered").options("-cl-std=CL2.0").sizes(count, 32);
    example.zeros<int32_t>(6 * count).array(in);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

bool barrier_loop(Example& example) {
    constexpr size_t group = 48, groups = 4;
    Numbers numbers(77);
    const auto in = numbers.integers<int32_t>(group * groups);
    std::vector<int32_t> expected;
    for (size_t g = 0; g < groups; ++g) {
        auto values =
            each<uint32_t>(group, [&](size_t i) { return static_cast<uint32_t>(in[g * group + i]); });
        for (size_t step = 1; step <= 3 * (g + 1); ++step) {
            const auto ring = values;
            for (size_t i = 0; i < group; ++i)
                values[i] = values[i] * 3 + ring[(i + step) % group];
            if (step % 4 == 0 && ring[0] % 2 == 0) {
                const auto turned = values;
                for (size_t i = 0; i < group; ++i)
                    values[i] ^= turned[group - 1 - i];
            }
        }
        for (const uint32_t value : values)
            expected.push_back(static_cast<int32_t>(value));
    }
    example.kernel("barrier_loop").sizes(group * groups, group).zeros<int32_t>(group * groups).array(in);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

bool prefix_sum(Example& example) {
    constexpr size_t count = 512, group = 64;
    Numbers numbers(78);
    const auto in = each<int32_t>(count, [&](size_t) { return numbers.below(2000) - 1000; });
    std::vector<int32_t> expected(count);
    std::partial_sum(in.begin(), in.end(), expected.begin());
    example.kernel("scan_groups").sizes(count, group);
    example.zeros<int32_t>(count).zeros<int32_t>(count / group).array(in);
    if (!example.run())
        return false;
    const auto parts = example.result<int32_t>(0);
    const auto totals = example.result<int32_t>(1);
    if (!example.kernel("scan_totals").sizes(count / group, count / group).array(totals).run())
        return false;
    const auto sums = example.result<int32_t>(0);
    return example.kernel("add_totals").sizes(count, group).array(parts).array(sums).run() &&
           same("sums", example.result<int32_t>(0), expected);
}

// Groups come in any order, so only what was packed is known, and that each group's part is in order.
bool stream_compaction(Example& example) {
    constexpr size_t count = 256, group = 64;
    std::vector<int32_t> in(count);
    std::iota(in.begin(), in.end(), 1000);
    const auto passes = [](int32_t value) { return value % 7 == 3 || value % 5 == 0; };
    std::vector<int32_t> expected;
    std::ranges::copy_if(in, std::back_inserter(expected), passes);
    example.kernel("stream_compaction").sizes(count, group).zeros<int32_t>(count).zeros<int32_t>(1).array(in);
    if (!example.run() ||
        !same("length", example.result<int32_t>(1), {static_cast<int32_t>(expected.size())}))
        return false;
    auto out = example.result<int32_t>(0);
    out.resize(expected.size());
    std::vector<int32_t> ordered; // groups come in any order, each group's numbers in theirs
    for (size_t number = 0; number < count / group; ++number)
        std::ranges::copy_if(out, std::back_inserter(ordered), [&](int32_t value) {
            return static_cast<size_t>(value - 1000) / group == number;
        });
    return same("out", ordered, expected);
}

} // namespace

std::span<const Check> group_checks() {
    static constexpr std::array checks{Check{"reduction", reduction},
                                       Check{"work_group_functions", work_group_functions},
                                       Check{"sub_group_functions", sub_group_functions},
                                       Check{"sub_group_shuffle", sub_group_shuffle},
                                       Check{"sub_group_block_io", sub_group_block_io},
                                       Check{"sub_group_ballot", sub_group_ballot},
                                       Check{"sub_group_clustered", sub_group_clustered},
                                       Check{"barrier_loop", barrier_loop},
                                       Check{"prefix_sum", prefix_sum},
                                       Check{"stream_compaction", stream_compaction}};
    return checks;
}

} // namespace visor::test
