#include "cli/cc.h"

#include "cli/file.h"
#include "compile/compile.h"
#include "launch/zebin.h"
#include "vm/editable.h"
#include "vm/report.h"

#include <fmt/format.h>
#include <span>
#include <vector>

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
    if (const auto error = vm::no_compiler_for(*isa::device_named(request.device)))
        return std::unexpected(failure(*error));
    job.name = request.file;
    job.source = std::move(*content);
    job.device = request.device;
    job.options = request.compiler_options;
    job.include_folders = request.include_folders;
    return job;
}

std::expected<std::vector<std::byte>, Failure>
output_bytes(const CcRequest& request, std::vector<std::byte>& file, launch::Zebin& zebin) {
    switch (request.emit) {
    case Emit::zebin:
        break;
    case Emit::spirv:
        if (zebin.spirv.empty())
            return invalid("the compiler's output has no SPIR-V in it");
        return std::move(zebin.spirv);
    case Emit::visa_text: {
        const auto text =
            vm::editable_text(request.file, {reinterpret_cast<const char*>(file.data()), file.size()},
                              request.kernel, *isa::device_named(request.device));
        if (!text)
            return std::unexpected(failure(text.error()));
        const auto bytes = std::as_bytes(std::span(*text));
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    }
    }
    return std::move(file);
}

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
    const auto job = make_request(request);
    if (!job)
        return std::unexpected(job.error());
    auto output = compile::compile(*job);
    if (!output)
        return std::unexpected(failure(vm::error_of(output.error())));
    console.warning(output->log);
    Diagnostics diagnostics;
    auto zebin = launch::read_zebin(output->zebin, diagnostics);
    if (!zebin) {
        Failure broken = failure(vm::error_of(
            diagnostics, {.name = "the compiler's output", .content = {}, .binary = true}, console.color()));
        broken.code = ExitCode::internal;
        return std::unexpected(std::move(broken));
    }
    const auto content = output_bytes(request, output->zebin, *zebin);
    if (!content)
        return std::unexpected(content.error());
    const std::string path = !request.output.empty() ? request.output : default_path(request);
    const bool text = request.emit == Emit::visa_text;
    if (const auto done = write_file(path, *content, text ? Content::text : Content::binary); !done)
        return invalid(done.error());
    const size_t kernels = request.kernel.empty() ? zebin->kernels.size() : 1;
    console.line(fmt::format("visor: {}: {} kernel{}, {} bytes, {:.3f} s{}", path, kernels,
                             kernels == 1 ? "" : "s", grouped(content->size()), output->seconds,
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
