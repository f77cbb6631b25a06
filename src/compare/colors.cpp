#include "compare/colors.h"

#include <algorithm>
#include <array>

namespace visor::compare {

namespace {

// Numbers that any order of the parts gives.
class Side {
public:
    explicit Side(const Ordered& ordered) : code_(ordered.code), order_(ordered.order) {
        colors_.reserve(code_.code.size());
        uint32_t block = 0;
        for (uint32_t at = 0; at < code_.code.size(); ++at) {
            while (at >= code_.blocks[block].end)
                ++block;
            colors_.push_back(mixed(code_.code[at].hash, block));
        }
        for (const Name name : code_.names) {
            auto& space = names_[static_cast<size_t>(name.space)];
            if (name.id >= space.size() && !is_fixed(*code_.function, name))
                space.resize(size_t{name.id} + 1);
        }
        around_.resize(code_.code.size());
    }

    void step() {
        for (auto& space : names_)
            std::ranges::fill(space, 0);
        std::ranges::fill(around_, 0);
        for (uint32_t at = 0; at < code_.code.size(); ++at)
            spread(at);
        for (uint32_t at = 0; at < code_.code.size(); ++at) {
            uint64_t color = mixed(colors_[at], around_[at]);
            for (const Name name : code_.names_of(at))
                color = mixed(color, color_of(name));
            colors_[at] = color;
        }
    }

    [[nodiscard]] size_t kinds() const {
        Colors sorted = colors_;
        std::ranges::sort(sorted);
        return static_cast<size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
    }
    [[nodiscard]] const Colors& colors() const { return colors_; }

private:
    static constexpr uint64_t earlier = 1;
    static constexpr uint64_t later = 2;

    // An instruction's color to its names and to its neighbours.
    void spread(uint32_t at) {
        uint64_t position = 0;
        for (const Name name : code_.names_of(at)) {
            ++position;
            auto& space = names_[static_cast<size_t>(name.space)];
            if (!is_fixed(*code_.function, name))
                space[name.id] += mixed(colors_[at], position);
        }
        for (const uint32_t before : order_.before(at)) {
            around_[at] += mixed(colors_[before], earlier);
            around_[before] += mixed(colors_[at], later);
        }
    }

    // Fixed ones count with the instruction's own hash.
    [[nodiscard]] uint64_t color_of(Name name) const {
        if (is_fixed(*code_.function, name))
            return 0;
        return names_[static_cast<size_t>(name.space)][name.id];
    }

    const Canonical& code_;
    const Order& order_;
    Colors colors_;
    std::array<std::vector<uint64_t>, space_count> names_; // by id
    std::vector<uint64_t> around_;                         // by instruction
};

} // namespace

BothColors colors(const Ordered& first, const Ordered& second, size_t most_rounds, Steps& steps) {
    Side a(first);
    Side b(second);
    const uint64_t work =
        first.code.names.size() + second.code.names.size() + first.code.code.size() + second.code.code.size();
    size_t kinds = 0;
    for (size_t round = 0; round < most_rounds && steps.take(work); ++round) {
        a.step();
        b.step();
        const size_t now = a.kinds() + b.kinds();
        if (now == kinds)
            break;
        kinds = now;
    }
    return {a.colors(), b.colors()};
}

} // namespace visor::compare
