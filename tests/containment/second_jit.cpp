#include "second.h"

#include "fence.h"
#include "jit/jit.h"

namespace visor::containment {

bool has_second_engine() {
    return true;
}

std::unique_ptr<machine::Engine> second_engine(const std::shared_ptr<const Program>& program,
                                               const interp::Interpreter& reference, uint32_t simd) {
    const auto make = [](const Program& code, const jit::CompileOptions& options) {
        arm(false); // LLVM's own memory is none of the engine's
        auto object = jit::compile(code, options);
        arm(true);
        return object;
    };
    auto engine = jit::make_engine({program}, {.engine = &reference, .steps = {reference.handlers(0)}},
                                   {.simd = simd}, make);
    return engine ? std::move(*engine) : nullptr;
}

} // namespace visor::containment
