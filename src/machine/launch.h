// One launch, engine-neutral: the program, its index space, and how a thread's registers are initialized.
// launch/ builds it from a signature and arguments; the dispatcher and both engines read it.
#pragma once

#include "machine/image.h"
#include "machine/memory.h"
#include "program/program.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace visor::machine {

class WorkerArenas;
class WorkerPool;

enum class SurfaceKind : uint8_t { none, buffer, image };

// A binding-table entry. Offsets outside [0, bytes) read zero; writes to them are dropped.
struct Surface {
    SurfaceKind kind = SurfaceKind::none;
    uint64_t address = 0;
    uint64_t bytes = 0;
    uint32_t image = 0;   // in Launch::images; kind image only
    uint64_t counter = 0; // address of the append counter, a qword; 0 = none
    uint32_t padding = 0; // of `bytes`, those after the buffer's end (ruling 145)
};

// Binding-table indices above the hardware's, for predefined surface variables.
inline constexpr uint32_t bti_scratch_surface = 256; // TSS

// Bytes copied from the launch's image into a thread's registers.
struct ImageInput {
    uint32_t register_offset = 0;
    uint32_t image_offset = 0;
    uint32_t bytes = 0;

    bool operator==(const ImageInput&) const = default;
};

// A per-lane or per-thread value, computed when the thread starts.
enum class Filler : uint8_t {
    local_id_x, // lane-wise
    local_id_y,
    local_id_z,
    lane,         // lane-wise: the channel's number
    thread,       // number of the hardware thread in its group
    private_base, // address of the thread's private block
};
struct ComputedInput {
    Filler filler = Filler::lane;
    uint32_t register_offset = 0;
    uint8_t first_lane = 0;
    uint8_t lanes = 1;
    uint8_t element_bytes = 2; // 2, 4 or 8

    bool operator==(const ComputedInput&) const = default;
};

// A function as a launch links it.
struct LaunchFunction {
    const Program* program = nullptr;
    std::vector<uint64_t> symbols; // by index in Function::strings: address of the name, 0 = none
    std::vector<uint32_t> callees; // likewise: number of the function of this name, no_target = none
};

// The result of faddr for function number `index` of a file. It is not readable memory. The low half is
// unique, too, for code that keeps 32 bits.
[[nodiscard]] constexpr uint64_t function_address(uint32_t index) {
    return (uint64_t{0x00fc'0000} << 32U) + (uint64_t{index} + 1) * 16;
}
[[nodiscard]] constexpr bool is_function_address(uint64_t address) {
    return address >> 32U == 0x00fc'0000U && address % 16 == 0 && (address & UINT32_MAX) != 0;
}
[[nodiscard]] constexpr uint32_t function_index(uint64_t address) {
    return static_cast<uint32_t>(address) / 16 - 1;
}

// Allocations (AllocationKind) that the application declared as accessible to the kernel: its arguments, and
// clSetKernelExecInfo. Kernels can access all others; checkers report undeclared ones.
struct DeclaredReach {
    std::vector<AllocationKind> kinds; // all of these
    std::vector<uint64_t> allocations; // these, by address
};

struct Launch {
    const Program* program = nullptr;
    Memory* memory = nullptr;
    std::array<uint32_t, 3> groups{1, 1, 1};
    std::array<uint32_t, 3> first_group{0, 0, 0}; // added to group ids (regions of a non-uniform launch)
    std::array<uint32_t, 3> all_groups{1, 1, 1};  // of the whole launch, all regions together
    std::array<uint32_t, 3> local_size{1, 1, 1};
    std::array<uint8_t, 3> walk_order{0, 1, 2}; // dimension that varies fastest first
    uint32_t simd = 16;
    uint32_t threads = 1;           // hardware threads of a group
    uint32_t last_thread_lanes = 0; // lanes of the last thread's dispatch mask; 0 = all
    uint32_t slm_bytes = 0;
    uint32_t scratch_bytes = 0; // of each hardware thread
    uint64_t private_base = 0;  // allocation with private_bytes for each thread of one group and worker
    // Instead, for kernels with a stack: an allocation for each thread, so that an overflow is a fault.
    std::vector<uint64_t> private_blocks;
    uint64_t private_bytes = 0;    // of each hardware thread
    std::vector<Surface> surfaces; // by binding-table index
    std::vector<Image> images;
    std::vector<Sampler> samplers; // by sampler index
    std::vector<std::byte> image;  // cross-thread bytes
    // The target of `arg` addresses of a hand-written kernel (ruling 71); of a compiled one it is `image`.
    std::vector<std::byte> arguments;
    std::vector<ImageInput> image_inputs;
    std::vector<ComputedInput> computed_inputs;
    std::vector<uint32_t> preset_surfaces; // initial value of each element of the program's surface file
    std::vector<uint32_t> preset_samplers;
    std::vector<LaunchFunction> functions;  // the kernel first; empty: it names neither functions nor data
    std::vector<uint32_t> function_numbers; // by file index (function_address): index in `functions`
    // The implicit arguments: the launch's sizes for functions (launch ABI 2.10); empty: none reads them.
    std::vector<std::byte> implicit_arguments;
    std::shared_ptr<const DeclaredReach> reach; // for watchers; null: not declared
};

class RunControl;

struct RunOptions {
    uint64_t fuel = 0;              // instructions of one hardware thread; 0 = no limit
    double timeout = 0;             // seconds of wall clock; 0 = no limit
    uint32_t workers = 1;           // CPU threads over work-groups
    WorkerPool* pool = nullptr;     // of the helper workers; null: a temporary one
    WorkerArenas* arenas = nullptr; // workers' memory, reused by later launches; null: not reused
    uint64_t seed = 0;              // of the schedule; 0: threads in order
    uint64_t first_group = 0;       // range of linear group numbers to run
    uint64_t group_count = UINT64_MAX;
    const std::atomic<bool>* stop = nullptr; // set by the caller to end the run early
    RunControl* control = nullptr;           // of a debugger, which is the watcher, too; one worker
};

// At most 1e15: larger launches are rejected before.
[[nodiscard]] inline uint64_t group_count(const Launch& launch) {
    return uint64_t{launch.groups[0]} * launch.groups[1] * launch.groups[2];
}

} // namespace visor::machine
