// Of builds without libdw.
#include "debug/dwarf.h"

namespace visor::debug {

std::expected<DebugInformation, std::string> read_dwarf(std::span<const std::byte> /*zebin*/) {
    return std::unexpected("this build of Visor has no libdw (libdw-dev), which reads debug information");
}

} // namespace visor::debug
