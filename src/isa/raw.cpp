#include "isa/table.h"

namespace visor::isa::rows {

std::span<const Row> raw() {
    return {};
}

} // namespace visor::isa::rows
