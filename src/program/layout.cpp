#include "program/layout.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace visor::program {

namespace {

constexpr uint32_t largest_alignment = 64;

uint64_t aligned(uint64_t value, uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

} // namespace

Layout::Layout(const Function& function, uint32_t grf_bytes) : function_(function), grf_bytes_(grf_bytes) {
    const auto count = static_cast<uint32_t>(isa::first_user_general + function.general.size());
    roots_.reserve(count);
    for (uint32_t id = 0; id < count; ++id)
        roots_.push_back(root_of(function, id));
    storage_.resize(count);
    addressed_.resize(count);
    slots_.resize(count);
}

uint64_t Layout::declared_bytes(uint32_t id) const {
    return uint64_t{general_elements(function_, id, grf_bytes_)} * isa::size_of(general_type(function_, id));
}

void Layout::need(uint32_t id, uint64_t offset, uint64_t bytes) {
    if (id >= roots_.size())
        return;
    slots_[id].used = true;
    const Root root = roots_[id];
    if (root.id >= storage_.size())
        return;
    slots_[root.id].used = true;
    const uint64_t end = std::max(root.offset + offset + bytes, root.offset + declared_bytes(id));
    storage_[root.id] = std::max({storage_[root.id], declared_bytes(root.id), end});
}

void Layout::take_address(uint32_t id) {
    need(id, 0, 0);
    if (id < roots_.size() && roots_[id].id < addressed_.size())
        addressed_[roots_[id].id] = true;
}

// Roots whose address is taken, or the others; where the last one ends, or a number beyond the limit.
uint64_t Layout::place_roots(bool addressed, uint64_t next, std::vector<uint64_t>& bases) {
    for (uint32_t id = 0; id < roots_.size() && next <= max_register_bytes; ++id) {
        if (roots_[id].id != id || !slots_[id].used || addressed_[id] != addressed)
            continue;
        if (addressed) // up to where the next one begins
            storage_[id] = aligned(storage_[id], largest_alignment);
        const uint64_t alignment = std::clamp<uint64_t>(std::bit_ceil(storage_[id]), 4, largest_alignment);
        next = aligned(next, alignment);
        bases[id] = next;
        next += storage_[id];
    }
    return next;
}

std::expected<void, std::string> Layout::place() {
    std::vector<uint64_t> bases(roots_.size());
    const uint64_t begin = aligned(place_roots(false, 0, bases), largest_alignment);
    const uint64_t next = place_roots(true, begin, bases);
    if (next > max_register_bytes)
        return std::unexpected(fmt::format("the variables need more than {} MiB of registers for each thread",
                                           max_register_bytes >> 20U));
    addressable_ = {static_cast<uint32_t>(begin), static_cast<uint32_t>(next)};
    // Room behind the last variable, so that whole vectors may be read at its end.
    register_bytes_ = static_cast<uint32_t>(aligned(next, largest_alignment) + largest_alignment);
    for (uint32_t id = 0; id < slots_.size(); ++id) {
        const Root root = roots_[id];
        slots_[id].bytes = static_cast<uint32_t>(std::min<uint64_t>(declared_bytes(id), UINT32_MAX));
        if (slots_[id].used)
            slots_[id].base = static_cast<uint32_t>(bases[root.id]) + root.offset;
    }
    return {};
}

uint32_t Layout::limit(uint32_t id) const {
    const Root root = roots_[id];
    return slots_[id].base - root.offset + static_cast<uint32_t>(storage_[root.id]);
}

} // namespace visor::program
