// What a run did, as plain data: the words on the console and the JSON object are both made from it.
#pragma once

#include "check/finding.h"
#include "check/report.h"
#include "cli/console/outcome.h"
#include "cli/launch/expectation.h"
#include "cli/launch/job.h"
#include "profile/outputs.h"
#include "trace/registers.h"

#include <optional>
#include <string>
#include <vector>

namespace visor::cli {

struct DumpRecord {
    trace::RegisterChoice choice;
    std::optional<trace::Registers> registers; // absent: there is no such thread
};

struct LaunchRecord {
    const LaunchRequest* request = nullptr; // of the job
    vm::KernelFacts kernel;
    std::optional<vm::RunReport> report; // absent: it was not run
    std::vector<DumpRecord> dumps;
};

struct PrintRecord {
    PrintRequest request;            // settled
    uint64_t elements = 0;           // of the whole array
    std::vector<std::string> values; // those asked for
    std::optional<ImageFacts> image; // what was printed of
};

struct CheckRecord {
    std::string array;
    Element element = Element::u8;
    Shape shape;
    uint64_t elements = 0;
    std::optional<Difference> difference; // absent: as expected
};

using FindingRecord = check::Reported;

// An array as a schedule left it.
struct ArrayState {
    std::string name;
    Element element = Element::u8;
    std::vector<std::byte> bytes;
};

struct RunRecord {
    std::string file;
    std::string device;
    std::string compiler; // that made the program; "": it came as code
    double load_seconds = 0;
    std::vector<LaunchRecord> launches;
    std::vector<PrintRecord> prints;
    std::vector<OutputRequest> files; // written
    std::vector<CheckRecord> checks;
    std::string trace;       // the file; "": none
    profile::Paths profiles; // those written
    bool checked = false;    // with checkers
    std::vector<FindingRecord> findings;
    uint64_t suppressed = 0; // findings that were taken out
    uint64_t seed = 0;
    uint64_t schedules = 1;
    std::vector<ArrayState> arrays; // with several schedules: what the last launch left
    std::string differing;          // how results of schedules differ; "": they do not
    std::vector<std::string> warnings;
    std::vector<Failure> failures;
    ExitCode code = ExitCode::clean;
};

} // namespace visor::cli
