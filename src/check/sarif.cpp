#include "check/sarif.h"

#include "check/rules.h"

#include <nlohmann/json.hpp>
#include <set>

namespace visor::check {

namespace {

using nlohmann::ordered_json;

// The source line where it is known, for that is what editors can show; the vISA then stands among the
// properties.
ordered_json location(const ReportedPlace& place) {
    const Spot& spot = place.spot;
    const bool known = !spot.source_file.empty();
    const ordered_json region = known ? ordered_json{{"startLine", spot.source_line}}
                                      : ordered_json{{"startLine", spot.line}, {"startColumn", spot.column}};
    ordered_json out{
        {"physicalLocation",
         {{"artifactLocation", {{"uri", known ? spot.source_file : spot.file}}}, {"region", region}}},
        {"message", {{"text", place.text}}}};
    if (known)
        out["properties"] = {{"visa", {{"file", spot.file}, {"line", spot.line}, {"column", spot.column}}}};
    return out;
}

ordered_json result(const Reported& record) {
    const Finding& finding = record.finding;
    ordered_json out{
        {"ruleId", finding.rule},
        {"level", finding.severity == Severity::error ? "error" : "note"},
        {"message",
         {{"text", finding.place.empty() ? finding.message : finding.message + ", at " + finding.place}}},
        {"locations", {location(record.places.front())}},
        {"occurrenceCount", finding.count}};
    if (record.places.size() > 1)
        out["relatedLocations"] = {location(record.places[1])};
    out["properties"] = {{"kernel", finding.function->name}, {"launch", finding.launch}};
    return out;
}

} // namespace

std::string sarif_of(std::span<const Reported> findings, std::string_view version) {
    std::set<std::string_view> seen;
    ordered_json results = ordered_json::array();
    for (const Reported& finding : findings) {
        seen.insert(finding.finding.rule);
        results.push_back(result(finding));
    }
    ordered_json known = ordered_json::array();
    for (const std::string_view rule : seen) {
        known.push_back({{"id", rule}});
        if (const Rule* const facts = rule_named(rule))
            known.back()["shortDescription"] = {{"text", facts->about}};
    }
    const ordered_json out{
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs",
         {{{"tool", {{"driver", {{"name", "Visor"}, {"version", version}, {"rules", known}}}}},
           {"results", results}}}}};
    return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace visor::check
