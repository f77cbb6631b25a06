// How fast `visor check` is on the worst of inputs: megabytes a second of every kind of line that is repeated
// (repeated.h), read, checked and told of as the command does it, without its start. Bound: 1 MB/s. Two
// sizes, so that what is not linear shows; `all/` with `--max-errors 0`. `--write FOLDER` keeps the inputs
// instead, for the command itself.
#include "repeated.h"

#include "binary/binary.h"
#include "vm/translate.h"
#include "vm/units.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fstream>
#include <span>

namespace visor::bench {

namespace {

constexpr size_t megabyte = 1'000'000;
constexpr size_t usual_errors = Diagnostics::default_max_errors;

void check(benchmark::State& state, const std::string& name, const std::string& content, size_t max_errors) {
    vm::UnitsRequest request;
    request.max_errors = max_errors;
    for (auto _ : state) {
        auto read = vm::read_units(name, content, request);
        if (!read) {
            benchmark::DoNotOptimize(read.error().text);
            continue;
        }
        for (vm::Unit& unit : read->units) {
            vm::check(unit, vm::default_profile(unit), read->device);
            unit.diagnostics = vm::with_warnings_as_errors(unit, false, max_errors);
            benchmark::DoNotOptimize(vm::render(unit, Color::off));
        }
    }
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(content.size()));
}

// The same as a vISA binary; "" of what is no program.
std::string binary_of(const std::string& text) {
    Diagnostics ignored;
    const auto module = text::parse(text, {}, ignored);
    const auto bytes = module ? binary::write(*module, {}, ignored) : std::nullopt;
    return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : "";
}

void add_all() {
    for (const Repeated& kind : repeated_kinds()) {
        for (const size_t bytes : {megabyte / 4, megabyte}) {
            const auto run = [&kind, bytes](benchmark::State& state) {
                check(state, "bench.visaasm", text_of(kind, bytes), usual_errors);
            };
            benchmark::RegisterBenchmark(fmt::format("text/{}/{}k", kind.kind, bytes / 1000).c_str(), run)
                ->Unit(benchmark::kMillisecond);
            const auto run_all = [&kind, bytes](benchmark::State& state) {
                check(state, "bench.visaasm", text_of(kind, bytes), SIZE_MAX);
            };
            benchmark::RegisterBenchmark(fmt::format("all/{}/{}k", kind.kind, bytes / 1000).c_str(), run_all)
                ->Unit(benchmark::kMillisecond);
        }
        const auto run = [&kind](benchmark::State& state) {
            const std::string file = binary_of(text_of(kind, megabyte));
            if (file.empty())
                return state.SkipWithError("has no binary form");
            check(state, "bench.isa", file, usual_errors);
        };
        benchmark::RegisterBenchmark(fmt::format("binary/{}", kind.kind).c_str(), run)
            ->Unit(benchmark::kMillisecond);
    }
}

void write_all(const std::string& folder) {
    for (const Repeated& kind : repeated_kinds()) {
        const std::string text = text_of(kind, megabyte);
        std::ofstream(fmt::format("{}/{}.visaasm", folder, kind.kind)) << text;
        if (const std::string file = binary_of(text); !file.empty())
            std::ofstream(fmt::format("{}/{}.isa", folder, kind.kind), std::ios::binary) << file;
    }
}

} // namespace

} // namespace visor::bench

int main(int argc, char** argv) {
    const std::span arguments(argv, static_cast<size_t>(argc));
    if (arguments.size() == 3 && std::string_view(arguments[1]) == "--write") {
        visor::bench::write_all(arguments[2]);
        return 0;
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    visor::bench::add_all();
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
