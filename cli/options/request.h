// What the command line asked for, as plain data: the verbs read these and never see an option's spelling.
#pragma once

#include "cli/launch/run_request.h"
#include "debug/client.h"
#include "diagnostic/diagnostic.h"
#include "isa/device.h"
#include "verify/verify.h"
#include "vm/translate.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace visor::cli {

// An application with Visor as its OpenCL platform. Options as they were written; "": not given.
// Who debugs, and how.
struct DebuggerChoice {
    visor::debug::Protocol protocol = debug::Protocol::prompt;
    uint16_t port = 0; // of the loopback; 0: the standard streams
    bool stop_at_end = false;
    uint64_t history_mebibytes = 512;
};

struct ApplicationRequest {
    Talk talk;
    std::vector<std::string> command;
    std::string device;
    std::string compiler;
    std::string engine;
    std::string checks;
    std::string threads;
    std::string fuel;
    std::string timeout;
    profile::Paths profiles;
    std::string capture; // a folder
    std::string capture_launches;
    std::string capture_limit; // MiB
    uint64_t seed = 0;
    std::optional<uint64_t> last_seed; // several schedules, from `seed` to this
    std::optional<DebuggerChoice> debugger;
};

using vm::Emit;

struct CcRequest {
    Talk talk;
    std::string file;
    std::string output; // "": <stem>.zebin, <stem>.spv or <stem>.visaasm
    std::string kernel; // visa_text: this one only; "": all
    std::string device = "skl";
    std::string compiler; // likewise
    double compiler_time = 60;
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

struct ReduceRequest {
    Talk talk;
    std::string file;
    std::string output; // "": <stem>.reduced.visaasm
    DeviceChoice device;
    double test_seconds = 60; // of wall-clock time, for one run of the command; 0: any
    uint64_t most_tests = 0;  // 0: any number
    std::vector<std::string> command;
};

struct DiffRequest {
    Talk talk;
    std::string first;
    std::string second;
    std::string kernel; // "": all
    DeviceChoice device;
    std::string compiler_options;
    size_t most = 10;  // differences of each function
    uint32_t runs = 0; // 0: by meaning
    bool json = false;
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
    std::string file;   // "": about Visor itself
    std::string device; // "": what the file names, else the default
    std::string compiler_options;
    bool json = false;
};

// An option of a verb, as its definition has it.
struct OptionText {
    std::vector<std::string> names; // "-k", "--device"; "FILE" of a positional one
    std::string type;               // "X[,Y[,Z]]"; "": a flag
    std::string help;
    std::string group; // "": among the first
    bool positional = false;
};
struct VerbText {
    std::string name;
    std::string description;
    std::string footer;
    std::vector<OptionText> options;
};

// Text to print on standard output and nothing else to do: --help, --version, --device help.
struct PrintedAnswer {
    std::string text;
    std::shared_ptr<const VerbText> definition; // when that was asked for, instead
};

struct DebugRequest {
    RunRequest run;
    DebuggerChoice debugger;
};

using Request =
    std::variant<RunRequest, DebugRequest, ApplicationRequest, CcRequest, AsRequest, DisRequest, CheckRequest,
                 DiffRequest, ReduceRequest, IsaRequest, InfoRequest, PrintedAnswer>;

} // namespace visor::cli
