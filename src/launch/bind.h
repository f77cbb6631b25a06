// Arguments and index space to launches: the register image, surfaces, shared local memory layout (facts:
// launch ABI section 2), for compiled kernels and for hand-written ones.
#pragma once

#include "isa/device.h"
#include "launch/signature.h"
#include "machine/launch.h"
#include "machine/memory.h"
#include "program/program.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace visor::launch {

// Index space in work-items.
struct Geometry {
    uint32_t dimensions = 1;
    std::array<uint64_t, 3> global{1, 1, 1};
    std::array<uint32_t, 3> local{0, 0, 0}; // zeros: choose
    std::array<uint64_t, 3> offset{0, 0, 0};
    bool allow_non_uniform = false; // OpenCL 2.0: the last group of a dimension may be smaller
};

struct Buffer {
    uint64_t address = 0; // 0: a null pointer
    uint64_t bytes = 0;   // from there on
    // Of a pointer into an object: the object's bytes below it, which code may access, too.
    uint64_t before = 0;
};
struct LocalBytes {
    uint64_t bytes = 0;
};
// By value (its bytes), a buffer, local memory, an image whose pixels are in device memory, a sampler.
using ArgumentValue = std::variant<std::monostate, std::vector<std::byte>, Buffer, LocalBytes, machine::Image,
                                   machine::Sampler>;

// A program's constants and variables in device memory; none: an address of 0.
struct ProgramData {
    Buffer constants;
    Buffer variables;
};

// Device memory that a launch needs besides its arguments; the owner frees it after the launch.
struct Resources {
    std::vector<uint64_t> allocations;
};

// Why a launch is rejected: one sentence that names the argument or size.
struct BindError {
    std::string message;
    bool unsupported = false; // Visor does not support it yet; not an error of the user
};

struct Plan {
    // One; a region each of a non-uniform launch, in the order of their groups; none when a global size is 0.
    std::vector<machine::Launch> launches;
    std::array<uint32_t, 3> local{1, 1, 1};
    Resources resources;
};

// The local size if the caller gives none: the required one, else the largest divisor that fills whole
// threads.
[[nodiscard]] std::expected<std::array<uint32_t, 3>, std::string>
choose_local_size(const Signature& signature, const isa::Device& device, const Geometry& geometry);

// `values` by argument index; `printf_buffer` is the address of a 4 MiB buffer or 0. Chooses the local size
// unless all of its used dimensions are positive.
[[nodiscard]] std::expected<Plan, BindError> bind(const Signature& signature, const Program& program,
                                                  std::span<const ArgumentValue> values,
                                                  const Geometry& geometry, uint32_t workers,
                                                  uint64_t printf_buffer, machine::Memory& memory,
                                                  const ProgramData& data = {});

// ---- hand-written text
// -----------------------------------------------------------------------------------------

// The value of an explicit input, or of a binding-table index, of a hand-written kernel.
struct InputBytes {
    std::vector<std::byte> content; // fills the variable itself
};
struct InputFiller {
    machine::Filler filler = machine::Filler::lane;
};
struct HandInput {
    std::string name; // the input's
    // Buffer on a uq/q: its address; on a T: the surface, as an image is; a sampler on an S.
    std::variant<InputBytes, InputFiller, Buffer, machine::Image, machine::Sampler> value;
};
// The surface of a binding-table index or, given a sampler, the sampler of a sampler index.
struct HandState {
    uint32_t index = 0;
    std::variant<Buffer, machine::Image, machine::Sampler> value;
};

struct HandGeometry {
    uint32_t simd = 0;      // 0: the kernel's SimdSize attribute
    uint32_t slm_bytes = 0; // 0: the kernel's SLMSize attribute
    // Either work-items, or hardware threads by group (groups, threads).
    bool in_threads = false;
    Geometry items;
    std::array<uint32_t, 3> groups{1, 1, 1};
    uint32_t threads = 1;
};

// A lane-wise filler of several inputs continues at the previous one's last lane, as the halves of the
// compiler's SIMD32 local ids do; it restarts after the last lane.
[[nodiscard]] std::expected<Plan, BindError>
bind_hand_written(const Program& program, std::span<const HandInput> inputs,
                  std::span<const HandState> states, const HandGeometry& geometry, machine::Memory& memory);

} // namespace visor::launch
