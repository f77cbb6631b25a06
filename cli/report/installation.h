// What this build and this machine have, for `visor info` and `--device help`: devices, environment
// variables.
#pragma once

#include <array>
#include <string>

namespace visor::cli {

struct EnvironmentVariable {
    const char* name;
    const char* meaning;
};
inline constexpr std::array environment_variables{
    EnvironmentVariable{"VISOR_CACHE_DIR", "folder of compiled kernels"},
    EnvironmentVariable{"VISOR_COMPILER", "the OpenCL compiler: a version or a folder (default: newest)"},
    EnvironmentVariable{"VISOR_COMPILER_DIR", "where scripts/setup compiler unpacks compilers"},
    EnvironmentVariable{"VISOR_LIBEXEC", "folder of Visor's worker programs"},
    EnvironmentVariable{"VISOR_ENGINE", "auto (default), interp or jit, without --engine"},
    EnvironmentVariable{"VISOR_DEVICE", "device of the OpenCL platform (default skl)"},
    EnvironmentVariable{"VISOR_CHECK", "checkers of the OpenCL platform: all, or a list"},
    EnvironmentVariable{"VISOR_THREADS", "CPU threads of the OpenCL platform (default: all)"},
    EnvironmentVariable{"VISOR_SEED", "its order of threads and lanes (default 0)"},
    EnvironmentVariable{"VISOR_CAPTURE", "a folder that it writes its launches to"},
    EnvironmentVariable{"VISOR_CAPTURE_LAUNCHES",
                        "which: KERNEL, KERNEL:N..M, :N..M, with commas (default: all)"},
    EnvironmentVariable{"VISOR_CAPTURE_LIMIT", "MiB of all of them (default 4096)"},
    EnvironmentVariable{"VISOR_DEBUG", "its debugger; `visor debug -- ./app` sets it"},
    EnvironmentVariable{"VISOR_FUEL", "its instruction limit of a hardware thread"},
    EnvironmentVariable{"VISOR_TIMEOUT", "its wall-clock limit of a launch, seconds"},
    EnvironmentVariable{"VISOR_REPORT", "an existing file that it adds its launches to"},
    EnvironmentVariable{"VISOR_REPORT_RESULTS", "1: and what each leaves in memory"},
    EnvironmentVariable{"NO_COLOR", "no colours when set"}};

// The table of devices, also what `--device help` prints.
[[nodiscard]] std::string device_table();

} // namespace visor::cli
