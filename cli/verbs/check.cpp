#include "cli/verbs/check.h"

#include "cli/report/units.h"
#include "file/file.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace visor::cli {

namespace {

using nlohmann::ordered_json;

const char* severity_word(Severity severity) {
    switch (severity) {
    case Severity::note:
        return "note";
    case Severity::warning:
        return "warning";
    case Severity::unsupported:
        return "unsupported";
    case Severity::error:
        break;
    }
    return "error";
}

// `lines`: nullptr of a binary.
ordered_json place(const LineStarts* lines, std::optional<Location> where) {
    ordered_json out = ordered_json::object();
    if (!where)
        return out;
    out["offset"] = where->offset;
    out["length"] = where->length;
    if (lines != nullptr) {
        const LineColumn at = lines->place_of(where->offset);
        out["line"] = at.line;
        out["column"] = at.column;
    }
    return out;
}

ordered_json as_json(const LineStarts* lines, const Diagnostic& found) {
    ordered_json out;
    out["severity"] = severity_word(found.severity);
    out["rule"] = found.rule;
    out["message"] = found.message;
    out.update(place(lines, found.where));
    if (const verify::Rule* rule = verify::rule_of(found.rule)) {
        out["explanation"] = rule->line;
        out["page"] = rule->page;
    }
    for (const Note& note : found.notes) {
        ordered_json line = place(lines, note.where);
        line["message"] = note.message;
        out["notes"].push_back(std::move(line));
    }
    return out;
}

class Check {
public:
    explicit Check(const CheckRequest& request)
        : request_(request), console_(request.talk.color, request.talk.quiet, request.talk.verbose) {}

    ExitCode all() {
        for (const std::string& file : request_.files) {
            if (const auto done = one(file); !done) {
                console_.report(done.error());
                code_ = worse(code_, done.error().code);
            }
        }
        if (errors_ > 0)
            code_ = worse(code_, ExitCode::invalid);
        if (unsupported_ > 0)
            code_ = worse(code_, ExitCode::unsupported);
        if (request_.json)
            print_json();
        summary();
        return code_;
    }

private:
    using Step = std::expected<void, Failure>;

    Step one(const std::string& file) {
        const auto content = read_file(file);
        if (!content)
            return invalid(content.error());
        if (request_.snippet) {
            device_ = request_.device.value_or(nullptr);
            tell(vm::check_snippet(file == "-" ? "snippet" : file, *content,
                                   note(request_.profile.value_or(verify::Profile::spec)), device_,
                                   request_.max_errors));
            return {};
        }
        vm::UnitsRequest wanted;
        wanted.device = request_.device;
        wanted.compiler_options = request_.compiler_options;
        wanted.max_errors = request_.max_errors;
        wanted.color = console_.color();
        auto read = vm::read_units(file, *content, wanted);
        if (!read)
            return std::unexpected(failure(read.error()));
        console_.warning(read->warnings);
        device_ = read->device;
        for (vm::Unit& unit : read->units) {
            vm::check(unit, profile_for(unit), device_);
            tell(std::move(unit));
        }
        return {};
    }

    verify::Profile profile_for(const vm::Unit& unit) {
        return note(request_.profile.value_or(vm::default_profile(unit)));
    }

    verify::Profile note(verify::Profile profile) {
        (profile == verify::Profile::igc ? used_igc_ : used_spec_) = true;
        return profile;
    }

    void tell(vm::Unit unit) {
        Diagnostics shown =
            vm::with_warnings_as_errors(unit, request_.warnings_are_errors, request_.max_errors);
        const size_t dropped = shown.dropped();
        errors_ += shown.errors();
        warnings_ += shown.warnings();
        unsupported_ += shown.unsupported_count();
        if (unit.module) {
            const Size size = size_of(*unit.module);
            size_.kernels += size.kernels;
            size_.functions += size.functions;
            size_.instructions += size.instructions;
        }
        unit.diagnostics = std::move(shown);
        const std::string text = vm::render(unit, console_.color());
        if (unit.diagnostics.ok())
            console_.warning(text);
        else
            console_.line(text);
        if (dropped > 0)
            console_.line(
                fmt::format("{}: note: there are further errors; --max-errors 0 shows all", unit.name));
        if (request_.json)
            keep(unit);
    }

    void keep(const vm::Unit& unit) {
        ordered_json entry;
        entry["file"] = unit.name;
        entry["diagnostics"] = ordered_json::array();
        const LineStarts lines(unit.binary ? std::string_view() : unit.content);
        for (const Diagnostic& found : unit.diagnostics.all())
            entry["diagnostics"].push_back(as_json(unit.binary ? nullptr : &lines, found));
        files_.push_back(std::move(entry));
    }

    [[nodiscard]] const char* profile_word() const {
        return used_igc_ && used_spec_ ? "spec and igc" : used_igc_ ? "igc" : used_spec_ ? "spec" : "none";
    }

    void print_json() const {
        ordered_json out;
        out["version"] = 1;
        out["profile"] = profile_word();
        out["device"] = device_ == nullptr ? "any" : device_->name;
        out["errors"] = errors_;
        out["warnings"] = warnings_;
        out["unsupported"] = unsupported_;
        out["files"] = files_;
        // A file may hold any bytes; the object holds text.
        const std::string text = out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    }

    void summary() const {
        if (!used_igc_ && !used_spec_)
            return console_.line("visor: nothing was checked");
        std::string found = count_text(errors_, "error") + ", " + count_text(warnings_, "warning");
        if (unsupported_ > 0)
            found += fmt::format(", {} unsupported by Visor", grouped(unsupported_));
        console_.line(fmt::format("visor: {}, {}: {}; profile {}, {}",
                                  count_text(request_.files.size(), "file"), size_text(size_), found,
                                  profile_word(), device_text(device_)));
    }

    const CheckRequest& request_;
    Console console_;
    ExitCode code_ = ExitCode::clean;
    const isa::Device* device_ = nullptr;
    bool used_igc_ = false;
    bool used_spec_ = false;
    Size size_;
    uint64_t errors_ = 0;
    uint64_t warnings_ = 0;
    uint64_t unsupported_ = 0;
    ordered_json files_ = ordered_json::array();
};

} // namespace

ExitCode check(const CheckRequest& request) {
    return Check(request).all();
}

} // namespace visor::cli
