// What a launch costs a caller of the C API when everything is loaded: a hand-written kernel of four
// instructions, and OpenCL C's saxpy over one work-group, run and waited for, and started and waited for.
#include "visor/visor.h"

#include <array>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace {

constexpr std::string_view store = R"(.version 4.1
.kernel "store"
.decl lanes v_type=G type=ud num_elts=8 align=GRF
.decl offsets v_type=G type=ud num_elts=8 align=GRF
.decl out v_type=T num_elts=1
.input lanes offset=32 size=32
.kernel_attr SimdSize=8
    shl (M1, 8) offsets(0,0)<1> lanes(0,0)<1;1,0> 0x2:ud
    scatter_scaled.4 (M1, 8) out 0x0:ud offsets.0 lanes.0
    ret (M1, 1)
)";
constexpr std::string_view saxpy = R"(
kernel void saxpy(global float* y, global const float* x, float a, int n) {
    int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}
)";

struct Prepared {
    visor_context context = nullptr;
    visor_program program = nullptr;
    visor_kernel kernel = nullptr;
    visor_buffer x = nullptr;
    visor_buffer y = nullptr;
    float a = 2.5F;
    int32_t n = 64;
    std::array<visor_argument, 4> arguments{};
    size_t count = 0;
    visor_shape shape{};

    Prepared(bool compiled, int32_t engine) {
        const std::string_view source = compiled ? saxpy : store;
        visor_settings settings{};
        settings.size = sizeof settings;
        settings.engine = engine;
        visor_context_options options{};
        options.size = sizeof options;
        options.settings = &settings;
        visor_context_create(&options, &context);
        visor_program_create(context, compiled ? "saxpy.cl" : "store.visaasm", source.data(), source.size(),
                             nullptr, &program, nullptr);
        visor_kernel_create(program, nullptr, &kernel);
        visor_buffer_create(context, 4096, nullptr, &x);
        visor_buffer_create(context, 4096, nullptr, &y);
        shape.size = sizeof shape;
        count = compiled ? 4 : 2;
        if (compiled) {
            shape.dimensions = 1;
            shape.global[0] = 64;
            shape.local[0] = 64;
            arguments[0] = {.kind = VISOR_ARGUMENT_BUFFER, .buffer = y};
            arguments[1] = {.kind = VISOR_ARGUMENT_BUFFER, .buffer = x};
            arguments[2] = {.data = &a, .bytes = sizeof a};
            arguments[3] = {.data = &n, .bytes = sizeof n};
        } else {
            shape.hw_threads = 1;
            arguments[0] = {.kind = VISOR_ARGUMENT_FILLER, .filler = VISOR_FILLER_LANE};
            arguments[1] = {
                .kind = VISOR_ARGUMENT_BUFFER, .target = VISOR_TARGET_NAME, .name = "out", .buffer = y};
        }
    }
    ~Prepared() {
        visor_buffer_release(y);
        visor_buffer_release(x);
        visor_kernel_release(kernel);
        visor_program_release(program);
        visor_context_release(context);
    }
    Prepared(const Prepared&) = delete;
    Prepared& operator=(const Prepared&) = delete;
    Prepared(Prepared&&) = delete;
    Prepared& operator=(Prepared&&) = delete;
};

void run(benchmark::State& state, bool compiled, int32_t engine) {
    const Prepared prepared(compiled, engine);
    const auto launch = [&prepared] {
        return visor_launch_run(prepared.kernel, prepared.arguments.data(), prepared.count, &prepared.shape,
                                nullptr, nullptr);
    };
    if (launch() != VISOR_OK) // makes its code
        return state.SkipWithError(visor_message());
    for ([[maybe_unused]] const auto step : state)
        if (launch() != VISOR_OK)
            return state.SkipWithError(visor_message());
}

void start_and_wait(benchmark::State& state, bool compiled) {
    const Prepared prepared(compiled, VISOR_ENGINE_AUTO);
    for ([[maybe_unused]] const auto step : state) {
        visor_launch launch = nullptr;
        if (visor_launch_start(prepared.kernel, prepared.arguments.data(), prepared.count, &prepared.shape,
                               nullptr, &launch) != VISOR_OK ||
            visor_launch_wait(launch, -1) != VISOR_OK)
            return state.SkipWithError(visor_message());
        visor_launch_release(launch);
    }
}

} // namespace

BENCHMARK_CAPTURE(run, hand_written, false, VISOR_ENGINE_AUTO)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run, saxpy, true, VISOR_ENGINE_AUTO)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run, saxpy_interpreter, true, VISOR_ENGINE_INTERPRETER)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run, saxpy_jit, true, VISOR_ENGINE_JIT)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(start_and_wait, hand_written, false)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK_CAPTURE(start_and_wait, saxpy, true)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK_MAIN();
