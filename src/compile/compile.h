// OpenCL C or SPIR-V to a zebin, through the real compiler in a worker process of its own: the compiler
// installs signal handlers and can abort. Results are kept in an on-disk cache that concurrent processes
// share.
#pragma once

#include "diagnostic/diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::compile {

enum class Language : uint8_t { opencl_c, spirv, modules };
enum class Product : uint8_t { zebin, spirv };

struct Request {
    Language language = Language::opencl_c;
    std::string name;                 // as messages name the source
    std::string source;               // text or SPIR-V bytes
    std::vector<std::string> modules; // SPIR-V to link; then there is no source
    Product product = Product::zebin; // SPIR-V: of OpenCL C, which may lack what another module defines
    bool needs_kernels = true;        // without one it is no build
    std::string device = "skl";       // Visor's name
    std::string compiler;             // as find_compilers() takes it; "": the newest that knows the device
    std::string options;              // for the OpenCL compiler: "-cl-std=CL2.0 -DN=4"
    std::vector<std::string> include_folders;
    double time_limit = 60; // seconds of CPU time; 0 or less: none
    bool use_cache = true;
    // Called at most once, on the caller's thread, with a progress message of a long build (notice.h). Empty:
    // none.
    std::function<void(std::string_view)> on_wait;
};

struct Output {
    std::vector<std::byte> zebin; // or the SPIR-V that was asked for
    std::string log;              // warnings, with the user's file names
    std::string compiler;         // which one: "ocloc 26.27.39122 (IGC 2.40.14)"
    bool from_cache = false;
    double seconds = 0; // of the build, or of the cache look-up
};

enum class FailureKind : uint8_t {
    build_error,
    compiler_missing,
    compiler_crashed,
    time_limit,
    bad_option,
    no_target
};

struct Failure {
    FailureKind kind = FailureKind::build_error;
    std::string message; // one sentence
    std::string log;     // the compiler's own words, with the user's file names
};

// Thread-safe: as many compilers work at a time as threads call.
[[nodiscard]] std::expected<Output, Failure> compile(const Request& request);

// What is known of a compiler that was found.
struct CompilerFacts {
    std::string title; // "ocloc 26.27.39122 (IGC 2.40.14)"
    std::string version;
    std::string library;
    std::vector<std::string> devices; // by Visor's names
};
struct CompilerList {
    std::vector<CompilerFacts> found;  // newest first
    std::vector<std::string> problems; // a sentence on each that does not work, or is left alone

    // Whether one of them makes code for it.
    [[nodiscard]] bool knows(std::string_view device) const;
};
// All compilers of this machine, or those that `name` or $VISOR_COMPILER selects. Takes a second or two for a
// new compiler, else a millisecond. Thread-safe.
[[nodiscard]] CompilerList list_compilers(std::string_view name = {});

// The confinement of worker processes on this system; starts one to query it. Nothing: it does not start, or
// is built with sanitizers.
struct WorkerConfinement {
    bool limits = false;
    bool no_new_privs = false;
    bool system_calls = false; // by seccomp
    int landlock = 0;          // version; 0: no limit to what it may read
};
[[nodiscard]] WorkerConfinement worker_confinement();

// The cache's folder: $VISOR_CACHE_DIR, else $XDG_CACHE_HOME/visor, else ~/.cache/visor.
[[nodiscard]] std::string cache_folder();

} // namespace visor::compile
