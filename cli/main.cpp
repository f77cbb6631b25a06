// The visor program. Nothing that goes wrong gets past here without an exit code and a word about it.
#include "cli/console/interrupt.h"
#include "cli/options/command_line.h"
#include "cli/verbs/application.h"
#include "cli/verbs/as.h"
#include "cli/verbs/cc.h"
#include "cli/verbs/check.h"
#include "cli/verbs/debug.h"
#include "cli/verbs/diff.h"
#include "cli/verbs/dis.h"
#include "cli/verbs/info.h"
#include "cli/verbs/isa.h"
#include "cli/verbs/reduce.h"
#include "cli/verbs/run.h"

#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <new>

namespace {

using namespace visor::cli;

ExitCode answer(const PrintedAnswer& printed) {
    std::fwrite(printed.text.data(), 1, printed.text.size(), stdout);
    return std::fflush(stdout) == 0 ? ExitCode::clean : ExitCode::invalid;
}

ExitCode serve(const Request& request) {
    if (const auto* job = std::get_if<RunRequest>(&request))
        return run(*job, interrupt::came());
    if (const auto* job = std::get_if<DebugRequest>(&request))
        return debug(*job);
    if (const auto* job = std::get_if<ApplicationRequest>(&request))
        return run_application(*job);
    if (const auto* job = std::get_if<CcRequest>(&request))
        return cc(*job);
    if (const auto* job = std::get_if<AsRequest>(&request))
        return as(*job);
    if (const auto* job = std::get_if<DisRequest>(&request))
        return dis(*job);
    if (const auto* job = std::get_if<CheckRequest>(&request))
        return check(*job);
    if (const auto* job = std::get_if<DiffRequest>(&request))
        return diff(*job);
    if (const auto* job = std::get_if<ReduceRequest>(&request))
        return reduce(*job);
    if (const auto* job = std::get_if<IsaRequest>(&request))
        return isa_reference(*job);
    if (const auto* job = std::get_if<InfoRequest>(&request))
        return info(*job);
    return answer(std::get<PrintedAnswer>(request));
}

ExitCode guarded(const std::vector<std::string>& arguments) {
    const Console console(ColorMode::automatic, false, false);
    try {
        const auto request = parse_command_line(arguments);
        if (request)
            return serve(*request);
        console.report(request.error());
        return request.error().code;
    } catch (const std::bad_alloc&) {
        console.report({ExitCode::internal, "out of memory"});
    } catch (const std::exception& error) {
        console.report({ExitCode::internal, fmt::format("internal error: {}", error.what())});
    }
    return ExitCode::internal;
}

} // namespace

int main(int count, char** words) {
    interrupt::listen();
    const ExitCode code = guarded({words + (count > 0 ? 1 : 0), words + count});
    interrupt::die_of_it();
    return static_cast<int>(code);
}
