#include "capi/handle.h"

#include <array>
#include <utility>

namespace visor::capi {

namespace {

constexpr uint32_t generation_bits = 24;
constexpr uint32_t last_generation = (1U << generation_bits) - 1;

uint64_t number_of(size_t place, uint32_t generation, Kind kind) {
    return (uint64_t{static_cast<uint8_t>(kind)} << 24U | generation) << 32U | (place + 1);
}

} // namespace

const char* name_of(Kind kind) {
    constexpr std::array<const char*, 10> names{"nothing", "context", "program", "kernel", "buffer",
                                                "image",   "sampler", "launch",  "bytes",  "diagnostics"};
    return names.at(static_cast<size_t>(kind));
}

size_t Register::place_of(uint64_t handle) const {
    const uint64_t low = handle & UINT32_MAX;
    if (low == 0 || low > places_.size())
        return SIZE_MAX;
    const Place& place = places_[low - 1];
    const bool same = place.object != nullptr && number_of(low - 1, place.generation, place.kind) == handle;
    return same ? low - 1 : SIZE_MAX;
}

uint64_t Register::add(Kind kind, std::shared_ptr<void> object) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
        free_.reserve(places_.size() + 1); // so that `remove` need not
        places_.emplace_back();
        free_.push_back(static_cast<uint32_t>(places_.size() - 1));
    }
    const uint32_t index = free_.back();
    free_.pop_back();
    Place& place = places_[index];
    place.object = std::move(object);
    place.kind = kind;
    return number_of(index, place.generation, kind);
}

std::shared_ptr<void> Register::find(Kind kind, uint64_t handle) const {
    const std::lock_guard lock(mutex_);
    const size_t index = place_of(handle);
    return index == SIZE_MAX || places_[index].kind != kind ? nullptr : places_[index].object;
}

std::shared_ptr<void> Register::remove(Kind kind, uint64_t handle) {
    const std::lock_guard lock(mutex_);
    const size_t index = place_of(handle);
    if (index == SIZE_MAX || places_[index].kind != kind)
        return nullptr;
    Place& place = places_[index];
    if (place.generation != last_generation) {
        ++place.generation;
        free_.push_back(static_cast<uint32_t>(index));
    }
    return std::exchange(place.object, nullptr);
}

Kind Register::kind_of(uint64_t handle) const {
    const std::lock_guard lock(mutex_);
    const size_t index = place_of(handle);
    return index == SIZE_MAX ? Kind::none : places_[index].kind;
}

Register& handles() {
    static Register& all = *new Register;
    return all;
}

} // namespace visor::capi
