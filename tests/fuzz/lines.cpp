// Source lines: FILE and LOC of a text as a table, the compiler's log, and the lines of OpenCL C that Visor
// reads itself. The input's first byte chooses.
#include "finding.h"
#include "limits.h"

#include "compile/includes.h"
#include "compile/log.h"
#include "module/source_line.h"
#include "text/text.h"

#include <algorithm>

using namespace visor;

namespace {

void read_text(std::string_view source, std::string_view given, std::string_view folder) {
    Diagnostics diagnostics;
    auto module = text::parse(source, {}, diagnostics);
    if (!module)
        return;
    for (Function& function : module->functions) {
        name_files(function, given, folder);
        const std::vector<SourceLine> lines = source_lines(function);
        fuzz::require(lines.empty() || lines.size() == function.code.size(), "a line for each instruction");
        for (const SourceLine& line : lines)
            fuzz::require(text_of(line).empty() == !line.known(), "a line that is known has a text");
    }
}

void read_log(std::string_view log, std::string_view name) {
    fuzz::require(compile::clean_log(log).size() <= log.size() + 1, "a log becomes no longer");
    static_cast<void>(compile::explain(-11, log, name, "skl"));
}

void read_source(std::string_view source, std::string_view name) {
    const std::string named = compile::named_source(name, source);
    const size_t mark = source.starts_with("\xEF\xBB\xBF") ? 3 : 0; // would stand in the middle
    fuzz::require(named.ends_with(source.substr(mark)), "a source is only added to");
    fuzz::require(std::ranges::count(named, '\n') <= std::ranges::count(source, '\n') + 1,
                  "one line is added");
    static_cast<void>(compile::included_files(source, "/nonexistent", {}));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const fuzz::Limits limits(size);
    const std::string_view text = fuzz::text_of(data, size);
    const std::string_view rest = text.substr(std::min<size_t>(1, size));
    const std::string_view name = rest.substr(0, rest.find('\n'));
    const std::string_view body = rest.substr(std::min(name.size() + 1, rest.size()));
    if (text.starts_with('l'))
        read_log(body, name);
    else if (text.starts_with('c'))
        read_source(body, name);
    else
        read_text(body, name, name.substr(0, name.rfind('/')));
    return 0;
}
