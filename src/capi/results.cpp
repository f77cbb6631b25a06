// A launch's results. Written once, before it is over; later read by any thread.
#include "capi/objects.h"
#include "check/sarif.h"
#include "profile/formats.h"
#include "profile/page.h"

#include <algorithm>

using namespace visor;
using namespace visor::capi;

namespace {

std::shared_ptr<LaunchObject> finished(visor_launch launch) {
    auto found = find<LaunchObject>(launch);
    if (!found->is_over())
        refuse(VISOR_ERROR_BUSY, "the launch is not over yet: visor_launch_wait waits for it");
    return found;
}

visor_party party_of(const check::Party& party, const check::ReportedPlace* place) {
    visor_party out{};
    std::ranges::copy(party.group, out.group);
    out.thread = party.thread;
    out.lane = party.lane;
    out.instruction = party.instruction;
    out.doing = party.doing.c_str();
    out.file = place == nullptr ? "" : place->spot.file.c_str();
    out.line = place == nullptr ? 0 : place->spot.line;
    out.column = place == nullptr ? 0 : place->spot.column;
    out.source_file = place == nullptr ? "" : place->spot.source_file.c_str();
    out.source_line = place == nullptr ? 0 : place->spot.source_line;
    return out;
}

profile::PageFacts page_facts(const LaunchObject& launch) {
    profile::PageFacts facts;
    facts.title = launch.costs->functions.empty() ? "visor" : launch.costs->functions.front().function->name;
    facts.creator = "visor " + std::string(vm::version());
    facts.checked = launch.checked;
    for (const check::Reported& finding : launch.findings)
        facts.findings.push_back(finding.text);
    return facts;
}

} // namespace

visor_status visor_launch_report(visor_launch launch, visor_report* report) {
    return call([&] {
        const auto found = finished(launch);
        const vm::RunReport& from = found->report;
        visor_report out{};
        out.status = found->status;
        out.native = from.native ? 1 : 0;
        std::ranges::copy(from.local, out.local);
        std::ranges::copy(from.groups, out.groups);
        out.work_groups = from.work_groups;
        out.hardware_threads = from.hardware_threads;
        out.instructions = from.instructions;
        out.prepare_seconds = from.prepare_seconds;
        out.run_seconds = from.run_seconds;
        out.message = found->message.c_str();
        out.fidelity = isa::name_of(from.fidelity);
        out.fidelity_names = from.fidelity_names.c_str();
        out.engine_story = from.engine_story.c_str();
        out.finding_count = static_cast<uint32_t>(found->findings.size());
        out.suppressed_count = static_cast<uint32_t>(found->suppressed);
        out.register_count = static_cast<uint32_t>(found->registers.size());
        write_struct(report, out, "visor_report");
    });
}

visor_status visor_launch_output(visor_launch launch, const char** text, size_t* count) {
    return call([&] {
        result(text, "`text`");
        const auto found = finished(launch);
        *text = found->report.printf_output.c_str();
        if (count != nullptr)
            *count = found->report.printf_output.size();
    });
}

visor_status visor_launch_fault(visor_launch launch, visor_fault* fault) {
    return call([&] {
        const auto found = finished(launch);
        const machine::Fault& from = found->report.fault;
        visor_fault out{};
        out.kind = found->fault_kind.c_str();
        out.detail = from.detail.c_str();
        out.function = found->report.fault_function.c_str();
        out.source_file = found->report.fault_file.c_str();
        out.source_line = found->report.fault_line;
        std::ranges::copy(from.group, out.group);
        out.thread = from.thread;
        out.lane = from.lane;
        out.instruction = from.instruction;
        out.bytes = from.bytes;
        out.address = from.address;
        write_struct(fault, out, "visor_fault");
    });
}

visor_status visor_launch_counters(visor_launch launch, visor_counters* counters) {
    return call([&] {
        const auto found = finished(launch);
        if (!found->counters)
            refuse(VISOR_ERROR_ARGUMENT, "nothing was counted: set `count` in the launch's options");
        write_struct(counters, *found->counters, "visor_counters");
    });
}

visor_status visor_launch_finding(visor_launch launch, uint32_t index, visor_finding* finding) {
    return call([&] {
        const auto found = finished(launch);
        if (index >= found->findings.size())
            refuse(VISOR_ERROR_ARGUMENT, "the launch has " + std::to_string(found->findings.size()) +
                                             " findings, none is number " + std::to_string(index));
        const check::Reported& record = found->findings[index];
        const check::Finding& from = record.finding;
        const auto place = [&](size_t at) {
            return at < record.places.size() ? &record.places[at] : nullptr;
        };
        visor_finding out{};
        out.checker = check::kind_names[static_cast<size_t>(from.kind)].data();
        out.rule = from.rule.data(); // a literal
        out.message = from.message.c_str();
        out.place = from.place.c_str();
        out.kernel = from.function->name.c_str();
        out.text = record.text.c_str();
        out.severity = from.severity == check::Severity::error ? VISOR_ERROR : VISOR_NOTE;
        out.has_other = from.other ? 1 : 0;
        out.count = from.count;
        out.party = party_of(from.party, place(0));
        if (from.other)
            out.other = party_of(*from.other, place(1));
        write_struct(finding, out, "visor_finding");
    });
}

visor_status visor_launch_costs(visor_launch launch, const char* format, visor_bytes* text) {
    return call([&] {
        result(text, "`text`");
        const std::string_view wanted = &needed(format, "`format`");
        const auto found = finished(launch);
        if (!found->costs)
            refuse(VISOR_ERROR_ARGUMENT, "the launch was not asked for its costs");
        auto made = std::make_shared<BytesObject>();
        if (wanted == "callgrind")
            made->content = profile::callgrind_of(*found->costs, profile::Lines::source,
                                                  "visor " + std::string(vm::version()));
        else if (wanted == "collapsed")
            made->content = profile::collapsed_of(*found->costs, profile::Lines::source);
        else if (wanted == "lcov")
            made->content = profile::lcov_of(*found->costs);
        else if (wanted == "page")
            made->content = profile::page_of(*found->costs, page_facts(*found));
        else if (wanted == "timeline")
            made->content = found->timeline;
        else
            refuse(VISOR_ERROR_ARGUMENT, "there is no format `" + std::string(wanted) +
                                             "`: there are callgrind, collapsed, lcov, page and timeline");
        give(text, std::move(made));
    });
}

visor_status visor_launch_sarif(visor_launch launch, visor_bytes* sarif) {
    return call([&] {
        result(sarif, "`sarif`");
        auto text = std::make_shared<BytesObject>();
        text->content = check::sarif_of(finished(launch)->findings, vm::version());
        give(sarif, std::move(text));
    });
}

visor_status visor_launch_register(visor_launch launch, uint32_t index, visor_register* found_register) {
    return call([&] {
        const auto found = finished(launch);
        if (index >= found->registers.size())
            refuse(VISOR_ERROR_ARGUMENT, "the launch has " + std::to_string(found->registers.size()) +
                                             " registers to tell of, none is number " +
                                             std::to_string(index));
        const FoundRegister& from = found->registers[index];
        visor_register out{};
        out.name = from.name.c_str();
        out.type = "";
        out.elements = from.elements.c_str();
        if (from.found) {
            out.found = 1;
            out.used = from.found->used ? 1 : 0;
            if (from.found->kind == trace::RegisterKind::general)
                out.type = isa::facts(from.found->type).name;
            out.data = from.found->bytes.data();
            out.bytes = from.found->bytes.size();
        }
        write_struct(found_register, out, "visor_register");
    });
}
