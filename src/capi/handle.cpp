#include "capi/handle.h"

#include <array>
#include <utility>

namespace visor::capi {

namespace {

constexpr uint32_t generation_bits = 24;
constexpr uint32_t last_generation = (1U << generation_bits) - 1;

uint64_t number_of(size_t slot, uint32_t generation, Kind kind) {
    return (uint64_t{static_cast<uint8_t>(kind)} << 24U | generation) << 32U | (slot + 1);
}

} // namespace

const char* name_of(Kind kind) {
    constexpr std::array<const char*, 10> names{"nothing", "context", "program", "kernel", "buffer",
                                                "image",   "sampler", "launch",  "bytes",  "diagnostics"};
    return names.at(static_cast<size_t>(kind));
}

size_t Register::slot_of(uint64_t handle) const {
    const uint64_t low = handle & UINT32_MAX;
    if (low == 0 || low > slots_.size())
        return SIZE_MAX;
    const Slot& slot = slots_[low - 1];
    const bool same = slot.object != nullptr && number_of(low - 1, slot.generation, slot.kind) == handle;
    return same ? low - 1 : SIZE_MAX;
}

uint64_t Register::add(Kind kind, std::shared_ptr<void> object) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
        free_.reserve(slots_.size() + 1); // so that `remove` need not
        slots_.emplace_back();
        free_.push_back(static_cast<uint32_t>(slots_.size() - 1));
    }
    const uint32_t index = free_.back();
    free_.pop_back();
    Slot& slot = slots_[index];
    slot.object = std::move(object);
    slot.kind = kind;
    return number_of(index, slot.generation, kind);
}

std::shared_ptr<void> Register::find(Kind kind, uint64_t handle) const {
    const std::lock_guard lock(mutex_);
    const size_t index = slot_of(handle);
    return index == SIZE_MAX || slots_[index].kind != kind ? nullptr : slots_[index].object;
}

std::shared_ptr<void> Register::remove(Kind kind, uint64_t handle) {
    const std::lock_guard lock(mutex_);
    const size_t index = slot_of(handle);
    if (index == SIZE_MAX || slots_[index].kind != kind)
        return nullptr;
    Slot& slot = slots_[index];
    if (slot.generation != last_generation) {
        ++slot.generation;
        free_.push_back(static_cast<uint32_t>(index));
    }
    return std::exchange(slot.object, nullptr);
}

Kind Register::kind_of(uint64_t handle) const {
    const std::lock_guard lock(mutex_);
    const size_t index = slot_of(handle);
    return index == SIZE_MAX ? Kind::none : slots_[index].kind;
}

Register& handles() {
    static Register& all = *new Register;
    return all;
}

} // namespace visor::capi
