// The compiler writes inline assembly without the braces around its blocks: what several blocks declare under
// one name stands there several times, and nothing says which of them an instruction means. This gives the
// variables names of their own again, so that the text means something (ruling 97), and leaves a text as it
// is that it cannot tell apart: reading it then reports the name that is declared twice.
#pragma once

#include <string>
#include <string_view>

namespace visor::launch {

// The lines stay the same in number and order.
[[nodiscard]] std::string tell_scopes_apart(std::string_view text);

} // namespace visor::launch
