// Where data lies: private, local, constant, program and global memory, pointers to any of them, structs.
#include "examples/host.h"

#include <algorithm>
#include <cstddef>

namespace visor::test {

namespace {

bool private_array(Example& example) {
    constexpr size_t count = 64, length = 16;
    Numbers numbers(61);
    const auto in = numbers.integers<int32_t>(count * length);
    auto expected = in;
    for (size_t i = 0; i < count; ++i)
        std::ranges::sort(std::span(expected).subspan(i * length, length));
    example.kernel("private_array").sizes(count, 32).zeros<int32_t>(count * length).array(in);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

bool is_prime(int number) {
    if (number < 2)
        return false;
    for (int divisor = 2; divisor * divisor <= number; ++divisor) {
        if (number % divisor == 0)
            return false;
    }
    return true;
}

bool scratch(Example& example) {
    constexpr size_t count = 32, sums_count = 128;
    Numbers numbers(62);
    const auto limits = each<int32_t>(count, [&](size_t) { return 100 + numbers.below(500); });
    std::vector<int32_t> primes;
    std::vector<int32_t> mixed;
    for (size_t i = 0; i < count; ++i) {
        std::array<uint32_t, sums_count> sums{};
        int32_t found = 0;
        for (int k = 0; k < std::min(limits[i], 512); ++k) {
            if (is_prime(k)) {
                ++found;
                sums[(static_cast<size_t>(k) * 7 + i) % sums_count] += static_cast<uint32_t>(k);
            }
        }
        uint32_t mix = 0;
        for (size_t k = 0; k < sums_count; ++k)
            mix = mix * 31 + sums[(k + i) % sums_count];
        primes.push_back(found);
        mixed.push_back(static_cast<int32_t>(mix));
    }
    example.kernel("scratch").sizes(count, 32).zeros<int32_t>(count).zeros<int32_t>(count).array(limits);
    return example.run() && same("primes", example.result<int32_t>(0), primes) &&
           same("sums", example.result<int32_t>(1), mixed);
}

constexpr size_t order = 8;
constexpr uint64_t prime = 65521;

// Laplace's expansion by the last row left, over the columns that `free` names: another way than the
// kernel's.
uint64_t determinant_of(std::span<const uint64_t> matrix, unsigned free, size_t rows,
                        std::vector<uint64_t>& known) {
    if (rows == 0)
        return 1;
    if (known[free] != prime)
        return known[free];
    uint64_t sum = 0;
    size_t position = 0;
    for (size_t c = 0; c < order; ++c) {
        if ((free >> c & 1U) == 0)
            continue;
        const uint64_t minor = determinant_of(matrix, free & ~(1U << c), rows - 1, known);
        const uint64_t term = matrix[(rows - 1) * order + c] * minor % prime;
        sum += (rows - 1 + position) % 2 == 0 ? term : prime - term;
        ++position;
    }
    known[free] = sum % prime;
    return known[free];
}

bool determinant(Example& example) {
    constexpr size_t count = 32, numbers_each = order * order;
    Numbers numbers(63);
    auto matrices = numbers.integers<uint32_t>(count * numbers_each);
    for (size_t i = 0; i < count; i += 3) // some pivots are zero
        matrices[i * numbers_each] = matrices[i * numbers_each + order] = 0;
    for (size_t c = 0; c < order; ++c) // and one matrix is singular
        matrices[5 * numbers_each + 3 * order + c] = matrices[5 * numbers_each + 6 * order + c];
    const auto expected = each<uint32_t>(count, [&](size_t i) {
        const auto reduced =
            each<uint64_t>(numbers_each, [&](size_t k) { return matrices[i * numbers_each + k] % prime; });
        std::vector<uint64_t> known(size_t{1} << order, prime);
        return static_cast<uint32_t>(determinant_of(reduced, (1U << order) - 1, order, known));
    });
    example.kernel("determinant").sizes(count, 32).zeros<uint32_t>(count).array(matrices);
    return example.run() && same("out", example.result<uint32_t>(0), expected);
}

bool generic_pointers(Example& example) {
    constexpr int count = 64, group = 32;
    Numbers numbers(64);
    const auto data = each<int32_t>(2 * count, [&](size_t) { return numbers.below(100000); });
    std::vector<int32_t> sums;
    std::vector<int32_t> local_ones;
    auto after = data;
    for (int i = 0; i < count; ++i) {
        const int me = i % group, mark = 1000 + i;
        const int global_first = data[static_cast<size_t>(2 * i)],
                  global_second = data[static_cast<size_t>(2 * i + 1)];
        switch (i % 3) {
        case 0:
            sums.push_back(global_first + global_second + 1 + 3 + mark);
            after[static_cast<size_t>(2 * i + 1)] = mark;
            break;
        case 1:
            sums.push_back(2 * me + 3 + 1 + mark + global_second);
            break;
        default:
            sums.push_back(i + 1 + mark + 3 + global_second);
        }
        local_ones.push_back(i % 3 == 1 ? 1 : 0);
    }
    example.kernel("generic_pointers").options("-cl-std=CL2.0").sizes(count, group);
    example.zeros<int32_t>(count).zeros<int32_t>(count).array(data);
    return example.run() && same("sums", example.result<int32_t>(0), sums) &&
           same("local ones", example.result<int32_t>(1), local_ones) &&
           same("data", example.result<int32_t>(2), after);
}

bool program_scope(Example& example) {
    constexpr int count = 64;
    constexpr std::array table{3, 1, 4, 1};
    constexpr std::array bytes{250, 251, 252};
    constexpr std::array primes{2, 3, 5, 7, 11};
    const auto expected = each<int32_t>(count, [&](size_t i) {
        return table[i % 4] * 1000 + table[i % 2 == 0 ? 1 : 2] * 100 + bytes[i % 3] + primes[i % 5] * 10 + 11;
    });
    // The first ticket, the counter at the end, how many of 0 to 63 leave 4 when divided by 5, all
    // work-items.
    const std::vector<int32_t> counts{1000, 1000 + 2 * count, 12, count};
    example.kernel("program_scope").options("-cl-std=CL2.0").sizes(count, 16);
    example.zeros<int32_t>(count).zeros<int32_t>(4);
    return example.run() && same("out", example.result<int32_t>(0), expected) &&
           same("counts", example.result<int32_t>(1), counts);
}

bool constant_tables(Example& example) {
    constexpr size_t count = 64;
    constexpr std::array thirds{1, 2, 3, 5, 6, 7}; // of the quarters that the kernel's table holds
    constexpr std::array weights{100, -200, 300};
    const std::string text = "The quick brown fox";
    Numbers numbers(65);
    const auto given = each<int32_t>(16, [&](size_t) { return numbers.below(1 << 20); });
    const auto expected = each<int32_t>(count, [&](size_t i) {
        const auto k = static_cast<int>(i);
        return k % 8 * (k % 8) + thirds[i % 2 * 3 + i % 3] * 100 + text[i % 19] * 1000 + 'a' + k % 3 +
               weights[i % 3] * (1 + k % 3 * 2 + k % 2) + given[i % 16];
    });
    example.kernel("constant_tables").sizes(count, 32).zeros<int32_t>(count).array(given);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

struct Record {
    int8_t tag;
    std::array<uint8_t, 3> gap;
    int32_t number;
    int64_t wide;
    std::array<int16_t, 3> triple;
    std::array<uint8_t, 2> second_gap;
    float ratio;
    int8_t end;
    std::array<uint8_t, 3> last_gap;
};
static_assert(sizeof(Record) == 32 && offsetof(Record, ratio) == 24);

// Gaps hold anything: they are taken out before the comparison.
std::vector<uint8_t> without_gaps(std::vector<Record> records) {
    for (Record& record : records) {
        record.gap = {};
        record.second_gap = {};
        record.last_gap = {};
    }
    std::vector<uint8_t> bytes(records.size() * sizeof(Record));
    std::memcpy(bytes.data(), records.data(), bytes.size());
    return bytes;
}

bool struct_by_value(Example& example) {
    constexpr size_t count = 32;
    const Record given{-5, {}, 1234567, -0x123456789LL, {100, -200, 300}, {}, 0.75F, 9, {}};
    const Record untouched{1, {}, 2, 3, {4, 5, 6}, {}, 7, 8, {}};
    const auto records = each<Record>(count, [&](size_t at) {
        if (at == 5)
            return untouched;
        const auto i = static_cast<int>(at);
        Record record = given;
        record.tag = static_cast<int8_t>(record.tag + i);
        record.triple[at % 3] = static_cast<int16_t>(record.triple[(at + 1) % 3] * i);
        record.wide = static_cast<int64_t>(static_cast<uint64_t>(record.wide) << i);
        record.ratio *= static_cast<float>(i);
        record.end = 40;
        return record;
    });
    const auto sums = each<int32_t>(count, [&](size_t at) {
        const auto i = static_cast<int32_t>(at);
        return i + given.number * i - i + 32 * 1000 + 7 * 100000;
    });
    example.kernel("struct_by_value").sizes(count, 16);
    example.array(std::vector<Record>(count, untouched)).value(given).zeros<int32_t>(count);
    return example.run() && same("records", without_gaps(example.result<Record>(0)), without_gaps(records)) &&
           same("sums", example.result<int32_t>(2), sums);
}

bool local_arguments(Example& example) {
    constexpr size_t count = 64, group = 32;
    Numbers numbers(66);
    const auto in = each<int32_t>(count, [&](size_t) { return numbers.below(10000); });
    const auto expected = each<int32_t>(count, [&](size_t i) {
        const size_t start = i / group * group, me = i % group;
        const int32_t left = in[start + (me + group - 1) % group], right = in[start + (me + 1) % group];
        return left + (right & 0xff) * 1000 + in[start + group - 1 - me] * 3 + left * 2;
    });
    example.kernel("local_arguments").sizes(count, group).zeros<int32_t>(count);
    example.local_memory(group).local_memory(2 * group).local_memory(8 * group).array(in);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

bool async_copy(Example& example) {
    constexpr size_t groups = 2, length = 64;
    Numbers numbers(67);
    const auto in = numbers.integers<int32_t>(groups * length);
    const auto expected = each<int32_t>(groups * length, [&](size_t at) {
        const auto* const part = &in[at / length * length];
        const size_t k = at % length;
        const auto whole = static_cast<uint32_t>(part[k]);
        return static_cast<int32_t>(k < 32 ? whole + static_cast<uint32_t>(part[2 * (31 - k)])
                                           : whole - static_cast<uint32_t>(part[2 * (k - 32)]));
    });
    example.kernel("async_copy")
        .sizes(groups * length / 2, length / 2)
        .zeros<int32_t>(groups * length)
        .array(in);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

} // namespace

std::span<const Check> memory_checks() {
    static constexpr std::array checks{Check{"private_array", private_array},
                                       Check{"scratch", scratch},
                                       Check{"determinant", determinant},
                                       Check{"generic_pointers", generic_pointers},
                                       Check{"program_scope", program_scope},
                                       Check{"constant_tables", constant_tables},
                                       Check{"struct_by_value", struct_by_value},
                                       Check{"local_arguments", local_arguments},
                                       Check{"async_copy", async_copy}};
    return checks;
}

} // namespace visor::test
