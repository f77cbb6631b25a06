#include "cli/report/application_record.h"

#include "cli/console/console.h"

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

// Kind, process, program and kernel begin each line of a launch.
constexpr size_t kernel_fields = 4;

void add_launch(const std::vector<std::string_view>& fields, ApplicationRecord& record) {
    ++record.launches;
    ApplicationProgram& program = record.programs[{number_in(fields[1]), number_in(fields[2])}];
    ++program.launches;
    program.kernels.emplace(fields[3]);
    record.work_groups += number_in(fields[4]);
    record.all_groups += number_in(fields[5]);
    record.instructions += number_in(fields[6]);
    const uint64_t fidelity =
        std::min<uint64_t>(number_in(fields[7]), static_cast<uint64_t>(isa::Fidelity::unsupported));
    record.fidelity = std::max(record.fidelity, static_cast<isa::Fidelity>(fidelity));
    add_names(fields[8], record.fidelity_names);
}

void end_launch(ApplicationRecord& record) {
    record.begun -= record.begun == 0 ? 0 : 1;
}

// False: the line is none of a launch.
bool add_of_launch(const std::vector<std::string_view>& fields, ApplicationRecord& record) {
    if (fields[0] == "begin" && fields.size() == kernel_fields)
        ++record.begun;
    else if (fields[0] == "refuse" && fields.size() == kernel_fields)
        end_launch(record);
    else if (fields[0] == "left" && fields.size() == kernel_fields + 1)
        record.results.push_back(
            {number_in(fields[1]), number_in(fields[2]), std::string(fields[3]), number_in(fields[4])});
    else if (fields[0] == "interpreted" && fields.size() == kernel_fields + 1) {
        ApplicationInterpreted& interpreted = record.interpreted[std::string(fields[3])];
        ++interpreted.launches;
        interpreted.reason = fields[4];
    } else if (fields[0] == "launch" && fields.size() == kernel_fields + 5) {
        end_launch(record);
        add_launch(fields, record);
    } else
        return false;
    return true;
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

size_t kernels_in(const ApplicationRecord& record) {
    size_t count = 0;
    for (const auto& [number, program] : record.programs)
        count += program.kernels.size();
    return count;
}

// "program 3", with the process where there are several.
std::string name_of(const ApplicationRecord& record, uint64_t process, uint64_t program) {
    const bool alone = record.programs.empty() ||
                       record.programs.begin()->first.first == record.programs.rbegin()->first.first;
    return fmt::format("program {}{}", program, alone ? "" : fmt::format(" of process {}", process));
}

std::string no_code_text(const ApplicationRecord& record) {
    constexpr size_t most = 4;
    std::string text;
    size_t shown = 0;
    for (const auto& [kernel, interpreted] : record.interpreted)
        if (shown++ < most)
            text += fmt::format("; no machine code for {} of `{}`: {}",
                                counted(interpreted.launches, "launch"), kernel, interpreted.reason);
    if (shown > most)
        text += fmt::format("; and for {} more", counted(shown - most, "kernel"));
    return text;
}

} // namespace

ApplicationRecord read_application_record(std::string_view text) {
    ApplicationRecord record;
    for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        const std::vector<std::string_view> fields = fields_of(text.substr(0, end));
        text.remove_prefix(end + 1);
        if (add_of_launch(fields, record))
            continue;
        if (fields[0] == "error" && fields.size() == 2)
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
            ? std::string(record.begun == 0 ? "visor: no kernel was run"
                                            : "visor: no kernel was run to its end")
            : fmt::format("visor: {}{}, {}, {}{}, {}", counted(kernels_in(record), "kernel"),
                          record.programs.size() == 1
                              ? ""
                              : fmt::format(" of {}", counted(record.programs.size(), "program")),
                          counted(record.launches, "launch"),
                          record.work_groups == record.all_groups ? "" : grouped(record.work_groups) + " of ",
                          counted(record.all_groups, "work-group"),
                          counted(record.instructions, "instruction"));
    if (record.begun > 0)
        text += fmt::format(", {} not finished", counted(record.begun, "launch"));
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
    return text + no_code_text(record);
}

std::vector<std::string> programs_of(const ApplicationRecord& record) {
    std::vector<std::string> out;
    for (const auto& [number, program] : record.programs)
        out.push_back(fmt::format("{}: kernel{} `{}`; {}", name_of(record, number.first, number.second),
                                  program.kernels.size() == 1 ? "" : "s", fmt::join(program.kernels, "`, `"),
                                  counted(program.launches, "launch")));
    return out;
}

std::string difference_of(const ApplicationRecord& first, const ApplicationRecord& other) {
    // Processes have other numbers in each run.
    const auto is_same_launch = [](const ApplicationResult& a, const ApplicationResult& b) {
        return a.program == b.program && a.kernel == b.kernel;
    };
    const size_t both = std::min(first.results.size(), other.results.size());
    for (size_t k = 0; k < both; ++k) {
        const ApplicationResult& one = first.results[k];
        const ApplicationResult& two = other.results[k];
        if (!is_same_launch(one, two))
            return fmt::format("launch {} is of `{}` of program {} and of `{}` of program {}", k + 1,
                               one.kernel, one.program, two.kernel, two.program);
        if (one.digest != two.digest)
            return fmt::format("after launch {}, of `{}` of program {}, the memory has other bytes", k + 1,
                               one.kernel, one.program);
    }
    if (first.results.size() != other.results.size())
        return fmt::format("there are {} and {}", counted(first.results.size(), "launch"),
                           counted(other.results.size(), "launch"));
    return "";
}

} // namespace visor::cli
