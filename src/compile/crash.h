// A compiler that ended without an answer: what is said of it. It may have said why before it died; whose
// program it was, and what is worth trying, it never says.
#pragma once

#include "compile/compile.h"
#include "compile/spirv_words.h"
#include "compile/worker.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace visor::compile {

// Which SPIR-V the compiler reads; nothing: it does not tell. Only asked when that may be why it ended.
using ReadVersions = std::function<std::optional<spirv::VersionRange>()>;
[[nodiscard]] Failure explain_end(const WorkerFailure& end, const Request& request,
                                  const ReadVersions& read_versions);

// Of what was written to standard error, the one line that tells most; "" when there is none.
[[nodiscard]] std::string last_words(std::string_view errors);

} // namespace visor::compile
