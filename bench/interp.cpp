// Speed of the reference interpreter over the examples, on one core: vISA instructions a second. An
// instruction of the skl text covers at most 16 lanes of 32-bit data, so that this is the figure "at SIMD16".
// The same with checkers and with what counts costs, for their price.
#include "check/checkers.h"
#include "machine/multicast_watcher.h"
#include "profile/outputs.h"
#include "vm/vm.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <numeric>
#include <sstream>

namespace {

using visor::launch::ArgumentValue;
using visor::launch::Geometry;
using visor::launch::LocalBytes;

struct Kernel {
    const char* example;
    const char* name;
    Geometry geometry;
    // An argument: a buffer of this many bytes ("b65536"), local memory ("l512"), an int ("i7"), a float
    // ("f2.5"), a square picture of this many pixels a side ("p128"), a sampler that filters linearly ("sl")
    // or takes the nearest ("sn").
    std::vector<std::string> arguments;
    const char* variant = ""; // of the figure's name
    bool on_pvc = true;
};

const std::vector<Kernel>& kernels() {
    static const std::vector<Kernel> all{
        {"saxpy", "saxpy", {1, {16384, 1, 1}, {64, 1, 1}}, {"b65536", "b65536", "f2.5", "i16384"}},
        {"ids", "ids", {3, {32, 24, 16}, {4, 3, 2}}, {"b49152", "l96", "i7"}},
        {"bytes", "bytes", {1, {16384, 1, 1}, {64, 1, 1}}, {"b16384", "b32768", "b16384", "i3"}},
        {"matmul", "matmul", {2, {64, 64, 1}, {16, 16, 1}}, {"b16384", "b16384", "b16384", "i64"}},
        {"histogram", "histogram", {1, {1024, 1, 1}, {128, 1, 1}}, {"b1024", "b65536", "i65536"}},
        {"reduction", "reduction", {1, {16384, 1, 1}, {128, 1, 1}}, {"b512", "b65536", "l512", "i16384"}},
        {"divergent", "divergent", {1, {1024, 1, 1}, {64, 1, 1}}, {"b4096", "i100"}},
        {"mandelbrot",
         "iterations",
         {2, {96, 64, 1}, {16, 4, 1}},
         {"b24576", "i96", "f-2.25", "f-1.25", "f0.0234375", "f0.0390625", "i64"}},
        {"resize", "resize", {2, {96, 96, 1}, {16, 8, 1}}, {"p128", "p96", "sn"}, "-nearest", false},
        {"resize", "resize", {2, {96, 96, 1}, {16, 8, 1}}, {"p128", "p96", "sl"}, "-linear", false},
        {"noinline_calls", "noinline_calls", {1, {1024, 1, 1}, {64, 1, 1}}, {"b4096"}},
    };
    return all;
}

std::string read_file(const std::string& path) {
    const std::ifstream file(path);
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
}

template <class T>
ArgumentValue by_value(T value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

ArgumentValue argument(visor::vm::Context& context, const std::string& text) {
    const std::string number = text.substr(1);
    switch (text[0]) {
    case 'b': {
        const auto buffer = context.allocate(std::stoull(number), "bench");
        const auto bytes = context.bytes_of(*buffer);
        for (size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<std::byte>(i % 61);
        return *buffer;
    }
    case 'p': {
        const auto side = static_cast<uint32_t>(std::stoul(number));
        visor::machine::Image image = visor::machine::packed_image(
            visor::machine::ImageShape::d2,
            {visor::machine::ChannelOrder::rgba, visor::machine::ChannelType::unorm_int8}, {side, side, 1},
            1);
        image.address = context.allocate(image.bytes(), "bench")->address;
        return image;
    }
    case 's':
        return visor::machine::Sampler{
            visor::machine::AddressMode::clamp_to_edge,
            text[1] == 'l' ? visor::machine::FilterMode::linear : visor::machine::FilterMode::nearest, true};
    case 'l':
        return LocalBytes{std::stoull(number)};
    case 'f':
        return by_value(std::stof(number));
    default:
        return by_value(std::stoi(number));
    }
}

// Which checkers listen, by check::Kind, and what is counted.
struct Checks {
    const char* name; // "interp": none
    std::array<bool, visor::check::kinds> chosen;
    visor::profile::Paths counted{};
};
const std::array checks{
    Checks{"interp", {}},
    Checks{"check-memory-conflict-align", {true, false, false, true, true, false, false}},
    Checks{"check-race", {false, false, true, false, false, false, false}},
    Checks{"check-init", {false, true, false, false, false, false, false}},
    Checks{"check-all", {true, true, true, true, true, true, true}},
    Checks{"count-profile", {}, {.profile = "p.out", .coverage = "", .timeline = "", .page = ""}},
    Checks{"count-coverage", {}, {.profile = "", .coverage = "c.info", .timeline = "", .page = ""}},
    Checks{"count-timeline", {}, {.profile = "", .coverage = "", .timeline = "t.json", .page = ""}},
    Checks{"count-page", {}, {.profile = "", .coverage = "", .timeline = "", .page = "p.html"}},
};

void run_kernel(benchmark::State& state, const Kernel& kernel, const char* device, const Checks& check) {
    visor::vm::Context context(*visor::isa::device_named(device));
    visor::vm::LoadOptions options;
    options.device = device;
    std::string warnings;
    const std::string path =
        std::string(VISOR_EXAMPLES) + "/" + kernel.example + "/" + kernel.example + ".cl";
    const auto program = context.load(path, read_file(path), options, warnings);
    if (!program) {
        state.SkipWithError(program.error().text.c_str());
        return;
    }
    std::vector<ArgumentValue> arguments;
    for (const std::string& text : kernel.arguments)
        arguments.push_back(argument(context, text));
    uint64_t instructions = 0;
    for (auto _ : state) {
        visor::check::Checkers checkers(check.chosen);
        visor::profile::Outputs outputs(check.counted); // nothing is written
        visor::machine::MulticastWatcher watchers;
        outputs.add_to(watchers);
        visor::vm::RunSettings settings;
        settings.engine = visor::vm::EngineKind::interpreter; // which checkers are measured against
        settings.watcher = check.counted.any() ? watchers.listener() : checkers.listener();
        const auto report = context.run(**program, kernel.name, arguments, kernel.geometry, settings);
        if (!report || report->error) {
            const std::string text = report ? report->error->text : report.error().text;
            state.SkipWithError(text.c_str());
            return;
        }
        instructions += report->instructions;
    }
    state.counters["instructions"] =
        benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

// 2D blocks and dpas, in hand-written text: the product of two matrices of halves.
void run_block_matmul(benchmark::State& state, uint32_t inner) {
    using visor::launch::HandInput;
    visor::vm::Context context(*visor::isa::device_named("pvc"));
    visor::vm::LoadOptions options;
    options.device = "pvc";
    std::string warnings;
    const std::string path = std::string(VISOR_EXAMPLES) + "/block_matmul/block_matmul.visaasm";
    const auto program = context.load(path, read_file(path), options, warnings);
    if (!program) {
        state.SkipWithError(program.error().text.c_str());
        return;
    }
    constexpr uint32_t side = 64;
    const auto bytes = [](uint32_t value) {
        std::vector<std::byte> out(sizeof value);
        std::memcpy(out.data(), &value, sizeof value);
        return visor::launch::InputBytes{out};
    };
    const std::vector<HandInput> inputs{{"a", *context.allocate(uint64_t{side} * inner * 2, "a")},
                                        {"b", *context.allocate(uint64_t{side} * inner * 2, "b")},
                                        {"c", *context.allocate(uint64_t{side} * side * 4, "c")},
                                        {"m", bytes(side)},
                                        {"n", bytes(side)},
                                        {"k", bytes(inner)}};
    visor::launch::HandGeometry geometry;
    geometry.in_threads = true;
    geometry.groups = {side / 16, side / 8, 1};
    uint64_t instructions = 0;
    for (auto _ : state) {
        const auto report = context.run(**program, "block_matmul", inputs, {}, geometry,
                                        {.engine = visor::vm::EngineKind::interpreter});
        if (!report || report->error) {
            const std::string text = report ? report->error->text : report.error().text;
            state.SkipWithError(text.c_str());
            return;
        }
        instructions += report->instructions;
    }
    state.counters["instructions"] =
        benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

} // namespace

int main(int argc, char** argv) {
    for (const Kernel& kernel : kernels()) {
        for (const char* device : {"skl", "pvc"}) {
            if (!kernel.on_pvc && device == std::string_view("pvc"))
                continue; // it has no sampler
            for (const Checks& check : checks) {
                const std::string name =
                    fmt::format("{}/{}{}/{}", check.name, kernel.example, kernel.variant, device);
                benchmark::RegisterBenchmark(name.c_str(), [&kernel, device, check](benchmark::State& state) {
                    run_kernel(state, kernel, device, check);
                })->Unit(benchmark::kMillisecond);
            }
        }
    }
    for (const uint32_t inner : {256U, 1024U})
        benchmark::RegisterBenchmark(fmt::format("interp/block_matmul-{}/pvc", inner).c_str(),
                                     [inner](benchmark::State& state) { run_block_matmul(state, inner); })
            ->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
