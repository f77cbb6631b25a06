// Atomics: whatever the order in which the work-items come, the end is known, and what each of them got back
// fits together.
#include "examples/host.h"

#include <algorithm>
#include <numeric>

namespace visor::test {

namespace {

// What 32-bit atomics must leave after `data`, starting from these first values.
struct Expected {
    std::array<int32_t, 9> ints{};
    std::array<uint32_t, 6> uints{};
};

Expected expected_of(const std::vector<int32_t>& data, const Expected& first) {
    Expected end = first;
    uint32_t sum = 0;
    for (const int32_t value : data) {
        const auto bits = static_cast<uint32_t>(value);
        sum += bits;
        end.ints[4] = std::min(end.ints[4], value);
        end.ints[5] = std::max(end.ints[5], value);
        end.ints[8] += value & 15;
        end.uints[0] &= ~(1U << (bits & 7U));
        end.uints[1] |= 1U << (bits & 31U);
        end.uints[2] ^= bits;
        end.uints[3] = std::min(end.uints[3], bits);
        end.uints[4] = std::max(end.uints[4], bits);
        end.uints[5] += bits >> 8U;
    }
    const auto count = static_cast<int32_t>(data.size());
    end.ints[0] = static_cast<int32_t>(sum);
    end.ints[1] = static_cast<int32_t>(-sum);
    end.ints[2] = count;
    end.ints[3] = -count;
    return end;
}

// Exchanged values all came out again, but for the last one: put their sum in its place and nothing in the
// other.
template <class T>
void add_up_exchanged(std::vector<T>& values) {
    using Unsigned = std::make_unsigned_t<T>;
    values[7] = static_cast<T>(static_cast<Unsigned>(values[6]) + static_cast<Unsigned>(values[7]));
    values[6] = 0;
}

// Tickets are each given out once.
bool all_given_out(const char* what, std::vector<int32_t> tickets) {
    std::vector<int32_t> expected(tickets.size());
    std::iota(expected.begin(), expected.end(), 0);
    std::ranges::sort(tickets);
    return same(what, tickets, expected);
}

bool atomics_global(Example& example) {
    constexpr size_t count = 256;
    Numbers numbers(51);
    const auto data = numbers.integers<int32_t>(count);
    Expected first;
    first.ints[4] = std::numeric_limits<int32_t>::max();
    first.uints[0] = first.uints[3] = 0xffffffffU;
    Expected end = expected_of(data, first);
    end.ints[7] = end.ints[0];
    example.kernel("atomics_global").sizes(count, 64);
    example.array(std::vector(first.ints.begin(), first.ints.end()));
    example.array(std::vector(first.uints.begin(), first.uints.end()));
    example.zeros<int32_t>(count).zeros<float>(1).array(data);
    if (!example.run())
        return false;
    auto ints = example.result<int32_t>(0);
    add_up_exchanged(ints);
    const float last = example.result<float>(3)[0];
    const bool known =
        std::ranges::any_of(data, [&](int32_t value) { return static_cast<float>(value) == last; });
    if (!known)
        std::cout << "nobody wrote " << last << '\n';
    return known && same("ints", ints, std::vector(end.ints.begin(), end.ints.end())) &&
           same("uints", example.result<uint32_t>(1), std::vector(end.uints.begin(), end.uints.end())) &&
           all_given_out("tickets", example.result<int32_t>(2));
}

bool atomics_local(Example& example) {
    constexpr size_t count = 256, group = 64;
    Numbers numbers(52);
    const auto data = numbers.integers<int32_t>(count);
    example.kernel("atomics_local").sizes(count, group);
    example.zeros<int32_t>(9 * count / group)
        .zeros<uint32_t>(5 * count / group)
        .zeros<int32_t>(count)
        .array(data);
    if (!example.run())
        return false;
    Expected first;
    first.uints[0] = first.uints[3] = 0xffffffffU;
    for (size_t g = 0; g < count / group; ++g) {
        Expected end = expected_of(slice(data, g, group), first);
        end.ints[7] = end.ints[0];
        auto ints = slice(example.result<int32_t>(0), g, 9);
        add_up_exchanged(ints);
        if (!same("ints", ints, std::vector(end.ints.begin(), end.ints.end())) ||
            !same("uints", slice(example.result<uint32_t>(1), g, 5),
                  std::vector(end.uints.begin(), end.uints.begin() + 5)) ||
            !all_given_out("tickets", slice(example.result<int32_t>(2), g, group)))
            return false;
    }
    return true;
}

bool atomics_64(Example& example) {
    constexpr size_t count = 128;
    Numbers numbers(53);
    const auto data = numbers.integers<int64_t>(count);
    std::vector<int64_t> first(12);
    first[9] = -1;
    auto end = first;
    uint64_t sum = 0, shifted = 0, all = ~uint64_t{0}, some = 0, odd = 0;
    for (const int64_t value : data) {
        const auto bits = static_cast<uint64_t>(value);
        sum += bits;
        shifted += static_cast<uint64_t>(value >> 8);
        all &= ~(uint64_t{1} << (bits & 63U));
        some |= uint64_t{1} << (bits & 63U);
        odd ^= bits;
    }
    end[0] = end[7] = static_cast<int64_t>(sum);
    end[1] = static_cast<int64_t>(-sum);
    end[2] = count;
    end[3] = -static_cast<int64_t>(count);
    end[4] = std::ranges::min(data);
    end[5] = std::ranges::max(data);
    end[8] = static_cast<int64_t>(shifted);
    end[9] = static_cast<int64_t>(all);
    end[10] = static_cast<int64_t>(some);
    end[11] = static_cast<int64_t>(odd);
    example.kernel("atomics_64").sizes(count, 64).array(first).zeros<int64_t>(count).array(data);
    if (!example.run())
        return false;
    auto longs = example.result<int64_t>(0);
    add_up_exchanged(longs);
    const auto tickets = example.result<int64_t>(1);
    return same("out", longs, end) && all_given_out("tickets", each<int32_t>(count, [&](size_t i) {
                                                        return static_cast<int32_t>(tickets[i]);
                                                    }));
}

// Small whole numbers: their sums are exact in any order.
bool atomic_float_add(Example& example) {
    constexpr size_t count = 512;
    Numbers numbers(54);
    const auto data =
        each<float>(count, [&](size_t) { return static_cast<float>(numbers.below(2000) - 1000); });
    std::vector<float> sums(4);
    for (size_t i = 0; i < count; ++i)
        sums[i % 4] += data[i];
    example.kernel("atomic_float_add").sizes(count, 64).zeros<float>(4).array(data);
    return example.run() && same("sums", example.result<float>(0), sums);
}

bool atomics_c11(Example& example) {
    constexpr size_t count = 256, group = 64;
    Numbers numbers(55);
    const auto data = each<int32_t>(count, [&](size_t) { return numbers.below(1 << 20); });
    std::vector<int32_t> out(6);
    std::vector<int32_t> group_sums(count / group);
    for (size_t i = 0; i < count; ++i) {
        out[0] += data[i];
        out[1] = std::max(out[1], data[i]);
        out[2] ^= data[i];
        out[3] += data[i] & 7;
        group_sums[i / group] += data[i];
    }
    out[4] = out[5] = 1;
    example.kernel("atomics_c11").options("-cl-std=CL2.0").sizes(count, group);
    example.zeros<int32_t>(6).zeros<int32_t>(count / group).array(data);
    return example.run() && same("out", example.result<int32_t>(0), out) &&
           same("group sums", example.result<int32_t>(1), group_sums);
}

bool linked_lists(Example& example) {
    constexpr size_t count = 256, buckets = 16;
    Numbers numbers(56);
    const auto keys = numbers.integers<uint32_t>(count);
    example.kernel("linked_lists").sizes(count, 64);
    example.array(std::vector<int32_t>(buckets, -1)).zeros<int32_t>(count).array(keys);
    if (!example.run())
        return false;
    const auto heads = example.result<int32_t>(0);
    const auto next = example.result<int32_t>(1);
    std::vector<int32_t> met;
    for (size_t bucket = 0; bucket < buckets; ++bucket) {
        for (int32_t at = heads[bucket]; at != -1 && met.size() < count;
             at = next.at(static_cast<size_t>(at))) {
            met.push_back(at);
            if (keys.at(static_cast<size_t>(at)) % buckets != bucket) {
                std::cout << at << " is in list " << bucket << '\n';
                return false;
            }
        }
    }
    return met.size() == count && all_given_out("members", met);
}

bool histogram(Example& example) {
    constexpr size_t count = 5000;
    Numbers numbers(3);
    std::vector<uint8_t> data(count);
    std::vector<uint32_t> expected(256);
    for (uint8_t& value : data) {
        value = static_cast<uint8_t>(numbers.next() % 4 == 0 ? 7 : numbers.next());
        ++expected[value];
    }
    example.kernel("histogram").sizes(1024, 128).zeros<uint32_t>(256).array(data).value(int32_t{count});
    return example.run() && same("bins", example.result<uint32_t>(0), expected);
}

} // namespace

std::span<const Check> atomic_checks() {
    static constexpr std::array checks{Check{"atomics_global", atomics_global},
                                       Check{"atomics_local", atomics_local},
                                       Check{"atomics_64", atomics_64},
                                       Check{"atomic_float_add", atomic_float_add},
                                       Check{"atomics_c11", atomics_c11},
                                       Check{"linked_lists", linked_lists},
                                       Check{"histogram", histogram}};
    return checks;
}

} // namespace visor::test
