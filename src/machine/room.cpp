#include "machine/room.h"

#include <algorithm>
#include <utility>

namespace visor::machine {

bool Room::prepare(const Launch& launch, size_t scratch_of_thread) {
    const bool known = program == launch.program && shape.is_of(launch) &&
                       std::ranges::none_of(shape.computed, [](const ComputedInput& input) {
                           return input.filler == Filler::private_base;
                       });
    const size_t bytes = size_t{launch.program->register_bytes} * launch.threads;
    if (register_bytes < bytes) {
        registers.reset(new (register_alignment) std::byte[bytes]);
        register_bytes = bytes;
    }
    scratch.resize(scratch_of_thread * launch.threads);
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

Room Rooms::take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty())
        return {};
    Room room = std::move(idle_.back());
    idle_.pop_back();
    return room;
}

void Rooms::give_back(Room&& room) {
    constexpr size_t most_bytes = size_t{16} << 20U;
    constexpr size_t most_threads = 1024;
    constexpr size_t most_rooms = 16;
    if (room.register_bytes + room.scratch.capacity() + room.slm.capacity() > most_bytes ||
        room.threads.size() > most_threads ||
        std::ranges::any_of(room.threads, [](const Thread& thread) { return thread.depth != 0; }))
        return;
    const std::lock_guard lock(mutex_);
    if (idle_.size() < most_rooms)
        idle_.push_back(std::move(room));
}

} // namespace visor::machine
