#include "vm/translate.h"

#include "binary/binary.h"
#include "compile/compile.h"
#include "diagnostic/limits.h"
#include "launch/zebin.h"
#include "text/text.h"
#include "vm/editable.h"
#include "vm/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <tuple>

namespace visor::vm {

namespace {

// The text around a fragment that makes it a kernel. Locations are shifted by the first part's length.
constexpr std::string_view before_snippet = ".version 4.1\n.kernel \"snippet\"\n";
constexpr std::string_view behind_snippet = "\nret (M1, 1)\n";

void move_back(std::optional<Location>& where, size_t content_bytes) {
    if (!where)
        return;
    const auto before = static_cast<uint32_t>(before_snippet.size());
    where->offset = where->offset < before ? 0 : where->offset - before;
    where->offset = std::min(where->offset, static_cast<uint32_t>(content_bytes));
}

// Counts errors beyond the limit, but does not store them.
void count_dropped(Diagnostics& to, const Diagnostics& from) {
    for (size_t i = 0; i < from.dropped(); ++i)
        to.error(std::nullopt, {}, {});
}

// Likewise warnings, as what they count here.
void count_dropped_warnings(Diagnostics& to, const Diagnostics& from, Severity as) {
    const size_t dropped = dropped_warnings(from);
    for (size_t i = 0; i < dropped; ++i)
        to.report(as, std::nullopt, {}, {});
}

// Appends the functions of `more` to `all`; takes the newer version.
void append(Module& all, Module more) {
    if (all.functions.empty() || std::tie(more.major, more.minor) > std::tie(all.major, all.minor)) {
        all.major = more.major;
        all.minor = more.minor;
    }
    all.modern_suffixes = all.modern_suffixes || more.modern_suffixes;
    std::ranges::move(more.functions, std::back_inserter(all.functions));
}

std::expected<Translated, Error> read_and_check(std::string_view name, std::string_view content,
                                                const UnitsRequest& request) {
    auto read = read_units(name, content, request);
    if (!read)
        return std::unexpected(read.error());
    Translated out;
    out.read = std::move(*read);
    for (Unit& unit : out.read.units) {
        check_before_use(unit, out.read.device);
        ++out.checked;
        if (!unit.module || !unit.diagnostics.ok()) {
            out.error = error_of(unit, request.color);
            break;
        }
    }
    return out;
}

std::string_view view_of(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::expected<std::vector<std::byte>, Error> output_of(std::string_view name, const CompileRequest& request,
                                                       std::vector<std::byte>& file, launch::Zebin& zebin) {
    switch (request.emit) {
    case Emit::zebin:
        break;
    case Emit::spirv:
        if (zebin.spirv.empty())
            return std::unexpected(Error{ErrorKind::invalid, "the compiler's output has no SPIR-V in it"});
        return std::move(zebin.spirv);
    case Emit::visa_text: {
        const auto text = editable_text(name, view_of(file), request.kernel, *request.device);
        if (!text)
            return std::unexpected(text.error());
        const auto bytes = std::as_bytes(std::span(*text));
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    }
    }
    return std::move(file);
}

} // namespace

std::expected<Translated, Error> assemble(std::string_view name, std::string_view content,
                                          const UnitsRequest& request) {
    const InputKind kind = identify(content, name);
    if (kind == InputKind::visa_binary)
        return std::unexpected(Error{ErrorKind::invalid, fmt::format("`{}` is a vISA binary already", name)});
    if (kind != InputKind::visa_text)
        return std::unexpected(Error{ErrorKind::invalid,
                                     fmt::format("`{}` is no vISA text: that begins with `.version`", name)});
    auto out = read_and_check(name, content, request);
    if (!out || out->error)
        return out;
    Unit& unit = out->read.units.front();
    auto bytes = binary::write(*unit.module, {grf_bytes(out->read.device)}, unit.diagnostics);
    if (!bytes) {
        out->error = error_of(unit, request.color);
        return out;
    }
    out->bytes = std::move(*bytes);
    append(out->module, *unit.module);
    return out;
}

std::expected<Translated, Error> disassemble(std::string_view name, std::string_view content,
                                             const UnitsRequest& request) {
    auto out = read_and_check(name, content, request);
    if (!out || out->error)
        return out;
    for (Unit& unit : out->read.units)
        append(out->module, *unit.module);
    out->text = text::print(out->module);
    return out;
}

Unit check_snippet(std::string_view name, std::string_view content, verify::Profile profile,
                   const isa::Device* device, size_t max_errors) {
    const std::string whole =
        std::string(before_snippet) + std::string(content) + std::string(behind_snippet);
    Unit unit = read_text(name, whole, device, max_errors);
    check(unit, profile, device);
    unit.content = content;
    Diagnostics moved(max_errors);
    for (Diagnostic found : unit.diagnostics.all()) {
        move_back(found.where, content.size());
        for (Note& note : found.notes)
            move_back(note.where, content.size());
        moved.report(found.severity, found.where, found.rule, found.message).notes = found.notes;
    }
    count_dropped(moved, unit.diagnostics);
    count_dropped_warnings(moved, unit.diagnostics, Severity::warning);
    unit.diagnostics = std::move(moved);
    return unit;
}

verify::Profile default_profile(const Unit& unit) {
    return unit.from_compiler ? verify::Profile::igc : verify::Profile::spec;
}

Diagnostics with_warnings_as_errors(const Unit& unit, bool wanted, size_t max_errors) {
    Diagnostics shown(max_errors);
    for (const Diagnostic& found : unit.diagnostics.all()) {
        const bool raised = wanted && found.severity == Severity::warning;
        shown.report(raised ? Severity::error : found.severity, found.where, found.rule, found.message)
            .notes = found.notes;
    }
    count_dropped(shown, unit.diagnostics);
    count_dropped_warnings(shown, unit.diagnostics, wanted ? Severity::error : Severity::warning);
    return shown;
}

std::expected<Compiled, Error> compile_to(std::string_view name, std::string_view content,
                                          const CompileRequest& request, std::string& log) {
    compile::Request job;
    switch (identify(content, name)) {
    case InputKind::opencl_c:
        job.language = compile::Language::opencl_c;
        break;
    case InputKind::spirv:
        job.language = compile::Language::spirv;
        break;
    default:
        return std::unexpected(
            Error{ErrorKind::invalid, fmt::format("`{}` is neither OpenCL C nor SPIR-V", name)});
    }
    job.name = name;
    job.source = content;
    job.device = request.device->name;
    job.compiler = request.compiler;
    job.time_limit = request.time_limit;
    job.options = request.options;
    job.include_folders = request.include_folders;
    auto output = compile::compile(job);
    if (!output)
        return std::unexpected(error_of(output.error()));
    log += output->log;
    Diagnostics diagnostics;
    auto zebin = launch::read_zebin(output->zebin, diagnostics);
    if (!zebin) {
        Error broken = error_of(diagnostics, {.name = "the compiler's output", .content = {}, .binary = true},
                                request.color);
        broken.kind = ErrorKind::internal;
        return std::unexpected(std::move(broken));
    }
    auto made = output_of(name, request, output->zebin, *zebin);
    if (!made)
        return std::unexpected(made.error());
    return Compiled{.content = std::move(*made),
                    .log = std::move(output->log),
                    .kernels = request.kernel.empty() ? zebin->kernels.size() : 1,
                    .seconds = output->seconds,
                    .from_cache = output->from_cache};
}

} // namespace visor::vm
