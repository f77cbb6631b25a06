#include "opencl/captures.h"

#include "capture/from_run.h"
#include "opencl/kernel.h"
#include "vm/loaded.h"

#include <fmt/format.h>

namespace visor::opencl {

namespace {

void add_program(const _cl_kernel& kernel, capture::Launch& launch) {
    _cl_program& program = *kernel.program;
    const std::lock_guard guard(program.facts);
    if (program.origin == Origin::source)
        launch.source = program.source;
    if (program.origin == Origin::il)
        launch.spirv = specialized(program.source, program.constants);
    launch.code = program.built.zebin;
    launch.options = program.options;
}

capture::Launch described(const CapturedLaunch& what) {
    capture::Launch launch = capture::launch_of({.program = *what.kernel.code,
                                                 .kernel = what.kernel.code->kernels[what.kernel.index].facts,
                                                 .values = what.values,
                                                 .geometry = what.geometry,
                                                 .pointers = what.pointers,
                                                 .indirect = what.indirect});
    launch.device = device_of(what.kernel).name;
    add_program(what.kernel, launch);
    return launch;
}

} // namespace

std::optional<capture::Recording> begin_capture(const CapturedLaunch& what) {
    return platform().captures.begin(what.kernel.signature().name, [&] { return described(what); });
}

void tell_of_captures(std::string_view text) {
    platform().record.print_once(fmt::format("visor: warning: {}\n", text));
}

} // namespace visor::opencl
