#include "cli/cc.h"

#include "cli/file.h"
#include "compile/compile.h"
#include "launch/zebin.h"
#include "vm/report.h"

#include <fmt/format.h>

namespace visor::cli {

namespace {

std::expected<compile::Request, Failure> make_request(const CcRequest& request) {
    auto content = read_file(request.file);
    if (!content)
        return invalid(content.error());
    compile::Request job;
    switch (vm::identify(*content, request.file)) {
    case vm::InputKind::opencl_c:
        job.language = compile::Language::opencl_c;
        break;
    case vm::InputKind::spirv:
        job.language = compile::Language::spirv;
        break;
    default:
        return invalid(fmt::format("`{}` is neither OpenCL C nor SPIR-V", request.file));
    }
    if (!isa::device_named(request.device)->compiles)
        return not_yet(fmt::format("compiling for {}", request.device));
    job.name = request.file;
    job.source = std::move(*content);
    job.device = request.device;
    job.options = request.compiler_options;
    job.include_folders = request.include_folders;
    return job;
}

std::expected<void, Failure> compile_file(const CcRequest& request, const Console& console) {
    const auto job = make_request(request);
    if (!job)
        return std::unexpected(job.error());
    const auto output = compile::compile(*job);
    if (!output)
        return std::unexpected(failure(vm::error_of(output.error())));
    console.warning(output->log);
    Diagnostics diagnostics;
    const auto zebin = launch::read_zebin(output->zebin, diagnostics);
    if (!zebin) {
        Failure broken = failure(vm::error_of(
            diagnostics, {.name = "the compiler's output", .content = {}, .binary = true}, console.color()));
        broken.code = ExitCode::internal;
        return std::unexpected(std::move(broken));
    }
    if (request.emit == Emit::spirv && zebin->spirv.empty())
        return invalid("the compiler's output has no SPIR-V in it");
    const std::span<const std::byte> bytes =
        request.emit == Emit::spirv ? std::span<const std::byte>(zebin->spirv) : output->zebin;
    const std::string path = !request.output.empty()       ? request.output
                             : request.emit == Emit::zebin ? default_output(request.file, ".zebin")
                                                           : default_output(request.file, ".spv");
    if (const auto done = write_file(path, bytes, Content::binary); !done)
        return invalid(done.error());
    console.line(fmt::format("visor: {}: {} kernel{}, {} bytes, {:.3f} s{}", path, zebin->kernels.size(),
                             zebin->kernels.size() == 1 ? "" : "s", grouped(bytes.size()), output->seconds,
                             output->from_cache ? ", from the cache" : ""));
    return {};
}

} // namespace

ExitCode cc(const CcRequest& request) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    const auto done = compile_file(request, console);
    if (done)
        return ExitCode::clean;
    console.report(done.error());
    console.line("visor: nothing was written");
    return done.error().code;
}

} // namespace visor::cli
