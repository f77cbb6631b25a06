#include "cli/dis.h"

#include "cli/file.h"
#include "cli/units.h"
#include "text/text.h"

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
    auto read = vm::read_units(request.file, *content, wanted);
    if (!read)
        return std::unexpected(failure(read.error()));
    console.warning(read->warnings);
    Module all;
    for (vm::Unit& unit : read->units) {
        if (auto usable = check_before_use(unit, read->device, console); !usable)
            return usable;
        append(all, std::move(*unit.module));
    }
    const std::string text = text::print(all);
    if (const auto done = write_file(request.output, std::as_bytes(std::span(text)), Content::text); !done)
        return invalid(done.error());
    console.line(
        fmt::format("visor: {}: {}, for {}", request.file, size_text(all), device_text(read->device)));
    return {};
}

} // namespace

ExitCode dis(const DisRequest& request) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    const auto done = disassemble(request, console);
    if (done)
        return ExitCode::clean;
    console.report(done.error());
    console.line("visor: nothing was written");
    return done.error().code;
}

} // namespace visor::cli
