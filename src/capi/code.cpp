// Code without running it: checked, assembled, disassembled, compiled; messages as data.
#include "capi/objects.h"
#include "verify/verify.h"
#include "vm/comparison.h"
#include "vm/reduction.h"

#include <algorithm>
#include <cmath>

namespace visor::capi {

std::shared_ptr<DiagnosticsObject> diagnostics_of(std::vector<vm::Unit> units) {
    auto out = std::make_shared<DiagnosticsObject>();
    out->units = std::move(units);
    out->lines.reserve(out->units.size());
    for (const vm::Unit& unit : out->units) {
        const LineStarts& lines = out->lines.emplace_back(unit.binary ? std::string_view() : unit.content);
        for (const Diagnostic& found : unit.diagnostics.all())
            out->entries.push_back({&unit, &found, &lines});
        out->text += vm::render(unit, Color::off);
    }
    return out;
}

std::shared_ptr<DiagnosticsObject> diagnostics_of(std::string_view name, const vm::Error& error) {
    vm::Unit unit;
    unit.name = name;
    const bool unsupported = error.kind == vm::ErrorKind::unsupported;
    unit.diagnostics.report(unsupported ? Severity::unsupported : Severity::error, std::nullopt, "build",
                            error.text);
    std::vector<vm::Unit> units;
    units.push_back(std::move(unit));
    auto out = diagnostics_of(std::move(units));
    out->text = error.text;
    return out;
}

namespace {

struct CodeRequest {
    visor_code_options given{};
    vm::UnitsRequest units;
};

CodeRequest request_of(const visor_code_options* options) {
    CodeRequest out;
    out.given = read_struct(options, "visor_code_options");
    if (out.given.device != nullptr) {
        const std::string_view name = out.given.device;
        const isa::Device* const device = isa::device_named(name);
        if (device == nullptr && name != "any")
            refuse(VISOR_ERROR_ARGUMENT, "there is no device `" + std::string(name) + "`" +
                                             did_you_mean(name, isa::device_names()));
        out.units.device = device;
    }
    out.units.compiler = text_of(out.given.compiler);
    out.units.compiler_options = text_of(out.given.compiler_options);
    if (out.given.max_errors != 0)
        out.units.max_errors = out.given.max_errors == UINT32_MAX ? SIZE_MAX : out.given.max_errors;
    return out;
}

std::optional<verify::Profile> profile_of(const CodeRequest& request) {
    switch (number_in(request.given.profile, VISOR_PROFILE_IGC, "options: `profile`")) {
    case VISOR_PROFILE_SPEC:
        return verify::Profile::spec;
    case VISOR_PROFILE_IGC:
        return verify::Profile::igc;
    default:
        return std::nullopt;
    }
}

std::vector<vm::Unit> checked_units(std::string_view name, std::string_view content,
                                    const CodeRequest& request) {
    const auto profile = profile_of(request);
    const size_t max_errors = request.units.max_errors;
    std::vector<vm::Unit> units;
    if (request.given.snippet != 0) {
        units.push_back(vm::check_snippet(name, content, profile.value_or(verify::Profile::spec),
                                          request.units.device.value_or(nullptr), max_errors));
    } else {
        auto read = vm::read_units(name, content, request.units);
        if (!read)
            refuse(read.error());
        units = std::move(read->units);
        for (vm::Unit& unit : units)
            vm::check(unit, profile.value_or(vm::default_profile(unit)), read->device);
    }
    for (vm::Unit& unit : units)
        unit.diagnostics = vm::with_warnings_as_errors(unit, request.given.werror != 0, max_errors);
    return units;
}

// The end of assembling and disassembling.
void hand_out(std::expected<vm::Translated, vm::Error> made, std::string_view name, std::string content,
              visor_bytes* output, visor_diagnostics* diagnostics) {
    const vm::Error* const error = !made ? &made.error() : made->error ? &*made->error : nullptr;
    if (diagnostics != nullptr)
        give(diagnostics, made ? diagnostics_of(std::move(made->read.units)) : diagnostics_of(name, *error));
    if (error != nullptr)
        refuse(*error);
    auto bytes = std::make_shared<BytesObject>();
    bytes->content = std::move(content);
    give(output, std::move(bytes));
}

int32_t severity_of(Severity severity) {
    switch (severity) {
    case Severity::note:
        return VISOR_NOTE;
    case Severity::warning:
        return VISOR_WARNING;
    case Severity::unsupported:
        return VISOR_UNSUPPORTED;
    case Severity::error:
        break;
    }
    return VISOR_ERROR;
}

void set_location(visor_diagnostic& out, const DiagnosticEntry& entry, const std::optional<Location>& where) {
    const vm::Unit& unit = *entry.unit;
    out.file = unit.name.c_str();
    out.located = where ? 1 : 0;
    if (!where)
        return;
    out.offset = where->offset;
    out.length = where->length;
    if (unit.binary)
        return;
    const LineColumn at = entry.lines->place_of(where->offset);
    out.line = at.line;
    out.column = at.column;
}

const DiagnosticEntry& entry_at(const DiagnosticsObject& all, uint32_t index) {
    if (index >= all.entries.size())
        refuse(VISOR_ERROR_ARGUMENT, "there are " + std::to_string(all.entries.size()) +
                                         " messages, none is number " + std::to_string(index));
    return all.entries[index];
}

} // namespace

} // namespace visor::capi

using namespace visor;
using namespace visor::capi;

visor_status visor_check(const char* name, const void* content, size_t bytes,
                         const visor_code_options* options, visor_diagnostics* diagnostics) {
    return call([&] {
        result(diagnostics, "`diagnostics`");
        needed(name, "`name`");
        const std::string_view text = content_of(content, bytes, "`content`");
        give(diagnostics, diagnostics_of(checked_units(name, text, request_of(options))));
    });
}

visor_status visor_assemble(const char* name, const void* text, size_t bytes,
                            const visor_code_options* options, visor_bytes* binary,
                            visor_diagnostics* diagnostics) {
    return call([&] {
        result(binary, "`binary`");
        if (diagnostics != nullptr)
            *diagnostics = nullptr;
        needed(name, "`name`");
        const std::string_view content = content_of(text, bytes, "`text`");
        auto made = vm::assemble(name, content, request_of(options).units);
        std::string file;
        if (made)
            file.assign(reinterpret_cast<const char*>(made->bytes.data()), made->bytes.size());
        hand_out(std::move(made), name, std::move(file), binary, diagnostics);
    });
}

visor_status visor_disassemble(const char* name, const void* content, size_t bytes,
                               const visor_code_options* options, visor_bytes* text,
                               visor_diagnostics* diagnostics) {
    return call([&] {
        result(text, "`text`");
        if (diagnostics != nullptr)
            *diagnostics = nullptr;
        needed(name, "`name`");
        const std::string_view file = content_of(content, bytes, "`content`");
        auto made = vm::disassemble(name, file, request_of(options).units);
        std::string printed = made ? std::move(made->text) : std::string();
        hand_out(std::move(made), name, std::move(printed), text, diagnostics);
    });
}

visor_status visor_compile(const char* name, const void* content, size_t bytes, int32_t emit,
                           const visor_code_options* options, visor_bytes* output, visor_bytes* log) {
    return call([&] {
        result(output, "`output`");
        if (log != nullptr)
            *log = nullptr;
        needed(name, "`name`");
        const std::string_view source = content_of(content, bytes, "`content`");
        const CodeRequest request = request_of(options);
        vm::CompileRequest job;
        job.emit = static_cast<vm::Emit>(number_in(emit, VISOR_EMIT_VISA_TEXT, "`emit`"));
        job.kernel = text_of(request.given.kernel);
        const isa::Device* const device =
            request.units.device ? *request.units.device : isa::device_named(vm::default_device);
        if (device == nullptr)
            refuse(VISOR_ERROR_ARGUMENT, "options: code is compiled for one `device`, not for any");
        job.device = device;
        job.compiler = request.units.compiler;
        if (std::isnan(request.given.time_limit) || request.given.time_limit < 0)
            refuse(VISOR_ERROR_ARGUMENT, "options: `time_limit` is no number of seconds");
        if (request.given.time_limit > 0)
            job.time_limit = request.given.time_limit;
        job.options = request.units.compiler_options;
        if (request.given.include_folder_count != 0)
            needed(request.given.include_folders, "options: `include_folders`");
        for (size_t i = 0; i < request.given.include_folder_count; ++i) {
            needed(request.given.include_folders[i], "an include folder");
            job.include_folders.emplace_back(request.given.include_folders[i]);
        }
        std::string words;
        auto made = vm::compile_to(name, source, job, words);
        if (log != nullptr) {
            auto text = std::make_shared<BytesObject>();
            text->content = std::move(words);
            give(log, std::move(text));
        }
        if (!made)
            refuse(made.error());
        auto file = std::make_shared<BytesObject>();
        file->content.assign(reinterpret_cast<const char*>(made->content.data()), made->content.size());
        give(output, std::move(file));
    });
}

visor_status visor_reduce(const char* name, const void* text, size_t bytes, const visor_code_options* options,
                          visor_interesting interesting, void* user, visor_bytes* reduced,
                          visor_reduction* counts) {
    return call([&] {
        result(reduced, "`reduced`");
        needed(name, "`name`");
        if (interesting == nullptr)
            refuse(VISOR_ERROR_ARGUMENT, "`interesting` is NULL");
        const std::string_view content = content_of(text, bytes, "`text`");
        vm::ReductionRequest request;
        request.device = request_of(options).units.device;
        request.ask = [&](std::string_view smaller) {
            switch (number_in(interesting(user, smaller.data(), smaller.size()), VISOR_STOP, "the answer")) {
            case VISOR_INTERESTING:
                return reduce::Answer::interesting;
            case VISOR_STOP:
                return reduce::Answer::stop;
            default:
                return reduce::Answer::boring;
            }
        };
        auto made = vm::reduce_text(name, content, request);
        if (!made)
            refuse(made.error());
        if (counts != nullptr)
            write_struct(counts,
                         visor_reduction{.size = sizeof(visor_reduction),
                                         .lines = made->lines,
                                         .tests = made->tests,
                                         .kept = made->kept,
                                         .invalid = made->invalid,
                                         .complete = made->complete ? 1 : 0},
                         "visor_reduction");
        auto smallest = std::make_shared<BytesObject>();
        smallest->content = std::move(made->text);
        give(reduced, std::move(smallest));
    });
}

visor_status visor_diff(const char* first_name, const void* first, size_t first_bytes,
                        const char* second_name, const void* second, size_t second_bytes,
                        const visor_code_options* options, const char* kernel, uint32_t most, int32_t* equal,
                        visor_bytes* json) {
    return call([&] {
        result(equal, "`equal`");
        if (json != nullptr)
            *json = nullptr;
        needed(first_name, "`first_name`");
        needed(second_name, "`second_name`");
        const vm::File a{first_name, content_of(first, first_bytes, "`first`")};
        const vm::File b{second_name, content_of(second, second_bytes, "`second`")};
        vm::ComparisonRequest request;
        request.units = request_of(options).units;
        request.kernel = text_of(kernel);
        request.runs = request_of(options).given.runs;
        if (most != 0)
            request.most = most;
        const auto compared = vm::compare_files(a, b, request);
        if (!compared)
            refuse(compared.error());
        *equal = compared->equal() ? 1 : 0;
        if (json == nullptr)
            return;
        auto text = std::make_shared<BytesObject>();
        text->content = vm::json_of(*compared, a, b);
        give(json, std::move(text));
    });
}

visor_status visor_diagnostics_count(visor_diagnostics diagnostics, uint32_t* count) {
    return call([&] {
        result(count, "`count`") =
            static_cast<uint32_t>(find<DiagnosticsObject>(diagnostics)->entries.size());
    });
}

visor_status visor_diagnostics_get(visor_diagnostics diagnostics, uint32_t index,
                                   visor_diagnostic* diagnostic) {
    return call([&] {
        const auto all = find<DiagnosticsObject>(diagnostics);
        const DiagnosticEntry& entry = entry_at(*all, index);
        const Diagnostic& found = *entry.diagnostic;
        const verify::Rule* const rule = verify::rule_of(found.rule);
        visor_diagnostic out{};
        out.severity = severity_of(found.severity);
        out.rule = found.rule.c_str();
        out.message = found.message.c_str();
        out.explanation = rule == nullptr ? "" : rule->line;
        out.page = rule == nullptr ? "" : rule->page;
        out.note_count = static_cast<uint32_t>(found.notes.size());
        set_location(out, entry, found.where);
        write_struct(diagnostic, out, "visor_diagnostic");
    });
}

visor_status visor_diagnostics_note(visor_diagnostics diagnostics, uint32_t index, uint32_t note,
                                    visor_diagnostic* diagnostic) {
    return call([&] {
        const auto all = find<DiagnosticsObject>(diagnostics);
        const DiagnosticEntry& entry = entry_at(*all, index);
        const std::vector<Note>& notes = entry.diagnostic->notes;
        if (note >= notes.size())
            refuse(VISOR_ERROR_ARGUMENT, "the message has " + std::to_string(notes.size()) +
                                             " notes, none is number " + std::to_string(note));
        visor_diagnostic out{};
        out.severity = VISOR_NOTE;
        out.rule = "";
        out.message = notes[note].message.c_str();
        out.explanation = "";
        out.page = "";
        set_location(out, entry, notes[note].where);
        write_struct(diagnostic, out, "visor_diagnostic");
    });
}

visor_status visor_diagnostics_text(visor_diagnostics diagnostics, const char** text) {
    return call([&] { result(text, "`text`") = find<DiagnosticsObject>(diagnostics)->text.c_str(); });
}

visor_status visor_diagnostics_release(visor_diagnostics diagnostics) {
    return call([&] { static_cast<void>(take<DiagnosticsObject>(diagnostics)); });
}
