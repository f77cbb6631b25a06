// Settings from the VISOR_* environment variables, read once at the platform's first use.
#pragma once

#include "capture/recorder.h"
#include "check/finding.h"
#include "debug/serve.h"
#include "isa/device.h"
#include "profile/outputs.h"
#include "vm/vm.h"

#include <array>
#include <cstdint>
#include <string>

namespace visor::opencl {

struct Settings {
    const isa::Device* device = nullptr;
    vm::EngineKind engine = vm::EngineKind::automatic;
    std::array<bool, check::kinds> checks{}; // by check::Kind
    bool checking = false;
    [[nodiscard]] bool checks_memory() const { return checks[static_cast<size_t>(check::Kind::memory)]; }
    uint32_t threads = 1;
    uint64_t fuel = 0;                // instructions of a hardware thread, 0: no limit
    uint64_t seed = 0;                // of the order of threads and lanes, 0: in order
    double timeout = 0;               // seconds of one launch, 0: no limit
    profile::Paths profiles;          // the files of costs
    capture::Settings capture;        // folders of launches
    debug::ApplicationSettings debug; // the debugger
    std::string report;               // the file of launch records; "": none
    bool reports_results = false;     // also records hashes of memory

    [[nodiscard]] bool needs_source_lines() const {
        return checking || profiles.any() || !debug.socket.empty();
    }
};

// Invalid values are reported on standard error, and ignored.
[[nodiscard]] Settings read_settings();

} // namespace visor::opencl
