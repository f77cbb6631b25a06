// The compiler drops the braces around blocks of inline assembly, so one name may have several declarations.
// This renames the variables so that every use is unambiguous (ruling 97). Text that it cannot disambiguate
// is unchanged: the parser then reports the duplicate declaration.
#pragma once

#include <string>
#include <string_view>

namespace visor::launch {

// The number and order of lines do not change.
[[nodiscard]] std::string disambiguate_scopes(std::string_view text);

} // namespace visor::launch
