#include "machine/worker_arena.h"

#include <algorithm>
#include <utility>

namespace visor::machine {

std::expected<void, std::string> WorkerArena::allocate(const Launch& launch, size_t scratch_of_thread) {
    scratch_bytes = scratch_of_thread;
    const size_t register_bytes = size_t{launch.program->register_bytes} * launch.threads;
    auto done = registers.reallocate(register_bytes);
    if (done)
        done = scratch.reallocate(scratch_stride() * launch.threads);
    if (done)
        done = slm.reallocate(launch.slm_bytes);
    if (!done) // the register block may have moved
        program = nullptr;
    return done;
}

bool WorkerArena::prepare(const Launch& launch) {
    const bool known = program == launch.program && shape.is_of(launch);
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

// Its approximate size.
size_t bytes_of(const WorkerArena& arena) {
    size_t bytes = arena.computed.capacity();
    for (const GuardedMemory* memory : {&arena.registers, &arena.scratch, &arena.slm, &arena.saved})
        bytes += memory->capacity();
    for (const Thread& thread : arena.threads)
        bytes += sizeof(Thread) + thread.sites.capacity() * sizeof(AccessSite) +
                 (thread.predicates.capacity() + thread.addresses.capacity() + thread.surfaces.capacity() +
                  thread.samplers.capacity() + thread.waiting.capacity()) *
                     sizeof(uint32_t);
    return bytes;
}

} // namespace

WorkerArena WorkerArenas::take(const Program* program, uint32_t worker) {
    const auto fits = [&](const WorkerArena& arena) {
        return (arena.program == program ? 2 : 0) + (arena.worker == worker ? 1 : 0);
    };
    WorkerArena arena;
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
        const auto best = std::ranges::max_element(idle_.rbegin(), idle_.rend(), {}, fits);
        std::swap(*best, idle_.back());
        arena = std::move(idle_.back());
        idle_.pop_back();
        idle_bytes_ -= bytes_of(arena);
    }
    arena.worker = worker;
    return arena;
}

void WorkerArenas::give_back(WorkerArena&& arena) noexcept {
    const auto called = [](const Thread& thread) { return !thread.callers.empty(); };
    const size_t bytes = bytes_of(arena);
    if (bytes > most_bytes || std::ranges::any_of(arena.threads, called))
        return;
    const std::lock_guard lock(mutex_);
    if (idle_.size() == most || bytes > most_bytes - idle_bytes_)
        return;
    idle_bytes_ += bytes;
    idle_.push_back(std::move(arena));
}

} // namespace visor::machine
