#include "cli/job_file.h"

#include "cli/file.h"
#include "cli/launch_file.h"

namespace visor::cli {

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
    const isa::Device* own = vm::device_named_in(out.job.program);
    if (!device.empty())
        out.job.device = device;
    else if (out.job.device.empty())
        out.job.device = own != nullptr ? own->name : default_device;
    std::string& options = out.job.load.compiler_options;
    options += (options.empty() || compiler_options.empty() ? "" : " ") + compiler_options;
    return out;
}

} // namespace visor::cli
