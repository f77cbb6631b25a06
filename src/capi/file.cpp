// Launch files: runs the command line's job for one, with its report as JSON and no console output.
#include "capi/objects.h"
#include "cli/launch/job_run.h"
#include "cli/report/json_report.h"

#include <algorithm>

namespace visor::capi {

namespace {

capture::Settings capture_of(const visor_file_options& given) {
    capture::Settings out;
    out.folder = text_of(given.capture);
    const std::string_view launches = text_of(given.capture_launches);
    if (out.folder.empty() && (!launches.empty() || given.capture_limit != 0))
        refuse(VISOR_ERROR_ARGUMENT, "options: `capture_launches` and `capture_limit` go with `capture`");
    auto chosen = capture::parse_selection(launches);
    if (!chosen)
        refuse(VISOR_ERROR_ARGUMENT, "options: `capture_launches`: " + chosen.error());
    out.launches = std::move(*chosen);
    if (given.capture_limit != 0)
        out.mebibytes = given.capture_limit;
    return out;
}

cli::RunRequest request_of(const char* path, const visor_file_options* options) {
    const auto given = read_struct(options, "visor_file_options");
    const Settings settings =
        given.settings == nullptr ? Settings{} : settings_of(read_struct(given.settings, "visor_settings"));
    cli::RunRequest out;
    out.file = path;
    out.whole = true;
    out.json = true; // nothing on standard output
    out.talk = {.color = cli::ColorMode::never, .quiet = true};
    out.device = text_of(given.device);
    if (given.device != nullptr && isa::device_named(out.device) == nullptr)
        refuse(VISOR_ERROR_ARGUMENT, "there is no device `" + out.device + "`");
    out.compiler_options = text_of(given.compiler_options);
    out.engine = settings.engine;
    out.threads = settings.workers;
    out.seed = settings.seed;
    out.fuel = settings.fuel;
    out.timeout = settings.timeout;
    out.checks = checks_of(given.checks);
    out.suppressions = text_of(given.suppressions);
    out.sarif = text_of(given.sarif);
    out.trace = text_of(given.trace);
    out.capture = capture_of(given);
    for (const visor_register_request& wanted : registers_of(given.registers, given.register_count))
        out.dumps.push_back({.names = {wanted.name}, .group = wanted.group, .thread = wanted.thread});
    return out;
}

visor_status status_of(const cli::RunRecord& record) {
    for (const cli::LaunchRecord& launch : record.launches)
        if (launch.report && launch.report->error)
            return capi::status_of(launch.report->error->kind);
    switch (record.code) {
    case cli::ExitCode::clean:
        return VISOR_OK;
    case cli::ExitCode::unsupported:
        return VISOR_ERROR_UNSUPPORTED;
    case cli::ExitCode::internal:
        return VISOR_ERROR_INTERNAL;
    case cli::ExitCode::spent:
        return VISOR_ERROR_LIMIT;
    default:
        break;
    }
    const bool found = std::ranges::any_of(record.findings, [](const cli::FindingRecord& finding) {
        return finding.finding.severity == check::Severity::error;
    });
    return found ? VISOR_ERROR_FAULT : VISOR_ERROR_INPUT;
}

std::string words_of(const cli::RunRecord& record) {
    std::string out;
    for (const cli::Failure& failure : record.failures)
        out += (out.empty() ? "" : "\n") + failure.text;
    return out;
}

} // namespace

} // namespace visor::capi

using namespace visor;
using namespace visor::capi;

visor_status visor_file_run(const char* path, const visor_file_options* options, visor_bytes* report) {
    return call([&] {
        if (report != nullptr)
            *report = nullptr;
        const cli::RunRequest request = request_of(&needed(path, "`path`"), options);
        const std::atomic<bool> never{false};
        cli::Job job;
        const cli::RunRecord record = run_job(request, job, cli::Console::mute(), never);
        if (report != nullptr)
            give(report, std::make_shared<BytesObject>(BytesObject{cli::json_of(record)}));
        const visor_status status = status_of(record);
        return status == VISOR_OK ? VISOR_OK : fail(status, words_of(record));
    });
}
