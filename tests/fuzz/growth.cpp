// Time that grows with the square of an input: eight times as many of one line (growing.h) may take no more
// than two dozen times as long. The first byte chooses the reader, the second one the line.
#include "finding.h"
#include "growing.h"

#include "cli/launch/json_view.h"
#include "launch/annotation.h"
#include "launch/ze_info.h"
#include "text/text.h"
#include "verify/verify.h"

#include <ctime>

using namespace visor;

namespace {

constexpr size_t small_bytes = size_t{32} << 10U;

double seconds_for(uint8_t reader, const std::string& text) {
    const std::clock_t began = std::clock();
    Diagnostics diagnostics;
    if (reader == 'j') {
        static_cast<void>(cli::parse_json("fuzz.json", text));
    } else if (reader == 'z') {
        static_cast<void>(launch::read_ze_info(text, 0, diagnostics));
    } else if (reader == 'a') {
        static_cast<void>(launch::read_annotations(text, diagnostics));
    } else if (const auto module = text::parse(text, {}, diagnostics)) {
        verify::verify(*module, {}, diagnostics);
        verify::verify(*module, {.profile = verify::Profile::igc}, diagnostics);
    }
    static_cast<void>(render(diagnostics, {"fuzz", text}, Color::off));
    return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 3)
        return -1;
    const fuzz::Growing growing(fuzz::text_of(data + 2, size - 2), data[1]);
    const std::string large = growing.text_of(8 * small_bytes);
    const std::string small = growing.text_of(small_bytes);
    for (int tries = 0; tries < 3; ++tries) {
        const double seconds = seconds_for(data[0], large);
        if (seconds < 1 || seconds < 24 * seconds_for(data[0], small))
            return 0;
    }
    fuzz::require(false, "time grows with the square of this line: " + std::string(growing.line));
    return 0;
}
