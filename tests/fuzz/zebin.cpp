// Zebins: read, loaded, and said again as text with launch metadata, which has to be read as the same
// kernels.
#include "limits.h"
#include "load.h"

#include "launch/annotation.h"
#include "launch/zebin.h"

using namespace visor;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const fuzz::Limits limits(size);
    const auto file = fuzz::bytes_of(data, size);
    static_cast<void>(launch::machine_code_target(file));
    Diagnostics diagnostics;
    const auto zebin = launch::read_zebin(file, diagnostics);
    fuzz::require_told(zebin.has_value(), diagnostics, {"fuzz.zebin", {}, true}, size);
    if (!zebin || zebin->kernels.empty())
        return 0;
    const isa::Device& device = isa::device(zebin->device.value_or(isa::device_named("skl")->id));
    const std::string text = launch::annotations(*zebin, device.id);
    Diagnostics again;
    const auto read = launch::read_annotations(text, again);
    fuzz::require(read.has_value(), "the metadata cannot be read again:\n" +
                                        render(again, {"metadata", text}, Color::off) + text);
    fuzz::require(read->kernels.size() == zebin->kernels.size(), "the metadata has other kernels:\n" + text);
    for (size_t i = 0; i < read->kernels.size(); ++i)
        fuzz::require(read->kernels[i].signature.name == zebin->kernels[i].signature.name,
                      "a kernel has another name:\n" + text);
    fuzz::require(read->symbols.size() <= zebin->symbols.size() &&
                      read->relocations.size() == zebin->relocations.size(),
                  "the metadata has other symbols:\n" + text);
    fuzz::load("fuzz.zebin", fuzz::text_of(data, size), device);
    return 0;
}
