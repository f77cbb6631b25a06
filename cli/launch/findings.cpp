#include "cli/launch/findings.h"

#include "check/sarif.h"
#include "check/suppression.h"
#include "file/file.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::cli {

namespace {

bool is_same(const check::Finding& a, const check::Finding& b) {
    const auto other = [](const check::Finding& finding) {
        return finding.other ? finding.other->instruction : UINT32_MAX;
    };
    const auto pair = [&](const check::Finding& finding) {
        return std::minmax<uint32_t>({finding.party.instruction, other(finding)});
    };
    return a.rule == b.rule && a.function->name == b.function->name && pair(a) == pair(b);
}

// The first element that differs, as text; "" when none does.
std::string difference(const ArrayState& a, const ArrayState& b) {
    const size_t bytes = std::min(a.bytes.size(), b.bytes.size());
    const auto end = a.bytes.begin() + static_cast<ptrdiff_t>(bytes);
    const auto left = std::mismatch(a.bytes.begin(), end, b.bytes.begin()).first;
    if (left == end)
        return "";
    const size_t size = size_of(a.element);
    const auto at = static_cast<size_t>(left - a.bytes.begin()) / size;
    return fmt::format("`{}`[{}] is {} and {}", a.name, at,
                       number_text(a.bytes.data() + at * size, a.element),
                       number_text(b.bytes.data() + at * size, b.element));
}

void fail(RunRecord& record, const Console& console, Failure failure) {
    record.code = worse(record.code, failure.code);
    console.report(failure);
    record.failures.push_back(std::move(failure));
}

} // namespace

void merge_schedule(RunRecord& first, const RunRecord& other) {
    ++first.schedules;
    first.code = worse(first.code, other.code);
    first.failures.insert(first.failures.end(), other.failures.begin(), other.failures.end());
    for (const FindingRecord& finding : other.findings) {
        const auto known = std::ranges::find_if(first.findings, [&](const FindingRecord& candidate) {
            return is_same(candidate.finding, finding.finding);
        });
        if (known == first.findings.end())
            first.findings.push_back(finding);
    }
    for (size_t i = 0; i < first.arrays.size() && i < other.arrays.size() && first.differing.empty(); ++i)
        if (const std::string text = difference(first.arrays[i], other.arrays[i]); !text.empty())
            first.differing = fmt::format("the result depends on the schedule: {} with --seed {} and {}",
                                          text, first.seed, other.seed);
}

void settle_findings(RunRecord& record, const RunRequest& request, const Console& console) {
    if (!record.differing.empty())
        fail(record, console, {ExitCode::invalid, record.differing});
    if (!record.checked)
        return;
    if (!request.suppressions.empty()) {
        const auto text = read_file(request.suppressions);
        auto entries =
            text ? check::read_suppressions(request.suppressions, *text)
                 : std::expected<std::vector<check::Suppression>, std::string>(std::unexpected(text.error()));
        if (!entries)
            return fail(record, console, {ExitCode::invalid, std::move(entries.error())});
        record.suppressed = check::suppress(*entries, record.findings);
        for (const check::Suppression& entry : *entries)
            if (entry.used == 0) {
                record.warnings.push_back(fmt::format("{}:{}: warning: nothing matches `{} {}` any more",
                                                      request.suppressions, entry.line, entry.rule,
                                                      entry.kernel));
                console.line(record.warnings.back());
            }
    }
    for (const FindingRecord& finding : record.findings)
        console.line(finding.text);
    if (!request.sarif.empty()) {
        const std::string text = check::sarif_of(record.findings, vm::version());
        if (auto put = write_file(request.sarif, std::as_bytes(std::span(text)), Content::text); !put)
            fail(record, console, {ExitCode::invalid, put.error()});
    }
    const auto errors = std::ranges::count_if(record.findings, [](const FindingRecord& finding) {
        return finding.finding.severity == check::Severity::error;
    });
    if (errors != 0)
        fail(record, console,
             {ExitCode::invalid,
              fmt::format("the checkers have {} finding{}", errors, errors == 1 ? "" : "s")});
}

} // namespace visor::cli
