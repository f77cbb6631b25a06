// Calls of functions: recursion, tables of functions, and what functions know of the launch.
#include "examples/host.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace visor::test {

namespace {

constexpr const char* function_pointers = "-cl-ext=+__cl_clang_function_pointers";

// Without recursion, by the table of its values.
int ackermann(int m, int n) {
    switch (m) {
    case 0:
        return n + 1;
    case 1:
        return n + 2;
    default:
        return 2 * n + 3;
    }
}

// A random expression of sums and products; its value goes to `value`.
class Expressions {
public:
    explicit Expressions(Numbers& numbers) : numbers_(numbers) {}

    std::string sum(size_t room, int& value) {
        std::string text = product(room, value);
        while (text.size() + 2 <= room && numbers_.below(3) == 0) {
            int right = 0;
            text += "+" + product(room - text.size() - 1, right);
            value += right;
        }
        return text;
    }

private:
    std::string product(size_t room, int& value) {
        std::string text = factor(room, value);
        while (text.size() + 2 <= room && numbers_.below(3) == 0) {
            int right = 0;
            text += "*" + factor(room - text.size() - 1, right);
            value *= right;
        }
        return text;
    }
    std::string factor(size_t room, int& value) {
        const int kind = numbers_.below(4);
        if (kind == 0 && room >= 3) {
            const std::string inner = sum(room - 2, value);
            return "(" + inner + ")";
        }
        if (kind == 1 && room >= 2) {
            const std::string positive = factor(room - 1, value);
            value = -value;
            return "-" + positive;
        }
        value = numbers_.below(10);
        return std::string(1, static_cast<char>('0' + value));
    }

    Numbers& numbers_;
};

bool recursion(Example& example) {
    constexpr size_t count = 48, keys_of_each = 12, text_of_each = 16;
    Numbers numbers(4);
    std::vector<int32_t> keys(count * keys_of_each);
    for (int32_t& key : keys)
        key = numbers.below(100);
    std::vector<uint8_t> texts(count * text_of_each);
    std::vector<int32_t> sorted = keys;
    std::vector<int32_t> expected;
    Expressions expressions(numbers);
    for (size_t i = 0; i < count; ++i) {
        const auto begin = sorted.begin() + static_cast<std::ptrdiff_t>(i * keys_of_each);
        std::sort(begin, begin + static_cast<std::ptrdiff_t>(i % keys_of_each) + 1);
        int value = 0;
        const std::string text = expressions.sum(text_of_each - 1, value);
        std::copy(text.begin(), text.end(), texts.begin() + static_cast<std::ptrdiff_t>(i * text_of_each));
        const auto at = static_cast<int>(i);
        expected.insert(expected.end(), {ackermann(at % 3, at % 5), static_cast<int16_t>(value),
                                         static_cast<int32_t>(text.size()), at});
    }
    example.kernel("recursion").sizes(count, 16).array(keys).array(texts).zeros<int32_t>(count * 4);
    return example.run() && same("keys", example.result<int32_t>(0), sorted) &&
           same("out", example.result<int32_t>(2), expected);
}

int32_t operation(int which, int a, int b) {
    switch (which) {
    case 0:
        return a + b;
    case 1:
        return a - b;
    case 2:
        return a * b;
    default:
        return std::gcd(a, b);
    }
}

bool function_table(Example& example) {
    constexpr size_t count = 96;
    Numbers numbers(5);
    std::vector<int32_t> chosen(count);
    for (int32_t& choice : chosen)
        choice = numbers.below(16);
    const auto expected = rows<int32_t>(count, [&](size_t at) {
        const auto i = static_cast<int>(at);
        const auto fold = [](int which, int steps) {
            int result = 1;
            for (int k = 1; k <= steps; ++k)
                result = operation(which, result, k * 3);
            return result;
        };
        const int mine = (i / 2 & 1) == 0 ? 2 : 1;
        return std::array{operation(chosen[at] & 3, i * 6, i + 4),
                          fold(mine, i % 6) + fold(chosen[at] >> 2 & 3, 3)};
    });
    example.kernel("function_table").options(function_pointers).sizes(count, 32);
    example.array(chosen).zeros<int32_t>(count * 2);
    return example.run() && same("out", example.result<int32_t>(1), expected);
}

bool function_ids(Example& example) {
    constexpr int gx = 20, gy = 6, lx = 8, ly = 4, ox = 3, oy = 2;
    std::vector<int32_t> expected;
    for (int y = 0; y < gy; ++y) {
        for (int x = 0; x < gx; ++x) {
            // Functions know the nominal local size alone (ruling 89).
            expected.insert(expected.end(),
                            {x + ox, y + oy, x % lx, y % ly, x / lx, y / ly, gx, gy, lx, ly,
                             (gx + lx - 1) / lx * 10 + (gy + ly - 1) / ly, 2000 + ox * 10 + oy});
        }
    }
    example.kernel("function_ids").options(std::string("-cl-std=CL2.0 ") + function_pointers);
    example.sizes({gx, gy, 1}, {lx, ly, 1}, 2).offset({ox, oy, 0}).zeros<int32_t>(expected.size());
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

} // namespace

std::span<const Check> function_checks() {
    static constexpr std::array checks{Check{"recursion", recursion}, Check{"function_table", function_table},
                                       Check{"function_ids", function_ids}};
    return checks;
}

} // namespace visor::test
