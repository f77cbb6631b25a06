// Compiled code of one function as the engine takes it: the bytes of an object file, what it expects of the
// launch, and the options that it was compiled with.
#pragma once

#include "jit/engine/access_mark.h"
#include "jit/engine/surface_handle.h"
#include "machine/thread_payload.h"
#include "machine/watch_filter.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::jit {

// Vector extensions that generated code may use; `host`: all that this CPU has.
enum class Level : uint8_t { host, avx2, sse4 };

// How much is done for the code's speed: `quick` is made in less than half of the time.
enum class Tier : uint8_t { best, quick };

struct CompileOptions {
    uint32_t simd = 16;  // lanes of a hardware thread
    bool full = true;    // every lane of every thread was dispatched
    bool lowered = true; // false: every instruction but control flow by call-out
    Level level = Level::host;
    Tier tier = Tier::best;
    std::vector<machine::LaneSteps> inputs;   // what threads find in their registers (full ones alone)
    std::vector<machine::SharedInput> shared; // what is the same in all of them
    uint32_t slm_bytes = 0;                   // a group has at least so many
    uint32_t scratch_bytes = 0;               // a thread, likewise
    machine::Subjects told;                   // what the code tells listeners of
    // What is worth it only in long code and large launches is done in all, so that tests reach it.
    bool eager = false;
    // For tests: pointers of this kind lose their marks, as if nothing had been checked.
    std::optional<Mark> unmarked;
};

struct Object {
    std::string bytes;                    // an ELF object that defines `function_name`
    uint32_t sites = 0;                   // access sites: see engine/runtime_abi.h
    std::vector<uint32_t> surfaces;       // surface elements that it reads windows of
    std::vector<uint32_t> named_surfaces; // binding-table indices, likewise
    std::vector<GivenHandle> handles;     // that the launch gave, likewise
    bool looks_up = false;                // other handles, in the windows of all surfaces
    std::vector<uint32_t> pinned;         // variables that it keeps in the register file: offset, bytes ...
};

inline constexpr const char* function_name = "visor_function";

// What an error begins with that is a mistake of the code generator's own: who runs the kernel is told of it.
inline constexpr std::string_view internal_error = "internal error: the code generator made ";

// CPU time that compile() may take; who asks a process of its own kills it then. Half a minute, or two, for
// the longest function that is compiled at all.
[[nodiscard]] constexpr double compile_seconds(size_t instructions, Tier tier) {
    const double each = tier == Tier::quick ? 0.0005 : 0.01;
    return 5 + each * static_cast<double>(instructions);
}

} // namespace visor::jit
