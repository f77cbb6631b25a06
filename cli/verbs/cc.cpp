#include "cli/verbs/cc.h"

#include "file/file.h"
#include "vm/translate.h"

#include <fmt/format.h>

namespace visor::cli {

namespace {

std::string default_path(const CcRequest& request) {
    switch (request.emit) {
    case Emit::zebin:
        break;
    case Emit::spirv:
        return default_output(request.file, ".spv");
    case Emit::visa_text:
        return default_output(request.file, ".visaasm");
    }
    return default_output(request.file, ".zebin");
}

std::expected<void, Failure> compile_file(const CcRequest& request, const Console& console) {
    const auto source = read_file(request.file);
    if (!source)
        return invalid(source.error());
    const vm::CompileRequest job{.emit = request.emit,
                                 .kernel = request.kernel,
                                 .device = isa::device_named(request.device),
                                 .compiler = request.compiler,
                                 .time_limit = request.compiler_time,
                                 .options = request.compiler_options,
                                 .include_folders = request.include_folders,
                                 .color = console.color()};
    std::string log;
    const auto output = vm::compile_to(request.file, *source, job, log);
    console.warning(log);
    if (!output)
        return std::unexpected(failure(output.error()));
    const std::string path = !request.output.empty() ? request.output : default_path(request);
    const bool text = request.emit == Emit::visa_text;
    if (const auto done = write_file(path, output->content, text ? Content::text : Content::binary); !done)
        return invalid(done.error());
    const size_t kernels = output->kernels;
    console.line(fmt::format("visor: {}: {} kernel{}, {} bytes, {:.3f} s{}", path, kernels,
                             kernels == 1 ? "" : "s", grouped(output->content.size()), output->seconds,
                             output->from_cache ? ", from the cache" : ""));
    return {};
}

} // namespace

ExitCode cc(const CcRequest& request) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    return finish(compile_file(request, console), console);
}

} // namespace visor::cli
