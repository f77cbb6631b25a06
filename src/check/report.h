// Findings for people: the message with its place in the text, both parties, and how to see it again.
#pragma once

#include "check/finding.h"
#include "diagnostic/diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace visor::check {

// A kernel's text, for places in it.
struct Source {
    std::string_view name;
    std::string_view text;
};

// Where an instruction stands: in the kernel's text, and in the source that this was compiled from, where the
// text says so.
struct Spot {
    std::string file;
    uint32_t line = 1;
    uint32_t column = 1;
    std::string source_file; // "" = not known
    uint32_t source_line = 0;
};
[[nodiscard]] Spot spot_of(const Finding& finding, const Party& party, const Source& source);

// "k.cl:12: error: message [rule]"
[[nodiscard]] std::string heading(const Finding& finding, const Source& source);

// Several lines, the last one ends with a newline:
//   k.cl:12: error: message [rule]              k.visaasm:72:5: error: ... where the source is not known
//   k.cl:12: note: who does what
//       k.visaasm:72:5: the instruction
//   note: ...
[[nodiscard]] std::string render(const Finding& finding, const Source& source);

// A finding as it is handed out: in words, and where each party stands.
struct ReportedPlace {
    Spot spot;
    std::string text; // who does what there
};
struct Reported {
    Finding finding;
    std::string text;                  // ready to print
    std::vector<ReportedPlace> places; // the party's, and the other's
};
[[nodiscard]] Reported report(const Finding& finding, const Source& source);

// "group (0,0,0), hardware thread 1, lane 3 reads"
[[nodiscard]] std::string who(const Party& party);

} // namespace visor::check
