// The passes over instructions.
#include "isa/marks.h"
#include "reduce/search.h"
#include "reduce/simplify.h"
#include "text/text.h"

#include <fmt/format.h>

namespace visor::reduce {

namespace {

// The instruction as `text::print` indents it.
std::string line_for(const Function& function, const Instruction& instruction) {
    return fmt::format("    {}", text::print(function, instruction));
}

// An instruction simplified step by step. The line numbers of the others stay what they are.
void simplify(Search& search, const Function& function, Instruction instruction, size_t line) {
    for (size_t step = 0; step < simplification_steps(instruction) && !search.stopped(); ++step) {
        auto next = simplified(function, instruction, step);
        if (!next)
            continue;
        Lines candidate = search.lines();
        candidate[line] = line_for(function, *next);
        if (search.take(candidate))
            instruction = *std::move(next);
    }
}

// ---- a result replaced by what it was made of

struct Substitution {
    uint32_t result = 0;
    uint32_t source = 0;
};

bool is_declared(const Operand& operand) {
    return operand.kind == OperandKind::general && operand.id >= isa::first_user_general;
}

// Each source that may stand for the instruction's result, those of its type first.
std::vector<Substitution> substitutions_of(const Function& function, const Instruction& instruction) {
    std::vector<Substitution> alike;
    std::vector<Substitution> others;
    for (size_t d = 0; d < instruction.operands.size(); ++d) {
        const Operand& result = instruction.operands[d];
        if (isa::field_of_operand(*instruction.row, d).kind != isa::FieldKind::vector_dst ||
            !is_declared(result))
            continue;
        for (size_t s = 0; s < instruction.operands.size(); ++s) {
            const Operand& source = instruction.operands[s];
            if (s == d || !is_declared(source) || source.id == result.id)
                continue;
            const bool same = general_type(function, source.id) == general_type(function, result.id);
            (same ? alike : others).push_back({result.id, source.id});
        }
    }
    alike.insert(alike.end(), others.begin(), others.end());
    return alike;
}

enum class Renamed : uint8_t { sources, all };

// The instruction's operands renamed; whether there was one.
bool substitute(Instruction& instruction, const Substitution& wanted, Renamed which) {
    bool changed = false;
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
        const isa::FieldKind kind = isa::field_of_operand(*instruction.row, i).kind;
        Operand& operand = instruction.operands[i];
        const bool reads = kind == isa::FieldKind::vector_src || kind == isa::FieldKind::scalar_src ||
                           kind == isa::FieldKind::raw_src;
        const bool names = operand.kind == OperandKind::general || operand.kind == OperandKind::raw;
        if ((reads || which == Renamed::all) && names && operand.id == wanted.result) {
            operand.id = wanted.source;
            changed = true;
        }
    }
    return changed;
}

bool try_substitution(Search& search, size_t function_index, size_t at, const Substitution& wanted) {
    const Function& function = search.module()->functions[function_index];
    const LineIndex index(search.lines());
    Lines candidate = search.lines();
    for (size_t i = 0; i < function.code.size(); ++i) {
        Instruction instruction = function.code[i];
        if (i != at && substitute(instruction, wanted, Renamed::sources))
            candidate[index.line_of(instruction.where)] = line_for(function, instruction);
    }
    candidate.erase(candidate.begin() + static_cast<ptrdiff_t>(index.line_of(function.code[at].where)));
    return search.take(candidate);
}

// The variable that shares another one's storage, under the other one's name: its type is that one's then.
void try_merge(Search& search, size_t function_index, size_t variable) {
    const Function& function = search.module()->functions[function_index];
    const GeneralVariable& alias = function.general[variable];
    const Substitution wanted{isa::first_user_general + static_cast<uint32_t>(variable), alias.alias};
    const LineIndex index(search.lines());
    Lines candidate = search.lines();
    for (Instruction instruction : function.code)
        if (substitute(instruction, wanted, Renamed::all))
            candidate[index.line_of(instruction.where)] = line_for(function, instruction);
    candidate.erase(candidate.begin() + static_cast<ptrdiff_t>(index.line_of(alias.where)));
    search.take(candidate);
}

} // namespace

void remove_instructions(Search& search) {
    std::vector<size_t> removable;
    for (size_t i = 0; i < search.lines().size(); ++i)
        if (search.kind(i) == LineKind::other)
            removable.push_back(i);
    const Lines lines = search.lines();
    remove_lines(lines, removable, [&](const Lines& candidate) { return search.take(candidate); });
}

void substitute_results(Search& search) {
    if (!search.module())
        return;
    for (size_t f = 0; f < search.module()->functions.size(); ++f) {
        for (size_t i = search.module()->functions[f].code.size(); i-- > 0 && !search.stopped();) {
            const Function& function = search.module()->functions[f];
            for (const Substitution& wanted : substitutions_of(function, function.code[i]))
                if (try_substitution(search, f, i, wanted))
                    break; // the module is another one now, and the instruction is gone
        }
    }
}

void merge_aliases(Search& search) {
    if (!search.module())
        return;
    for (size_t f = 0; f < search.module()->functions.size(); ++f)
        for (size_t v = search.module()->functions[f].general.size(); v-- > 0 && !search.stopped();) {
            const GeneralVariable& variable = search.module()->functions[f].general[v];
            if (variable.alias != 0 && variable.alias_offset == 0)
                try_merge(search, f, v);
        }
}

void simplify_instructions(Search& search) {
    if (!search.module())
        return;
    const Module module = *search.module(); // lines are replaced one by one: all others keep their numbers
    const LineIndex index(search.lines());
    for (const Function& function : module.functions)
        for (size_t i = function.code.size(); i-- > 0 && !search.stopped();)
            if (!isa::is_mark(*function.code[i].row))
                simplify(search, function, function.code[i], index.line_of(function.code[i].where));
}

} // namespace visor::reduce
