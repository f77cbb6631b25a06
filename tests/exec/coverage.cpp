// exec_coverage FOLDER: every row that Visor executes has a case file, whose literal cases and sweeps
// together have run each execution size and each type that the row allows. What a row allows and no case can
// have is named in its file, with the reason. Exit code 0: nothing is missing.
#include "exec/literal.h"
#include "exec/message_plan.h"
#include "exec/plan.h"
#include "isa/table.h"
#include "text/text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace visor::exec_test {

namespace {

constexpr std::array family_names{"arith",  "logic", "compare", "move",   "address", "flow",    "scattered",
                                  "block",  "svm",   "lsc",     "atomic", "typed",   "sampler", "sync",
                                  "matrix", "debug", "media",   "vme",    "render",  "raw"};

// "size 8", "dst ud": what a case has run, or is to.
using Facts = std::set<std::string>;

std::string type_fact(const isa::Field& field, isa::Type type) {
    return fmt::format("{} {}", field.name, isa::facts(type).name);
}

Facts wanted(const isa::Row& row) {
    Facts facts;
    for (unsigned size = 1; size <= 32; size *= 2) {
        if ((row.exec_sizes & size) != 0)
            facts.insert(fmt::format("size {}", size));
    }
    for (const isa::Field& field : row.format) {
        for (unsigned code = 0; code < isa::type_count; ++code) {
            const auto type = static_cast<isa::Type>(code);
            if (isa::contains(field.types, type))
                facts.insert(type_fact(field, type));
        }
    }
    return facts;
}

void take_instruction(const Function& function, const Instruction& instruction, Facts& facts) {
    if (isa::has_exec(*instruction.row))
        facts.insert(fmt::format("size {}", instruction.execution.size));
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
        const Operand& operand = instruction.operands[i];
        const isa::Field& field = isa::field_of_operand(*instruction.row, i);
        isa::Type type = operand.type;
        if (operand.kind == OperandKind::predicate)
            type = isa::Type::boolean;
        else if (operand.kind == OperandKind::general || operand.kind == OperandKind::raw)
            type = general_type(function, operand.id);
        else if (operand.kind == OperandKind::state_surface || operand.kind == OperandKind::state_sampler)
            type = isa::Type::ud; // an index
        facts.insert(type_fact(field, type));
    }
}

// Of the case's lines alone, not of those that the harness puts around them.
bool take_literal(const CaseFile& file, const LiteralCase& given, Facts& facts) {
    const isa::Device& device = *devices_for(*row_of(file), {}).at(0);
    const auto kernel = kernel_of(given, device.name, device.grf_bytes);
    if (!kernel)
        return false;
    Diagnostics diagnostics;
    const auto module = text::parse(kernel->text, {device.grf_bytes}, diagnostics);
    if (!module)
        return false;
    const auto lines = full_code(given);
    for (const Function& function : module->functions) {
        for (const Instruction& instruction : function.code) {
            if (instruction.row != row_of(file))
                continue;
            const size_t begin = kernel->text.rfind('\n', instruction.where.offset) + 1;
            const size_t end = kernel->text.find('\n', begin);
            if (std::ranges::find(lines, kernel->text.substr(begin, end - begin)) != lines.end())
                take_instruction(function, instruction, facts);
        }
    }
    return true;
}

void take_sweeps(const CaseFile& file, Facts& facts) {
    const auto planned = plan(file);
    if (!planned)
        return;
    for (const Planned& one : *planned) {
        facts.insert(fmt::format("size {}", one.size));
        if (one.to)
            facts.insert(fmt::format("dst {}", oracle::name(*one.to)));
        else
            facts.insert("dst bool");
        const Second second = second_of(*row_of(file), !one.to);
        if (second == Second::variable)
            facts.insert(
                fmt::format("{} {}", file.mnemonic == "addc" ? "carry" : "borrow", oracle::name(*one.to)));
        if (second == Second::predicate && one.to)
            facts.insert("pred_dst bool");
        for (size_t s = 0; s < one.from.size(); ++s)
            facts.insert(fmt::format("src{} {}", s, oracle::name(one.from[s])));
    }
}

Facts excepted(const CaseFile& file) {
    Facts facts;
    for (const auto& [list, reason] : file.exceptions) {
        const auto words = words_of(list);
        for (size_t i = 1; i < words.size(); ++i)
            facts.insert(words[0] + " " + words[i]);
    }
    return facts;
}

const char* folder_of(const isa::Row& row) {
    return row.form == isa::TextForm::lsc_typed ? "lsc_typed"
                                                : family_names.at(static_cast<size_t>(row.family));
}

// Failures, told.
int check(const isa::Row& row, const std::string& folder) {
    const std::string path = fmt::format("{}/{}/{}.case", folder, folder_of(row), row.mnemonic);
    const auto file = read_case_file(path);
    if (!file) {
        fmt::print("{}: no cases: {}\n", row.mnemonic, file.error());
        return 1;
    }
    int failures = 0;
    Facts seen;
    for (const LiteralCase& given : file->cases) {
        if (!take_literal(*file, given, seen)) {
            fmt::print("{}:{}: case {} does not parse\n", path, given.line, given.name);
            ++failures;
        }
    }
    if (file->cases.empty()) {
        fmt::print("{}: no literal case\n", path);
        ++failures;
    }
    take_sweeps(*file, seen);
    const isa::Fidelity fidelity = isa::fidelity(row);
    const double bound = fidelity == isa::Fidelity::exact            ? 0
                         : fidelity == isa::Fidelity::within_one_ulp ? 1
                                                                     : 2;
    if (file->ulps > bound) {
        fmt::print("{}: {} ulps, but the row says {}\n", path, file->ulps, isa::name_of(fidelity));
        ++failures;
    }
    const Facts exceptions = excepted(*file);
    for (const std::string& fact : wanted(row)) {
        if (seen.contains(fact) == exceptions.contains(fact)) {
            fmt::print("{}: {} is {}\n", path, fact,
                       seen.contains(fact) ? "covered, though the file says it cannot be" : "not covered");
            ++failures;
        }
    }
    return failures;
}

// Memory messages are also drawn at random, with all their literals.
int check_swept(const isa::Row& row) {
    constexpr std::array families{isa::Family::scattered, isa::Family::block, isa::Family::svm,
                                  isa::Family::lsc, isa::Family::atomic};
    const bool moves = isa::has(row, isa::reads_memory) || isa::has(row, isa::writes_memory);
    // Blocks are tile_sweep's; pixels and counters have no addresses to draw.
    // Messages of the newest device have literal cases alone.
    const bool newest = row.devices == isa::from(isa::DeviceId::cri);
    const bool elsewhere = row.form == isa::TextForm::lsc_block2d || row.form == isa::TextForm::lsc_typed ||
                           row.form == isa::TextForm::lsc_state_info ||
                           isa::operand_index(row, "src0_data") >= 0;
    if (!moves || elsewhere || newest || std::ranges::find(families, row.family) == families.end() ||
        is_swept(row.mnemonic, row.exec_sizes))
        return 0;
    fmt::print("{}: message_sweep does not have it, or not in each size\n", row.mnemonic);
    return 1;
}

int check_all(const std::string& folder) {
    int failures = 0;
    size_t covered = 0;
    size_t without_device = 0;
    for (const isa::Row* row : isa::table()) {
        if (*row->unsupported != '\0')
            continue;
        if (devices_for(*row, {}).empty()) {
            ++without_device;
        } else {
            failures += check(*row, folder) + check_swept(*row);
            ++covered;
        }
    }
    fmt::print("{} rows have cases, {} are of no device here, {} failures\n", covered, without_device,
               failures);
    return failures;
}

} // namespace

} // namespace visor::exec_test

int main(int count, char** words) {
    return count == 2 && visor::exec_test::check_all(words[1]) == 0 ? 0 : 1;
}
