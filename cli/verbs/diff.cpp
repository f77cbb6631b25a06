#include "cli/verbs/diff.h"

#include "cli/console/console.h"
#include "cli/report/units.h"
#include "file/file.h"
#include "vm/comparison.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace visor::cli {

namespace {

std::string shown(const vm::ComparedSide& side, char mark) {
    if (side.file.empty())
        return "";
    const std::string place =
        side.line == 0 ? fmt::format("0x{:x}", side.offset) : fmt::format("{}:{}", side.line, side.column);
    return fmt::format("  {} {}:{}: {}\n", mark, side.file, place, side.text);
}

std::string report_of(const vm::ComparedFunction& function, const DiffRequest& request) {
    const char* const kind = function.is_kernel ? "kernel" : "function";
    if (!function.in_first || !function.in_second)
        return fmt::format("{} {}: only in {}\n", kind, function.name,
                           function.in_first ? request.first : request.second);
    if (!function.untold.empty())
        return fmt::format("{} {}: not told: {}\n", kind, function.name, function.untold);
    if (function.equal())
        return function.runs == 0 ? fmt::format("{} {}: same\n", kind, function.name)
                                  : fmt::format("{} {}: same in {} on drawn inputs\n", kind, function.name,
                                                count_text(function.runs, "run"));
    std::string out = fmt::format("{} {}: different\n", kind, function.name);
    for (const vm::ComparedDifference& difference : function.differences)
        out += fmt::format("{}\n{}{}", difference.message, shown(difference.first, '<'),
                           shown(difference.second, '>'));
    if (function.more)
        out += "and more\n";
    if (function.order_taken_literally)
        out += "note: too much to compare: the same instructions in another order may count as different\n";
    return out;
}

std::string summary(const vm::ComparedFiles& files, const DiffRequest& request) {
    const auto different = static_cast<uint64_t>(
        std::ranges::count_if(files.functions, [](const auto& function) { return !function.equal(); }));
    const auto kernels =
        static_cast<uint64_t>(std::ranges::count_if(files.functions, &vm::ComparedFunction::is_kernel));
    std::string compared = count_text(kernels, "kernel");
    if (const uint64_t others = files.functions.size() - kernels; others > 0)
        compared += ", " + count_text(others, "function");
    return fmt::format("visor: {} and {}: {}, {}", request.first, request.second, compared,
                       different == 0
                           ? (request.runs == 0 ? "all the same" : "no difference found")
                           : grouped(different) + (files.is_untold() ? " not told" : " different"));
}

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

std::expected<ExitCode, Failure> diff_files(const DiffRequest& request, const Console& console) {
    const auto first = read_file(request.first);
    if (!first)
        return invalid(first.error());
    const auto second = read_file(request.second);
    if (!second)
        return invalid(second.error());
    vm::ComparisonRequest wanted;
    wanted.units.device = request.device;
    wanted.units.compiler_options = request.compiler_options;
    wanted.units.color = console.color();
    wanted.kernel = request.kernel;
    wanted.most = request.most;
    wanted.runs = request.runs;
    const vm::File a{request.first, *first};
    const vm::File b{request.second, *second};
    const auto compared = vm::compare_files(a, b, wanted);
    if (!compared)
        return std::unexpected(failure(compared.error()));
    console.warning(compared->warnings);
    if (request.json)
        print(vm::json_of(*compared, a, b));
    else
        for (const vm::ComparedFunction& function : compared->functions)
            print(Console::for_output(report_of(function, request)));
    console.line(summary(*compared, request));
    if (compared->is_untold())
        return ExitCode::unsupported;
    return compared->equal() ? ExitCode::clean : ExitCode::invalid;
}

} // namespace

ExitCode diff(const DiffRequest& request) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    const auto ended = diff_files(request, console);
    if (ended)
        return *ended;
    console.report(ended.error());
    console.line("visor: nothing was compared");
    return ended.error().code;
}

} // namespace visor::cli
