#include "jit/driver/program_text.h"

#include "text/text.h"

#include <memory>
#include <utility>

namespace visor::jit {

std::expected<Program, std::string> program_of_text(std::string_view text, const isa::Device& device) {
    Diagnostics diagnostics;
    auto module = text::parse(std::string(text), {.grf_bytes = device.grf_bytes}, diagnostics);
    if (!module)
        return std::unexpected(diagnostics.all().front().message);
    if (module->functions.size() != 1)
        return std::unexpected("it is not one function");
    auto program = program::prepare(std::make_shared<const Function>(std::move(module->functions.front())),
                                    device, diagnostics);
    if (!program)
        return std::unexpected(diagnostics.all().front().message);
    return std::move(*program);
}

} // namespace visor::jit
