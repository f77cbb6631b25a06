#include "vm/units.h"

#include "binary/binary.h"
#include "compile/compile.h"
#include "diagnostic/limits.h"
#include "diagnostic/printable.h"
#include "launch/annotation.h"
#include "launch/zebin.h"
#include "text/text.h"
#include "verify/written.h"
#include "vm/report.h"
#include "vm/target.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace visor::vm {

namespace {

std::span<const std::byte> bytes_of(std::string_view content) {
    return std::as_bytes(std::span(content.data(), content.size()));
}

// The instruction that a location in a binary lies in; nullptr when it lies elsewhere.
const Instruction* instruction_at(const Function& function, Location where) {
    const auto after =
        std::ranges::upper_bound(function.code, where.offset, {},
                                 [](const Instruction& instruction) { return instruction.where.offset; });
    if (after == function.code.begin())
        return nullptr;
    const Instruction& found = *std::prev(after);
    return where.offset - found.where.offset < std::max(1U, found.where.length) ? &found : nullptr;
}

std::string disassembled(const Unit& unit, const Diagnostic& found) {
    if (!unit.binary || !unit.module || !found.where)
        return {};
    for (const Function& function : unit.module->functions) {
        if (const Instruction* instruction = instruction_at(function, *found.where))
            return fmt::format("    {}\n", text::print(function, *instruction));
    }
    return {};
}

void add_all(Diagnostics& to, const Diagnostics& from) {
    for (const Diagnostic& found : from.all())
        to.report(found.severity, found.where, found.rule, found.message).notes = found.notes;
}

// Every kernel of the text needs metadata; metadata of removed kernels is ignored.
void match_kernels(const Module& module, const launch::Zebin& facts, Diagnostics& diagnostics) {
    std::vector<std::string_view> known;
    for (const launch::ZebinKernel& kernel : facts.kernels)
        known.emplace_back(kernel.signature.name);
    const std::set<std::string_view> names(known.begin(), known.end());
    for (const Function& function : module.functions) {
        if (function.kind != FunctionKind::kernel || names.contains(function.name))
            continue;
        // Each hint is linear in the number of names.
        const bool wanted = !diagnostics.full() && diagnostics.errors() < Diagnostics::default_max_errors;
        const std::string hint = wanted ? did_you_mean(function.name, known) : "";
        diagnostics.error(function.where, "bad-metadata",
                          fmt::format("the launch metadata describes no kernel `{}`{}", function.name, hint));
    }
}

class Reader {
public:
    explicit Reader(const UnitsRequest& request) : request_(request) {}

    using Result = std::expected<Units, Error>;

    Result compiled(std::string_view name, std::string_view content, compile::Language language) {
        choose(isa::DeviceId::skl);
        compile::Request job;
        job.language = language;
        job.name = name;
        job.source = content;
        job.device = (out_.device == nullptr ? isa::device(isa::DeviceId::skl) : *out_.device).name;
        job.compiler = request_.compiler;
        job.options = request_.compiler_options;
        const auto output = compile::compile(job);
        if (!output)
            return std::unexpected(error_of(output.error()));
        out_.warnings += printable(output->log);
        return zebin(name, {reinterpret_cast<const char*>(output->zebin.data()), output->zebin.size()});
    }

    Result zebin(std::string_view name, std::string_view content) {
        Diagnostics diagnostics;
        const auto read = launch::read_zebin(bytes_of(content), diagnostics);
        if (!read)
            return std::unexpected(error_of(diagnostics, {name, content, true}, request_.color));
        choose(read->device);
        if (read->device && out_.device != nullptr && *read->device != out_.device->id)
            return std::unexpected(other_device(name, *read->device, *out_.device));
        for (const launch::ZebinKernel& kernel : read->kernels)
            add(name, kernel.signature.name, kernel.text);
        for (const launch::ZebinFunction& function : read->functions)
            add(name, function.name, function.text);
        return std::move(out_);
    }

    Result single(std::string_view name, std::string_view content, bool binary) {
        if (!binary && launch::is_annotated(content))
            return annotated(name, content);
        choose({});
        const auto read = [&] {
            return binary ? read_binary(name, content, out_.device, request_.max_errors)
                          : read_text(name, content, out_.device, request_.max_errors);
        };
        Unit unit = read();
        // Any device suffices unless a finding depends on the device.
        const auto target = request_.device ? std::nullopt : target_of(unit);
        if (target && target->quieter) {
            out_.device = target->device;
            out_.warnings += taken_as(unit, *target, command_line_advice);
            unit = read();
        }
        out_.units.push_back(std::move(unit));
        return std::move(out_);
    }

private:
    Result annotated(std::string_view name, std::string_view content) {
        auto read = read_annotated(name, content, request_.device, request_.max_errors);
        if (!read)
            return std::unexpected(read.error());
        choose(read->facts ? read->facts->device : std::nullopt);
        out_.units.push_back(std::move(read->unit));
        return std::move(out_);
    }
    void choose(std::optional<isa::DeviceId> own) {
        out_.device = request_.device.value_or(own ? &isa::device(*own) : nullptr);
    }
    void add(std::string_view file, const std::string& kernel, const std::string& text) {
        Unit unit = read_text(fmt::format("{}({})", file, kernel), text, out_.device, request_.max_errors,
                              Author::compiler);
        // The text's kernel name is ignored.
        if (unit.module && unit.module->functions.size() == 1)
            unit.module->functions.front().name = kernel;
        out_.units.push_back(std::move(unit));
    }

    const UnitsRequest& request_;
    Units out_;
};

} // namespace

const Module* readable(const Unit& unit) {
    if (unit.module)
        return &*unit.module;
    return unit.partial ? &unit.partial->module : nullptr;
}

uint32_t grf_bytes(const isa::Device* device) {
    constexpr uint32_t any = 32;
    return device == nullptr ? any : device->grf_bytes;
}

Unit read_text(std::string_view name, std::string_view content, const isa::Device* device, size_t max_errors,
               Author author) {
    const bool from_compiler = author == Author::compiler || launch::is_annotated(content);
    Unit unit{std::string(name), std::string(content), false, from_compiler, {}, Diagnostics(max_errors)};
    unit.module = text::parse(unit.content, {.grf_bytes = grf_bytes(device), .from_compiler = from_compiler},
                              unit.diagnostics, unit.partial);
    return unit;
}

Unit read_binary(std::string_view name, std::string_view content, const isa::Device* device,
                 size_t max_errors) {
    Unit unit{std::string(name), std::string(content), true, false, {}, Diagnostics(max_errors)};
    unit.module = binary::read(bytes_of(unit.content), {grf_bytes(device)}, unit.diagnostics);
    return unit;
}

std::expected<AnnotatedText, Error> read_annotated(std::string_view name, std::string_view content,
                                                   std::optional<const isa::Device*> device,
                                                   size_t max_errors) {
    Diagnostics found(max_errors);
    AnnotatedText out;
    out.facts = launch::read_annotations(content, found);
    const isa::Device* own = out.facts ? &isa::device(*out.facts->device) : nullptr;
    if (own != nullptr && device && *device != nullptr && *device != own)
        return std::unexpected(other_device(name, own->id, **device));
    out.unit = read_text(name, content, device.value_or(own), max_errors);
    if (out.unit.module && out.facts)
        match_kernels(*out.unit.module, *out.facts, found);
    else if (out.unit.partial && out.facts)
        match_kernels(out.unit.partial->module, *out.facts, found);
    if (!found.ok()) // errors outside of kernels
        out.unit.partial.reset();
    add_all(found, out.unit.diagnostics);
    out.unit.diagnostics = std::move(found);
    return out;
}

namespace {

// The bytes of the variable that no instruction writes.
std::string describe(const verify::NeverWritten& found) {
    return found.whole() ? fmt::format("`{}`, which is read here", found.variable)
                         : fmt::format("a value to bytes {} to {} of `{}`, which are read here", found.begin,
                                       found.end - 1, found.variable);
}

// For compiler output only: values that the compiler lost. For hand-written text --check=init finds them.
void report_lost_values(Unit& unit, const isa::Device* device) {
    const uint32_t grf = device == nullptr ? 0 : grf_bytes(device); // of any device only whole variables
    for (const Function& function : unit.module->functions) {
        const std::vector<verify::NeverWritten> found = verify::never_written(function, grf);
        if (found.empty())
            continue;
        const std::string more =
            found.size() == 1 ? "" : fmt::format(", nor {} more that are read", found.size() - 1);
        unit.diagnostics.warning(
            found.front().read, "never-written",
            fmt::format("no instruction writes {}{}: the compiler has lost a value, or the source gives none",
                        describe(found.front()), more));
    }
}

} // namespace

void check(Unit& unit, verify::Profile profile, const isa::Device* device) {
    if (!unit.module)
        return;
    verify::verify(*unit.module, {profile, device}, unit.diagnostics);
    if (unit.from_compiler)
        report_lost_values(unit, device);
}

void check_before_use(Unit& unit, const isa::Device* device) {
    check(unit, verify::Profile::run, device);
    if (!unit.module || unit.from_compiler || !unit.diagnostics.ok())
        return;
    Diagnostics pages;
    verify::verify(*unit.module, {verify::Profile::spec, device}, pages);
    const auto key = [](const Diagnostic& found) {
        const Location where = found.where.value_or(Location{});
        return std::tuple(found.where.has_value(), where.offset, where.length, std::string_view(found.rule));
    };
    std::set<decltype(key(Diagnostic{}))> known;
    const std::vector<Diagnostic> before = unit.diagnostics.all();
    for (const Diagnostic& found : before)
        known.insert(key(found));
    for (const Diagnostic& found : pages.all())
        if (known.insert(key(found)).second)
            unit.diagnostics.warning(found.where, found.rule, found.message).notes = found.notes;
}

std::vector<std::string> refused_kernels(const Module& module, const isa::Device* device) {
    std::vector<std::string> out;
    for (const Function& function : module.functions) {
        if (function.kind != FunctionKind::kernel)
            continue;
        Module alone{.major = module.major,
                     .minor = module.minor,
                     .modern_suffixes = module.modern_suffixes,
                     .functions = {function},
                     .unpaged_spellings = module.unpaged_spellings};
        Diagnostics found(1);
        verify::verify(alone, {verify::Profile::run, device}, found);
        if (!found.ok())
            out.push_back(function.name);
    }
    return out;
}

void leave_out(Unit& unit, const std::function<bool(std::string_view)>& unwanted) {
    if (unit.partial && std::erase_if(unit.partial->refused, unwanted) > 0 && unit.partial->refused.empty()) {
        unit.module = std::move(unit.partial->module);
        unit.partial.reset();
        unit.diagnostics = Diagnostics();
    }
    if (Module* const module = unit.module ? &*unit.module : unit.partial ? &unit.partial->module : nullptr)
        std::erase_if(module->functions, [&](const Function& function) {
            return function.kind == FunctionKind::kernel && unwanted(function.name);
        });
}

std::string render(const Unit& unit, Color color) {
    std::string out;
    const LineStarts lines(unit.binary ? std::string_view() : unit.content);
    SourceView source = unit.source();
    source.lines = unit.binary ? nullptr : &lines;
    for (const Diagnostic& found : unit.diagnostics.all())
        out += render(found, source, color) + disassembled(unit, found);
    return out + not_shown(unit.diagnostics, unit.name);
}

Error error_of(const Unit& unit, Color color) {
    Error error = error_of(unit.diagnostics, unit.source(), color);
    error.text = render(unit, color);
    while (error.text.ends_with('\n'))
        error.text.pop_back();
    return error;
}

std::expected<Units, Error> read_units(std::string_view name, std::string_view content,
                                       const UnitsRequest& request) {
    Reader reader(request);
    switch (identify(content, name)) {
    case InputKind::opencl_c:
        return reader.compiled(name, content, compile::Language::opencl_c);
    case InputKind::spirv:
        return reader.compiled(name, content, compile::Language::spirv);
    case InputKind::zebin:
        return reader.zebin(name, content);
    case InputKind::visa_text:
        return reader.single(name, content, false);
    case InputKind::visa_binary:
        return reader.single(name, content, true);
    case InputKind::launch_file:
    case InputKind::unknown:
        break;
    }
    return std::unexpected(unknown_file(name));
}

} // namespace visor::vm
