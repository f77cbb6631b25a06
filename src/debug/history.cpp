#include "debug/history.h"

#include <algorithm>
#include <cstring>

namespace visor::debug {

bool History::begin(const machine::Memory& memory) {
    memory_ = nullptr;
    shadows_.clear();
    moments_.clear();
    at_ = 0;
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

void History::add(uint64_t clock, const machine::GroupState& state) {
    Moment moment{clock, std::make_unique<machine::GroupCheckpoint>(state), {}};
    each_change([&](uint64_t address, std::span<std::byte> now, std::span<std::byte> before) {
        moment.pages.emplace(address, std::vector<std::byte>(before.begin(), before.end()));
        bytes_ += before.size();
        std::ranges::copy(now, before.begin());
    });
    bytes_ += moment.group->bytes();
    moments_.push_back(std::move(moment));
    at_ = moments_.size() - 1;
    while (bytes_ > budget_ && moments_.size() > 2)
        thin();
}

uint64_t History::next() const {
    if (moments_.empty())
        return 1;
    return at_ + 1 < moments_.size() ? moments_[at_ + 1].clock : moments_[at_].clock + interval_;
}

void History::save(uint64_t clock, const machine::GroupState& state) {
    if (at_ + 1 >= moments_.size())
        return add(clock, state);
    ++at_; // the run has made memory what it was then
    swap(moments_[at_].pages, Where::shadows);
}

void History::drop_later() {
    while (moments_.size() > at_ + 1) {
        for (const auto& [address, page] : moments_.back().pages)
            bytes_ -= page.size();
        bytes_ -= moments_.back().group->bytes();
        moments_.pop_back();
    }
}

void History::change(uint64_t clock, const machine::GroupState& state) {
    drop_later();
    add(clock, state);
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
        Pages& next = moments_[k + 1].pages;
        for (auto& [address, page] : moment.pages) {
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
    at_ = moments_.size() - 1;
    interval_ *= 2;
}

void History::swap(Pages& pages, Where where) {
    for (auto& [address, page] : pages) {
        const auto shadow = std::prev(std::ranges::upper_bound(shadows_, address, {}, &Shadow::address));
        std::byte* const kept = shadow->bytes.data() + (address - shadow->address);
        std::swap_ranges(page.begin(), page.end(), kept);
        if (where == Where::memory_too)
            std::memcpy(machine::Memory::host(address), kept, page.size());
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
    while (at_ > 0 && moments_[at_].clock > clock)
        swap(moments_[at_--].pages, Where::memory_too);
    while (at_ + 1 < moments_.size() && moments_[at_ + 1].clock <= clock)
        swap(moments_[++at_].pages, Where::memory_too);
    moments_[at_].group->restore(state);
    return moments_[at_].clock;
}

} // namespace visor::debug
