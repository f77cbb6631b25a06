// Loads and stores of memory that other groups may access concurrently: a data race of the kernel must not be
// one of the host, so they are relaxed atomics, as wide as the address's alignment allows.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace visor::machine {

template <size_t bytes>
using HalfOf = std::conditional_t<bytes == 8, uint32_t, std::conditional_t<bytes == 4, uint16_t, uint8_t>>;

// T: an unsigned integer of 8 to 64 bits. Any address that holds one.
template <class T>
[[nodiscard]] T load_shared(std::byte* from) {
    if constexpr (sizeof(T) > 1) {
        using Half = HalfOf<sizeof(T)>;
        if (reinterpret_cast<uintptr_t>(from) % sizeof(T) != 0) [[unlikely]] {
            const T low = load_shared<Half>(from);
            const T high = load_shared<Half>(from + sizeof(Half));
            return static_cast<T>(low | high << 8U * sizeof(Half));
        }
    }
    return std::atomic_ref<T>(*reinterpret_cast<T*>(from)).load(std::memory_order_relaxed);
}

template <class T>
void store_shared(std::byte* to, T value) {
    if constexpr (sizeof(T) > 1) {
        using Half = HalfOf<sizeof(T)>;
        if (reinterpret_cast<uintptr_t>(to) % sizeof(T) != 0) [[unlikely]] {
            store_shared(to, static_cast<Half>(value));
            store_shared(to + sizeof(Half), static_cast<Half>(value >> 8U * sizeof(Half)));
            return;
        }
    }
    std::atomic_ref<T>(*reinterpret_cast<T*>(to)).store(value, std::memory_order_relaxed);
}

} // namespace visor::machine
