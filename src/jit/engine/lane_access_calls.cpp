#include "jit/engine/lane_access_calls.h"

#include "machine/memory.h"
#include "machine/shared_bytes.h"

#include <algorithm>
#include <cstring>

namespace visor::jit {

namespace {

constexpr bool is_on(uint32_t on, uint32_t lane) {
    return (on >> lane & 1U) != 0;
}

// `where`: pointer to a lane's unit; null: out of bounds.
template <class Unit, class Where>
void load_units(std::byte* values, uint32_t on, uint32_t lanes, const Where& where) {
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        std::byte* const from = is_on(on, lane) ? where(lane) : nullptr;
        const Unit unit = from == nullptr ? Unit{} : machine::load_shared<Unit>(from);
        std::memcpy(values + lane * sizeof unit, &unit, sizeof unit);
    }
}

template <class Unit, class Where>
void store_units(const std::byte* values, uint32_t on, uint32_t lanes, const Where& where) {
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        std::byte* const to = is_on(on, lane) ? where(lane) : nullptr;
        Unit unit{};
        std::memcpy(&unit, values + lane * sizeof unit, sizeof unit);
        if (to != nullptr)
            machine::store_shared(to, unit);
    }
}

// Calls `with` with a unit of the shape's type and the number of lanes.
template <class With>
void for_shape(uint32_t shape, const With& with) {
    const uint32_t lanes = shape & 0xffU;
    switch (shape >> 8U) {
    case 8:
        return with(uint8_t{}, lanes);
    case 16:
        return with(uint16_t{}, lanes);
    case 32:
        return with(uint32_t{}, lanes);
    default:
        return with(uint64_t{}, lanes);
    }
}

// Pointers to units of `width` bytes in a surface.
struct Surface {
    const uint32_t* offsets;
    uint64_t displacement;
    std::byte* data;
    uint64_t bytes;
    uint64_t mask;
    uint64_t width;
    std::byte* operator()(uint32_t lane) const {
        const uint64_t offset = offsets[lane] & mask;
        return offset + displacement + width <= bytes ? data + offset + displacement : nullptr;
    }
};

struct Flat {
    const uint64_t* addresses;
    uint64_t displacement;
    std::byte* operator()(uint32_t lane) const {
        return machine::Memory::host(addresses[lane] + displacement);
    }
};

void load_surface(const uint32_t* offsets, std::byte* values, uint32_t on, uint32_t shape,
                  uint64_t displacement, std::byte* data, uint64_t bytes, uint64_t mask) {
    for_shape(shape, [&](auto unit, uint32_t lanes) {
        load_units<decltype(unit)>(values, on, lanes,
                                   Surface{offsets, displacement, data, bytes, mask, sizeof unit});
    });
}

void store_surface(const uint32_t* offsets, const std::byte* values, uint32_t on, uint32_t shape,
                   uint64_t displacement, std::byte* data, uint64_t bytes, uint64_t mask) {
    for_shape(shape, [&](auto unit, uint32_t lanes) {
        store_units<decltype(unit)>(values, on, lanes,
                                    Surface{offsets, displacement, data, bytes, mask, sizeof unit});
    });
}

void load_flat(const uint64_t* addresses, std::byte* values, uint32_t on, uint32_t shape,
               uint64_t displacement) {
    for_shape(shape, [&](auto unit, uint32_t lanes) {
        load_units<decltype(unit)>(values, on, lanes, Flat{addresses, displacement});
    });
}

void store_flat(const uint64_t* addresses, const std::byte* values, uint32_t on, uint32_t shape,
                uint64_t displacement) {
    for_shape(shape, [&](auto unit, uint32_t lanes) {
        store_units<decltype(unit)>(values, on, lanes, Flat{addresses, displacement});
    });
}

} // namespace

const LaneAccessCalls& lane_access_calls() {
    static constexpr LaneAccessCalls calls{load_surface, store_surface, load_flat, store_flat};
    return calls;
}

Extremes extremes(const uint64_t* addresses, uint32_t on, uint32_t lanes, uint64_t displacement) {
    Extremes found;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        if (!is_on(on, lane))
            continue;
        found.first = std::min(found.first, addresses[lane] + displacement);
        found.last = std::max(found.last, addresses[lane] + displacement);
    }
    return found;
}

} // namespace visor::jit
