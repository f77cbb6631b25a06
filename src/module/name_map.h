// Numbers for names, from 0 in the order in which they are added: open addressing over one array, because
// with the many names of a large text every node of a chain would be a cache miss. What a name means is its
// owner's business, who keeps it by number.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace visor {

class NameMap {
public:
    static constexpr uint32_t none = UINT32_MAX;

    // The number of a name; none when it was never added.
    [[nodiscard]] uint32_t find(std::string_view name) const {
        return names_.empty() ? none : slots_[place_of(name, hash_of(name))].number;
    }
    // The same, which it gets now if it has none. `name` must outlive the map.
    uint32_t add(std::string_view name) {
        if (2 * (names_.size() + 1) > slots_.size())
            grow();
        const uint32_t hash = hash_of(name);
        Slot& slot = slots_[place_of(name, hash)];
        if (slot.number == none) {
            slot = {hash, static_cast<uint32_t>(names_.size())};
            names_.push_back(name);
        }
        return slot.number;
    }
    void clear() {
        names_.clear();
        slots_.clear();
    }
    [[nodiscard]] std::string_view operator[](uint32_t number) const { return names_[number]; }
    [[nodiscard]] size_t size() const { return names_.size(); }

private:
    struct Slot {
        uint32_t hash = 0;
        uint32_t number = none;
    };

    static uint32_t hash_of(std::string_view name) {
        const size_t hash = std::hash<std::string_view>{}(name);
        return static_cast<uint32_t>(hash ^ hash >> 32U);
    }
    // Where the name is or would be. There is always an empty slot.
    [[nodiscard]] size_t place_of(std::string_view name, uint32_t hash) const {
        const size_t mask = slots_.size() - 1;
        for (size_t at = hash & mask;; at = (at + 1) & mask) {
            const Slot& slot = slots_[at];
            if (slot.number == none || (slot.hash == hash && names_[slot.number] == name))
                return at;
        }
    }
    void grow() {
        constexpr size_t smallest = 256;
        std::vector<Slot> larger(slots_.empty() ? smallest : 2 * slots_.size());
        const size_t mask = larger.size() - 1;
        for (const Slot& slot : slots_) {
            if (slot.number == none)
                continue;
            size_t at = slot.hash & mask;
            while (larger[at].number != none)
                at = (at + 1) & mask;
            larger[at] = slot;
        }
        slots_ = std::move(larger);
    }

    std::vector<std::string_view> names_; // by number
    std::vector<Slot> slots_;             // a power of two, at most half of them taken
};

} // namespace visor
