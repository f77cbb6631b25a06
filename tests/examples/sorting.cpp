// Sorting: whatever the way, the order at the end is std::sort's.
#include "examples/host.h"

#include <algorithm>
#include <iterator>

namespace visor::test {

namespace {

// Sorted in parts of `length`.
template <class T>
std::vector<T> sorted_parts(std::vector<T> values, size_t length) {
    for (size_t start = 0; start < values.size(); start += length)
        std::ranges::sort(std::span(values).subspan(start, length));
    return values;
}

bool bitonic_sort(Example& example) {
    constexpr size_t keys = 256, groups = 2;
    Numbers numbers(91);
    const auto data = numbers.integers<uint32_t>(keys * groups);
    example.kernel("bitonic_sort").sizes(keys / 2 * groups, keys / 2).array(data);
    return example.run() && same("data", example.result<uint32_t>(0), sorted_parts(data, keys));
}

// As many rounds as it takes; the second group's keys are in order already.
bool odd_even_sort(Example& example) {
    constexpr size_t keys = 64;
    Numbers numbers(92);
    auto data = numbers.integers<int16_t>(2 * keys);
    std::ranges::sort(std::span(data).subspan(keys));
    auto first = slice(data, 0, keys);
    int32_t rounds = 0;
    for (bool changed = true; changed; ++rounds) {
        changed = false;
        for (size_t at = 0; at + 1 < keys; at += 2) {
            changed |= first[at] > first[at + 1];
            if (first[at] > first[at + 1])
                std::swap(first[at], first[at + 1]);
        }
        for (size_t at = 1; at + 1 < keys; at += 2) {
            changed |= first[at] > first[at + 1];
            if (first[at] > first[at + 1])
                std::swap(first[at], first[at + 1]);
        }
    }
    example.kernel("odd_even_sort").sizes(keys, keys / 2).array(data).zeros<int32_t>(2);
    return example.run() && same("data", example.result<int16_t>(0), sorted_parts(data, keys)) &&
           same("rounds", example.result<int32_t>(1), {rounds, 1});
}

// Two passes order by the low eight bits; what is equal there stays as it was.
bool radix_sort(Example& example) {
    constexpr size_t count = 256, group = 64, counts = 16 * count / group;
    Numbers numbers(93);
    auto keys = numbers.integers<uint32_t>(count);
    std::vector<uint32_t> expected;
    for (uint32_t digits = 0; digits < 256; ++digits)
        std::ranges::copy_if(keys, std::back_inserter(expected),
                             [digits](uint32_t key) { return (key & 0xffU) == digits; });
    for (const int32_t shift : {0, 4}) {
        example.kernel("count_digits").sizes(count, group).zeros<uint32_t>(counts).array(keys).value(shift);
        if (!example.run())
            return false;
        const auto digits = example.result<uint32_t>(0);
        if (!example.kernel("add_up").sizes(counts, counts).array(digits).local_memory(4 * counts).run())
            return false;
        const auto places = example.result<uint32_t>(0);
        example.kernel("place")
            .sizes(count, group)
            .zeros<uint32_t>(count)
            .array(places)
            .array(keys)
            .value(shift);
        if (!example.run())
            return false;
        keys = example.result<uint32_t>(0);
    }
    return same("keys", keys, expected);
}

} // namespace

std::span<const Check> sorting_checks() {
    static constexpr std::array checks{Check{"bitonic_sort", bitonic_sort},
                                       Check{"odd_even_sort", odd_even_sort},
                                       Check{"radix_sort", radix_sort}};
    return checks;
}

} // namespace visor::test
