#include "isa/table.h"

namespace visor::isa::rows {

std::span<const Row> sampler() {
    return {};
}

} // namespace visor::isa::rows
