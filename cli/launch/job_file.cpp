#include "cli/launch/job_file.h"

#include "cli/launch/captured_launch.h"
#include "cli/launch/launch_file.h"
#include "file/file.h"
#include "vm/target.h"

#include <filesystem>

namespace visor::cli {

namespace {

// With its device and all options.
JobFile finished(JobFile out, const std::string& device, const std::string& compiler_options) {
    if (!device.empty()) {
        out.job.device = device;
    } else if (out.job.device.empty()) {
        vm::FoundDevice found =
            vm::find_device(out.job.program_name, out.job.program, vm::command_line_advice);
        out.job.device = found.device->name;
        out.job.remark = std::move(found.remark);
    }
    std::string& options = out.job.load.compiler_options;
    options += (options.empty() || compiler_options.empty() ? "" : " ") + compiler_options;
    return out;
}

} // namespace

std::expected<JobFile, Failure> read_job(const std::string& path, const std::string& device,
                                         const std::string& compiler_options) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        auto folder = read_captured_launch(path);
        if (!folder)
            return std::unexpected(folder.error());
        return finished({std::move(*folder), true}, device, compiler_options);
    }
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
    return finished(std::move(out), device, compiler_options);
}

} // namespace visor::cli
