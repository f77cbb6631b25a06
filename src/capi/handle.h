// Handles: numbers that stand for objects, looked up and never followed, so that a wrong one is told and does
// no harm. The register of live ones is the one thing that all contexts share (ruling 130).
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

// A handle's number: place in the register, plus one, in the low half; kind and generation in the high one.
// A place's generation grows with each object that had it, and a place whose generations are used up is not
// used again: a released handle never comes back.
class Register {
public:
    [[nodiscard]] uint64_t add(Kind kind, std::shared_ptr<void> object);
    // nullptr: no live handle of this kind.
    [[nodiscard]] std::shared_ptr<void> find(Kind kind, uint64_t handle) const;
    // Out of the register; the caller lets go of it.
    [[nodiscard]] std::shared_ptr<void> remove(Kind kind, uint64_t handle);
    // What a handle is that is live; none otherwise.
    [[nodiscard]] Kind kind_of(uint64_t handle) const;

private:
    struct Place {
        std::shared_ptr<void> object;
        uint32_t generation = 1;
        Kind kind = Kind::none;
    };
    [[nodiscard]] size_t place_of(uint64_t handle) const; // SIZE_MAX: none

    mutable std::mutex mutex_;
    std::vector<Place> places_;
    std::vector<uint32_t> free_;
};

// The process's. Never destroyed: threads may outlive what the language destroys at the end.
[[nodiscard]] Register& handles();

} // namespace visor::capi
