#include "isa/predefined.h"

namespace visor::isa {

std::optional<uint32_t> predefined_general(std::string_view name) {
    for (uint32_t i = 0; i < predefined_count; ++i) {
        if (name == predefined_variables[i].name)
            return i;
    }
    return std::nullopt;
}

std::optional<uint32_t> predefined_surface(std::string_view name) {
    for (uint32_t i = 0; i < first_user_surface; ++i) {
        if (name == predefined_surfaces[i])
            return i;
    }
    // The documentation's names; the compiler's own parser knows only those above.
    if (name == "T0" || name == "T3" || name == "T4" || name == "T5")
        return static_cast<uint32_t>(name[1] - '0');
    return std::nullopt;
}

} // namespace visor::isa
