// Control flow that lanes do not share: the same algorithms, one work-item at a time.
#include "examples/host.h"

#include <algorithm>

namespace visor::test {

namespace {

int32_t divergent_of(int i, int count) {
    if (i % 7 == 3)
        return -i;
    int sum = 0;
    for (int a = 0; a < count; ++a) {
        if (a * a > i * 3)
            break;
        if ((a + i) % 3 == 0)
            continue;
        for (int b = a; b < count; ++b) {
            if (b % 5 == i % 5)
                break;
            if ((b & 1) == (i & 1))
                continue;
            sum += b * 3 + a;
        }
        sum ^= a << (i & 7);
    }
    return sum;
}

bool divergent(Example& example) {
    constexpr int count = 100;
    const auto expected =
        each<int32_t>(count, [&](size_t i) { return divergent_of(static_cast<int>(i), count); });
    example.kernel("divergent").sizes(count, 50).zeros<int32_t>(count).value(count);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

// One step of switch_cases.cl; arithmetic wraps.
struct Machine {
    std::array<uint32_t, 8> stack{0, 1, 2, 3, 4, 5, 6, 7};
    size_t top = 3;

    // How many codes to skip after this one.
    size_t step(uint8_t code) {
        const uint32_t a = stack[top], b = stack[(top + 7) % 8];
        const auto as_signed = [](uint32_t bits) { return static_cast<int32_t>(bits); };
        const std::array<uint32_t, 11> results{a + b,
                                               a - b,
                                               a * b,
                                               a & b,
                                               a | b,
                                               a ^ b,
                                               a << (b & 7U),
                                               static_cast<uint32_t>(as_signed(a) >> (b & 7U)),
                                               -~a,
                                               -a,
                                               as_signed(a) > as_signed(b) ? a : b};
        const unsigned operation = code % 16U;
        if (operation < results.size()) {
            stack[top] = results[operation];
        } else if (operation == 11) {
            top = (top + 1) % 8;
            stack[top] = code;
        } else if (operation == 12) {
            top = (top + 7) % 8;
        } else if (operation == 13) {
            stack[top] = uint32_t{a == b};
        } else if (operation == 15) {
            stack[top] = a + 100000;
        }
        return operation == 14 && as_signed(a) < 0 ? 2 : 0;
    }
};

bool switch_cases(Example& example) {
    constexpr size_t count = 64, length = 24;
    Numbers numbers(81);
    const auto programs = numbers.integers<uint8_t>(count * length);
    const auto expected = each<int32_t>(count, [&](size_t i) {
        Machine machine;
        machine.stack[0] = static_cast<uint32_t>(i);
        for (size_t at = 0; at < length; ++at)
            at += machine.step(programs[i * length + at]);
        uint32_t sum = 0;
        for (const uint32_t value : machine.stack)
            sum = sum * 7 + value;
        return static_cast<int32_t>(sum);
    });
    example.kernel("switch_cases")
        .sizes(count, 32)
        .zeros<int32_t>(count)
        .array(programs)
        .value(int32_t{length});
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

std::array<int32_t, 4> nested_loops_of(int wanted) {
    int tries = 0;
    int last_y = 0;
    int x = 0;
    for (; x * x <= wanted; ++x) {
        int y = x;
        for (; x * x + y * y <= wanted; ++y) {
            if ((x + y) % 5 == 4)
                continue;
            int z = y;
            while (++tries, x * x + y * y + z * z < wanted)
                ++z;
            if (x * x + y * y + z * z == wanted)
                return {(x + 1) * 10000 + y * 100 + z, tries, x + 1, y};
        }
        last_y = y;
    }
    return {-1, tries, x, last_y};
}

bool nested_loops(Example& example) {
    constexpr size_t count = 64;
    const auto expected =
        rows<int32_t>(count, [](size_t i) { return nested_loops_of(static_cast<int>(i) * 7 + 3); });
    example.kernel("nested_loops").sizes(count, 32).zeros<int32_t>(4 * count);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

bool collatz(Example& example) {
    constexpr size_t count = 64;
    std::vector<int32_t> rounds;
    std::vector<uint32_t> highest;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t n = i + 1, high = n;
        int32_t steps = 0;
        do {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            high = std::max(high, n);
            ++steps;
        } while (n != 1);
        rounds.push_back(steps);
        highest.push_back(high);
    }
    example.kernel("collatz").sizes(count, 32).zeros<int32_t>(count).zeros<uint32_t>(count);
    return example.run() && same("rounds", example.result<int32_t>(0), rounds) &&
           same("highest", example.result<uint32_t>(1), highest);
}

// goto.cl with loops and returns in its place.
int32_t goto_of(int i) {
    if (i % 4 == 1)
        return (i + 1000) * 10;
    int value = i, rounds = 0;
    while (true) {
        value = value * 3 + 1;
        if (value % 8 >= 5 || rounds == 6)
            break;
        ++rounds;
    }
    for (int k = 0; k < 25; ++k) {
        value += k / 5 * (k % 5);
        if (value % 11 == i % 11)
            return value * 10 + rounds;
    }
    return (1000 - value) * 10 + rounds;
}

bool goto_(Example& example) {
    constexpr size_t count = 64;
    const auto expected = each<int32_t>(count, [](size_t i) { return goto_of(static_cast<int>(i)); });
    example.kernel("go").sizes(count, 32).zeros<int32_t>(count);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

// Sum and greatest of a number's digits.
std::array<int, 2> digits_of(int number, int base) {
    std::array<int, 2> result{};
    for (; number != 0; number /= base) {
        result[0] += number % base;
        result[1] = std::max(result[1], number % base);
    }
    return result;
}

bool noinline_calls(Example& example) {
    constexpr size_t count = 64;
    const auto expected = each<int32_t>(count, [](size_t at) {
        const auto i = static_cast<int>(at);
        if (i % 3 == 0) {
            const auto digits = digits_of(i * 7919 + 5, 10);
            return digits[0] * 100 + digits[1];
        }
        if (i % 3 == 1) {
            const auto some = digits_of(i * 104729, 3 + i % 5), binary = digits_of(i, 2);
            return (some[0] + binary[0]) * 100 + std::max(some[1], binary[1]);
        }
        int value = 0;
        for (int k = 0; k <= i % 5; ++k)
            value = value * (i % 7) + k + 1;
        return value * 100;
    });
    example.kernel("noinline_calls").sizes(count, 32).zeros<int32_t>(count);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

constexpr int queens = 6;

// In how many ways rows from `row` on can be filled.
int ways(std::vector<int>& columns) {
    const auto row = static_cast<int>(columns.size());
    if (row == queens)
        return 1;
    int count = 0;
    for (int column = 0; column < queens; ++column) {
        bool safe = true;
        for (int r = 0; r < row; ++r) {
            const int distance = std::abs(columns[static_cast<size_t>(r)] - column);
            safe = safe && distance != 0 && distance != row - r;
        }
        if (safe) {
            columns.push_back(column);
            count += ways(columns);
            columns.pop_back();
        }
    }
    return count;
}

bool n_queens(Example& example) {
    constexpr size_t count = size_t{queens} * queens;
    const auto expected = each<int32_t>(count, [](size_t i) {
        const auto first = static_cast<int>(i) % queens, second = static_cast<int>(i) / queens;
        std::vector<int> columns{first, second};
        return std::abs(first - second) < 2 ? 0 : ways(columns);
    });
    example.kernel("n_queens").sizes(count, count).zeros<int32_t>(count);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

} // namespace

std::span<const Check> flow_checks() {
    static constexpr std::array checks{Check{"divergent", divergent},
                                       Check{"switch_cases", switch_cases},
                                       Check{"nested_loops", nested_loops},
                                       Check{"collatz", collatz},
                                       Check{"goto", goto_},
                                       Check{"noinline_calls", noinline_calls},
                                       Check{"n_queens", n_queens}};
    return checks;
}

} // namespace visor::test
