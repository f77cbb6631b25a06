#include "cli/verbs/isa.h"

#include "cli/console/console.h"
#include "cli/console/outcome.h"
#include "coverage/coverage.h"
#include "isa/reference.h"
#include "isa/table.h"

#include <cstdio>
#include <fmt/format.h>

namespace visor::cli {

namespace {

std::expected<std::string, Failure> answer(const IsaRequest& request) {
    if (request.coverage)
        return request.json ? coverage::coverage_json() : coverage::coverage_text();
    if (request.fidelity)
        return request.json ? coverage::fidelity_json() : coverage::fidelity_text();
    std::vector<const isa::Row*> rows(isa::table().begin(), isa::table().end());
    if (!request.name.empty()) {
        rows = coverage::rows_named(request.name);
        if (rows.empty())
            return usage(fmt::format("there is no instruction `{}`{}; `visor isa` lists all", request.name,
                                     did_you_mean(request.name, isa::mnemonics())));
    }
    if (request.json)
        return coverage::reference_json(rows);
    if (request.name.empty())
        return coverage::list_text();
    std::string text;
    for (const isa::Row* row : rows)
        text += (text.empty() ? "" : "\n") + isa::page(*row);
    return text;
}

} // namespace

ExitCode isa_reference(const IsaRequest& request) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    const auto text = answer(request);
    if (!text) {
        console.report(text.error());
        return text.error().code;
    }
    std::fwrite(text->data(), 1, text->size(), stdout);
    if (std::fflush(stdout) != 0)
        return ExitCode::invalid;
    if (request.coverage)
        console.line("visor: " + coverage::coverage_summary());
    return ExitCode::clean;
}

} // namespace visor::cli
