#include "isa/table.h"

namespace visor::isa::rows {

std::span<const Row> typed() {
    return {};
}

} // namespace visor::isa::rows
