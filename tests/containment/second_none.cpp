#include "second.h"

namespace visor::containment {

bool has_second_engine() {
    return false;
}

std::unique_ptr<machine::Engine> second_engine(const std::shared_ptr<const Program>&,
                                               const interp::Interpreter&, uint32_t) {
    return nullptr;
}

} // namespace visor::containment
