#include "cli/verbs/dis.h"

#include "cli/report/units.h"
#include "file/file.h"

#include <fmt/format.h>

namespace visor::cli {

namespace {

std::expected<void, Failure> disassemble(const DisRequest& request, const Console& console) {
    const auto content = read_file(request.file);
    if (!content)
        return invalid(content.error());
    vm::UnitsRequest wanted;
    wanted.device = request.device;
    wanted.compiler_options = request.compiler_options;
    wanted.color = console.color();
    const auto made = vm::disassemble(request.file, *content, wanted);
    if (!made)
        return std::unexpected(failure(made.error()));
    if (auto good = tell(*made, console); !good)
        return good;
    if (const auto done = write_file(request.output, std::as_bytes(std::span(made->text)), Content::text);
        !done)
        return invalid(done.error());
    console.line(fmt::format("visor: {}: {}, for {}", request.file, size_text(made->module),
                             device_text(made->read.device)));
    return {};
}

} // namespace

ExitCode dis(const DisRequest& request) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    return finish(disassemble(request, console), console);
}

} // namespace visor::cli
