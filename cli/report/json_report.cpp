#include "cli/report/json_report.h"

#include "cli/launch/run_request.h"
#include "cli/report/installation.h"
#include "compile/compile.h"
#include "isa/features.h"

#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace visor::cli {

std::string_view kind_name(vm::ParameterKind kind) {
    switch (kind) {
    case vm::ParameterKind::value:
        return "value";
    case vm::ParameterKind::buffer:
        return "buffer";
    case vm::ParameterKind::local:
        return "local memory";
    case vm::ParameterKind::image:
        return "image";
    case vm::ParameterKind::sampler:
    case vm::ParameterKind::state_sampler:
        return "sampler";
    case vm::ParameterKind::variable:
        return "variable";
    case vm::ParameterKind::surface:
        return "surface";
    }
    return "";
}

namespace {

using nlohmann::ordered_json;

ordered_json heading(const char* verb) {
    return {{"version", json_version}, {"verb", verb}, {"visor", vm::version()}};
}

// Kernels print any bytes; the object holds text.
std::string text_of(const ordered_json& object) {
    return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

// A number as it was spelled; JSON has neither infinities nor NaN, which stay text.
ordered_json number(const std::string& text) {
    const char* const end = text.data() + text.size();
    if (text == "-0")
        return -0.0;
    int64_t whole = 0;
    if (const auto [at, error] = std::from_chars(text.data(), end, whole); error == std::errc() && at == end)
        return whole;
    uint64_t large = 0;
    if (const auto [at, error] = std::from_chars(text.data(), end, large); error == std::errc() && at == end)
        return large;
    double value = 0;
    const auto [at, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && at == end && value - value == 0)
        return value;
    return text;
}

ordered_json numbers(const std::vector<std::string>& texts) {
    ordered_json out = ordered_json::array();
    for (const std::string& text : texts)
        out.push_back(number(text));
    return out;
}

ordered_json as_json(const Failure& failure) {
    return {{"exit_code", static_cast<int>(failure.code)}, {"message", failure.text}};
}

ordered_json as_json(const vm::KernelFacts& kernel) {
    ordered_json out{{"name", kernel.name},
                     {"signature", signature_text(kernel)},
                     {"hand_written", kernel.hand_written},
                     {"simd", kernel.simd},
                     {"slm_bytes", kernel.slm_bytes},
                     {"required_local_size", kernel.required_group_size},
                     {"instructions", kernel.instructions},
                     {"parameters", ordered_json::array()}};
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
        const vm::Parameter& parameter = kernel.parameters[i];
        ordered_json entry{{"index", i},
                           {"name", parameter.name},
                           {"type", parameter.type_name},
                           {"kind", kind_name(parameter.kind)},
                           {"bytes", parameter.bytes},
                           {"optional", parameter.optional}};
        const auto element = parameter.element_known ? element_of(parameter.element) : std::nullopt;
        if (!parameter.access.empty())
            entry["access"] = parameter.access;
        if (element) {
            entry["element"] = name_of(*element);
            entry["elements"] = parameter.elements;
        }
        out["parameters"].push_back(std::move(entry));
    }
    return out;
}

ordered_json as_json(const machine::Fault& fault) {
    ordered_json out{{"kind", name_of(fault.kind)},
                     {"group", fault.group},
                     {"thread", fault.thread},
                     {"instruction", fault.instruction},
                     {"detail", fault.detail}};
    if (fault.lane >= 0)
        out["lane"] = fault.lane;
    if (fault.kind == machine::FaultKind::out_of_bounds) {
        out["address"] = fault.address;
        out["bytes"] = fault.bytes;
    }
    return out;
}

ordered_json as_json(const DumpRecord& dump) {
    ordered_json out{{"group", trace::group_text(dump.choice.group)},
                     {"thread", dump.choice.thread},
                     {"values", ordered_json::array()}};
    if (!dump.registers)
        return out;
    out["finished"] = dump.registers->finished;
    for (const trace::Register& found : dump.registers->all) {
        ordered_json entry{{"name", found.name}, {"used", found.used}};
        if (found.kind == trace::RegisterKind::general)
            entry["type"] = isa::facts(found.type).name;
        entry["elements"] = numbers(found.elements);
        out["values"].push_back(std::move(entry));
    }
    return out;
}

std::vector<uint64_t> sizes(const Extent& extent) {
    return {extent.size.begin(), extent.size.begin() + extent.dimensions};
}

ordered_json as_json(const LaunchRecord& launch) {
    ordered_json out{{"kernel", as_json(launch.kernel)}, {"ran", launch.report.has_value()}};
    if (!launch.report)
        return out;
    const vm::RunReport& report = *launch.report;
    out["finished"] = !report.error.has_value();
    out["shape"] = {{"global", sizes(launch.request->global)},
                    {"local", report.local},
                    {"offset", sizes(launch.request->offset)},
                    {"groups", report.groups}};
    out["counts"] = {{"work_groups", report.work_groups},
                     {"hardware_threads", report.hardware_threads},
                     {"instructions", report.instructions}};
    out["seconds"] = {{"prepare", report.prepare_seconds}, {"run", report.run_seconds}};
    out["fidelity"] = isa::name_of(report.fidelity);
    if (!report.fidelity_names.empty())
        out["not_exact"] = report.fidelity_names;
    if (!report.no_code.empty())
        out["no_code"] = report.no_code;
    out["printf"] = report.printf_output;
    if (report.fault.kind != machine::FaultKind::none)
        out["fault"] = as_json(report.fault);
    if (!report.fault_function.empty())
        out["fault"]["function"] = report.fault_function;
    if (!report.fault_file.empty())
        out["fault"]["source"] = {{"file", report.fault_file}, {"line", report.fault_line}};
    if (!launch.dumps.empty())
        out["registers"] = ordered_json::array();
    for (const DumpRecord& dump : launch.dumps)
        out["registers"].push_back(as_json(dump));
    return out;
}

ordered_json as_json(const PrintRecord& print) {
    ordered_json out{{"name", print.request.name},
                     {"type", name_of(*print.request.element)},
                     {"elements", print.elements},
                     {"values", numbers(print.values)}};
    if (print.image)
        out["image"] = {{"format", machine::name_of(print.image->format)},
                        {"size", size_text(print.image->size)}};
    return out;
}

ordered_json as_json(const OutputRequest& output) {
    ordered_json out{{"name", output.name}, {"path", output.path}, {"shape", output.shape}};
    if (output.element)
        out["type"] = name_of(*output.element);
    return out;
}

ordered_json as_json(const CheckRecord& check) {
    ordered_json out{{"array", check.array},
                     {"type", name_of(check.element)},
                     {"elements", check.elements},
                     {"met", !check.difference.has_value()}};
    if (check.difference) {
        out["differing"] = check.difference->count;
        out["first"] = {{"index", check.difference->index},
                        {"got", number(check.difference->got)},
                        {"expected", number(check.difference->expected)}};
    }
    return out;
}

ordered_json as_json(const check::Party& party, const check::Spot* spot) {
    ordered_json out{{"group", party.group}, {"thread", party.thread}, {"instruction", party.instruction}};
    if (party.lane >= 0)
        out["lane"] = party.lane;
    if (!party.doing.empty())
        out["doing"] = party.doing;
    if (spot == nullptr)
        return out;
    out["visa"] = {{"file", spot->file}, {"line", spot->line}, {"column", spot->column}};
    if (!spot->source_file.empty())
        out["source"] = {{"file", spot->source_file}, {"line", spot->source_line}};
    return out;
}

ordered_json as_json(const FindingRecord& record) {
    const check::Finding& finding = record.finding;
    const auto spot = [&](size_t index) {
        return index < record.places.size() ? &record.places[index].spot : nullptr;
    };
    ordered_json out{{"check", check::kind_names[static_cast<size_t>(finding.kind)]},
                     {"rule", finding.rule},
                     {"severity", finding.severity == check::Severity::error ? "error" : "note"},
                     {"message", finding.message},
                     {"kernel", finding.function->name},
                     {"launch", finding.launch},
                     {"count", finding.count},
                     {"party", as_json(finding.party, spot(0))}};
    if (!finding.place.empty())
        out["place"] = finding.place;
    if (finding.other)
        out["other"] = as_json(*finding.other, spot(1));
    out["notes"] = finding.notes;
    out["text"] = record.text;
    return out;
}

ordered_json as_json(const isa::Device& device, bool compiles) {
    const isa::InstructionCount count = isa::count_instructions(device);
    return {{"name", device.name},
            {"description", device.description},
            {"grf_bytes", device.grf_bytes},
            {"simd_widths", isa::simd_widths(device)},
            {"int64", device.int64},
            {"fp64", device.fp64},
            {"matrix", isa::matrix_instructions(device)},
            {"samplers", isa::has_samplers(device)},
            {"images", isa::compiles_images(device)},
            {"slm_bytes", device.slm_bytes},
            {"max_group_size", device.max_group_size},
            {"lsc", device.lsc},
            {"instructions", {{"available", count.available}, {"executed", count.executed}}},
            {"compiles", compiles},
            {"executes", device.executes}};
}

template <class Item>
ordered_json list(const std::vector<Item>& items) {
    ordered_json out = ordered_json::array();
    for (const Item& item : items)
        out.push_back(as_json(item));
    return out;
}

} // namespace

std::string json_of(const RunRecord& record) {
    ordered_json out = heading("run");
    out["file"] = record.file;
    out["device"] = record.device;
    out["compiler"] = record.compiler.empty() ? ordered_json() : ordered_json(record.compiler);
    const bool native = std::ranges::any_of(
        record.launches, [](const LaunchRecord& launch) { return launch.report && launch.report->native; });
    out["engine"] = native ? "jit" : "interp";
    out["exit_code"] = static_cast<int>(record.code);
    out["errors"] = list(record.failures);
    out["warnings"] = record.warnings;
    out["seconds"] = {{"load", record.load_seconds}};
    out["launches"] = list(record.launches);
    out["prints"] = list(record.prints);
    out["files"] = list(record.files);
    out["expectations"] = list(record.checks);
    if (record.checked)
        out["findings"] = list(record.findings);
    if (!record.trace.empty())
        out["trace"] = record.trace;
    for (const auto& [key, path] : {std::pair{"profile", record.profiles.profile},
                                    {"coverage", record.profiles.coverage},
                                    {"timeline", record.profiles.timeline}})
        if (!path.empty())
            out[key] = path;
    return text_of(out);
}

std::string json_of(const FileFacts& facts) {
    ordered_json out = heading("info");
    out["file"] = facts.file;
    out["device"] = facts.device;
    out["exit_code"] = facts.failure ? static_cast<int>(facts.failure->code) : 0;
    out["errors"] = ordered_json::array();
    if (facts.failure)
        out["errors"].push_back(as_json(*facts.failure));
    out["warnings"] = facts.warnings;
    out["kernels"] = list(facts.kernels);
    for (size_t i = 0; i < facts.not_executed.size(); ++i)
        out["kernels"][i]["not_executed"] = facts.not_executed[i];
    return text_of(out);
}

std::string json_of_build() {
    ordered_json out = heading("info");
    const compile::CompilerList compilers = compile::list_compilers();
    out["compilers"] = ordered_json::array();
    for (const compile::CompilerFacts& one : compilers.found)
        out["compilers"].push_back({{"title", one.title},
                                    {"version", one.version},
                                    {"library", one.library},
                                    {"devices", one.devices}});
    out["compiler_problems"] = compilers.problems;
    out["cache"] = compile::cache_folder();
    const compile::WorkerConfinement workers = compile::worker_confinement();
    out["workers"] = {{"limits", workers.limits},
                      {"no_new_privs", workers.no_new_privs},
                      {"seccomp", workers.system_calls},
                      {"landlock", workers.landlock}};
    out["engines"] = vm::has_jit() ? ordered_json{"interp", "jit"} : ordered_json{"interp"};
    out["limits"] = {{"fuel", default_fuel}};
    out["devices"] = ordered_json::array();
    for (const isa::Device& device : isa::devices())
        out["devices"].push_back(as_json(device, compilers.knows(device.name)));
    out["environment"] = ordered_json::object();
    for (const EnvironmentVariable& variable : environment_variables) {
        const char* value = std::getenv(variable.name);
        out["environment"][variable.name] = value == nullptr ? ordered_json() : ordered_json(value);
    }
    return text_of(out);
}

} // namespace visor::cli
