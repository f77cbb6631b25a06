// Newer front ends read a component of a built-in variable (GlobalInvocationId, ...) through a pointer to
// that component: OpBitcast or an access chain of the variable's address, then OpLoad. That is valid, but
// crashes the compiler. Rewrites such a load to OpLoad of the whole variable and OpCompositeExtract. Nothing
// else of the module changes, and unknown patterns stay.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace visor::compile {

// The rewritten module; nothing when there is nothing to rewrite. The input is untrusted.
[[nodiscard]] std::optional<std::string> with_builtins_loaded_whole(std::string_view module);

} // namespace visor::compile
