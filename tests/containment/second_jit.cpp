#include "second.h"

#include "fence.h"
#include "gate.h"
#include "jit/driver/pipeline.h"
#include "jit/engine/native_engine.h"
#include "jit/program/assumed_facts.h"

#include <array>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

namespace visor::containment {

bool has_second_engine() {
    return true;
}

namespace {

// What code is made for whatever the engine asks for; nothing: what it asks for.
struct Forced {
    std::string name;
    jit::Tier tier = jit::Tier::best;
    jit::Level level = jit::Level::host;
    bool eager = false;
};

class Unfenced final : public jit::CodeProvider {
public:
    explicit Unfenced(std::optional<Forced> forced = {}) : forced_(std::move(forced)) {}

    [[nodiscard]] jit::ProvidedObject make(const Program& code,
                                           const jit::CompileOptions& options) const override {
        jit::CompileOptions wanted = options;
        if (forced_) {
            wanted.tier = forced_->tier;
            wanted.level = forced_->level;
            wanted.eager = forced_->eager;
        }
        arm(false); // LLVM's own memory is none of the engine's
        auto object = jit::compile(code, wanted);
        if (!object && object.error().starts_with(jit::internal_error)) {
            fmt::print(stderr, "{}\n", object.error());
            std::abort();
        }
        arm(true);
        return object;
    }

private:
    std::optional<Forced> forced_;
};

std::unique_ptr<machine::Engine> engine_of(const std::shared_ptr<const Program>& program,
                                           const interp::Interpreter& reference, uint32_t simd,
                                           const jit::CodeProvider& maker) {
    auto engine = jit::make_engine({program}, {.engine = &reference, .steps = {reference.handlers(0)}},
                                   {.simd = simd}, maker, gate());
    return engine ? std::move(*engine) : nullptr;
}

} // namespace

std::unique_ptr<machine::Engine> second_engine(const std::shared_ptr<const Program>& program,
                                               const interp::Interpreter& reference, uint32_t simd) {
    static const Unfenced maker;
    return engine_of(program, reference, simd, maker);
}

std::vector<CompiledEngine> compiled_engines(const std::shared_ptr<const Program>& program,
                                             const interp::Interpreter& reference, uint32_t simd) {
    using enum jit::Level;
    using enum jit::Tier;
    static const std::array<Forced, 5> kinds{
        {{"code of tier 2", best, host, false},
         {"code of tier 1", quick, host, false},
         {"code of tier 2 for AVX2", best, avx2, false},
         {"code of tier 2 for SSE4.2", best, sse4, false},
         {"code of tier 2 with all that long code has", best, host, true}}};
    static const std::array<Unfenced, 5> makers{Unfenced(kinds[0]), Unfenced(kinds[1]), Unfenced(kinds[2]),
                                                Unfenced(kinds[3]), Unfenced(kinds[4])};
    std::vector<CompiledEngine> all;
    for (size_t k = 0; k < kinds.size(); ++k)
        if (auto engine = engine_of(program, reference, simd, makers[k]))
            all.push_back({kinds[k].name, std::move(engine)});
    return all;
}

std::vector<std::string> fact_names() {
    std::vector<std::string> names;
    for (const jit::FactEntry& entry : jit::facts)
        names.emplace_back(entry.name);
    return names;
}

} // namespace visor::containment
