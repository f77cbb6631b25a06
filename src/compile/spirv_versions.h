// Which versions of SPIR-V a compiler reads. Neither its version nor its libraries tell; it is asked with a
// module of each, once, and the answer is kept on disk beside its description.
#pragma once

#include "compile/compilers.h"
#include "compile/spirv_words.h"
#include "compile/worker.h"

#include <functional>
#include <optional>
#include <string>

namespace visor::compile {

// `program` is the worker with this compiler. Nothing: it reads none, or ended in another way than one that
// does not read a module. Thread-safe. Takes a second or two, once.
[[nodiscard]] std::optional<spirv::VersionRange> spirv_versions(const Command& program,
                                                                const Compiler& compiler);

// The smallest kernel of this version.
[[nodiscard]] std::string empty_kernel(spirv::Version version);

// The first run of versions that are read. `reads`: nothing: that could not be found out.
[[nodiscard]] std::optional<spirv::VersionRange>
range_of(const std::function<std::optional<bool>(spirv::Version)>& reads);

} // namespace visor::compile
