#include "cli/application_record.h"

#include "cli/console.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace visor::cli {

namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> out;
    for (;;) {
        const size_t tab = line.find('\t');
        out.push_back(line.substr(0, tab));
        if (tab == std::string_view::npos)
            return out;
        line.remove_prefix(tab + 1);
    }
}

uint64_t number_in(std::string_view text) {
    uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

void add_launch(const std::vector<std::string_view>& fields, ApplicationRecord& record) {
    ++record.launches;
    record.kernels.emplace(fields[1]);
    record.work_groups += number_in(fields[2]);
    record.all_groups += number_in(fields[3]);
    record.instructions += number_in(fields[4]);
    const uint64_t fidelity =
        std::min<uint64_t>(number_in(fields[5]), static_cast<uint64_t>(isa::Fidelity::unsupported));
    record.fidelity = std::max(record.fidelity, static_cast<isa::Fidelity>(fidelity));
    if (!fields[6].empty())
        record.fidelity_names.emplace(fields[6]);
}

void add_error(std::string_view kind, ApplicationRecord& record) {
    ++record.errors;
    const uint64_t number =
        std::min<uint64_t>(number_in(kind), static_cast<uint64_t>(vm::ErrorKind::internal));
    record.code = worse(record.code, exit_code(static_cast<vm::ErrorKind>(number)));
}

std::string counted(uint64_t count, std::string_view thing) {
    return fmt::format("{} {}{}", grouped(count), thing,
                       count == 1              ? ""
                       : thing.ends_with("ch") ? "es"
                                               : "s");
}

} // namespace

ApplicationRecord read_application_record(std::string_view text) {
    constexpr size_t launch_fields = 7;
    ApplicationRecord record;
    for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        const std::vector<std::string_view> fields = fields_of(text.substr(0, end));
        text.remove_prefix(end + 1);
        if (fields[0] == "launch" && fields.size() == launch_fields)
            add_launch(fields, record);
        else if (fields[0] == "error" && fields.size() == 2)
            add_error(fields[1], record);
        else if (fields[0] == "note")
            ++record.notes;
        else if (fields[0] == "finding") {
            ++record.findings;
            record.code = worse(record.code, ExitCode::invalid);
        }
    }
    return record;
}

std::string summary_of(const ApplicationRecord& record, bool checked) {
    std::string text =
        record.launches == 0
            ? std::string("visor: no kernel was run")
            : fmt::format("visor: {}, {}, {}{}, {}", counted(record.kernels.size(), "kernel"),
                          counted(record.launches, "launch"),
                          record.work_groups == record.all_groups ? "" : grouped(record.work_groups) + " of ",
                          counted(record.all_groups, "work-group"),
                          counted(record.instructions, "instruction"));
    if (record.errors > 0)
        text += fmt::format(", {}", counted(record.errors, "error"));
    if (checked)
        text +=
            fmt::format(", {}{}", record.findings == 0 ? "no findings" : counted(record.findings, "finding"),
                        record.notes == 0 ? "" : fmt::format(" and {}", counted(record.notes, "note")));
    if (record.launches > 0) {
        text += fmt::format("; {}", isa::name_of(record.fidelity));
        if (!record.fidelity_names.empty())
            text += fmt::format(" ({})", fmt::join(record.fidelity_names, ", "));
    }
    return text;
}

} // namespace visor::cli
