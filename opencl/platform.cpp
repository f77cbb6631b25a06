#include "opencl/platform.h"

#include "opencl/api.h"
#include "opencl/extensions.h"
#include "opencl/memory/usm.h"
#include "opencl/query.h"

#include <cstdlib>
#include <fmt/format.h>
#include <pthread.h>

namespace visor::opencl {

namespace {

void before_fork() {
    _cl_platform_id& only = platform();
    const bool calls = only.calls.stop();
    only.forks_in_flight = only.pool.stop() || calls;
}

void after_fork_in_parent() {
    platform().pool.go_on();
    platform().calls.go_on();
}

void after_fork_in_child() {
    _cl_platform_id& only = platform();
    only.pool.reset_after_fork(only.forks_in_flight);
    only.calls.reset_after_fork(only.forks_in_flight);
    only.profiles.reset_after_fork();
    only.captures.reset_after_fork();
    only.debugger.reset_after_fork();
}

// The loader queries the platform's extensions when it loads: searching compilers would take too long.
Target with_any_compiler() {
    return {platform().device.device, {}};
}

} // namespace

_cl_platform_id& platform() {
    static _cl_platform_id& only = [] -> _cl_platform_id& {
        // Never destroyed. Running work is stopped at exit, so that it does not use destroyed objects.
        auto* made = new _cl_platform_id(read_settings());
        vm::make_lasting(); // threads may use it until they are stopped
        std::atexit([] {
            if (platform().calls.are_lost())
                return;
            platform().debugger.finish();
            platform().pool.wind_down();
            platform().contexts.each([](_cl_context& context) {
                report_host_accesses(context);
                context.report_counts();
            });
            platform().profiles.finish();
            platform().captures.finish();
        });
        // The handlers can use the platform: only this thread could fork before it is initialized.
        pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
        if (made->settings.checks_memory())
            watch_host_accesses();
        return *made;
    }();
    return only;
}

cl_int get_platform_ids(cl_uint num_entries, cl_platform_id* platforms, cl_uint* count) {
    if ((platforms == nullptr && count == nullptr) || (platforms != nullptr && num_entries == 0))
        return CL_INVALID_VALUE;
    if (platforms != nullptr)
        platforms[0] = &platform();
    if (count != nullptr)
        *count = 1;
    return CL_SUCCESS;
}

cl_int get_platform_info(cl_platform_id platform_id, cl_platform_info what, size_t param_value_size,
                         void* value, size_t* needed) {
    if (platform_id != nullptr && !is_valid(platform_id))
        return CL_INVALID_PLATFORM;
    const Query answer(param_value_size, value, needed);
    switch (what) {
    case CL_PLATFORM_PROFILE:
        return answer.text("FULL_PROFILE");
    case CL_PLATFORM_VERSION:
        return answer.text(fmt::format("OpenCL 3.0 Visor {}", vm::version()));
    case CL_PLATFORM_NUMERIC_VERSION:
        return answer.value(platform_version);
    case CL_PLATFORM_NAME:
    case CL_PLATFORM_VENDOR:
        return answer.text("Visor");
    case CL_PLATFORM_EXTENSIONS:
        return answer.text(extension_text(with_any_compiler()));
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
        return answer.list<cl_name_version>(extensions(with_any_compiler()));
    case CL_PLATFORM_ICD_SUFFIX_KHR:
        return answer.text("VISOR");
    case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        return answer.value(cl_ulong{1});
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int unload_platform_compiler(cl_platform_id platform_id) {
    return is_valid(platform_id) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}

cl_int unload_compiler() {
    return CL_SUCCESS;
}

} // namespace visor::opencl
