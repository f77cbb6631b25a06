// Numbers that are the same on every machine for the same seed. The standard's distributions are not.
#pragma once

#include <cstddef>
#include <cstdint>

namespace visor::generator {

class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}

    // splitmix64: every seed is as good as any other, also 0, 1, 2 ...
    [[nodiscard]] uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15;
        uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
        return z ^ (z >> 31U);
    }
    // 0 to count - 1; 0 when there is nothing to choose from.
    [[nodiscard]] uint64_t below(uint64_t count) { return count == 0 ? 0 : bits() % count; }
    [[nodiscard]] int64_t between(int64_t lowest, int64_t highest) {
        const auto span = static_cast<uint64_t>(highest) - static_cast<uint64_t>(lowest);
        const uint64_t offset = span == UINT64_MAX ? bits() : below(span + 1);
        return static_cast<int64_t>(static_cast<uint64_t>(lowest) + offset);
    }
    [[nodiscard]] bool one_in(uint64_t count) { return below(count) == 0; }
    template <class List>
    [[nodiscard]] const auto& pick(const List& list) {
        return list[static_cast<size_t>(below(list.size()))];
    }
    // 0 to `largest`, the ends and powers of two more often than by chance.
    [[nodiscard]] uint64_t number(uint64_t largest) {
        switch (below(6)) {
        case 0:
            return 0;
        case 1:
            return largest;
        case 2:
            return (uint64_t{1} << below(64)) & largest;
        case 3:
            return below(16) & largest;
        default:
            return largest == UINT64_MAX ? bits() : below(largest + 1);
        }
    }

private:
    uint64_t state_;
};

} // namespace visor::generator
