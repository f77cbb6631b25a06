#include "opencl/allocations.h"

namespace visor::opencl {

void Allocations::add(const PointerAllocation& one) {
    const std::lock_guard guard(lock_);
    all_.insert_or_assign(one.address, one);
}

bool Allocations::remove(const void* begin, bool usm) {
    const std::lock_guard guard(lock_);
    const auto found = all_.find(reinterpret_cast<uint64_t>(begin));
    if (found == all_.end() || found->second.is_usm() != usm)
        return false;
    all_.erase(found);
    return true;
}

std::optional<PointerAllocation> Allocations::at(const void* pointer) const {
    const auto address = reinterpret_cast<uint64_t>(pointer);
    const std::lock_guard guard(lock_);
    const auto after = all_.upper_bound(address);
    if (after == all_.begin())
        return std::nullopt;
    const PointerAllocation& one = std::prev(after)->second;
    return address - one.address < one.bytes ? std::optional(one) : std::nullopt;
}

std::optional<PointerAllocation> Allocations::at_or_before(const void* pointer) const {
    if (auto found = at(pointer))
        return found;
    const auto address = reinterpret_cast<uint64_t>(pointer);
    return at(reinterpret_cast<const void*>(address - 1));
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
