// Memory that kernels index, such as register files, scratch and shared local memory, between guard pages: an
// access that a range check should have stopped is a segmentation fault there, and no leak or overwrite of
// the host's own memory. It checks no access itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

namespace visor::machine {

// One block. It ends at the guard behind it, but for fewer than 64 bytes where its size is no multiple of 64:
// overruns are likelier than underruns. In front of it lies the rest of its first page, and pages of its own
// that a larger block before needed; then the guard in front.
class GuardedMemory {
public:
    static constexpr size_t alignment = 64; // a line of the CPU's caches
    // On each side, address space alone. Whatever 32 bits of an offset are, signed or not, and a few rows
    // behind it: from any byte of the block they lead into the block or into a guard.
    static constexpr size_t guard_bytes = (size_t{4} << 30U) + (size_t{1} << 20U);
    // Where the process may not have that much address space.
    static constexpr size_t least_guard_bytes = size_t{64} << 10U;
    static constexpr size_t most_bytes = size_t{1} << 40U;

    GuardedMemory() = default;
    ~GuardedMemory();
    GuardedMemory(GuardedMemory&& other) noexcept;
    GuardedMemory& operator=(GuardedMemory&& other) noexcept;
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;

    // A block of another size. Its pages serve again where they suffice; what they hold is unspecified then,
    // else zeros. Of the same size it stays what and where it is. Error: why the system has no such memory;
    // the block is as it was.
    [[nodiscard]] std::expected<void, std::string> reallocate(size_t bytes);

    [[nodiscard]] std::byte* data() const { return data_; } // null before there was a byte
    [[nodiscard]] size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::span<std::byte> bytes() { return {data_, size_}; }
    [[nodiscard]] size_t capacity() const { return capacity_; } // of its pages
    [[nodiscard]] size_t guard() const { return guard_; }       // bytes of it on each side

private:
    void release();
    void place(size_t bytes);
    void mark_slack(bool out_of_bounds);

    std::byte* data_ = nullptr;
    size_t size_ = 0;
    std::byte* pages_ = nullptr; // the first one that may be touched
    size_t capacity_ = 0;
    size_t guard_ = 0;
};

// An address for blocks of no bytes and for surfaces that nothing is bound to: from there as far as 32 bits
// of an offset lead nothing may be touched. Null where the process may not have that much address space.
[[nodiscard]] std::byte* no_access_address();

} // namespace visor::machine
