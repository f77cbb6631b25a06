#include "cli/job_file.h"

#include "cli/file.h"
#include "cli/launch_file.h"
#include "vm/target.h"

namespace visor::cli {

namespace {

// What the file names, what a text by hand needs, or the default.
void find_device(Job& job) {
    job.device = default_device;
    if (const isa::Device* own = vm::device_named_in(job.program)) {
        job.device = own->name;
        return;
    }
    const auto unit = vm::read_by_hand(job.program_name, job.program);
    if (!unit)
        return;
    if (const auto target = vm::target_of(*unit)) {
        job.device = target->device->name;
        job.remark = vm::taken_as(*unit, *target);
    }
}

} // namespace

std::expected<JobFile, Failure> read_job(const std::string& path, const std::string& device,
                                         const std::string& compiler_options) {
    auto content = read_file(path);
    if (!content)
        return invalid(content.error());
    JobFile out;
    out.complete = vm::identify(*content, path) == vm::InputKind::launch_file;
    if (out.complete) {
        auto parsed = parse_launch_file(path, *content);
        if (!parsed)
            return std::unexpected(parsed.error());
        out.job = std::move(*parsed);
    } else {
        out.job.program_name = path;
        out.job.program = std::move(*content);
    }
    if (!device.empty())
        out.job.device = device;
    else if (out.job.device.empty())
        find_device(out.job);
    std::string& options = out.job.load.compiler_options;
    options += (options.empty() || compiler_options.empty() ? "" : " ") + compiler_options;
    return out;
}

} // namespace visor::cli
