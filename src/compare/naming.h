// Which name of one function stands for which of the other: one to one, and only between things that were
// declared alike.
#pragma once

#include "compare/canonical.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace visor::compare {

class Naming {
public:
    Naming(const Canonical& first, const Canonical& second);

    // Whether the names can stand for each other, all at once and with what is known.
    [[nodiscard]] bool agrees(std::span<const Name> first, std::span<const Name> second);
    // From now on they do. They agree, or are what is left of instructions that differ: then a name that is
    // free gets its counterpart, and the others stay.
    void bind(std::span<const Name> first, std::span<const Name> second);

    // Whether both may be the same thing by their declarations alone.
    [[nodiscard]] bool alike(Name first, Name second) const;
    // Whether neither of them stands for anything yet.
    [[nodiscard]] bool is_free(Name first, Name second) const;
    // Whether they stand for each other.
    [[nodiscard]] bool stands_for(Name first, Name second) const;

private:
    static constexpr uint32_t none = UINT32_MAX;

    [[nodiscard]] uint32_t counterpart(bool of_first, Name name) const;
    void set(Name first, Name second, uint32_t first_is, uint32_t second_is);

    const Function& first_;
    const Function& second_;
    // By space, then by id.
    std::array<std::vector<uint32_t>, space_count> to_second_;
    std::array<std::vector<uint32_t>, space_count> to_first_;
};

} // namespace visor::compare
