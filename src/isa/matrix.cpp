#include "isa/table.h"

namespace visor::isa::rows {

std::span<const Row> matrix() {
    return {};
}

} // namespace visor::isa::rows
