// `visor isa`: an instruction's page, the list of all, and what Visor does with each.
#pragma once

#include "cli/options/request.h"

namespace visor::cli {

[[nodiscard]] ExitCode isa_reference(const IsaRequest& request);

} // namespace visor::cli
