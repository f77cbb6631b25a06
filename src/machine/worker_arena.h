// Worker arenas: the memory that a worker needs to run groups, reused by the next launch, since allocating it
// takes longer than a small launch.
#pragma once

#include "machine/guarded_memory.h"
#include "machine/thread.h"
#include "machine/thread_payload.h"

#include <cstddef>
#include <expected>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace visor::machine {

// Its content is unspecified: the user prepares it.
struct WorkerArena {
    // Alignment: vector accesses shall not cross cache lines.
    static constexpr size_t line_bytes = GuardedMemory::alignment;

    // Blocks of all threads are contiguous between one pair of guards: a guard page between two blocks would
    // double the cost of mapping, and protect only threads of the same launch.
    GuardedMemory registers;
    GuardedMemory scratch;           // each thread's is line-aligned
    GuardedMemory slm;               // of the group
    GuardedMemory saved;             // a session's (dispatch.h)
    std::vector<std::byte> computed; // computed inputs, thread by thread
    std::vector<Thread> threads;
    std::vector<uint32_t> order; // of the schedule

    // The program that used the threads last; null: none.
    const Program* program = nullptr;
    uint32_t worker = 0; // the worker that used it last: it is warm in that CPU's caches
    InputShape shape;

    // Memory for the threads of this launch. Error: the system has none.
    [[nodiscard]] std::expected<void, std::string> allocate(const Launch& launch, size_t scratch_of_thread);
    // Sets up threads after allocate(). True: reuses those of an earlier launch; Thread::untouched holds
    // except for data that differs between launches (`computed` does not). Resets their cached allocations,
    // which may have been freed.
    bool prepare(const Launch& launch);
    [[nodiscard]] std::span<std::byte> scratch_of(uint32_t thread) {
        return scratch.bytes().subspan(scratch_stride() * thread, scratch_bytes);
    }
    [[nodiscard]] size_t scratch_stride() const {
        return (scratch_bytes + line_bytes - 1) / line_bytes * line_bytes;
    }
    size_t scratch_bytes = 0; // of each thread
};

// Initializes a scratch block at the start of a group: zeros, then the implicit arguments.
void begin_scratch(const Launch& launch, std::span<std::byte> scratch);

// The idle arenas. Thread-safe. Programs whose launches use it outlive it.
class WorkerArenas {
public:
    WorkerArenas() { idle_.reserve(most); }
    // An idle arena, preferably of this program, then of this worker; or a new one.
    [[nodiscard]] WorkerArena take(const Program* program, uint32_t worker);
    // Releases arenas of threads that called functions, and those over the limit.
    void give_back(WorkerArena&& arena) noexcept;

private:
    static constexpr size_t most = 16;
    static constexpr size_t most_bytes = size_t{256} << 20U; // of all of them
    std::mutex mutex_;
    std::vector<WorkerArena> idle_;
    size_t idle_bytes_ = 0;
};

} // namespace visor::machine
