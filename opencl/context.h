// A context: the memory and the machine that its launches share, and the lock of its event graph.
#pragma once

#include "check/checkers.h"
#include "opencl/memory/allocations.h"
#include "opencl/memory/host_access.h"
#include "opencl/object.h"
#include "opencl/platform.h"
#include "vm/vm.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct _cl_context : visor::opencl::Handle<visor::opencl::Kind::context> {
    using Notify = void(CL_CALLBACK*)(const char*, const void*, size_t, void*);

    explicit _cl_context(const visor::isa::Device& device);
    ~_cl_context();

    // ---- device memory

    // Never waits for a kernel. 0: out of memory.
    [[nodiscard]] uint64_t
    allocate(uint64_t bytes, std::string label,
             visor::machine::AllocationKind kind = visor::machine::AllocationKind::other);
    // Likewise: freed when the machine is next idle.
    void free(uint64_t address);
    // The allocation that holds an address, and whether it only waits for its end. One that a command finds
    // before that stays until the command is over.
    struct Found {
        visor::machine::Allocation allocation;
        bool is_freed = false;
    };
    [[nodiscard]] std::optional<Found> allocation_at(uint64_t address);

    // A running command: frees are deferred to its end, so that live memory that it has found stays valid.
    class Command {
    public:
        explicit Command(_cl_context& context);
        ~Command();
        Command(const Command&) = delete;
        Command& operator=(const Command&) = delete;
        Command(Command&&) = delete;
        Command& operator=(Command&&) = delete;

    private:
        _cl_context& context_;
        visor::opencl::HostAccess::Command access_;
        uint64_t began_ = 0;
    };

    // Exclusive access to the machine: waits while a kernel runs. The destructor performs deferred frees.
    class MachineLock {
    public:
        explicit MachineLock(_cl_context& context);
        ~MachineLock();
        MachineLock(const MachineLock&) = delete;
        MachineLock& operator=(const MachineLock&) = delete;
        MachineLock(MachineLock&&) = delete;
        MachineLock& operator=(MachineLock&&) = delete;

    private:
        _cl_context& context_;
        std::unique_lock<std::mutex> lock_;
    };

private:
    // Declared before the machine, so destroyed after it.
    struct EndOfMemory {
        const _cl_context& context;
        explicit EndOfMemory(const _cl_context& of) : context(of) {}
        ~EndOfMemory() { visor::opencl::platform().contexts.memory_is_gone(context); }
        EndOfMemory(const EndOfMemory&) = delete;
        EndOfMemory& operator=(const EndOfMemory&) = delete;
        EndOfMemory(EndOfMemory&&) = delete;
        EndOfMemory& operator=(EndOfMemory&&) = delete;
    } end_of_memory_{*this};

public:
    visor::vm::Context machine;
    visor::check::Checkers checkers; // under exclusive access to the machine
    // Likewise: the reported findings in order, each with its count at that time.
    struct ReportedFinding {
        std::string heading;
        uint64_t count = 0;
    };
    std::vector<ReportedFinding> reported_findings;
    // Reports findings whose count has increased since, at the end; nothing while the machine is busy.
    void report_counts();

    // ---- the graph: all of its events, queues and their lists

    std::mutex graph;
    std::condition_variable graph_changed;
    std::unordered_set<_cl_event*> unfinished; // unfinished commands; their queues hold them

    // ---- from the application

    std::vector<cl_context_properties> properties;
    Notify notify = nullptr;
    void* notify_data = nullptr;
    visor::opencl::DestructorCallbacks destructor_callbacks;
    visor::opencl::Allocations pointers;
    visor::opencl::HostAccess host_access;

    // Live memory objects, with their serial numbers. Kernels refer to objects that may have ended, and whose
    // address may have been reused.
    std::mutex memory_lock;
    uint64_t memory_serial = 0;
    std::unordered_map<const void*, uint64_t> live_memory;
    // Of these, the buffers with a device address, by address: sub-buffers can share one.
    struct Addressed {
        uint64_t bytes = 0;
        cl_mem memory = nullptr;
        uint64_t serial = 0;
    };
    std::multimap<uint64_t, Addressed> addressed_memory;

private:
    struct Freed {
        uint64_t address = 0;
        uint64_t when = 0;
    };

    // Under exclusive access to the machine: frees what no running command can use.
    void give_back_freed();
    // Likewise, unless the machine is busy: its user frees it later.
    void try_to_give_back();

    std::mutex machine_lock_;
    std::mutex freed_lock_; // guards the members below, and is held while memory is freed; the memory's own
                            // is inside
    uint64_t clock_ = 0;
    std::vector<Freed> freed_;    // by time
    std::set<uint64_t> commands_; // begin times of running commands
};
