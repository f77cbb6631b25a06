// Speed of the binary's reader and writer, and of the assembler and disassembler that they are part of. The
// bytes are those of the binary, of the assembler those of its text.
#include "measure.h"

#include "binary/binary.h"
#include "isa/device.h"
#include "text/text.h"

namespace visor::bench {

namespace {

std::vector<std::byte> written(const Module& module, const Corpus& corpus) {
    Diagnostics diagnostics;
    auto bytes =
        binary::write(module, {.grf_bytes = isa::device_named(corpus.device)->grf_bytes}, diagnostics);
    return bytes ? *std::move(bytes) : std::vector<std::byte>{};
}

std::optional<Module> read_back(const std::vector<std::byte>& bytes, const Corpus& corpus) {
    Diagnostics diagnostics;
    return binary::read(bytes, {.grf_bytes = isa::device_named(corpus.device)->grf_bytes}, diagnostics);
}

size_t write(benchmark::State& state, const Corpus& corpus) {
    const Module module = parsed(corpus);
    size_t bytes = 0;
    for (auto _ : state)
        bytes = written(module, corpus).size();
    if (bytes == 0)
        state.SkipWithError("the module has no binary form");
    return bytes;
}

size_t read(benchmark::State& state, const Corpus& corpus) {
    const std::vector<std::byte> bytes = written(parsed(corpus), corpus);
    for (auto _ : state) {
        if (!read_back(bytes, corpus)) {
            state.SkipWithError("the binary cannot be read");
            break;
        }
    }
    return bytes.size();
}

size_t assemble(benchmark::State& state, const Corpus& corpus) {
    for (auto _ : state)
        benchmark::DoNotOptimize(written(parsed(corpus), corpus));
    return corpus.text.size();
}

size_t disassemble(benchmark::State& state, const Corpus& corpus) {
    const std::vector<std::byte> bytes = written(parsed(corpus), corpus);
    for (auto _ : state) {
        const std::optional<Module> module = read_back(bytes, corpus);
        if (!module) {
            state.SkipWithError("the binary cannot be read");
            break;
        }
        benchmark::DoNotOptimize(text::print(*module));
    }
    return bytes.size();
}

} // namespace

} // namespace visor::bench

int main(int argc, char** argv) {
    visor::bench::add("write", visor::bench::write);
    visor::bench::add("read", visor::bench::read);
    visor::bench::add("assemble", visor::bench::assemble);
    visor::bench::add("disassemble", visor::bench::disassemble);
    return visor::bench::run(argc, argv);
}
