// Metadata of kernels (.ze_info): what is accepted says the same in its compact form.
#include "finding.h"
#include "limits.h"

#include "launch/ze_info.h"

#include <string>

using namespace visor;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const fuzz::Limits limits(size);
    const std::string_view text = fuzz::text_of(data, size);
    Diagnostics diagnostics;
    const auto signatures = launch::read_ze_info(text, 0, diagnostics);
    fuzz::require_told(signatures.has_value(), diagnostics, {"ze_info", text}, size);
    if (!signatures)
        return 0;
    std::vector<std::string_view> names;
    for (const launch::Signature& signature : *signatures)
        names.emplace_back(signature.name);
    const std::string compact = launch::compact_ze_info(text, names);
    Diagnostics again;
    const auto read = launch::read_ze_info(compact, 0, again);
    fuzz::require(read.has_value(), "its compact form cannot be read:\n" +
                                        render(again, {"compact", compact}, Color::off) + compact);
    fuzz::require(read->size() == signatures->size(), "its compact form has other kernels:\n" + compact);
    for (size_t i = 0; i < read->size(); ++i) {
        const launch::Signature& was = (*signatures)[i];
        const launch::Signature& now = (*read)[i];
        fuzz::require(was.name == now.name && was.simd == now.simd && was.slm_bytes == now.slm_bytes &&
                          was.arguments.size() == now.arguments.size() &&
                          was.unknown.size() == now.unknown.size(),
                      "its compact form says something else:\n" + compact);
    }
    return 0;
}
