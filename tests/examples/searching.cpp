// Searching, counting and choosing: graphs, texts, tables.
#include "examples/host.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace visor::test {

namespace {

template <class T>
std::vector<T> elements(const std::string& text) {
    return {text.begin(), text.end()};
}

bool string_search(Example& example) {
    const std::string word = "abab";
    std::string text;
    Numbers numbers(131);
    while (text.size() < 500)
        text += static_cast<char>('a' + numbers.below(2));
    std::vector<int32_t> expected;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        expected.push_back(static_cast<int32_t>(at));
    example.kernel("string_search").sizes(512, 64).zeros<int32_t>(512).zeros<int32_t>(1);
    example.array(elements<int8_t>(text)).value(static_cast<int32_t>(text.size()));
    example.array(elements<int8_t>(word)).value(static_cast<int32_t>(word.size()));
    if (!example.run() || !same("count", example.result<int32_t>(1), {static_cast<int32_t>(expected.size())}))
        return false;
    auto hits = example.result<int32_t>(0);
    hits.resize(expected.size());
    std::ranges::sort(hits);
    return same("hits", hits, expected);
}

bool bfs(Example& example) {
    constexpr size_t places = 128;
    Numbers numbers(132);
    std::vector<int32_t> starts{0};
    std::vector<int32_t> neighbours;
    for (size_t i = 0; i < places; ++i) {
        for (int32_t k = numbers.below(4); k > 0; --k)
            neighbours.push_back(numbers.below(places));
        starts.push_back(static_cast<int32_t>(neighbours.size()));
    }
    std::vector<int32_t> expected(places, -1);
    std::vector<size_t> queue{0};
    expected[0] = 0;
    for (size_t next = 0; next < queue.size(); ++next) {
        const size_t from = queue[next];
        for (auto k = static_cast<size_t>(starts[from]); k < static_cast<size_t>(starts[from + 1]); ++k) {
            const auto to = static_cast<size_t>(neighbours[k]);
            if (expected[to] < 0) {
                expected[to] = expected[from] + 1;
                queue.push_back(to);
            }
        }
    }
    std::vector<int32_t> distances(places, -1);
    distances[0] = 0;
    for (int32_t step = 0, changed = 1; changed != 0; ++step) {
        example.kernel("bfs")
            .sizes(places, 32)
            .array(distances)
            .zeros<int32_t>(1)
            .array(starts)
            .array(neighbours);
        if (!example.value(step).run())
            return false;
        distances = example.result<int32_t>(0);
        changed = example.result<int32_t>(1)[0];
    }
    return same("distances", distances, expected);
}

bool edit_distance(Example& example) {
    constexpr size_t length = 64, columns = 50;
    Numbers numbers(133);
    const auto letters = [&](size_t) { return static_cast<uint8_t>('a' + numbers.below(4)); };
    const auto down = each<uint8_t>(length, letters);
    const auto across = each<uint8_t>(columns, letters);
    std::vector<int32_t> row(columns + 1);
    std::iota(row.begin(), row.end(), 0);
    for (const uint8_t letter : down) {
        const auto above = row;
        ++row[0];
        for (size_t c = 1; c <= columns; ++c)
            row[c] =
                std::min({above[c - 1] + int32_t{letter != across[c - 1]}, above[c] + 1, row[c - 1] + 1});
    }
    example.kernel("edit_distance").sizes(length, length).zeros<int32_t>(1).array(down).array(across);
    example.value(int32_t{columns});
    return example.run() && same("distance", example.result<int32_t>(0), {row[columns]});
}

bool knapsack(Example& example) {
    constexpr size_t capacities = 128, things = 17;
    Numbers numbers(134);
    const auto weights = each<int32_t>(things, [&](size_t) { return 1 + numbers.below(40); });
    const auto values = each<int32_t>(things, [&](size_t) { return 1 + numbers.below(100); });
    std::vector<int32_t> best(capacities);
    for (size_t thing = 0; thing < things; ++thing) {
        const auto weight = static_cast<size_t>(weights[thing]);
        for (size_t capacity = capacities; capacity-- > weight;)
            best[capacity] = std::max(best[capacity], best[capacity - weight] + values[thing]);
    }
    example.kernel("knapsack").sizes(capacities, capacities).zeros<int32_t>(capacities);
    example.array(weights).array(values).value(int32_t{things});
    return example.run() && same("best", example.result<int32_t>(0), best);
}

bool binary_search(Example& example) {
    constexpr size_t length = 100, count = 128;
    Numbers numbers(135);
    auto table = each<int32_t>(length, [&](size_t) { return numbers.below(300) - 150; });
    std::ranges::sort(table);
    const auto wanted = each<int32_t>(count, [&](size_t) { return numbers.below(320) - 160; });
    const auto expected = each<int32_t>(count, [&](size_t i) {
        return static_cast<int32_t>(std::ranges::lower_bound(table, wanted[i]) - table.begin());
    });
    example.kernel("binary_search")
        .sizes(count, 32)
        .zeros<int32_t>(count)
        .array(table)
        .value(int32_t{length});
    return example.array(wanted).run() && same("places", example.result<int32_t>(0), expected);
}

bool monte_carlo(Example& example) {
    constexpr uint32_t count = 256, points = 100;
    std::vector<uint32_t> states;
    uint32_t inside = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t state = 2463534242U + 747796405U * i;
        for (uint32_t k = 0; k < points; ++k) {
            state ^= state << 13U;
            state ^= state >> 17U;
            state ^= state << 5U;
            const uint64_t x = state % 32768, y = state / 65536 % 32768;
            inside += x * x + y * y < 32768 * 32768 ? 1 : 0;
        }
        states.push_back(state);
    }
    example.kernel("monte_carlo")
        .sizes(count, 64)
        .zeros<uint32_t>(1)
        .zeros<uint32_t>(count)
        .value(int32_t{points});
    return example.run() && same("inside", example.result<uint32_t>(0), {inside}) &&
           same("states", example.result<uint32_t>(1), states);
}

} // namespace

std::span<const Check> search_checks() {
    static constexpr std::array checks{
        Check{"string_search", string_search}, Check{"bfs", bfs},
        Check{"edit_distance", edit_distance}, Check{"knapsack", knapsack},
        Check{"binary_search", binary_search}, Check{"monte_carlo", monte_carlo}};
    return checks;
}

} // namespace visor::test
