#include "jit/driver/pipeline.h"

#include "jit/driver/compilation.h"

namespace visor::jit {

std::expected<Object, std::string> compile(const Program& program, const CompileOptions& options,
                                           const std::function<bool()>& is_cancelled) {
    auto compilation = Compilation::of_program(program, options);
    if (!compilation)
        return std::unexpected(std::move(compilation.error()));
    if (auto error = (*compilation)->optimize())
        return std::unexpected(std::move(*error));
    if (is_cancelled && is_cancelled())
        return std::unexpected("cancelled");
    if (auto error = (*compilation)->emit(llvm::CodeGenFileType::ObjectFile))
        return std::unexpected(std::move(*error));
    return (*compilation)->take_object();
}

} // namespace visor::jit
