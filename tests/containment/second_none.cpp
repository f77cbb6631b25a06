#include "second.h"

namespace visor::containment {

bool has_second_engine() {
    return false;
}

std::unique_ptr<machine::Engine> second_engine(const std::shared_ptr<const Program>&,
                                               const interp::Interpreter&, uint32_t) {
    return nullptr;
}

std::vector<CompiledEngine> compiled_engines(const std::shared_ptr<const Program>& /*program*/,
                                             const interp::Interpreter& /*reference*/, uint32_t /*simd*/) {
    return {};
}

std::vector<std::string> fact_names() {
    return {};
}

} // namespace visor::containment
