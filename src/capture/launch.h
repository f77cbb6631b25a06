// A launch as a folder keeps it, so that it can be launched again: docs/capture.md. Plain data; memory is the
// launch's own, so that its bytes are those of the moment.
#pragma once

#include "machine/image.h"

#include <array>
#include <cstddef>
#include <cstdint>
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
// By value: its bytes.
using Value = std::variant<std::vector<std::byte>, Null, Local, Object, Pixels, machine::Sampler>;

struct Argument {
    std::string name;      // "": unknown
    std::string type_name; // "float*"; "": unknown
    Value value;
};

struct Launch {
    uint64_t number = 0; // of the process, from 0 on
    std::string kernel;
    std::string device; // "skl"
    // What the program was made from, where it was; and what ran.
    std::string source; // OpenCL C
    std::string spirv;
    std::string zebin;
    std::string options;
    uint32_t dimensions = 1;
    std::array<uint64_t, 3> global{1, 1, 1};
    std::array<uint64_t, 3> local{0, 0, 0}; // zeros: Visor chooses
    std::array<uint64_t, 3> offset{0, 0, 0};
    std::vector<Argument> arguments;
    std::span<const std::byte> variables; // of program scope; none: empty
    std::string remark;                   // what the folder does not hold, a sentence; "": nothing
};

} // namespace visor::capture
