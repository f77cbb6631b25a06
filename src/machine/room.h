// What a worker needs to run the groups of a launch, kept for the next launch: to allocate it anew takes
// longer than a small launch.
#pragma once

#include "machine/computed.h"
#include "machine/thread.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace visor::machine {

// Whatever was in it before: who takes it prepares it.
struct Room {
    static constexpr std::align_val_t register_alignment{64};
    struct AlignedDelete {
        void operator()(std::byte* memory) const { ::operator delete[](memory, register_alignment); }
    };

    std::unique_ptr<std::byte[], AlignedDelete> registers; // of all threads, one behind the other
    size_t register_bytes = 0;
    std::vector<std::byte> scratch;  // likewise
    std::vector<std::byte> slm;      // of the group
    std::vector<std::byte> computed; // computed inputs of each thread, one behind the other
    std::vector<Thread> threads;
    std::vector<uint32_t> order; // in which threads take turns

    // Whose threads they were; null: nobody's.
    const Program* program = nullptr;
    uint32_t worker = 0; // the number of the worker that had it: another CPU's caches may still hold it
    InputShape shape;

    // For the threads of this launch. True: they are those of a launch before, and what Thread::untouched
    // says of them holds, but for what differs from launch to launch (`computed` does not). Whatever they
    // found in memory is forgotten: it may be somebody else's by now.
    bool prepare(const Launch& launch, size_t scratch_of_thread);
};

// Thread-safe. Programs whose launches use it outlive it.
class Rooms {
public:
    Rooms() { idle_.reserve(most); }
    // One that nobody uses, this program's if there is, rather one that this worker had; or a new one.
    [[nodiscard]] Room take(const Program* program, uint32_t worker);
    // Large ones, and those of threads that called functions, are let go.
    void give_back(Room&& room) noexcept;

private:
    static constexpr size_t most = 16;
    std::mutex mutex_;
    std::vector<Room> idle_;
};

} // namespace visor::machine
