// vISA binaries: what is refused has a reason; what is accepted is written and read again as the same module,
// and what the checks allow is the same module as text.
#include "finding.h"
#include "limits.h"
#include "mutation.h"

#include "binary/binary.h"
#include "property.h"
#include "verify/verify.h"

using namespace visor;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const fuzz::Limits limits(size);
    Diagnostics diagnostics;
    const auto module = binary::read(fuzz::bytes_of(data, size), {}, diagnostics);
    if (module) {
        fuzz::require_none(generator::binary_round_trip(*module));
        fuzz::require_none(generator::allowed_disassembly_round_trip(*module));
        Diagnostics checked;
        verify::verify(*module, {.profile = verify::Profile::igc}, checked);
        static_cast<void>(render(checked, {"fuzz.isa", {}, true}, Color::on));
    }
    fuzz::require_told(module.has_value(), diagnostics, {"fuzz.isa", {}, true}, size);
    return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
    const auto bytes = fuzz::bytes_of(data, size);
    return fuzz::mutate(
        data, size, most, seed,
        [&](generator::Random& random) {
            return generator::damage_bytes(random, {bytes.begin(), bytes.end()});
        },
        [](generator::Random& random) {
            Diagnostics none;
            auto drawn = generator::generate(random.bits(),
                                             {.medium = generator::Medium::binary, .most_instructions = 8});
            if (random.one_in(2))
                generator::damage_names(random, drawn);
            return binary::write(drawn, {}, none).value_or(std::vector<std::byte>());
        });
}
