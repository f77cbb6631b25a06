// What the command line asked for, as plain data: the verbs read these and never see an option's spelling.
#pragma once

#include "cli/bindings.h"
#include "cli/console.h"
#include "cli/output.h"
#include "cli/value.h"
#include "diagnostic/diagnostic.h"
#include "isa/device.h"
#include "verify/verify.h"
#include "vm/vm.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace visor::cli {

// `X[,Y[,Z]]`
struct Extent {
    uint32_t dimensions = 0; // 0: not given
    std::array<uint64_t, 3> size{1, 1, 1};
};

inline constexpr uint64_t default_fuel = 1'000'000'000; // no endless loop unless asked for

struct Talk {
    ColorWish color = ColorWish::automatic;
    bool quiet = false;
    bool verbose = false;
};

struct RunRequest {
    Talk talk;
    std::string file;
    std::string kernel;
    Extent global;
    Extent local;
    Extent offset;
    std::vector<ArgumentText> arguments;
    std::vector<OutputRequest> outputs;
    std::vector<PrintRequest> prints;
    std::string device = "skl";
    vm::EngineKind engine = vm::EngineKind::automatic;
    std::string compiler_options;
    uint64_t seed = 0;
    uint64_t fuel = default_fuel; // 0: no limit
    double timeout = 0;           // seconds, 0: no limit
    uint32_t threads = 1;
    bool time = false;
    // Hand-written text.
    Extent groups;
    std::optional<uint32_t> hardware_threads;
    std::optional<uint32_t> simd;
    std::optional<uint32_t> slm_bytes;
    std::vector<SurfaceText> surfaces;
};

enum class Emit : uint8_t { zebin, spirv };

struct CcRequest {
    Talk talk;
    std::string file;
    std::string output; // "": <stem>.zebin or <stem>.spv
    std::string device = "skl";
    std::string compiler_options;
    std::vector<std::string> include_folders;
    Emit emit = Emit::zebin;
};

// `--device D|any`. Absent: the file's own, else any; nullptr: any.
using DeviceChoice = std::optional<const isa::Device*>;

struct AsRequest {
    Talk talk;
    std::string file;
    std::string output; // "": <stem>.isa
    DeviceChoice device;
};

struct DisRequest {
    Talk talk;
    std::string file;
    std::string output = "-";
    DeviceChoice device;
    std::string compiler_options;
};

struct CheckRequest {
    Talk talk;
    std::vector<std::string> files;
    std::optional<verify::Profile> profile; // absent: igc for what a compiler wrote, else spec
    DeviceChoice device;
    std::string compiler_options;
    bool warnings_are_errors = false;
    size_t max_errors = Diagnostics::default_max_errors; // of each file
    bool snippet = false;
    bool json = false;
};

struct IsaRequest {
    Talk talk;
    std::string name; // "": all
    bool coverage = false;
    bool fidelity = false;
    bool json = false;
};

struct InfoRequest {
    Talk talk;
    std::string file; // "": about Visor itself
    std::string device = "skl";
    std::string compiler_options;
};

// Text to print on standard output and nothing else to do: --help, --version, --device help.
struct PrintedAnswer {
    std::string text;
};

using Request = std::variant<RunRequest, CcRequest, AsRequest, DisRequest, CheckRequest, IsaRequest,
                             InfoRequest, PrintedAnswer>;

} // namespace visor::cli
