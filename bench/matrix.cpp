// Products of two matrices of 512 x 512 on pvc by compiled code, one CPU thread: of halves by DPAS, of single
// floats in OpenCL C (bench/compare/kernels). The first may take three times as long as the second.
#include "vm/vm.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace {

constexpr uint32_t side = 512;

std::string read_file(const std::string& path) {
    std::ostringstream content;
    content << std::ifstream(path).rdbuf();
    return content.str();
}

// Ones, in a buffer whose elements' bits are `one`.
visor::launch::ArgumentValue ones(visor::vm::Context& context, uint32_t one, uint64_t bytes) {
    const auto buffer = context.allocate(bytes, "ones");
    const std::span<std::byte> content = context.bytes_of(*buffer);
    for (size_t i = 0; i < content.size(); i += sizeof one)
        std::memcpy(content.data() + i, &one, sizeof one);
    return *buffer;
}

struct Product {
    const char* kernel;
    uint32_t one;
    uint64_t bytes; // of each factor
    visor::launch::Geometry geometry;
};

void run(benchmark::State& state, const Product& product) {
    visor::vm::Context context(*visor::isa::device_named("pvc"));
    visor::vm::LoadOptions options;
    options.device = "pvc";
    std::string warnings;
    const std::string path = std::string(VISOR_KERNELS) + "/" + product.kernel + ".cl";
    const auto program = context.load(path, read_file(path), options, warnings);
    if (!program)
        return state.SkipWithError(program.error().text.c_str());
    const auto result = context.allocate(uint64_t{side} * side * sizeof(float), "result");
    std::vector<std::byte> n(sizeof side);
    std::memcpy(n.data(), &side, sizeof side);
    const std::vector<visor::launch::ArgumentValue> arguments{
        ones(context, product.one, product.bytes), ones(context, product.one, product.bytes), *result, n};
    for (auto _ : state) {
        const auto report = context.run(**program, product.kernel, arguments, product.geometry,
                                        {.engine = visor::vm::EngineKind::jit, .options = {.workers = 1}});
        if (!report || report->error)
            return state.SkipWithError((report ? report->error->text : report.error().text).c_str());
    }
    std::vector<float> values(size_t{side} * side);
    std::memcpy(values.data(), context.bytes_of(*result).data(), values.size() * sizeof(float));
    if (std::ranges::any_of(values, [](float value) { return value != static_cast<float>(side); }))
        state.SkipWithError("the product is wrong");
}

} // namespace

int main(int argc, char** argv) {
    setenv("VISOR_JIT_TIER", "best", 1);
    static const std::array products{
        Product{"sgemm", 0x3f800000, uint64_t{side} * side * 4, {2, {side, side, 1}, {16, 16, 1}}},
        Product{
            "dpas_half", 0x3c003c00, uint64_t{side} * side * 2, {2, {side / 2, side / 32, 1}, {16, 1, 1}}}};
    for (const Product& product : products)
        benchmark::RegisterBenchmark(product.kernel, [&product](benchmark::State& state) {
            run(state, product);
        })->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
