// Texts with launch metadata in comment lines: read, said again, and loaded for the device that they name.
#include "limits.h"
#include "load.h"

#include "launch/annotation.h"
#include "vm/units.h"

using namespace visor;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const fuzz::Limits limits(size);
    const std::string_view text = fuzz::text_of(data, size);
    if (!launch::is_annotated(text))
        return -1; // of no use to this target's corpus
    const isa::Device* const device = vm::device_named_in(text);
    const auto read = vm::read_annotated("fuzz.visaasm", text, std::nullopt);
    if (read) {
        fuzz::require(read->facts || !read->unit.diagnostics.ok(), "the metadata is refused without a word");
        static_cast<void>(vm::render(read->unit, Color::on));
    }
    Diagnostics diagnostics;
    const auto facts = launch::read_annotations(text, diagnostics);
    fuzz::require_told(facts.has_value(), diagnostics, {"fuzz.visaasm", text}, size);
    if (!facts)
        return 0;
    fuzz::require(device != nullptr && device->id == facts->device, "its device is another one");
    const std::string said = launch::annotations(*facts, *facts->device);
    Diagnostics again;
    const auto same = launch::read_annotations(said, again);
    fuzz::require(same.has_value(), "its metadata cannot be read again:\n" +
                                        render(again, {"metadata", said}, Color::off) + said);
    fuzz::require(same->kernels.size() == facts->kernels.size() &&
                      same->sections.size() == facts->sections.size() &&
                      same->symbols.size() == facts->symbols.size() &&
                      same->relocations.size() == facts->relocations.size(),
                  "its metadata says something else:\n" + said);
    fuzz::load("fuzz.visaasm", text, *device);
    return 0;
}
