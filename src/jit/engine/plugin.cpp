#include "jit/engine/plugin.h"

namespace visor::jit {

extern "C" __attribute__((visibility("default"))) Engine*
visor_jit_make_engine(const std::vector<std::shared_ptr<const Program>>& programs, const Reference& reference,
                      const CompileOptions& options, const CodeProvider& provider, std::string& error) {
    auto engine = make_engine(programs, reference, options, provider);
    if (engine)
        return engine->release();
    error = engine.error();
    return nullptr;
}

} // namespace visor::jit
