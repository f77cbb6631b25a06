#include "opencl/memory/allocations.h"

namespace visor::opencl {

void Allocations::add(const PointerAllocation& one) {
    const std::lock_guard guard(lock_);
    all_.insert_or_assign(one.address, Entry{.one = one});
}

Allocations::Removed Allocations::remove(const void* begin, bool usm) {
    const std::lock_guard guard(lock_);
    const auto found = all_.find(reinterpret_cast<uint64_t>(begin));
    if (found == all_.end() || found->second.one.is_usm() != usm || found->second.removed)
        return Removed::none;
    found->second.removed = true;
    if (found->second.buffers != 0)
        return Removed::later;
    all_.erase(found);
    return Removed::now;
}

std::optional<PointerAllocation> Allocations::pin(const void* pointer, uint64_t bytes) {
    const std::lock_guard guard(lock_);
    const Entry* const found = holding(pointer);
    if (found == nullptr || bytes > found->one.end() - reinterpret_cast<uint64_t>(pointer))
        return std::nullopt;
    ++all_.at(found->one.address).buffers;
    return found->one;
}

bool Allocations::unpin(uint64_t begin) {
    const std::lock_guard guard(lock_);
    const auto found = all_.find(begin);
    if (found == all_.end() || --found->second.buffers != 0 || !found->second.removed)
        return false;
    all_.erase(found);
    return true;
}

bool Allocations::is_removed(uint64_t begin) const {
    const std::lock_guard guard(lock_);
    const auto found = all_.find(begin);
    return found != all_.end() && found->second.removed;
}

const Allocations::Entry* Allocations::holding(const void* pointer) const {
    const auto address = reinterpret_cast<uint64_t>(pointer);
    const auto after = all_.upper_bound(address);
    if (after == all_.begin())
        return nullptr;
    const Entry& entry = std::prev(after)->second;
    return !entry.removed && address - entry.one.address < entry.one.bytes ? &entry : nullptr;
}

std::optional<PointerAllocation> Allocations::at(const void* pointer) const {
    const std::lock_guard guard(lock_);
    const Entry* const found = holding(pointer);
    return found == nullptr ? std::nullopt : std::optional(found->one);
}

std::optional<PointerAllocation> Allocations::at_or_before(const void* pointer) const {
    if (auto found = at(pointer))
        return found;
    return at(machine::Memory::host(reinterpret_cast<uint64_t>(pointer) - 1));
}

uint64_t Allocations::next_number() {
    const std::lock_guard guard(lock_);
    return ++number_;
}

std::string_view name_of(machine::AllocationKind kind) {
    switch (kind) {
    case machine::AllocationKind::svm:
        return "shared virtual memory";
    case machine::AllocationKind::usm_host:
        return "USM host memory";
    case machine::AllocationKind::usm_device:
        return "USM device memory";
    case machine::AllocationKind::usm_shared:
        return "USM shared memory";
    case machine::AllocationKind::other:
        break;
    }
    return "device memory";
}

} // namespace visor::opencl
