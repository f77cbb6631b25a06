// The message for a compiler that died without an answer: its last output, if any, with the program's name
// and advice.
#pragma once

#include "compile/compile.h"
#include "compile/spirv_words.h"
#include "compile/worker.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace visor::compile {

// Queries which SPIR-V versions the compiler reads; nothing: unknown. Called only if that may be the cause.
using ReadVersions = std::function<std::optional<spirv::VersionRange>()>;
[[nodiscard]] Failure explain_end(const WorkerFailure& end, const Request& request,
                                  const ReadVersions& read_versions);

// The most informative line of standard error; "" when there is none.
[[nodiscard]] std::string last_words(std::string_view errors);

} // namespace visor::compile
