// Under `--check=memory`: tells when the application's own code touches device memory (USM), which programs
// on a GPU cannot, and which goes unseen where device memory is the host's. The pages are without access
// unless a command of the context runs. Seen is the first touch of each allocation, but none while a command
// runs.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace visor::opencl {

// Of one context. Thread-safe.
class HostAccess {
public:
    // `watching`: else nothing is done.
    explicit HostAccess(bool watching);

    void add(uint64_t address, uint64_t bytes);
    void remove(uint64_t address);

    // A command, for as long as it runs: device memory can be touched.
    class Command {
    public:
        explicit Command(HostAccess& access) : access_(access) { access_.enter(); }
        ~Command() { access_.leave(); }
        Command(const Command&) = delete;
        Command& operator=(const Command&) = delete;
        Command(Command&&) = delete;
        Command& operator=(Command&&) = delete;

    private:
        HostAccess& access_;
    };

    // For the handler of the signal, which may take no lock: lets the touch happen, and remembers it. False:
    // the address is not in memory that is watched.
    [[nodiscard]] bool touched(uint64_t address);

    // Likewise: nothing is without access any more.
    void let_all();

    // Findings of touches since the last call. Called often: does nothing where there are none.
    struct Touch {
        uint64_t allocation = 0;
        uint64_t address = 0;
    };
    [[nodiscard]] std::vector<Touch> take_touches();

private:
    static constexpr size_t most = 4096; // allocations; further ones are not watched
    struct Slot {
        std::atomic<uint64_t> address = 0; // 0: free
        std::atomic<uint64_t> bytes = 0;
        std::atomic<uint64_t> touch = 0; // 0: none so far; it is not watched any more
        bool told = false;
    };

    void enter();
    void leave();

    const bool watching_;
    std::mutex lock_;
    size_t commands_ = 0;
    size_t used_ = 0; // slots up to here may be in use
    std::vector<Slot> slots_;
    std::atomic<bool> news_ = false;
};

// Sends SIGSEGV by way of the contexts' watchers, once. The first fault that is none of theirs, or a handler
// that the application sets later, ends the watching.
void watch_host_accesses();

} // namespace visor::opencl
