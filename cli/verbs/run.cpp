#include "cli/verbs/run.h"

#include "cli/launch/job_run.h"
#include "cli/report/json_report.h"
#include "cli/report/units.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace visor::cli {

namespace {

std::string checks_text(const RunRecord& record) {
    if (record.checks.empty())
        return "";
    const auto failed = static_cast<uint64_t>(std::ranges::count_if(
        record.checks, [](const CheckRecord& check) { return check.difference.has_value(); }));
    if (failed == 0)
        return fmt::format(", {} met", count_text(record.checks.size(), "expectation"));
    return fmt::format(", {} of {} not met", grouped(failed),
                       count_text(record.checks.size(), "expectation"));
}

std::string schedules_text(const RunRecord& record) {
    return record.schedules == 1 ? "" : fmt::format(", {} schedules", grouped(record.schedules));
}

std::string findings_text(const RunRecord& record) {
    if (!record.checked)
        return schedules_text(record);
    const auto count = [&](check::Severity severity) {
        return static_cast<uint64_t>(std::ranges::count_if(
            record.findings, [&](const FindingRecord& found) { return found.finding.severity == severity; }));
    };
    const uint64_t errors = count(check::Severity::error);
    const uint64_t notes = count(check::Severity::note);
    return fmt::format(", {}{}", errors == 0 ? "no findings" : count_text(errors, "finding"),
                       notes == 0 ? "" : fmt::format(" and {}", count_text(notes, "note"))) +
           (record.suppressed == 0 ? "" : fmt::format(" ({} suppressed)", record.suppressed)) +
           schedules_text(record);
}

// The worst of all launches, and the instructions of every one that have it or a better one that is not
// exact.
std::string fidelity_text(const RunRecord& record) {
    isa::Fidelity worst = isa::Fidelity::exact;
    std::set<std::string, std::less<>> names;
    for (const LaunchRecord& launch : record.launches) {
        if (!launch.report || launch.report->fidelity_names.empty())
            continue;
        worst = std::max(worst, launch.report->fidelity);
        add_names(launch.report->fidelity_names, names);
    }
    return names.empty() ? std::string(isa::name_of(worst))
                         : fmt::format("{} ({})", isa::name_of(worst), fmt::join(names, ", "));
}

// "; no machine code: its code is too long (...)", each reason once.
std::string no_code_text(const RunRecord& record) {
    std::set<std::string, std::less<>> reasons;
    for (const LaunchRecord& launch : record.launches)
        if (launch.report && !launch.report->no_code.empty())
            reasons.insert(launch.report->no_code);
    return reasons.empty() ? "" : fmt::format("; no machine code: {}", fmt::join(reasons, "; "));
}

std::string summary(const RunRecord& record) {
    uint64_t ran = 0;
    uint64_t finished_groups = 0;
    uint64_t groups = 0;
    uint64_t instructions = 0;
    bool broken = false;
    for (const LaunchRecord& launch : record.launches) {
        if (!launch.report)
            continue;
        ++ran;
        finished_groups += launch.report->work_groups;
        groups += launch.report->groups[0] * launch.report->groups[1] * launch.report->groups[2];
        instructions += launch.report->instructions;
        broken = broken || launch.report->error;
    }
    if (ran == 0)
        return "visor: no kernel was run";
    const bool all = ran == record.launches.size();
    return fmt::format("visor: {}{}, {}{}, {}, {}{}; {}{}", all ? "" : grouped(ran) + " of ",
                       count_text(record.launches.size(), "kernel"),
                       finished_groups == groups ? "" : grouped(finished_groups) + " of ",
                       count_text(groups, "work-group"), count_text(instructions, "instruction"),
                       broken                           ? "broken off"
                       : record.code != ExitCode::clean ? "finished, then failed"
                                                        : "finished",
                       checks_text(record) + findings_text(record), fidelity_text(record),
                       no_code_text(record));
}

} // namespace

ExitCode run(const RunRequest& request, const std::atomic<bool>& stop) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    Job job;
    RunRecord record = run_job(request, job, console, stop);
    if (request.json) {
        const std::string text = json_of(record);
        std::fwrite(text.data(), 1, text.size(), stdout);
    }
    if (std::fflush(stdout) != 0 && record.code == ExitCode::clean)
        record.code = ExitCode::invalid;
    console.line(summary(record));
    return record.code;
}

} // namespace visor::cli
