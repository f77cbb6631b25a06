// Speed of the parser and the printer: bytes of text and instructions a second.
#include "measure.h"

#include "text/text.h"

namespace visor::bench {

namespace {

size_t parse(benchmark::State& state, const Corpus& corpus) {
    for (auto _ : state)
        benchmark::DoNotOptimize(parsed(corpus));
    return corpus.text.size();
}

size_t print(benchmark::State& state, const Corpus& corpus) {
    const Module module = parsed(corpus);
    size_t bytes = 0;
    for (auto _ : state)
        bytes = text::print(module).size();
    return bytes;
}

} // namespace

} // namespace visor::bench

int main(int argc, char** argv) {
    visor::bench::add("parse", visor::bench::parse);
    visor::bench::add("print", visor::bench::print);
    return visor::bench::run(argc, argv);
}
