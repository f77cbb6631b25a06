#include "diagnostic/diagnostic.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace visor {

namespace {

char folded(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours cost one each.
size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> before_previous(b.size() + 1);
    std::vector<size_t> previous(b.size() + 1);
    std::vector<size_t> current(b.size() + 1);
    std::iota(previous.begin(), previous.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const bool same = folded(a[i - 1]) == folded(b[j - 1]);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) &&
                                 folded(a[i - 2]) == folded(b[j - 1]);
            if (swapped)
                current[j] = std::min(current[j], before_previous[j - 2] + 1);
        }
        before_previous = previous;
        previous = current;
    }
    return previous[b.size()];
}

} // namespace

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string_view>& candidates,
                                 size_t count) {
    constexpr size_t longest_word = 64; // longer ones are not typing mistakes
    if (word.empty() || word.size() > longest_word)
        return {};
    std::vector<std::pair<size_t, std::string_view>> ranked;
    const size_t limit = (word.size() + 2) / 3;
    for (const std::string_view candidate : candidates) {
        if (candidate.size() > word.size() + limit)
            continue;
        if (const size_t distance = edit_distance(word, candidate); distance <= limit)
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
