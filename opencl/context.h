// A context: the memory and the machine that its launches share, and the lock of its graph of events.
#pragma once

#include "check/checkers.h"
#include "opencl/object.h"
#include "opencl/platform.h"
#include "vm/vm.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

struct _cl_context : visor::opencl::Handle<visor::opencl::Kind::context> {
    using Notify = void(CL_CALLBACK*)(const char*, const void*, size_t, void*);

    explicit _cl_context(const visor::isa::Device& device);

    // ---- device memory; waits while a kernel runs

    // 0: there is no room.
    [[nodiscard]] uint64_t allocate(uint64_t bytes, std::string label);
    // Never waits: given back when the machine is next at rest.
    void free(uint64_t address);
    // The machine, for one at a time.
    [[nodiscard]] std::unique_lock<std::mutex> at_machine();

    visor::vm::Context machine;
    visor::check::Checkers checkers; // used at the machine
    size_t findings_told = 0;        // likewise

    // ---- the graph: all of its events, queues and their lists

    std::mutex graph;
    std::condition_variable graph_changed;

    // ---- what the application gave

    std::vector<cl_context_properties> properties;
    Notify notify = nullptr;
    void* notify_data = nullptr;
    visor::opencl::DestructorCallbacks destructor_callbacks;
    std::mutex facts;                 // the list below
    std::map<uint64_t, uint64_t> svm; // address -> bytes

    // Memory objects that are alive, with their serial numbers. Kernels remember some that may have ended
    // since, and whose address another may have.
    std::mutex memory_lock;
    uint64_t memory_serial = 0;
    std::unordered_map<const void*, uint64_t> live_memory;

    // The allocation of shared memory that holds the address; {0, 0} when none does.
    [[nodiscard]] std::pair<uint64_t, uint64_t> svm_at(const void* pointer);

private:
    std::mutex machine_lock_;
    std::mutex freed_lock_;
    std::vector<uint64_t> freed_;
};
