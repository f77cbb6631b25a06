#include "difference.h"

#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace visor::generator {

namespace {

std::string describe(const Operand& operand) {
    return fmt::format(
        "kind {} modifier {} type {} region <{};{},{}> row {} column {} width {} class {} id {} offset {} "
        "value 0x{:x}",
        static_cast<unsigned>(operand.kind), static_cast<unsigned>(operand.modifier),
        isa::facts(operand.type).name, operand.region.vertical, operand.region.width,
        operand.region.horizontal, operand.row, operand.column, operand.width, operand.klass, operand.id,
        operand.offset, operand.value);
}

std::string describe(const Function& function, const Instruction& instruction) {
    return fmt::format("`{}` size {} offset {}{} predicate {} control {}{}{}",
                       text::print(function, instruction), instruction.execution.size,
                       instruction.execution.offset, instruction.execution.no_mask ? " no_mask" : "",
                       instruction.predicate.id, static_cast<unsigned>(instruction.predicate.control),
                       instruction.predicate.inverted ? " inverted" : "", instruction.saturate ? " sat" : "");
}

std::string differing_operand(const Instruction& a, const Instruction& b) {
    if (a.row != b.row)
        return fmt::format("\n  rows {} and {}", a.row->mnemonic, b.row->mnemonic);
    if (a.operands.size() != b.operands.size())
        return fmt::format("\n  {} and {} operands", a.operands.size(), b.operands.size());
    for (size_t i = 0; i < a.operands.size(); ++i) {
        if (!a.operands[i].same(b.operands[i]))
            return fmt::format("\n  operand {} `{}`\n    {}\n    {}", i,
                               isa::field_of_operand(*a.row, i).name, describe(a.operands[i]),
                               describe(b.operands[i]));
    }
    return "";
}

std::string differing_instruction(const Function& a, const Function& b) {
    if (a.code.size() != b.code.size())
        return fmt::format("{} and {} instructions", a.code.size(), b.code.size());
    for (size_t i = 0; i < a.code.size(); ++i) {
        if (!a.code[i].same(b.code[i]))
            return fmt::format("instruction {}:\n  {}\n  {}{}", i, describe(a, a.code[i]),
                               describe(b, b.code[i]), differing_operand(a.code[i], b.code[i]));
    }
    return "";
}

// Without the code of both, and without one part after the other: the first whose absence makes them the same
// is the one that differs.
std::string differing_declaration(const Function& a, const Function& b) {
    Function x = a;
    Function y = b;
    x.code.clear();
    y.code.clear();
    const auto equal_without = [&](auto clear) {
        clear(x);
        clear(y);
        return same(x, y);
    };
    if (equal_without([](Function& f) { f.general.clear(); }))
        return "general variables";
    if (equal_without([](Function& f) { f.addresses.clear(), f.predicates.clear(); }))
        return "addresses or predicates";
    if (equal_without([](Function& f) { f.samplers.clear(), f.surfaces.clear(); }))
        return "samplers or surfaces";
    if (equal_without([](Function& f) { f.inputs.clear(); }))
        return "inputs";
    if (equal_without([](Function& f) { f.attributes.clear(); }))
        return "attributes";
    if (equal_without([](Function& f) { f.labels.clear(); }))
        return "labels";
    return equal_without([](Function& f) { f.strings.clear(); }) ? "strings" : "name or kind";
}

} // namespace

std::string difference(const Module& expected, const Module& found) {
    if (expected.major != found.major || expected.minor != found.minor)
        return fmt::format("version {}.{} and {}.{}", expected.major, expected.minor, found.major,
                           found.minor);
    if (expected.functions.size() != found.functions.size())
        return fmt::format("{} and {} functions", expected.functions.size(), found.functions.size());
    for (size_t i = 0; i < expected.functions.size(); ++i) {
        const Function& a = expected.functions[i];
        const Function& b = found.functions[i];
        if (same(a, b))
            continue;
        const std::string instruction = differing_instruction(a, b);
        return fmt::format("function {}: {}", i,
                           instruction.empty() ? differing_declaration(a, b) : instruction);
    }
    return "";
}

} // namespace visor::generator
