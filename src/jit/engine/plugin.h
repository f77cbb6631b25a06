// The plug-in entry: how the engine's module is opened. Its one symbol has C linkage; both sides are built
// together.
#pragma once

#include "jit/engine/native_engine.h"

namespace visor::jit {

inline constexpr const char* module_file = "visor-jit.so";
inline constexpr const char* module_entry = "visor_jit_make_engine";

// As make_engine; on failure nullptr, with the reason in `error`. The caller owns the engine.
using MakeEngine = Engine* (*)(const std::vector<std::shared_ptr<const Program>>& programs,
                               const Reference& reference, const CompileOptions& options,
                               const CodeProvider& provider, std::string& error);

} // namespace visor::jit
