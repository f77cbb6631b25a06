// Is this module legal? Every rule of the pages, and of the implementation where it refuses more or less,
// each under a stable id. It changes nothing and executes nothing; what only a running program shows is for
// the checkers.
#pragma once

#include "diagnostic/diagnostic.h"
#include "isa/device.h"
#include "module/module.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace visor::verify {

enum class Profile : uint8_t {
    spec, // refuses what the pages forbid
    igc,  // refuses what the implementation refuses, warns of the rest
    run, // likewise, before it is executed: warns also of what the implementation refuses and no page forbids
};

struct Options {
    Profile profile = Profile::spec;
    const isa::Device* device = nullptr; // nullptr = any: availability is not checked, a GRF has 32 bytes
    // Profiles igc and run: warn also of what the pages forbid although compilers emit it all the time.
    bool warn_of_habits = false;
    // How much is wrong, and no more: diagnostics have a severity alone.
    bool counts_only = false;
};

// An id with `<instruction>` or `<operand>` in it stands for one id an instruction or operand: the type rule
// of scatter_scaled's src reports as "scatter-scaled-src-type".
struct Rule {
    const char* id;
    const char* line; // what it asks for, in one line
    const char* page; // where the documentation says so
};

// Every rule, sorted by id.
[[nodiscard]] std::span<const Rule> rules();

// The rule behind a diagnostic's id; nullptr when this stage has none such.
[[nodiscard]] const Rule* rule_of(std::string_view diagnostic_id);

// Reports all that is wrong, located, in the order of the input. Time linear in the module's size; any module
// will do, also one that no text or binary can give.
void verify(const Module& module, const Options& options, Diagnostics& diagnostics);

} // namespace visor::verify
