#include "compare/matcher.h"

#include "compare/explain.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace visor::compare {

namespace {

// The second function's side of a block: what is left of it, and what of that may come next.
class Rest {
public:
    Rest(const Ordered& ordered, const Colors& colors, uint32_t begin, uint32_t end)
        : begin_(begin), end_(end), lowest_(begin), waits_(end - begin), taken_(end - begin),
          after_(end - begin) {
        for (uint32_t at = begin; at < end; ++at) {
            buckets_[colors[at]].list.push_back(at);
            for (const uint32_t before : ordered.order.before(at)) {
                ++waits_[at - begin];
                after_[before - begin].push_back(at);
            }
        }
    }

    [[nodiscard]] bool is_taken(uint32_t at) const { return taken_[at - begin_]; }
    [[nodiscard]] bool is_ready(uint32_t at) const { return !is_taken(at) && waits_[at - begin_] == 0; }

    void take(uint32_t at) {
        taken_[at - begin_] = true;
        for (const uint32_t next : after_[at - begin_])
            --waits_[next - begin_];
        while (lowest_ < end_ && is_taken(lowest_))
            ++lowest_;
    }

    // The first one that is left, which is always ready; the end when there is none.
    [[nodiscard]] uint32_t lowest() const { return lowest_; }
    [[nodiscard]] uint32_t end() const { return end_; }

    // Those of a color, perhaps with some that are taken.
    std::span<const uint32_t> of_color(uint64_t color) {
        const auto found = buckets_.find(color);
        if (found == buckets_.end())
            return {};
        Bucket& bucket = found->second;
        while (bucket.head < bucket.list.size() && is_taken(bucket.list[bucket.head]))
            ++bucket.head;
        return std::span(bucket.list).subspan(bucket.head);
    }

private:
    struct Bucket {
        std::vector<uint32_t> list;
        size_t head = 0;
    };

    uint32_t begin_;
    uint32_t end_;
    uint32_t lowest_;
    std::vector<uint32_t> waits_; // for so many others
    std::vector<bool> taken_;
    std::vector<std::vector<uint32_t>> after_;
    std::unordered_map<uint64_t, Bucket> buckets_;
};

class Matcher {
public:
    Matcher(const Ordered& first, const Ordered& second, const BothColors& colors, Naming naming, size_t most,
            Steps steps)
        : first_(first), second_(second), colors_(colors), naming_(std::move(naming)), most_(most),
          steps_(steps) {}

    Matched run() {
        const auto& a = first_.code.blocks;
        const auto& b = second_.code.blocks;
        for (size_t i = 0; i < std::min(a.size(), b.size()) && !is_full(); ++i) {
            match_block(a[i], b[i]);
            // Past a difference nobody knows which blocks belong together.
            if (a.size() != b.size() && !out_.differences.empty())
                break;
        }
        out_.spent = steps_.spent();
        return std::move(out_);
    }

private:
    [[nodiscard]] bool is_full() {
        out_.complete = out_.complete && out_.differences.size() < most_;
        return !out_.complete;
    }

    void match_block(const Block& a, const Block& b) {
        const bool both = a.closed && b.closed;
        const uint32_t a_end = both ? a.end - 1 : a.end;
        const uint32_t b_end = both ? b.end - 1 : b.end;
        Rest rest(second_, colors_.second, b.begin, b_end);
        surplus_.clear();
        for (uint32_t at = a.begin; at < a_end; ++at)
            --surplus_[first_.code.code[at].hash];
        for (uint32_t at = b.begin; at < b_end; ++at)
            ++surplus_[second_.code.code[at].hash];
        for (uint32_t at = a.begin; at < a_end && !is_full(); ++at)
            place(at, rest);
        for (uint32_t at = rest.lowest(); at < b_end && !is_full(); ++at)
            if (!rest.is_taken(at))
                only_in_second(at, rest);
        if (both && !is_full())
            pair(a_end, b_end);
    }

    // Two instructions that can only stand for each other.
    void pair(uint32_t a, uint32_t b) {
        if (!is_same(a, b))
            out_.differences.push_back(explain(first_.code, a, second_.code, b, naming_));
        naming_.bind(first_.code.names_of(a), second_.code.names_of(b));
    }

    [[nodiscard]] bool is_same(uint32_t a, uint32_t b) {
        steps_.take(1 + first_.code.names_of(a).size());
        return std::ranges::equal(first_.code.words_of(a), second_.code.words_of(b)) &&
               naming_.agrees(first_.code.names_of(a), second_.code.names_of(b));
    }

    std::optional<uint32_t> find(uint32_t a, Rest& rest) {
        if (steps_.spent() || second_.order.literal()) {
            const uint32_t next = rest.lowest();
            return next < rest.end() && is_same(a, next) ? std::optional(next) : std::nullopt;
        }
        for (const uint32_t b : rest.of_color(colors_.first[a])) {
            if (rest.is_ready(b) && is_same(a, b))
                return b;
            if (!steps_.take())
                break;
        }
        return std::nullopt;
    }

    // A counterpart for one of the first function's instructions, or the difference.
    void place(uint32_t a, Rest& rest) {
        while (!is_full()) {
            if (const auto b = find(a, rest))
                return settle(a, *b, rest);
            const bool is_extra = surplus_[first_.code.code[a].hash] < 0;
            if (const auto extra = first_extra(rest)) {
                if (is_extra)
                    return settle(a, *extra, rest);
                only_in_second(*extra, rest);
                continue;
            }
            if (const auto twin = is_extra ? std::nullopt : first_twin(a, rest))
                return settle(a, *twin, rest);
            ++surplus_[first_.code.code[a].hash];
            out_.differences.push_back({"only in the first", side_of(first_.code, a), {}});
            return;
        }
    }

    void settle(uint32_t a, uint32_t b, Rest& rest) {
        pair(a, b);
        ++surplus_[first_.code.code[a].hash];
        --surplus_[second_.code.code[b].hash];
        rest.take(b);
    }

    void only_in_second(uint32_t b, Rest& rest) {
        out_.differences.push_back({"only in the second", {}, side_of(second_.code, b)});
        --surplus_[second_.code.code[b].hash];
        rest.take(b);
    }

    // One that the first function has fewer of.
    std::optional<uint32_t> first_extra(const Rest& rest) {
        for (uint32_t b = rest.lowest(); b < rest.end(); ++b)
            if (rest.is_ready(b) && surplus_[second_.code.code[b].hash] > 0)
                return b;
        return std::nullopt;
    }

    // One that is the same but for its names.
    std::optional<uint32_t> first_twin(uint32_t a, const Rest& rest) const {
        for (uint32_t b = rest.lowest(); b < rest.end(); ++b)
            if (rest.is_ready(b) && second_.code.code[b].hash == first_.code.code[a].hash)
                return b;
        return std::nullopt;
    }

    const Ordered& first_;
    const Ordered& second_;
    const BothColors& colors_;
    Naming naming_;
    size_t most_;
    Steps steps_;
    std::unordered_map<uint64_t, int64_t> surplus_; // by hash: how many more are left of the second function
    Matched out_;
};

} // namespace

Matched match(const Ordered& first, const Ordered& second, const BothColors& colors, Naming naming,
              size_t most, Steps steps) {
    return Matcher(first, second, colors, std::move(naming), most, steps).run();
}

} // namespace visor::compare
