// What the OpenCL platform wrote of the launches of an application: a line for each thing that happened.
#pragma once

#include "cli/console/outcome.h"
#include "isa/row.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace visor::cli {

// A program of the application, in the process that made it: both are told apart by number.
struct ApplicationProgram {
    std::set<std::string, std::less<>> kernels; // that were launched
    uint64_t launches = 0;
};
// What a launch left in the device's memory.
struct ApplicationResult {
    uint64_t process = 0;
    uint64_t program = 0;
    std::string kernel;
    uint64_t digest = 0;
};

// Launches that were to have machine code and had none.
struct ApplicationInterpreted {
    uint64_t launches = 0;
    std::string reason; // of the last
};

struct ApplicationRecord {
    std::map<std::pair<uint64_t, uint64_t>, ApplicationProgram> programs;   // by process and program
    std::vector<ApplicationResult> results;                                 // where they were asked for
    std::map<std::string, ApplicationInterpreted, std::less<>> interpreted; // by kernel
    uint64_t launches = 0;
    uint64_t begun = 0;       // and not over
    uint64_t work_groups = 0; // finished
    uint64_t all_groups = 0;
    uint64_t instructions = 0;
    uint64_t errors = 0;
    uint64_t findings = 0;
    uint64_t notes = 0;
    isa::Fidelity fidelity = isa::Fidelity::exact;
    std::set<std::string, std::less<>> fidelity_names; // of instructions
    ExitCode code = ExitCode::clean;
};

// Lines that are not whole, or of no known kind, are passed over: an application can be killed at any moment.
[[nodiscard]] ApplicationRecord read_application_record(std::string_view text);

// "visor: 2 kernels, 7 launches, ...", the summary's words.
[[nodiscard]] std::string summary_of(const ApplicationRecord& record, bool checked);
// "program 3: kernels `a`, `b`; 7 launches", each.
[[nodiscard]] std::vector<std::string> programs_of(const ApplicationRecord& record);
// Two runs with different seeds: the first launch that left something else, or that they do not have in
// common; "" when there is none.
[[nodiscard]] std::string difference_of(const ApplicationRecord& first, const ApplicationRecord& other);

} // namespace visor::cli
