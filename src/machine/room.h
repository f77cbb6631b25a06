// What a worker needs to run the groups of a launch, kept for the next launch: to allocate it anew takes
// longer than a small launch.
#pragma once

#include "machine/computed.h"
#include "machine/thread.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <vector>

namespace visor::machine {

// Begins at a line of the CPU's caches: what code moves by whole vectors shall not lie across two.
template <class T>
struct LineAllocator {
    using value_type = T;
    LineAllocator() = default;
    template <class Other>
    LineAllocator(const LineAllocator<Other>& /*other*/) noexcept {}
    [[nodiscard]] T* allocate(size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), alignment));
    }
    void deallocate(T* memory, size_t /*count*/) noexcept { ::operator delete(memory, alignment); }
    friend bool operator==(const LineAllocator& /*one*/, const LineAllocator& /*other*/) { return true; }

private:
    static constexpr std::align_val_t alignment{64};
};

// Whatever was in it before: who takes it prepares it.
struct Room {
    static constexpr size_t line_bytes = 64;
    static constexpr std::align_val_t register_alignment{line_bytes};
    struct AlignedDelete {
        void operator()(std::byte* memory) const { ::operator delete[](memory, register_alignment); }
    };
    using Bytes = std::vector<std::byte, LineAllocator<std::byte>>;

    std::unique_ptr<std::byte[], AlignedDelete> registers; // of all threads, one behind the other
    size_t register_bytes = 0;
    Bytes scratch;                   // likewise; each thread's begins at a line
    Bytes slm;                       // of the group
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
    [[nodiscard]] std::span<std::byte> scratch_of(uint32_t thread) {
        return std::span(scratch).subspan(scratch_stride() * thread, scratch_bytes);
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
