// One launch of a session: the engine runs it, and its folder is written where one is wanted.
#include "capture/from_run.h"
#include "cli/launch/session.h"

#include <algorithm>

namespace visor::cli {

namespace {

std::array<uint32_t, 3> narrow(const std::array<uint64_t, 3>& sizes) {
    std::array<uint32_t, 3> out{};
    std::ranges::transform(sizes, out.begin(), [](uint64_t size) { return static_cast<uint32_t>(size); });
    return out;
}

launch::Geometry geometry_of(const LaunchRequest& request) {
    launch::Geometry geometry;
    geometry.dimensions = std::max(1U, request.global.dimensions);
    geometry.global = request.global.size;
    if (request.local.dimensions != 0)
        geometry.local = narrow(request.local.size);
    if (request.offset.dimensions != 0)
        std::copy_n(request.offset.size.begin(), request.offset.dimensions, geometry.offset.begin());
    return geometry;
}

launch::HandGeometry hand_geometry_of(const LaunchRequest& request, const vm::KernelFacts& kernel) {
    launch::HandGeometry size;
    size.simd = request.simd.value_or(kernel.simd);
    size.slm_bytes = request.slm_bytes.value_or(kernel.slm_bytes);
    size.in_threads = request.global.dimensions == 0;
    size.items = geometry_of(request);
    size.groups = narrow(request.groups.size);
    size.threads = request.hardware_threads.value_or(1);
    return size;
}

} // namespace

std::expected<vm::RunReport, vm::Error> Session::run_captured(const LaunchRequest& request,
                                                              const vm::KernelFacts& kernel,
                                                              const Prepared& prepared,
                                                              const vm::RunSettings& settings) {
    const Bindings& given = prepared.bindings;
    const launch::Geometry items = geometry_of(request);
    const launch::HandGeometry by_hand = hand_geometry_of(request, kernel);
    const auto described = [&] {
        capture::Launch launch =
            kernel.hand_written
                ? capture::launch_of({*program_, kernel, given.inputs, given.states, by_hand})
                : capture::launch_of(
                      {.program = *program_, .kernel = kernel, .values = given.values, .geometry = items});
        capture::add_code(vm::content_of(*program_), launch);
        return launch;
    };
    std::optional<capture::Recording> recording;
    if (captures_.wanted())
        recording = captures_.begin(kernel.name, described);
    auto report = kernel.hand_written
                      ? context_.run(*program_, kernel.name, given.inputs, given.states, by_hand, settings)
                      : context_.run(*program_, kernel.name, given.values, items, settings);
    if (recording)
        recording->finish(capture::outcome_of(report));
    return report;
}

// What was left out is a warning; what could not be written fails the run, which went on to its end.
Session::Step Session::finish_captures() {
    if (!captures_.wanted())
        return {};
    captures_.finish();
    if (captures_.failed())
        return invalid("--capture: not every launch could be written");
    return {};
}

} // namespace visor::cli
