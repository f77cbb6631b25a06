#include "coverage/coverage.h"

#include "coverage_cases.h"
#include "isa/compiled_forms.h"
#include "isa/opcode.h"
#include "isa/reference.h"
#include "isa/table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace visor::coverage {

namespace {

using nlohmann::ordered_json;

// One element of the coverage table; what is not "yes" says why.
struct Covered {
    std::string name;
    bool text = true;   // every row is read and printed: tests/isa, tests/generator
    bool verify = true; // and checked
    bool binary = false;
    bool interp = false;
    isa::CompiledForms compiled;
    uint32_t cases = 0; // of tests/exec
    std::string reason; // why it is not executed, or what is left to the interpreter

    // Whether the JIT compiles some form.
    [[nodiscard]] bool jit() const { return interp && compiled.state != isa::Compiled::interpreted; }
    [[nodiscard]] const char* jit_word() const {
        return !jit() ? "-" : compiled.state == isa::Compiled::partly ? "part" : "yes";
    }
};

uint32_t cases_of(std::string_view name) {
    const auto found = std::ranges::lower_bound(case_counts, name, {}, &CaseCount::name);
    return found != case_counts.end() && found->name == name ? found->count : 0;
}

Covered coverage_of(const isa::Row& row) {
    Covered out;
    out.name = unique_name(row);
    out.binary = !isa::has(row, isa::no_binary);
    out.interp = *row.unsupported == '\0';
    out.cases = cases_of(out.name);
    out.compiled = isa::compiled_forms(row);
    out.reason = row.unsupported;
    if (!out.jit())
        return out;
    if (out.compiled.calls != 0)
        out.reason = fmt::format("may call: {}", fmt::join(isa::names_of_calls(out.compiled), ", "));
    if (*out.compiled.interpreted != '\0')
        out.reason +=
            fmt::format("{}interpreted: {}", out.reason.empty() ? "" : "; ", out.compiled.interpreted);
    return out;
}

ordered_json as_json(const isa::Row& row) {
    const isa::Reference entry = isa::reference(row);
    ordered_json out;
    out["name"] = unique_name(row);
    out["mnemonic"] = entry.mnemonic;
    out["spellings"] = entry.spellings;
    out["opcode"] = entry.opcode;
    out["family"] = entry.family;
    out["semantics"] = entry.semantics;
    out["syntax"] = entry.syntax;
    out["example"] = entry.example;
    out["exec_sizes"] = entry.exec_sizes;
    out["predicate"] = entry.predicate;
    out["saturation"] = entry.saturation;
    out["modifiers"] = entry.modifiers;
    out["effects"] = entry.effects;
    out["out_of_bounds"] = entry.out_of_bounds;
    out["devices"] = entry.devices;
    out["fidelity"] = entry.fidelity;
    out["page"] = entry.page;
    out["unsupported"] = entry.unsupported;
    out["fields"] = ordered_json::array();
    for (const isa::ReferenceField& field : entry.fields)
        out["fields"].push_back({{"name", field.name}, {"bytes", field.bytes}, {"meaning", field.meaning}});
    return out;
}

std::string text_of(ordered_json instructions) {
    return ordered_json{{"version", 1}, {"instructions", std::move(instructions)}}.dump(2) + "\n";
}

} // namespace

// A typed LSC message shares its mnemonic with the untyped one.
std::string unique_name(const isa::Row& row) {
    return row.opcode == isa::opcode::lsc_typed ? std::string(row.mnemonic) + ".tgm" : row.mnemonic;
}

// A mnemonic with suffixes, as it stands in text, means the instruction.
std::vector<const isa::Row*> rows_named(std::string_view name) {
    std::vector<const isa::Row*> found;
    for (const isa::Row* row : isa::table())
        if (unique_name(*row) == name || row->mnemonic == name)
            found.push_back(row);
    if (!found.empty())
        return found;
    if (const isa::Row* row = isa::find(name))
        return {row};
    const size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? found : rows_named(name.substr(0, dot));
}

std::string list_text() {
    std::string text;
    for (const isa::Row* row : isa::table()) {
        const isa::Reference entry = isa::reference(*row);
        text += fmt::format("{:<28} {:<10} {:<10} {}\n", unique_name(*row), entry.opcode, entry.family,
                            entry.unsupported.empty() ? "" : "not executed");
    }
    return text;
}

std::string coverage_text() {
    const auto word = [](bool yes) { return yes ? "yes" : "-"; };
    constexpr const char* line = "{:<28} {:<5} {:<7} {:<7} {:<7} {:<5} {:>5}  {}\n";
    std::string text =
        fmt::format(line, "instruction", "text", "binary", "verify", "interp", "jit", "cases", "notes");
    for (const isa::Row* row : isa::table()) {
        const Covered covered = coverage_of(*row);
        text +=
            fmt::format(line, covered.name, word(covered.text), word(covered.binary), word(covered.verify),
                        word(covered.interp), covered.jit_word(), covered.cases, covered.reason);
        while (text.ends_with(" \n"))
            text.erase(text.size() - 2, 1);
    }
    return text;
}

std::string fidelity_text() {
    std::string text;
    for (const isa::Row* row : isa::table()) {
        const bool executed = *row->unsupported == '\0';
        text += fmt::format("{:<28} {}{}{}\n", unique_name(*row), isa::name_of(isa::fidelity(*row)),
                            executed ? "" : ": ", row->unsupported);
    }
    return text;
}

std::string coverage_summary() {
    const auto all = isa::table();
    const auto count = [&](auto has) {
        return std::ranges::count_if(all, [&](const isa::Row* row) { return has(coverage_of(*row)); });
    };
    return fmt::format("{} instructions: {} in text, {} in binaries, {} executed, {} compiled, {} with cases",
                       all.size(), count([](const Covered& covered) { return covered.text; }),
                       count([](const Covered& covered) { return covered.binary; }),
                       count([](const Covered& covered) { return covered.interp; }),
                       count([](const Covered& covered) { return covered.jit(); }),
                       count([](const Covered& covered) { return covered.cases > 0; }));
}

std::string reference_json(const std::vector<const isa::Row*>& rows) {
    ordered_json entries = ordered_json::array();
    for (const isa::Row* row : rows)
        entries.push_back(as_json(*row));
    return text_of(std::move(entries));
}

std::string coverage_json() {
    ordered_json all = ordered_json::array();
    for (const isa::Row* row : isa::table()) {
        const Covered covered = coverage_of(*row);
        ordered_json entry{{"name", covered.name},
                           {"text", covered.text},
                           {"binary", covered.binary},
                           {"verify", covered.verify},
                           {"interp", covered.interp},
                           {"jit", covered.jit()},
                           {"compiled", covered.interp ? isa::name_of(covered.compiled.state) : "no"},
                           {"calls", ordered_json::array()},
                           {"cases", covered.cases}};
        if (covered.jit())
            for (const std::string_view call : isa::names_of_calls(covered.compiled))
                entry["calls"].push_back(call);
        if (!covered.reason.empty())
            entry["reason"] = covered.reason;
        all.push_back(std::move(entry));
    }
    return text_of(std::move(all));
}

std::string fidelity_json() {
    ordered_json all = ordered_json::array();
    for (const isa::Row* row : isa::table()) {
        all.push_back({{"name", unique_name(*row)}, {"fidelity", isa::name_of(isa::fidelity(*row))}});
        if (*row->unsupported != '\0')
            all.back()["reason"] = row->unsupported;
    }
    return text_of(std::move(all));
}

} // namespace visor::coverage
