// A context: the memory and the machine that its launches share, and the lock of its graph of events.
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

    // Never waits for a kernel. 0: there is no room.
    [[nodiscard]] uint64_t
    allocate(uint64_t bytes, std::string label,
             visor::machine::AllocationKind kind = visor::machine::AllocationKind::other);
    // Likewise: given back when the machine is next at rest.
    void free(uint64_t address);
    // Whether the allocation that begins there was freed, and is not given back yet.
    [[nodiscard]] bool is_freed(uint64_t address);

    // A command, for as long as it runs: what is freed meanwhile is given back when it ends, so that it
    // cannot lose what it has found alive.
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

    // The machine, for one at a time: waits while a kernel runs. What is freed meanwhile is given back when
    // this ends.
    class Turn {
    public:
        explicit Turn(_cl_context& context);
        ~Turn();
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        Turn(Turn&&) = delete;
        Turn& operator=(Turn&&) = delete;

    private:
        _cl_context& context_;
        std::unique_lock<std::mutex> lock_;
    };

private:
    // Made before the machine, to end after it.
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
    visor::check::Checkers checkers; // used at the machine
    // Likewise: the findings that were told, in their order, each with how often it had been seen by then.
    struct ReportedFinding {
        std::string heading;
        uint64_t count = 0;
    };
    std::vector<ReportedFinding> findings_told;
    // What was seen more often since is told once more, with its count. At the end; nothing while the machine
    // is busy.
    void tell_counts();

    // ---- the graph: all of its events, queues and their lists

    std::mutex graph;
    std::condition_variable graph_changed;
    std::unordered_set<_cl_event*> unfinished; // commands that are not over; their queues hold them

    // ---- what the application gave

    std::vector<cl_context_properties> properties;
    Notify notify = nullptr;
    void* notify_data = nullptr;
    visor::opencl::DestructorCallbacks destructor_callbacks;
    visor::opencl::Allocations pointers;
    visor::opencl::HostAccess host_access;

    // Memory objects that are alive, with their serial numbers. Kernels remember some that may have ended
    // since, and whose address another may have.
    std::mutex memory_lock;
    uint64_t memory_serial = 0;
    std::unordered_map<const void*, uint64_t> live_memory;
    // Of these, the buffers with a device address, by that: several where they lie in the same memory.
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

    // At the machine: what no command has that still runs.
    void give_back_freed();
    // Likewise, unless the machine is busy: who is at it sees to that.
    void try_to_give_back();

    std::mutex machine_lock_;
    std::mutex freed_lock_; // what follows
    uint64_t clock_ = 0;
    std::vector<Freed> freed_;    // in the order of their times
    std::set<uint64_t> commands_; // when those that run began
};
