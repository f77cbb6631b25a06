#include "machine/room.h"

#include <algorithm>
#include <utility>

namespace visor::machine {

bool Room::prepare(const Launch& launch, size_t scratch_of_thread) {
    const bool known = program == launch.program && shape.is_of(launch);
    const size_t bytes = size_t{launch.program->register_bytes} * launch.threads;
    if (register_bytes < bytes) {
        registers.reset(new (register_alignment) std::byte[bytes]);
        register_bytes = bytes;
    }
    scratch_bytes = scratch_of_thread;
    scratch.resize(scratch_stride() * launch.threads);
    slm.resize(launch.slm_bytes);
    threads.resize(launch.threads);
    order.resize(launch.threads);
    for (Thread& thread : threads) {
        thread.untouched = thread.untouched && known;
        thread.allocation = {};
        thread.sites.clear();
    }
    if (!known) {
        program = launch.program;
        shape = InputShape::of(launch);
    }
    return known;
}

void begin_scratch(const Launch& launch, std::span<std::byte> scratch) {
    const std::span<std::byte> arguments = scratch.last(launch.implicit_arguments.size());
    std::ranges::fill(scratch.first(scratch.size() - arguments.size()), std::byte{0});
    std::ranges::copy(launch.implicit_arguments, arguments.begin());
}

namespace {

// What it keeps, roughly.
size_t bytes_of(const Room& room) {
    size_t bytes =
        room.register_bytes + room.scratch.capacity() + room.slm.capacity() + room.computed.capacity();
    for (const Thread& thread : room.threads)
        bytes += sizeof(Thread) + thread.sites.capacity() * sizeof(AccessSite) +
                 (thread.predicates.capacity() + thread.addresses.capacity() + thread.surfaces.capacity() +
                  thread.samplers.capacity() + thread.waiting.capacity()) *
                     sizeof(uint32_t);
    return bytes;
}

} // namespace

Room Rooms::take(const Program* program, uint32_t worker) {
    const auto fits = [&](const Room& room) {
        return (room.program == program ? 2 : 0) + (room.worker == worker ? 1 : 0);
    };
    Room room;
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
        const auto best = std::ranges::max_element(idle_.rbegin(), idle_.rend(), {}, fits);
        std::swap(*best, idle_.back());
        room = std::move(idle_.back());
        idle_.pop_back();
    }
    room.worker = worker;
    return room;
}

void Rooms::give_back(Room&& room) noexcept {
    constexpr size_t most_bytes = size_t{16} << 20U;
    const auto called = [](const Thread& thread) { return !thread.callers.empty(); };
    if (bytes_of(room) > most_bytes || std::ranges::any_of(room.threads, called))
        return;
    const std::lock_guard lock(mutex_);
    if (idle_.size() < most)
        idle_.push_back(std::move(room));
}

} // namespace visor::machine
