// Allocations of shared virtual memory and unified shared memory of a context, with their creation
// parameters. Finds the allocation of a pointer. Buffers and images are not among them (memory.h).
#pragma once

#include "machine/memory.h"
#include "opencl/headers.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace visor::opencl {

struct PointerAllocation {
    uint64_t address = 0;
    uint64_t bytes = 0;
    machine::AllocationKind kind = machine::AllocationKind::svm;
    cl_mem_alloc_flags_intel flags = 0;
    bool has_device = false; // it was allocated for a device

    [[nodiscard]] bool is_usm() const { return kind != machine::AllocationKind::svm; }
    [[nodiscard]] uint64_t end() const { return address + bytes; }
};

// Thread-safe; waits for no kernel.
class Allocations {
public:
    void add(const PointerAllocation& one);
    // Removes the one that begins there, if it is of these kinds. Later: a buffer uses it, so its memory is
    // freed when that ends (unpin).
    enum class Removed : uint8_t { none, now, later };
    [[nodiscard]] Removed remove(const void* begin, bool usm);
    // Pins the one that contains all of the bytes, for a buffer on it.
    [[nodiscard]] std::optional<PointerAllocation> pin(const void* pointer, uint64_t bytes);
    // True: that was the last buffer, and the allocation was removed before.
    [[nodiscard]] bool unpin(uint64_t begin);
    // Whether the one that begins there was removed, but a buffer still uses it.
    [[nodiscard]] bool is_removed(uint64_t begin) const;
    // The one that contains the address.
    [[nodiscard]] std::optional<PointerAllocation> at(const void* pointer) const;
    // Likewise, or the one that ends there: a pointer may be one past the end, as in C.
    [[nodiscard]] std::optional<PointerAllocation> at_or_before(const void* pointer) const;
    // Numbers for names of allocations, from 1 on.
    [[nodiscard]] uint64_t next_number();

private:
    struct Entry {
        PointerAllocation one;
        size_t buffers = 0; // that use it
        bool removed = false;
    };

    // Under the lock:
    [[nodiscard]] const Entry* holding(const void* pointer) const;

    mutable std::mutex lock_;
    std::map<uint64_t, Entry> all_; // by address
    uint64_t number_ = 0;
};

// "USM device memory"
[[nodiscard]] std::string_view name_of(machine::AllocationKind kind);

} // namespace visor::opencl
