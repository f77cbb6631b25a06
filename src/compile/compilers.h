// The OpenCL compilers of this machine: their descriptions, and the choice for a build. Descriptions are
// cached on disk until a library of the compiler changes.
#pragma once

#include "compile/compile.h"
#include "compile/locations.h"
#include "compile/worker.h"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace visor::compile {

// A device that a compiler makes code for.
struct Target {
    std::string device; // Visor's name
    std::string name;   // the compiler's
};

struct Compiler {
    Location location;
    std::string version;     // of ocloc: "26.27.39122"
    std::string igc_version; // of the package: "2.40.14"; "": nothing tells
    std::string identity;    // of every library that it loads: part of the keys of caches
    std::vector<Target> targets;
    std::vector<std::string> libraries; // paths of all that it loads

    // "ocloc 26.27.39122 (IGC 2.40.14)"
    [[nodiscard]] std::string title() const;
    // Nothing: it makes no code for this device.
    [[nodiscard]] const Target* target_for(std::string_view device) const;
};

struct Compilers {
    std::vector<Compiler> found;       // newest first
    std::vector<std::string> problems; // of compilers that do not work
};

// A newer ocloc delegates older devices to another library, and lists them as its own. Removes those, so that
// a build uses the compiler that generates its code.
void leave_delegated(std::vector<Compiler>& compilers);

// All compilers, or those selected by `name`: a version prefix ("2.40", "24.35"), "system", or a folder (with
// a slash). "": by $VISOR_COMPILER, else all. Thread-safe.
[[nodiscard]] Compilers find_compilers(const std::string& worker, std::string_view name);

// The newest that supports the device. Error: lists the others.
[[nodiscard]] std::expected<Compiler, Failure>
choose_compiler(const std::string& worker, std::string_view device, std::string_view name);

// The worker, with this compiler.
[[nodiscard]] Command worker_command(const std::string& worker, const Location& location);

} // namespace visor::compile
