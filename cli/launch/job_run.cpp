#include "cli/launch/job_run.h"

#include "cli/launch/findings.h"
#include "cli/launch/job_file.h"
#include "cli/launch/session.h"
#include "file/file.h"

#include <fmt/format.h>

namespace visor::cli {

namespace {

// A launch file says itself what these options say; the others go with it.
std::expected<void, Failure> check_options(const RunRequest& request) {
    const LaunchRequest& launch = request.launch;
    const std::pair<bool, const char*> options[] = {
        {!launch.kernel.empty(), "-k"},
        {launch.global.dimensions != 0, "-g"},
        {launch.local.dimensions != 0, "-l"},
        {launch.offset.dimensions != 0, "--offset"},
        {!launch.arguments.empty(), "-a"},
        {launch.groups.dimensions != 0, "--groups"},
        {launch.hardware_threads.has_value(), "--hw-threads"},
        {launch.simd.has_value(), "--simd"},
        {launch.slm_bytes.has_value(), "--slm"},
        {!launch.surfaces.empty(), "--bti"},
        {!launch.samplers.empty(), "--sampler"},
    };
    for (const auto& [given, name] : options)
        if (given)
            return usage(fmt::format("{} does not go with a launch file, which says it itself", name));
    return {};
}

std::expected<Job, Failure> make_job(const RunRequest& request) {
    if (capture::is_in_use(request.capture.folder))
        return usage(fmt::format("--capture {}: the folder is not empty", request.capture.folder));
    auto file = read_job(request.file, request.device, request.compiler_options);
    if (!file)
        return std::unexpected(file.error());
    Job& job = file->job;
    if (!file->complete && request.whole)
        return invalid(fmt::format("`{}` is no launch file", request.file));
    if (!file->complete) // the options of one launch are a launch file with one launch
        job.launches.push_back(request.launch);
    else if (const auto good = check_options(request); !good)
        return std::unexpected(good.error());
    for (const TextFile& text : request.texts) {
        auto replacement = read_file(text.path);
        if (!replacement)
            return invalid(replacement.error());
        job.load.texts.push_back({text.kernel, text.path, std::move(*replacement)});
    }
    job.outputs.insert(job.outputs.end(), request.outputs.begin(), request.outputs.end());
    job.prints.insert(job.prints.end(), request.prints.begin(), request.prints.end());
    return std::move(job);
}

// The further ones of --seeds: they print and write nothing of their own.
void run_schedules(const Job& job, const RunRequest& request, const std::atomic<bool>& stop,
                   RunRecord& first) {
    Job silent = job;
    silent.outputs.clear();
    silent.prints.clear();
    RunRequest again = request;
    again.trace.clear();
    again.profiles = {};
    again.capture = {};
    again.dumps.clear();
    again.time = false;
    again.json = true; // nothing on standard output
    const Console hushed(request.talk.color, true, false);
    for (uint64_t seed = request.seed + 1; request.last_seed && seed <= *request.last_seed && !stop; ++seed) {
        again.seed = seed;
        merge_schedule(first, Session(silent, again, hushed, stop).run());
    }
}

} // namespace

RunRecord run_job(const RunRequest& request, Job& job, const Console& console,
                  const std::atomic<bool>& stop) {
    auto made = make_job(request);
    if (!made) {
        RunRecord record;
        record.file = request.file;
        record.code = made.error().code;
        console.report(made.error());
        record.failures.push_back(std::move(made.error()));
        return record;
    }
    job = std::move(*made);
    RunRecord record = Session(job, request, console, stop).run();
    run_schedules(job, request, stop, record);
    settle_findings(record, request, console);
    return record;
}

} // namespace visor::cli
