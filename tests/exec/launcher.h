// Runs one kernel of vISA text in process, through the facade that the command line uses. What the texts mean
// is its callers' business.
#pragma once

#include "vm/vm.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace visor::exec_test {

using Bytes = std::vector<std::byte>;

// `&name` in an input's content: at `place` stands the address of a buffer, plus `offset`.
struct Pointer {
    std::string input;
    size_t place = 0;
    std::string buffer;
    uint64_t offset = 0;
};

// What a surface's bytes are when it is an image: "rgba8", "4x2" ("4x2/3": three layers).
struct ImageText {
    std::string format;
    std::string size;
};

struct Launch {
    std::string text;
    std::string device;
    uint32_t simd = 32;
    uint32_t threads = 1;
    std::vector<std::pair<std::string, Bytes>> inputs;
    std::vector<std::pair<std::string, Bytes>> surfaces; // by variable; their content comes back
    std::map<std::string, ImageText> images;             // by surface
    std::vector<std::pair<std::string, std::vector<std::string>>> samplers; // by variable: their words
    std::vector<Pointer> pointers;
    std::string thread_number; // the input that each thread finds its number in
};

struct Outcome {
    std::string error; // "" when it ran to its end
    machine::Fault fault;
    std::map<std::string, Bytes> surfaces;
    std::map<std::string, uint64_t> addresses; // of surfaces
    uint64_t instructions = 0;
};

[[nodiscard]] Outcome launch(const Launch& launch, vm::EngineKind engine);

} // namespace visor::exec_test
