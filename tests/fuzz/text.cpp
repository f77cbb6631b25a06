// vISA text: what is refused has a reason; what is accepted is checked, survives printing, and is assembled
// or refused with a reason.
#include "finding.h"
#include "limits.h"
#include "mutation.h"

#include "isa/device.h"
#include "property.h"
#include "text/text.h"
#include "verify/verify.h"

using namespace visor;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const fuzz::Limits limits(size);
    const std::string_view source = fuzz::text_of(data, size);
    Diagnostics diagnostics;
    const auto module = text::parse(source, {}, diagnostics);
    if (module) {
        verify::verify(*module, {}, diagnostics);
        for (const char* const device : {"skl", "pvc"})
            verify::verify(*module,
                           {.profile = verify::Profile::igc,
                            .device = isa::device_named(device),
                            .warn_of_habits = true},
                           diagnostics);
        fuzz::require_none(generator::text_round_trip(*module));
        fuzz::require_none(generator::assembly_round_trip(*module));
    }
    fuzz::require_told(module.has_value(), diagnostics, {"fuzz.visaasm", source}, size);
    return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
    return fuzz::mutate(
        data, size, most, seed,
        [&](generator::Random& random) { return generator::damage_text(random, fuzz::text_of(data, size)); },
        [](generator::Random& random) { return text::print(generator::generate(random.bits(), {})); });
}
