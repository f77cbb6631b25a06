// Speed of the verifier under either profile: instructions a second. The bytes are those of the text.
#include "measure.h"

#include "isa/device.h"
#include "verify/verify.h"

namespace visor::bench {

namespace {

template <verify::Profile profile>
size_t check(benchmark::State& state, const Corpus& corpus) {
    const Module module = parsed(corpus);
    for (auto _ : state) {
        Diagnostics diagnostics;
        verify::verify(module, {.profile = profile, .device = isa::device_named(corpus.device)}, diagnostics);
        benchmark::DoNotOptimize(diagnostics);
    }
    return corpus.text.size();
}

} // namespace

} // namespace visor::bench

int main(int argc, char** argv) {
    using visor::verify::Profile;
    visor::bench::add("verify-spec", visor::bench::check<Profile::spec>);
    visor::bench::add("verify-igc", visor::bench::check<Profile::igc>);
    return visor::bench::run(argc, argv);
}
