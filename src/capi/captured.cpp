#include "capi/captured.h"

#include "capture/from_run.h"

#include <atomic>

namespace visor::capi {

namespace {

capture::Launch described(const KernelObject& kernel, const Binding& binding) {
    static std::atomic<uint64_t> launches = 0;
    const vm::Program& program = *kernel.program->program;
    capture::Launch launch = kernel.facts.hand_written
                                 ? capture::launch_of({program, kernel.facts, binding.inputs, binding.states,
                                                       binding.hand_geometry})
                                 : capture::launch_of({.program = program,
                                                       .kernel = kernel.facts,
                                                       .values = binding.values,
                                                       .geometry = binding.geometry});
    capture::add_code(vm::content_of(program), launch);
    launch.number = launches++;
    return launch;
}

} // namespace

CapturedLaunch::CapturedLaunch(const KernelObject& kernel, const Binding& binding, const std::string& parent)
    : launch_(described(kernel, binding)) {
    if (const std::string why = capture::untellable(launch_); !why.empty())
        refuse(VISOR_ERROR_UNSUPPORTED,
               "unsupported by Visor: a launch file cannot hold the launch to be captured: " + why);
    auto folder = capture::Folder::create(parent, launch_);
    if (!folder)
        refuse(VISOR_ERROR_INPUT, "error: the launch is not captured: " + folder.error());
    folder_.emplace(std::move(*folder));
}

std::string CapturedLaunch::finish(const std::expected<vm::RunReport, vm::Error>& report) const {
    const auto done = folder_->finish(launch_, capture::outcome_of(report));
    return done ? "" : "error: " + folder_->path() + " has no results: " + done.error();
}

} // namespace visor::capi
