#include "cli/verbs/as.h"

#include "cli/report/units.h"
#include "file/file.h"

#include <fmt/format.h>

namespace visor::cli {

namespace {

std::expected<void, Failure> assemble(const AsRequest& request, const Console& console) {
    const auto content = read_file(request.file);
    if (!content)
        return invalid(content.error());
    vm::UnitsRequest wanted;
    wanted.device = request.device;
    wanted.color = console.color();
    const auto made = vm::assemble(request.file, *content, wanted);
    if (!made)
        return std::unexpected(failure(made.error()));
    if (auto good = tell(*made, console); !good)
        return good;
    const std::string path = request.output.empty() ? default_output(request.file, ".isa") : request.output;
    if (const auto done = write_file(path, made->bytes, Content::binary); !done)
        return invalid(done.error());
    console.line(fmt::format("visor: {}: {}, {} bytes, for {}", path, size_text(made->module),
                             grouped(made->bytes.size()), device_text(made->read.device)));
    return {};
}

} // namespace

ExitCode as(const AsRequest& request) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    return finish(assemble(request, console), console);
}

} // namespace visor::cli
