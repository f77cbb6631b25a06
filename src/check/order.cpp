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

void Order::Known::join_clocks(const Known& other) {
    check::join(made, other.made);
    check::join(local, other.local);
    check::join(global, other.global);
}

void Order::Known::join(const Known& other) {
    join_clocks(other);
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
    may_release_local_.assign(threads, false);
    arriving_.clear();
    complete_.clear();
    local_places_.clear();
    ++state_;
}

bool Order::knows_by_atomics(uint32_t thread, uint64_t group, uint32_t other, uint32_t clock,
                             Wants wants) const {
    Remembered& found = remembered_[(group ^ thread) % remembered_.size()];
    if (found.state != state_ || found.thread != thread || found.group != group) {
        found.state = state_;
        found.thread = thread;
        found.group = group;
        found.known.reset(clocks_.size());
        for (const auto& [key, version] : known_[thread].learnt) {
            const auto place = places_.find(key);
            if (place == places_.end())
                continue;
            const auto release = place->second.by_group.find(group);
            if (release != place->second.by_group.end() && release->second.version <= version)
                found.known.join_clocks(release->second.known);
        }
    }
    return found.known.covers(other, clock, wants);
}

// Where shared local memory keeps the order of messages, a fence has only to keep the compiler from changing
// it: one that names no memory at all (fence_sw) is what mem_fence becomes there.
void Order::fence(uint32_t thread, machine::Fence fence) {
    const bool local = fence.local || !local_needs_fence_;
    if (local)
        fenced_local_[thread] = clocks_[thread];
    if (fence.global)
        fenced_global_[thread] = clocks_[thread];
    if (fence.local || fence.global)
        may_release_[thread] = true;
    if (local || fence.global) {
        may_release_local_[thread] = true;
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
    ++state_;
}

void Order::hand_on(uint32_t thread, Release& release, uint64_t version) {
    if (release.known.made.empty())
        release.known.reset(clocks_.size());
    release.known.join(handed_on(thread));
    release.version = version;
    may_release_[thread] = false;
    may_release_local_[thread] = false;
    ++clocks_[thread];
    ++state_;
}

void Order::atomic(uint32_t thread, uint64_t key) {
    if (const auto found = places_.find(key); found != places_.end()) {
        const Place& place = found->second;
        uint64_t& version = known_[thread].learnt[key];
        if (version != place.version) { // there is something new
            version = place.version;
            check::join(known_[thread].learnt, place.learnt);
            if (const auto own = place.by_group.find(group_); own != place.by_group.end())
                known_[thread].join(own->second.known);
            ++state_;
        }
    }
    if (!may_release_[thread])
        return;
    Place& place = places_[key];
    hand_on(thread, place.by_group[group_], ++place.version);
    check::join(place.learnt, known_[thread].learnt);
}

void Order::local_atomic(uint32_t thread, uint64_t key) {
    if (const auto found = local_places_.find(key); found != local_places_.end()) {
        LocalPlace& place = found->second;
        if (place.seen[thread] != place.release.version) {
            place.seen[thread] = place.release.version;
            known_[thread].join(place.release.known);
            ++state_;
        }
    }
    if (!may_release_local_[thread])
        return;
    LocalPlace& place = local_places_[key];
    place.seen.resize(clocks_.size());
    hand_on(thread, place.release, place.release.version + 1);
}

} // namespace visor::check
