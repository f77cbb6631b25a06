// What a run is to do, whoever asked for it: the options of one launch, or a launch file. Plain data: the
// program is read already, other files are named by the paths they will be opened with.
#pragma once

#include "cli/launch/bindings.h"
#include "cli/value/output.h"
#include "cli/value/value.h"
#include "vm/vm.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace visor::cli {

// `X[,Y[,Z]]`
struct Extent {
    uint32_t dimensions = 0; // 0: not given
    std::array<uint64_t, 3> size{1, 1, 1};
};

using vm::default_device;

struct LaunchRequest {
    std::string place; // "launches[1]", for messages; "" on the command line
    std::string kernel;
    Extent global;
    Extent local;
    Extent offset;
    std::vector<ArgumentText> arguments;
    // Hand-written text.
    Extent groups;
    std::optional<uint32_t> hardware_threads;
    std::optional<uint32_t> simd;
    std::optional<uint32_t> slm_bytes;
    std::vector<StateText> surfaces; // by binding-table index
    std::vector<StateText> samplers; // by sampler index
};

// An array or image that launches share by its name.
struct NamedArray {
    std::string name;
    std::string text; // the value as written, for messages
    Value value;
};

// How far a number may be from the expected one: within any of these. None: the same number.
struct Tolerance {
    std::optional<double> absolute;
    std::optional<double> relative; // of the expected number
    std::optional<uint64_t> ulps;   // floats: numbers of the type that lie between, plus one
    bool bits = false;              // not even by the sign of zero, or another NaN
};

// What an array must hold after the last launch.
struct Expectation {
    std::string place; // "expect[0]"
    std::string array;
    std::string text;
    Value value;
    bool every = false; // the value is one number, and every element's
    Tolerance tolerance;
};

struct Job {
    std::string device;
    std::string remark;       // how the device was found, ready to print; "": somebody named it
    std::string program_name; // what messages call the program
    std::string program;      // its content
    vm::LoadOptions load;
    std::string variables; // the array that the program's variables are; "": none
    std::vector<NamedArray> arrays;
    std::vector<LaunchRequest> launches;
    std::vector<OutputRequest> outputs;
    std::vector<PrintRequest> prints;
    std::vector<Expectation> expectations;
};

} // namespace visor::cli
