// What a run was asked for, as plain data: whoever runs a job reads it and never sees an option's spelling.
#pragma once

#include "capture/recorder.h"
#include "check/finding.h"
#include "cli/console/console.h"
#include "cli/launch/job.h"
#include "cli/value/output.h"
#include "profile/outputs.h"
#include "trace/registers.h"
#include "trace/tracer.h"
#include "vm/vm.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace visor::debug {
class Session;
} // namespace visor::debug

namespace visor::cli {

using vm::default_fuel;

struct Talk {
    ColorMode color = ColorMode::automatic;
    bool quiet = false;
    bool verbose = false;
};

// `--text KERNEL=FILE`
struct TextFile {
    std::string kernel;
    std::string path;
};

struct RunRequest {
    Talk talk;
    std::string file;
    bool whole = false; // it says everything: anything but a launch file is refused
    LaunchRequest launch;
    std::vector<OutputRequest> outputs;
    std::vector<PrintRequest> prints;
    std::string device; // "": what the file names, else the default
    std::vector<TextFile> texts;
    vm::EngineKind engine = vm::EngineKind::automatic;
    std::string compiler;      // "": $VISOR_COMPILER, else the newest that knows the device
    double compiler_time = 60; // CPU seconds; 0: no limit
    std::string compiler_options;
    uint64_t seed = 0;
    uint64_t fuel = default_fuel; // 0: no limit
    double timeout = 0;           // seconds, 0: no limit
    uint32_t threads = 1;
    bool time = false;
    bool json = false;
    std::string trace; // a file; "": none
    trace::TraceChoice trace_choice;
    std::vector<trace::RegisterChoice> dumps;
    profile::Paths profiles;
    capture::Settings capture;               // which launches are written as folders
    std::array<bool, check::kinds> checks{}; // by check::Kind
    std::string suppressions;                // a file; "": none
    std::string sarif;                       // a file; "": none
    std::optional<uint64_t> last_seed;       // several schedules, from `seed` to this
    debug::Session* debugger = nullptr;      // that stops it; nullptr: none
};

} // namespace visor::cli
