// Memory that kernels index, such as register files, scratch and shared local memory, between guard pages. An
// access that a range check should have stopped is a segmentation fault there instead of a leak or overwrite
// of host memory. It checks no access itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

namespace visor::machine {

// One block. It ends at the guard behind it, except for padding of its size to 64 bytes: overruns are
// likelier than underruns. Between the front guard and the block lie the rest of its first page, and pages
// left from a larger block.
class GuardedMemory {
public:
    static constexpr size_t alignment = 64; // a cache line
    // On each side, of address space. Any 32-bit offset, signed or not, plus a few rows stays within the
    // block and its guards.
    static constexpr size_t guard_bytes = (size_t{4} << 30U) + (size_t{1} << 20U);
    // If the process may not have that much address space.
    static constexpr size_t least_guard_bytes = size_t{64} << 10U;
    static constexpr size_t most_bytes = size_t{1} << 40U;

    GuardedMemory() = default;
    ~GuardedMemory();
    GuardedMemory(GuardedMemory&& other) noexcept;
    GuardedMemory& operator=(GuardedMemory&& other) noexcept;
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;

    // Resizes the block. Reuses its pages, with unspecified content, if they suffice; else it is zeroed. The
    // same size changes nothing. Error: why the system has no such memory; the block is unchanged.
    [[nodiscard]] std::expected<void, std::string> reallocate(size_t bytes);

    [[nodiscard]] std::byte* data() const { return data_; } // null before the first allocation
    [[nodiscard]] size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::span<std::byte> bytes() { return {data_, size_}; }
    [[nodiscard]] size_t capacity() const { return capacity_; } // of its pages
    [[nodiscard]] size_t guard() const { return guard_; }       // bytes of it on each side

private:
    void release();
    void place_block(size_t bytes);
    void mark_slack(bool out_of_bounds);

    std::byte* data_ = nullptr;
    size_t size_ = 0;
    std::byte* pages_ = nullptr; // the first accessible one
    size_t capacity_ = 0;
    size_t guard_ = 0;
};

// The address of empty blocks and unbound surfaces: inaccessible at any 32-bit offset from it. Null if the
// process may not have that much address space.
[[nodiscard]] std::byte* no_access_address();

} // namespace visor::machine
