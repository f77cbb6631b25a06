#include "isa/table.h"

namespace visor::isa::rows {

std::span<const Row> media() {
    return {};
}

} // namespace visor::isa::rows
