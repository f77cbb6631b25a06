#include "debug/history.h"

#include <algorithm>
#include <cstring>

namespace visor::debug {

bool History::begin(const machine::Memory& memory) {
    memory_ = nullptr;
    shadows_.clear();
    moments_.clear();
    bytes_ = 0;
    uint64_t all = 0;
    const std::vector<machine::Allocation> allocations = memory.allocations();
    for (const machine::Allocation& one : allocations)
        all += one.bytes;
    if (all > budget_ / 2)
        return false;
    memory_ = &memory;
    for (const machine::Allocation& one : allocations) {
        const std::byte* const begin = machine::Memory::host(one.address);
        shadows_.push_back({one.address, {begin, begin + one.bytes}});
    }
    bytes_ = all;
    return true;
}

template <class Visit>
void History::each_change(const Visit& visit) {
    for (Shadow& shadow : shadows_) {
        std::byte* const now = machine::Memory::host(shadow.address);
        for (uint64_t at = 0; at < shadow.bytes.size(); at += page_bytes) {
            const uint64_t size = std::min(page_bytes, shadow.bytes.size() - at);
            if (std::memcmp(now + at, shadow.bytes.data() + at, size) != 0)
                visit(shadow.address + at, std::span(now + at, size),
                      std::span(shadow.bytes).subspan(at, size));
        }
    }
}

void History::save(uint64_t clock, const machine::GroupState& state) {
    Moment moment{clock, std::make_unique<machine::GroupCheckpoint>(state), {}};
    each_change([&](uint64_t address, std::span<std::byte> now, std::span<std::byte> before) {
        moment.before.emplace(address, std::vector<std::byte>(before.begin(), before.end()));
        bytes_ += before.size();
        std::ranges::copy(now, before.begin());
    });
    bytes_ += moment.group->bytes();
    moments_.push_back(std::move(moment));
    while (bytes_ > budget_ && moments_.size() > 2)
        thin();
}

// Every second moment goes; the first and the last stay.
void History::thin() {
    std::vector<Moment> kept;
    for (size_t k = 0; k < moments_.size(); ++k) {
        Moment& moment = moments_[k];
        if (k % 2 == 0 || k + 1 == moments_.size()) {
            kept.push_back(std::move(moment));
            continue;
        }
        bytes_ -= moment.group->bytes();
        // What the next one changed since this one, it has to take back to the one before.
        Pages& next = moments_[k + 1].before;
        for (auto& [address, page] : moment.before) {
            const auto later = next.find(address);
            if (later == next.end()) {
                next.emplace(address, std::move(page));
            } else {
                bytes_ -= later->second.size();
                later->second = std::move(page);
            }
        }
    }
    moments_ = std::move(kept);
    interval_ *= 2;
}

void History::put(const Pages& pages) {
    for (const auto& [address, page] : pages) {
        std::memcpy(machine::Memory::host(address), page.data(), page.size());
        const auto shadow = std::prev(std::ranges::upper_bound(shadows_, address, {}, &Shadow::address));
        std::memcpy(shadow->bytes.data() + (address - shadow->address), page.data(), page.size());
    }
}

uint64_t History::moment_at(uint64_t clock) const {
    const auto after = std::ranges::upper_bound(moments_, clock, {}, &Moment::clock);
    return after == moments_.begin() ? 0 : std::prev(after)->clock;
}

uint64_t History::restore(uint64_t clock, machine::GroupState& state) {
    each_change([](uint64_t /*address*/, std::span<std::byte> now, std::span<std::byte> before) {
        std::ranges::copy(before, now.begin());
    });
    while (moments_.size() > 1 && moments_.back().clock > clock) {
        put(moments_.back().before);
        for (const auto& [address, page] : moments_.back().before)
            bytes_ -= page.size();
        bytes_ -= moments_.back().group->bytes();
        moments_.pop_back();
    }
    moments_.back().group->restore(state);
    return moments_.back().clock;
}

} // namespace visor::debug
