#include "diagnostic/diagnostic.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace visor {

namespace {

constexpr char folded(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr size_t longest_word = 64; // longer ones are not typing mistakes
constexpr size_t longest_candidate = longest_word + (longest_word + 2) / 3;

// How often each of 32 kinds of letters stands in a word; equal letters are of equal kind.
using Letters = std::array<uint8_t, 32>;
Letters letters_of(std::string_view word) {
    Letters out{};
    for (const char c : word)
        ++out[static_cast<unsigned char>(c) % out.size()];
    return out;
}

// No fewer edits than this lead from one to the other: each adds, takes or changes one letter.
size_t least_distance(const Letters& a, const Letters& b) {
    unsigned more = 0;
    unsigned less = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        const unsigned both = std::min(a[i], b[i]);
        more += a[i] - both;
        less += b[i] - both;
    }
    return std::max(more, less);
}

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours cost one each. Of
// folded words; what is more than `limit` is told as `limit + 1`.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
    using Row = std::array<size_t, longest_candidate + 1>;
    std::array<Row, 3> rows;
    std::iota(rows[0].begin(), rows[0].begin() + static_cast<ptrdiff_t>(b.size()) + 1, size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        Row& current = rows[i % 3];
        const Row& previous = rows[(i + 2) % 3];
        const Row& before_previous = rows[(i + 1) % 3];
        current[0] = i;
        size_t least = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t changed = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, changed});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                current[j] = std::min(current[j], before_previous[j - 2] + 1);
            least = std::min(least, current[j]);
        }
        if (least > limit + 1) // a swap may still skip this row
            return limit + 1;
    }
    return std::min(rows[a.size() % 3][b.size()], limit + 1);
}

std::string folded_word(std::string_view word) {
    std::string out(word);
    std::ranges::transform(out, out.begin(), folded);
    return out;
}

} // namespace

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string_view>& candidates,
                                 size_t count) {
    if (word.empty() || word.size() > longest_word)
        return {};
    std::vector<std::pair<size_t, std::string_view>> ranked;
    const size_t limit = (word.size() + 2) / 3;
    const std::string own = folded_word(word);
    const Letters letters = letters_of(own);
    std::string other;
    for (const std::string_view candidate : candidates) {
        if (candidate.size() > word.size() + limit || candidate.size() + limit < word.size())
            continue;
        other.resize(candidate.size());
        std::ranges::transform(candidate, other.begin(), folded);
        if (least_distance(letters, letters_of(other)) > limit)
            continue;
        if (const size_t distance = edit_distance(own, other, limit); distance <= limit)
            ranked.emplace_back(distance, candidate);
    }
    std::ranges::sort(ranked);
    const auto [first, last] = std::ranges::unique(ranked);
    ranked.erase(first, last);
    std::vector<std::string> out;
    for (size_t i = 0; i < std::min(count, ranked.size()); ++i)
        out.emplace_back(ranked[i].second);
    return out;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
    const std::vector<std::string> found = nearest(word, candidates);
    if (found.empty())
        return "";
    std::string out = " (did you mean ";
    for (size_t i = 0; i < found.size(); ++i)
        out += (i == 0 ? "`" : ", `") + found[i] + "`";
    return out + "?)";
}

} // namespace visor
