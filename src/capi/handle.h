// Handles: numbers that are looked up in a table, never dereferenced, so that invalid ones are reported
// safely. The table of live handles is the only state shared by all contexts (ruling 130).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace visor::capi {

enum class Kind : uint8_t {
    none,
    context,
    program,
    kernel,
    buffer,
    image,
    sampler,
    launch,
    bytes,
    diagnostics
};

// "buffer"
[[nodiscard]] const char* name_of(Kind kind);

// A handle's number: table slot plus one in the low half; kind and generation in the high half. Each reuse of
// a slot increments its generation, and a slot without generations left is retired: a handle is never reused.
class Register {
public:
    [[nodiscard]] uint64_t add(Kind kind, std::shared_ptr<void> object);
    // nullptr: no live handle of this kind.
    [[nodiscard]] std::shared_ptr<void> find(Kind kind, uint64_t handle) const;
    // Removes the handle; the caller releases the object.
    [[nodiscard]] std::shared_ptr<void> remove(Kind kind, uint64_t handle);
    // The kind of a live handle; else none.
    [[nodiscard]] Kind kind_of(uint64_t handle) const;

private:
    struct Slot {
        std::shared_ptr<void> object;
        uint32_t generation = 1;
        Kind kind = Kind::none;
    };
    [[nodiscard]] size_t slot_of(uint64_t handle) const; // SIZE_MAX: none

    mutable std::mutex mutex_;
    std::vector<Slot> slots_;
    std::vector<uint32_t> free_;
};

// Of the process. Never destroyed: threads may still run after static destructors.
[[nodiscard]] Register& handles();

} // namespace visor::capi
