// `visor info`: this build, the devices and limits; or a file's kernels and their signatures.
#pragma once

#include "cli/request.h"

#include <array>
#include <string>
#include <string_view>

namespace visor::cli {

[[nodiscard]] ExitCode info(const InfoRequest& request);

struct EnvironmentVariable {
    const char* name;
    const char* meaning;
};
inline constexpr std::array environment_variables{
    EnvironmentVariable{"VISOR_CACHE_DIR", "folder of compiled kernels"},
    EnvironmentVariable{"VISOR_LIBEXEC", "folder of Visor's worker programs"},
    EnvironmentVariable{"VISOR_ENGINE", "engine of `visor run` without --engine"},
    EnvironmentVariable{"NO_COLOR", "no colours when set"}};

// "buffer", "local memory"
[[nodiscard]] std::string_view kind_name(vm::ParameterKind kind);

// The table of devices, also what `--device help` prints.
[[nodiscard]] std::string device_table();

} // namespace visor::cli
