// For `--check=memory`: detects host accesses to device memory (USM), which are invalid on a GPU but work
// here. The pages are inaccessible unless a command of the context runs. Detects the first access to each
// allocation, except while a command runs.
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
    // `watching`: else it does nothing.
    explicit HostAccess(bool watching);

    void add(uint64_t address, uint64_t bytes);
    void remove(uint64_t address);

    // A running command: device memory is accessible.
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

    // For the signal handler, lock-free: permits the access, and records it. False: the address is not
    // watched.
    [[nodiscard]] bool touched(uint64_t address);

    // Likewise: makes all memory accessible.
    void let_all();

    // Accesses since the last call. Cheap when there are none.
    struct Access {
        uint64_t allocation = 0;
        uint64_t address = 0;
    };
    [[nodiscard]] std::vector<Access> take_accesses();

private:
    static constexpr size_t most = 4096; // allocations; further ones are not watched
    struct Slot {
        std::atomic<uint64_t> address = 0; // 0: free
        std::atomic<uint64_t> bytes = 0;
        std::atomic<uint64_t> access = 0; // 0: none so far; else it is no longer watched
        bool reported = false;
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

// Installs the SIGSEGV handler, once. The first other fault, or a handler that the application sets later,
// ends the detection.
void watch_host_accesses();

} // namespace visor::opencl
