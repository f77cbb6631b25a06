// The walk over a module: what is wrong with it as a whole, then function by function, chapter by chapter.
#include "verify/verify.h"

#include "verify/chapters.h"

#include <algorithm>
#include <unordered_map>

namespace visor::verify {

namespace {

void check_version(const Module& module, const Reporter& reporter) {
    const unsigned number = module.major * 100U + module.minor;
    if (number >= 300 && number <= 402)
        return;
    // A minor version from after this program: most of it will be known.
    const Levels levels = module.major == 4 ? suspicious : refused;
    reporter.diag(rule("unknown-version"), levels, std::nullopt)
        << "version " << module.major << "." << module.minor << " is not known; 3.0 to 4.2 are";
}

void check_function_names(const Module& module, const Reporter& reporter) {
    std::unordered_map<std::string_view, const Function*> earlier;
    for (const Function& function : module.functions) {
        const auto [found, is_new] = earlier.try_emplace(function.name, &function);
        if (!is_new)
            reporter.diag(rule("duplicate-function"), function.where)
                    .note_at(found->second->where, "the first one is here")
                << "there are two functions of the name `" << function.name << "`";
    }
}

void check_spellings(const Module& module, const Reporter& reporter) {
    for (const UnpagedSpelling& spelling : module.unpaged_spellings)
        reporter.diag(rule("unpaged-spelling"), spelling.where)
            << spelling.what << " is the compiler's spelling, not the page's";
}

void check_instruction(const Site& site) {
    check_execution(site);
    if (!check_operands(site))
        return;
    check_types(site);
    check_messages(site);
    check_atomic(site);
    check_lsc(site);
    check_payload(site);
    check_conversion(site);
    check_moves(site);
}

void check_function(const Context& context) {
    check_declarations(context);
    check_inputs(context);
    check_attributes(context);
    for (const Instruction& instruction : context.function.code) {
        if (instruction.row != nullptr)
            check_instruction({context, instruction});
    }
    check_flow(context);
}

// Chapters look at a function one after another; the reader goes from top to bottom.
void report(Findings& findings, Diagnostics& diagnostics) {
    std::vector<std::pair<uint32_t, size_t>> order; // by place, then as found
    for (size_t i = 0; i < findings.size(); ++i)
        order.emplace_back(findings[i].where.value_or(Location{}).offset, i);
    std::ranges::sort(order);
    for (const auto& [offset, index] : order) {
        Diagnostic& finding = findings[index];
        Diagnostic& reported = diagnostics.report(finding.severity, finding.where, std::move(finding.rule),
                                                  std::move(finding.message));
        reported.notes = std::move(finding.notes);
    }
}

} // namespace

void verify(const Module& module, const Options& options, Diagnostics& diagnostics) {
    Findings findings;
    const Reporter reporter(options, findings);
    check_version(module, reporter);
    check_function_names(module, reporter);
    check_spellings(module, reporter);
    for (const Function& function : module.functions)
        check_function(Context(function, reporter));
    report(findings, diagnostics);
}

} // namespace visor::verify
