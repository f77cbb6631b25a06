// The kernels of others that Visor is tested with: sources.tsv names them, `fetch` brings their packages to
// build/corpus. This reads the list; it fetches nothing and compiles nothing.
#pragma once

#include "compile/compile.h"
#include "isa/device.h"

#include <cstdint>
#include <string>
#include <vector>

namespace visor::corpus {

struct Source {
    std::string name; // unique
    std::string path;
    std::string options; // of the OpenCL compiler
    std::vector<const isa::Device*> devices;
    std::vector<const isa::Device*> oracle; // those of them on which the outside reader sees it
};

struct Folders {
    std::string repository;
    std::string packages; // what `fetch` filled
};

// Throws std::runtime_error that names the file and the line.
[[nodiscard]] std::vector<Source> read_sources(const Folders& folders);

// The same on every device that the compiler knows of the five, and all the rest of hashcat's kernels: what
// takes half a day.
[[nodiscard]] std::vector<Source> read_all_sources(const Folders& folders);

// Of its own file, without what that includes; 0 when it is not there.
[[nodiscard]] uintmax_t bytes_of(const Source& source);

// Throws when the file is not there. `compiler` as compile::list_compilers() takes it.
[[nodiscard]] compile::Request request(const Source& source, const isa::Device& device,
                                       const std::string& compiler = {});

// "dg2,pvc"; "-" is none. Throws std::runtime_error where a name is none.
[[nodiscard]] std::vector<const isa::Device*> devices_named(const std::string& list);

// The one that builds for the device take. Throws std::runtime_error where there is none.
[[nodiscard]] compile::CompilerFacts compiler_for(const std::string& name, const isa::Device& device);

} // namespace visor::corpus
