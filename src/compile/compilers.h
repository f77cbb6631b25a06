// The OpenCL compilers of this machine: what each says of itself, and which of them a build takes. What a
// compiler says is kept on disk, as long as none of the libraries that it loads is another one.
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
    std::vector<std::string> problems; // of what lies there and does not work
};

// A newer ocloc hands devices that it does not know itself to the library for older ones beside it, and says
// that it knows them. Takes those away, so that a build goes to the compiler that makes its code.
void leave_delegated(std::vector<Compiler>& compilers);

// All there are, or those of `name`: the beginning of a version ("2.40", "24.35"), "system", or a folder
// (with a slash). "": what $VISOR_COMPILER names, else all. Thread-safe.
[[nodiscard]] Compilers find_compilers(const std::string& worker, std::string_view name);

// The newest that knows the device. Error: what there is instead.
[[nodiscard]] std::expected<Compiler, Failure>
choose_compiler(const std::string& worker, std::string_view device, std::string_view name);

// The worker, with this compiler.
[[nodiscard]] Command worker_command(const std::string& worker, const Location& location);

} // namespace visor::compile
