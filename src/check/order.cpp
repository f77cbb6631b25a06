#include "check/order.h"

#include <algorithm>

namespace visor::check {

namespace {

void join(std::vector<uint32_t>& to, const std::vector<uint32_t>& from) {
    for (size_t i = 0; i < to.size() && i < from.size(); ++i)
        to[i] = std::max(to[i], from[i]);
}

void join(std::map<uint64_t, uint64_t>& to, const std::map<uint64_t, uint64_t>& from) {
    for (const auto& [place, version] : from) {
        uint64_t& known = to[place];
        known = std::max(known, version);
    }
}

} // namespace

void Order::Known::reset(size_t threads) {
    learnt.clear();
    made.assign(threads, 0);
    local.assign(threads, 0);
    global.assign(threads, 0);
}

void Order::Known::join(const Known& other) {
    check::join(made, other.made);
    check::join(local, other.local);
    check::join(global, other.global);
    check::join(learnt, other.learnt);
}

void Order::begin_group(uint64_t group, uint32_t threads, bool local_needs_fence) {
    group_ = group;
    local_needs_fence_ = local_needs_fence;
    clocks_.assign(threads, 1);
    known_.resize(threads);
    for (Known& known : known_)
        known.reset(threads);
    fenced_local_.assign(threads, 0);
    fenced_global_.assign(threads, 0);
    may_release_.assign(threads, false);
    arriving_.clear();
    complete_.clear();
}

bool Order::knows_by_atomics(uint32_t thread, uint64_t group, uint32_t other, uint32_t clock,
                             Wants wants) const {
    return std::ranges::any_of(known_[thread].learnt, [&](const auto& learnt) {
        const auto place = places_.find(learnt.first);
        if (place == places_.end())
            return false;
        const auto release = place->second.by_group.find(group);
        return release != place->second.by_group.end() && release->second.version <= learnt.second &&
               covers(release->second.known, other, clock, wants);
    });
}

void Order::fence(uint32_t thread, machine::Fence fence) {
    if (fence.local)
        fenced_local_[thread] = clocks_[thread];
    if (fence.global)
        fenced_global_[thread] = clocks_[thread];
    if (fence.local || fence.global) {
        may_release_[thread] = true;
        ++clocks_[thread];
    }
}

Order::Known Order::handed_on(uint32_t thread) const {
    Known known = known_[thread];
    known.made[thread] = clocks_[thread];
    known.local[thread] = local_needs_fence_ ? fenced_local_[thread] : clocks_[thread];
    known.global[thread] = fenced_global_[thread];
    return known;
}

void Order::signal(uint32_t thread, int barrier) {
    Known& arriving = arriving_[barrier];
    if (arriving.made.empty())
        arriving.reset(clocks_.size());
    arriving.join(handed_on(thread));
    ++clocks_[thread];
}

void Order::release(int barrier) {
    complete_[barrier] = std::move(arriving_[barrier]);
    arriving_[barrier] = {};
}

void Order::pass(uint32_t thread, int barrier) {
    known_[thread].join(complete_[barrier]);
}

void Order::atomic(uint32_t thread, uint64_t key) {
    const auto found = places_.find(key);
    if (found != places_.end()) {
        const Place& place = found->second;
        check::join(known_[thread].learnt, place.learnt);
        known_[thread].learnt[key] = place.version;
        if (const auto own = place.by_group.find(group_); own != place.by_group.end())
            known_[thread].join(own->second.known);
    }
    if (!may_release_[thread])
        return;
    may_release_[thread] = false;
    Place& place = places_[key];
    Release& release = place.by_group[group_];
    if (release.known.made.empty())
        release.known.reset(clocks_.size());
    release.known.join(handed_on(thread));
    release.version = ++place.version;
    check::join(place.learnt, known_[thread].learnt);
    ++clocks_[thread];
}

} // namespace visor::check
