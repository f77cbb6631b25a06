#include "trip.h"

#include "binary/binary.h"
#include "compare.h"
#include "outside.h"
#include "text/text.h"

#include <fmt/format.h>

namespace visor::oracle {

namespace {

std::string told(const char* what, const Diagnostics& diagnostics, std::string_view text) {
    return what + (":\n" + render(diagnostics, {.name = "text", .content = text}, Color::off));
}

std::string compared(std::string_view text, const Module& sent, const Reading& reading, uint32_t grf_bytes,
                     Maker maker) {
    Diagnostics diagnostics;
    const auto received = text::parse(reading.text, {.grf_bytes = grf_bytes}, diagnostics);
    if (!received)
        return told("our parser refuses what came back", diagnostics, reading.text);
    std::string difference = module_difference(sent, *received);
    if (!difference.empty() || maker == Maker::hand)
        return difference;
    if (!reading.objections.empty())
        return "the reader's verifier objects:\n" + reading.objections;
    return line_difference(text, reading.text);
}

} // namespace

Trip trip(std::string_view text, const isa::Device& device, Maker maker) {
    const uint32_t grf_bytes = device.grf_bytes;
    Diagnostics diagnostics;
    const auto sent = text::parse(text, {.grf_bytes = grf_bytes}, diagnostics);
    if (!sent)
        return {told("our parser refuses the text", diagnostics, text), {}};
    auto binary = binary::write(*sent, {.grf_bytes = grf_bytes}, diagnostics);
    if (!binary)
        return {told("our writer refuses the module", diagnostics, text), {}};
    const auto reading = read_outside(*binary, device);
    std::string finding = reading ? compared(text, *sent, *reading, grf_bytes, maker) : reading.error();
    return {std::move(finding), std::move(*binary)};
}

} // namespace visor::oracle
