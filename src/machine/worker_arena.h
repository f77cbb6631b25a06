// Worker arenas: the memory that a worker needs to run the groups of a launch, kept for the next launch,
// since allocating it anew takes longer than a small launch.
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

// Whatever was in it before: who takes it prepares it.
struct WorkerArena {
    // What is moved by whole vectors shall not lie across two lines.
    static constexpr size_t line_bytes = GuardedMemory::alignment;

    // Blocks of all threads stand one behind the other between one pair of guards: a page between each two
    // would double what it takes to map them, and only a thread of the same launch could be reached.
    GuardedMemory registers;
    GuardedMemory scratch;           // each thread's begins at a line
    GuardedMemory slm;               // of the group
    GuardedMemory saved;             // a session's own (dispatch.h)
    std::vector<std::byte> computed; // computed inputs of each thread, one behind the other
    std::vector<Thread> threads;
    std::vector<uint32_t> order; // in which threads take turns

    // Whose threads they were; null: nobody's.
    const Program* program = nullptr;
    uint32_t worker = 0; // the number of the worker that had it: another CPU's caches may still hold it
    InputShape shape;

    // Memory for the threads of this launch. Error: the system has none.
    [[nodiscard]] std::expected<void, std::string> allocate(const Launch& launch, size_t scratch_of_thread);
    // Threads for it, when that has been done. True: they are those of a launch before, and what
    // Thread::untouched says of them holds, but for what differs from launch to launch (`computed` does not).
    // Whatever they found in memory is forgotten: it may be somebody else's by now.
    bool prepare(const Launch& launch);
    [[nodiscard]] std::span<std::byte> scratch_of(uint32_t thread) {
        return scratch.bytes().subspan(scratch_stride() * thread, scratch_bytes);
    }
    [[nodiscard]] size_t scratch_stride() const {
        return (scratch_bytes + line_bytes - 1) / line_bytes * line_bytes;
    }
    size_t scratch_bytes = 0; // of each thread
};

// What a thread finds in its scratch block when its group begins: zeros, and the implicit arguments behind
// them.
void begin_scratch(const Launch& launch, std::span<std::byte> scratch);

// Thread-safe. Programs whose launches use it outlive it.
class WorkerArenas {
public:
    WorkerArenas() { idle_.reserve(most); }
    // One that nobody uses, this program's if there is, rather one that this worker had; or a new one.
    [[nodiscard]] WorkerArena take(const Program* program, uint32_t worker);
    // Those of threads that called functions are let go, and those that would be too much to keep.
    void give_back(WorkerArena&& room) noexcept;

private:
    static constexpr size_t most = 16;
    static constexpr size_t most_bytes = size_t{256} << 20U; // of all of them
    std::mutex mutex_;
    std::vector<WorkerArena> idle_;
    size_t idle_bytes_ = 0;
};

} // namespace visor::machine
