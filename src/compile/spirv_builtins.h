// Newer front ends read a component of a built-in variable (GlobalInvocationId, ...) through a pointer to
// that component: OpBitcast or an access chain of the variable's address, then OpLoad. That is valid, and the
// compiler dies of it. Here such a load becomes what the compiler takes: OpLoad of the whole variable and
// OpCompositeExtract. Nothing else of the module changes, and what is not understood stays as it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace visor::compile {

// The module rewritten; nothing when there is nothing to rewrite in it. Any bytes may come.
[[nodiscard]] std::optional<std::string> with_builtins_loaded_whole(std::string_view module);

} // namespace visor::compile
