// Pictures of accesses, as SVG inside of a page.
#pragma once

#include "profile/profile.h"

#include <string>

namespace visor::profile {

// When which part of the array was touched.
[[nodiscard]] std::string heat_picture(const ArrayCosts& array);
// Which bytes the lanes of one message touched, with the limits of cache lines (of banks, in shared local
// memory) between them. "": nothing to show.
[[nodiscard]] std::string lane_picture(const ArraySite& site, bool local);

} // namespace visor::profile
