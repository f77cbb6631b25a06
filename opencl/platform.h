// The platform: one device, the environment's settings, and the thread pool. Created at first use and never
// destroyed, because applications release objects as late as in destructors of static objects.
#pragma once

#include "opencl/calls.h"
#include "opencl/captures.h"
#include "opencl/contexts.h"
#include "opencl/debugger.h"
#include "opencl/object.h"
#include "opencl/pool.h"
#include "opencl/profiles.h"
#include "opencl/record.h"
#include "opencl/settings.h"
#include "opencl/tracing/tracers.h"

#include <atomic>

struct _cl_device_id : visor::opencl::Handle<visor::opencl::Kind::device> {
    explicit _cl_device_id(const visor::isa::Device& of) : device(of) {}

    const visor::isa::Device& device;
};

struct _cl_platform_id : visor::opencl::Handle<visor::opencl::Kind::platform> {
    explicit _cl_platform_id(const visor::opencl::Settings& read)
        : settings(read), record(read.report), profiles(read.profiles),
          captures(read.capture, visor::opencl::tell_of_captures), debugger(read.debug),
          device(*read.device) {}

    const visor::opencl::Settings settings;
    visor::opencl::Record record;
    visor::opencl::Profiles profiles;
    visor::capture::Recorder captures;
    visor::opencl::Debugger debugger;
    visor::opencl::Contexts contexts;
    std::atomic<uint64_t> cached_builds = 0; // builds found in the cache
    std::atomic<uint64_t> programs = 0;      // created so far
    visor::opencl::Calls calls;
    visor::opencl::tracing::Tracers tracers;
    visor::opencl::Pool pool;
    bool forks_in_flight = false; // a fork has found calls or tasks of other threads
    _cl_device_id device;
};

namespace visor::opencl {

[[nodiscard]] _cl_platform_id& platform();

inline constexpr cl_version platform_version = CL_MAKE_VERSION(3, 0, 0);

} // namespace visor::opencl
