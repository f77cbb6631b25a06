// What the OpenCL platform wrote of the launches of an application: a line for each thing that happened.
#pragma once

#include "cli/outcome.h"
#include "isa/row.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace visor::cli {

struct ApplicationRecord {
    std::set<std::string, std::less<>> kernels;
    uint64_t launches = 0;
    uint64_t work_groups = 0; // finished
    uint64_t all_groups = 0;
    uint64_t instructions = 0;
    uint64_t errors = 0;
    uint64_t findings = 0;
    uint64_t notes = 0;
    isa::Fidelity fidelity = isa::Fidelity::exact;
    std::set<std::string, std::less<>> fidelity_names;
    ExitCode code = ExitCode::clean;
};

// Lines that are not whole, or of no known kind, are passed over: an application can be killed at any moment.
[[nodiscard]] ApplicationRecord read_application_record(std::string_view text);

// "visor: 2 kernels, 7 launches, ...", the summary's words.
[[nodiscard]] std::string summary_of(const ApplicationRecord& record, bool checked);

} // namespace visor::cli
