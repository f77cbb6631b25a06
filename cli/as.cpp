#include "cli/as.h"

#include "binary/binary.h"
#include "cli/file.h"
#include "cli/units.h"

#include <fmt/format.h>

namespace visor::cli {

namespace {

std::expected<void, Failure> assemble(const AsRequest& request, const Console& console) {
    const auto content = read_file(request.file);
    if (!content)
        return invalid(content.error());
    if (vm::identify(*content, request.file) == vm::InputKind::visa_binary)
        return invalid(fmt::format("`{}` is a vISA binary already", request.file));
    const isa::Device* device = request.device.value_or(nullptr);
    vm::Unit unit = vm::read_text(request.file, *content, device);
    if (auto usable = check_before_use(unit, device, console); !usable)
        return usable;
    const auto bytes = binary::write(*unit.module, {vm::grf_bytes(device)}, unit.diagnostics);
    if (!bytes)
        return std::unexpected(failure(vm::error_of(unit, console.color())));
    const std::string path = request.output.empty() ? default_output(request.file, ".isa") : request.output;
    if (const auto done = write_file(path, *bytes, Content::binary); !done)
        return invalid(done.error());
    console.line(fmt::format("visor: {}: {}, {} bytes, for {}", path, size_text(*unit.module),
                             grouped(bytes->size()), device_text(device)));
    return {};
}

} // namespace

ExitCode as(const AsRequest& request) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    const auto done = assemble(request, console);
    if (done)
        return ExitCode::clean;
    console.report(done.error());
    console.line("visor: nothing was written");
    return done.error().code;
}

} // namespace visor::cli
