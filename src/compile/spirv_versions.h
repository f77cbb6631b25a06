// Determines which versions of SPIR-V a compiler reads: compiles a module of each version, once, and caches
// the result on disk beside the compiler's description.
#pragma once

#include "compile/compilers.h"
#include "compile/spirv_words.h"
#include "compile/worker.h"

#include <functional>
#include <optional>
#include <string>

namespace visor::compile {

// `program` is the worker with this compiler. Nothing: it reads none, or failed unexpectedly. Thread-safe.
// Takes a second or two, once.
[[nodiscard]] std::optional<spirv::VersionRange> spirv_versions(const Command& program,
                                                                const Compiler& compiler);

// The smallest kernel of this version.
[[nodiscard]] std::string empty_kernel(spirv::Version version);

// The first contiguous range of versions that are read. `reads` returns nothing if it cannot tell.
[[nodiscard]] std::optional<spirv::VersionRange>
range_of(const std::function<std::optional<bool>(spirv::Version)>& reads);

} // namespace visor::compile
