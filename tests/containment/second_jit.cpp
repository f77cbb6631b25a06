#include "second.h"

#include "fence.h"
#include "jit/jit.h"

namespace visor::containment {

bool has_second_engine() {
    return true;
}

namespace {

class Unfenced final : public jit::Maker {
public:
    [[nodiscard]] jit::Made make(const Program& code, const jit::CompileOptions& options) const override {
        arm(false); // LLVM's own memory is none of the engine's
        auto object = jit::compile(code, options);
        arm(true);
        return object;
    }
};

} // namespace

std::unique_ptr<machine::Engine> second_engine(const std::shared_ptr<const Program>& program,
                                               const interp::Interpreter& reference, uint32_t simd) {
    static const Unfenced maker;
    auto engine = jit::make_engine({program}, {.engine = &reference, .steps = {reference.handlers(0)}},
                                   {.simd = simd}, maker);
    return engine ? std::move(*engine) : nullptr;
}

} // namespace visor::containment
