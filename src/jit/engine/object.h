// A compiled function: the bytes of an object file, the runtime data that its code needs, and the compile
// options.
#pragma once

#include "jit/engine/access_mark.h"
#include "jit/engine/image_access.h"
#include "jit/engine/runtime_abi.h"
#include "jit/engine/surface_handle.h"
#include "machine/thread_payload.h"
#include "machine/watch_filter.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace visor::jit {

// Vector extensions that generated code may use; `host`: all of this CPU.
enum class Level : uint8_t { host, avx2, sse4, avx512 };

// `quick`: tier 1 code, `best`: tier 2 code. Compiling tier 1 takes less than half of the time.
enum class Tier : uint8_t { best, quick };

// Switches of the pass pipeline, for developers (docs/dev/how-to.md). Names are those of the pass list.
struct PassSwitches {
    std::vector<std::string> disabled;
    std::vector<std::string> print_after; // also "all"
    bool time = false;                    // logs how long each pass takes, and whether it changes anything
    bool verify = false;                  // LLVM's verifier after each pass
    std::string log_file;                 // the log is appended to it; "": to standard error

    [[nodiscard]] bool logs() const { return time || !print_after.empty(); }
};

// Names separated by commas, as the environment and the worker's protocol have them.
[[nodiscard]] inline std::vector<std::string> names_in(std::string_view list) {
    std::vector<std::string> names;
    for (const auto& name : std::views::split(list, ','))
        if (!name.empty())
            names.emplace_back(name.begin(), name.end());
    return names;
}

struct CompileOptions {
    uint32_t simd = 16;  // lanes of a hardware thread
    bool full = true;    // every lane of every thread was dispatched
    bool lowered = true; // false: interpreter fallback for every instruction but control flow
    Level level = Level::host;
    Tier tier = Tier::best;
    bool waits = false;                     // a launch waits for tier 2 code: rejects what takes many seconds
    std::vector<machine::LaneSteps> inputs; // thread payload of threads with all lanes dispatched
    std::vector<machine::SharedInput> shared; // payload that is uniform over the launch
    uint32_t slm_bytes = 0;                   // lower bound, of a group
    uint32_t scratch_bytes = 0;               // lower bound, of a thread
    machine::EventKinds reported;             // events that the code reports to listeners
    std::vector<ImageAccess> images;          // image messages that the code makes itself
    PassSwitches switches;
    // For tests: ignores the cost models, so that transformations for long code and large launches run.
    bool eager = false;
    // For tests: removes the marks of these pointers, as if they had not been checked.
    std::optional<Mark> unmarked;
};

// A runtime call in the code of an instruction, by code index.
struct InstructionCall {
    uint32_t instruction = 0;
    RuntimeEntry entry = RuntimeEntry::step;

    friend auto operator<=>(const InstructionCall&, const InstructionCall&) = default;
};

struct Object {
    std::string bytes;                    // an ELF object that defines `function_name`
    uint32_t sites = 0;                   // access sites: see engine/runtime_abi.h
    std::vector<uint32_t> surfaces;       // surface elements whose windows it reads
    std::vector<uint32_t> named_surfaces; // binding-table indices, likewise
    std::vector<GivenHandle> handles;     // from the launch, likewise
    bool looks_up = false;                // looks other handles up in the windows of all surfaces
    std::vector<uint32_t> pinned;         // variables in the register file: offset, bytes ...
    std::string log;                      // what PassSwitches asked for
    // Both for tests; the worker keeps them to itself.
    std::vector<uint32_t> interpreted;  // instructions, by code index, without code: always fallbacks
    std::vector<InstructionCall> calls; // in the code of which instructions
};

inline constexpr const char* function_name = "visor_function";

// Prefix of errors that are bugs of the code generator: the user sees a warning.
inline constexpr std::string_view internal_error = "internal error: the code generator made ";

// Prefix of errors in PassSwitches: likewise.
inline constexpr std::string_view switch_error = "VISOR_JIT_";

// Limit of compile()'s CPU time; the worker process is killed after it. The longest functions get a
// minute in tier 1, two minutes in tier 2.
[[nodiscard]] constexpr double compile_seconds(size_t instructions, Tier tier) {
    const double each = tier == Tier::quick ? 0.0005 : 0.01;
    return 5 + each * static_cast<double>(instructions);
}

} // namespace visor::jit
