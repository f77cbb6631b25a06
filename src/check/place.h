// Where an access went, in one numbering for all spaces, and what people call that place.
#pragma once

#include "machine/thread.h"
#include "machine/watch_filter.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace visor::check {

// A surface's bytes are those of the buffer behind it: global memory has one address however it is reached.
// Private memory is global memory of which each thread has a block; groups reuse the blocks.
enum class Region : uint8_t { global, local, scratch, own };
struct Place {
    Region region = Region::global;
    uint64_t address = 0; // flat address, or byte of the group's SLM or of the thread's scratch
};

[[nodiscard]] inline bool has_private(const machine::Launch& launch) {
    return launch.private_bytes != 0 || !launch.private_blocks.empty();
}
// The thread of the group whose block the address is in; nullopt: no private memory.
[[nodiscard]] inline std::optional<uint32_t> private_owner(const machine::Launch& launch, uint64_t address) {
    // Where functions have a stack each thread's block is an allocation of its own.
    for (size_t i = 0; i < launch.private_blocks.size(); ++i)
        if (address - launch.private_blocks[i] < launch.private_bytes)
            return static_cast<uint32_t>(i);
    if (!launch.private_blocks.empty() || launch.private_bytes == 0 || address < launch.private_base)
        return std::nullopt;
    const uint64_t number = (address - launch.private_base) / launch.private_bytes;
    return number < launch.threads ? std::optional(static_cast<uint32_t>(number)) : std::nullopt;
}
// The block of a thread of the group.
[[nodiscard]] inline machine::AddressRange own_block(const machine::Launch& launch, uint32_t thread) {
    if (launch.private_blocks.empty())
        return {launch.private_base + thread * launch.private_bytes, launch.private_bytes};
    return thread < launch.private_blocks.size()
               ? machine::AddressRange{launch.private_blocks[thread], launch.private_bytes}
               : machine::AddressRange{};
}
// Whether threads' blocks lie in an allocation.
[[nodiscard]] inline bool holds_private(const machine::Launch& launch,
                                        const machine::Allocation& allocation) {
    const auto begins_there = [&](uint64_t block) { return block - allocation.address < allocation.bytes; };
    return has_private(launch) &&
           (begins_there(launch.private_base) || std::ranges::any_of(launch.private_blocks, begins_there));
}
[[nodiscard]] inline bool is_private(const machine::Launch& launch, uint64_t address) {
    return private_owner(launch, address).has_value();
}

[[nodiscard]] inline Place place_of(const machine::MemoryEvent& event, unsigned lane) {
    const uint64_t address = event.addresses[lane];
    switch (event.space) {
    case machine::Space::slm:
        return {Region::local, address};
    case machine::Space::scratch:
        return {Region::scratch, address};
    case machine::Space::surface:
        return {Region::global, event.base + address};
    case machine::Space::flat:
        break;
    }
    return {is_private(*event.thread.launch, address) ? Region::own : Region::global, address};
}

// "arg 1 `out` + 0x7c", "shared local memory + 0x40", ...
[[nodiscard]] std::string name_of(const machine::Thread& thread, const Place& place);

} // namespace visor::check
