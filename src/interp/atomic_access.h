// The lane loop of atomics: one read-modify-write per lane, in ascending order or in the order of the seed
// (ruling 27). Groups may run on several CPU threads, so an aligned access is a host atomic. A misaligned
// one, which the pages forbid, accesses the exact bytes but is not atomic; it raises a watch event.
#pragma once

#include "interp/atomic_formula.h"
#include "interp/memory_access.h"

#include <type_traits>

namespace visor::interp {

// A lane's slot in registers: 16-bit data is in the low half of a dword (ruling 24).
template <class T>
using AtomicSlot = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

// Returns the lane's result.
template <class T>
[[nodiscard]] T update(std::byte* at, Formula<T> formula, T first, T second, bool returns_new) {
    T old;
    T now;
    if (reinterpret_cast<uintptr_t>(at) % sizeof(T) == 0) [[likely]] {
        const std::atomic_ref<T> cell(*reinterpret_cast<T*>(at));
        old = cell.load(std::memory_order_relaxed);
        do
            now = formula(old, first, second);
        while (!cell.compare_exchange_weak(old, now, std::memory_order_seq_cst, std::memory_order_relaxed));
    } else {
        old = load_shared<T>(at);
        now = formula(old, first, second);
        store_shared(at, now);
    }
    return returns_new ? now : old;
}

// Null sources read as zero; a null destination is not written. Out of bounds, an atomic reads zero and
// changes nothing.
template <class T, class Target>
void update_lanes(const Message& message, const Target& target, const AtomicRow& row, const std::byte* first,
                  const std::byte* second, std::byte* destination) {
    using Slot = AtomicSlot<T>;
    const Formula<T> formula = row.formula<T>();
    // Reads all sources before it writes a result: the destination may overlap them.
    std::array<Slot, max_lanes> firsts;
    std::array<Slot, max_lanes> seconds;
    read_lanes(firsts, first, message.count);
    read_lanes(seconds, second, message.count);
    ++message.thread.idle_atomics;
    expect_aligned(message, sizeof(T));
    uint32_t dropped = 0;
    unsigned lane = 0;
    for (uint32_t rest = message.lanes; rest != 0; rest &= ~(1U << lane)) {
        lane = next_lane(message.thread, rest);
        if (!target.check_range(message, lane, {0, sizeof(T)})) {
            dropped |= rest;
            break;
        }
        T result{};
        if (std::byte* const at = target.find(message.addresses[lane], sizeof(T)))
            result = update(at, formula, static_cast<T>(firsts[lane]), static_cast<T>(seconds[lane]),
                            row.returns_new);
        else
            dropped |= 1U << lane;
        if (destination != nullptr)
            write_as<Slot>(destination + size_t{lane} * sizeof(Slot), result);
    }
    if (message.thread.memory_watcher != nullptr) [[unlikely]]
        report_access(message, target.view(), machine::AccessKind::atomic,
                      {1,
                       register_layout(message.thread, destination, {.lane_stride = sizeof(Slot)}, sizeof(T),
                                       sizeof(Slot), 0),
                       {first, second}},
                      dropped);
}

} // namespace visor::interp
