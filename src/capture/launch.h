// A launch as a folder keeps it, so that it can be launched again: docs/capture.md. Plain data; memory is the
// launch's own, so that its bytes are those of the moment.
#pragma once

#include "capture/layout.h"
#include "machine/image.h"
#include "machine/launch.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace visor::capture {

struct Null {}; // a pointer
struct Local {
    uint64_t bytes = 0;
};
// A buffer, a part of one, or an allocation of shared memory.
struct Object {
    std::span<const std::byte> bytes;
    uint64_t number = 0;     // equal ones are one object
    bool is_pointer = false; // into an allocation: code may go from there to all of it
    uint64_t offset = 0;     // where the pointer leads
};
struct Pixels {
    machine::Image image; // its pitches are those of `bytes`
    std::span<const std::byte> bytes;
    uint64_t number = 0;
};
// By value: its bytes. A filler is for hand-written kernels.
using Value =
    std::variant<std::vector<std::byte>, Null, Local, Object, Pixels, machine::Sampler, machine::Filler>;

enum class Target : uint8_t { parameter, surface, sampler };
struct Argument {
    std::string name;      // "": unknown
    std::string type_name; // "float*"; "": unknown
    Value value;
    Target target = Target::parameter;
    uint32_t index = 0; // of a surface: in the binding table; of a sampler: its sampler index
};

// vISA text that replaces a kernel's own.
struct Text {
    std::string kernel;
    std::string content;
};

// What a hand-written kernel is given besides the sizes in work-items.
struct HandSizes {
    uint32_t simd = 0;
    uint32_t slm_bytes = 0;
    bool in_threads = false; // the size is `groups` and `threads`
    std::array<uint32_t, 3> groups{1, 1, 1};
    uint32_t threads = 1; // of a group
};

struct Launch {
    uint64_t number = 0; // of the process, from 0 on
    std::string kernel;
    std::string device; // "skl"
    // What the program was made from, where it was; and what ran.
    std::string source; // OpenCL C
    std::string spirv;
    std::string code;                   // a zebin, vISA text or a vISA binary
    std::string code_file{binary_file}; // its name in the folder
    std::vector<Text> texts;
    std::string options;
    uint32_t dimensions = 1;
    std::array<uint64_t, 3> global{1, 1, 1};
    std::array<uint64_t, 3> local{0, 0, 0}; // zeros: Visor chooses
    std::array<uint64_t, 3> offset{0, 0, 0};
    std::optional<HandSizes> by_hand; // a hand-written kernel
    std::vector<Argument> arguments;
    std::span<const std::byte> variables; // of program scope; none: empty
    std::string remark;                   // what the folder does not hold, a sentence; "": nothing
};

} // namespace visor::capture
