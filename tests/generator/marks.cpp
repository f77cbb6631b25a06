#include "marks.h"

#include "isa/opcode.h"
#include "isa/table.h"
#include "variables.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace visor::generator {

namespace {

constexpr uint32_t unnumbered = std::numeric_limits<uint32_t>::max();

// Calls `visit` with every operand of this kind, in order.
template <class Visit>
void each_operand(Function& function, OperandKind kind, Visit visit) {
    for (Instruction& instruction : function.code) {
        for (Operand& operand : instruction.operands) {
            if (operand.kind == kind)
                visit(operand);
        }
    }
}

// New ids in order of first appearance; `list` is put in that order and loses what does not appear.
template <class Item>
void number(Function& function, OperandKind kind, std::vector<Item>& list) {
    std::vector<uint32_t> new_ids(list.size(), unnumbered);
    std::vector<Item> kept;
    each_operand(function, kind, [&](Operand& operand) {
        uint32_t& id = new_ids[operand.id];
        if (id == unnumbered) {
            id = static_cast<uint32_t>(kept.size());
            kept.push_back(std::move(list[operand.id]));
        }
        operand.id = id;
    });
    list = std::move(kept);
}

bool is_jumped_to(LabelKind kind) {
    return kind == LabelKind::block || kind == LabelKind::divergent_resource_loop;
}

bool is_of(LabelKind kind, LabelKind wanted) {
    return kind == wanted || (is_jumped_to(kind) && is_jumped_to(wanted));
}

} // namespace

uint32_t Marks::add(LabelKind kind) {
    const auto id = static_cast<uint32_t>(function_.labels.size());
    Label label;
    label.kind = kind;
    std::string plain = "L" + std::to_string(id);
    if (kind == LabelKind::block && random_.one_in(8)) {
        label.kind = LabelKind::divergent_resource_loop; // the name says it
        plain = "___opt_resource_loop_" + std::to_string(id);
    }
    label.name = label.kind == LabelKind::divergent_resource_loop ? plain : odd_name(random_, plain);
    const auto is_taken = [&](const Label& other) { return other.name == label.name; };
    if (std::ranges::any_of(function_.labels, is_taken))
        label.name = plain;
    function_.labels.push_back(std::move(label));
    return id;
}

uint32_t Marks::used(LabelKind kind) {
    const auto start = static_cast<uint32_t>(random_.below(function_.labels.size() + 1));
    for (uint32_t id = start; id < function_.labels.size(); ++id) {
        if (is_of(function_.labels[id].kind, kind))
            return id;
    }
    return add(kind);
}

uint32_t Marks::defined(LabelKind kind) {
    const auto is_wanted = [&](const Label& label) { return !label.defined && is_of(label.kind, kind); };
    const auto found = std::ranges::find_if(function_.labels, is_wanted);
    const auto id =
        found == function_.labels.end() ? add(kind) : static_cast<uint32_t>(found - function_.labels.begin());
    function_.labels[id].defined = true;
    return id;
}

uint32_t Marks::string() {
    std::vector<std::string>& strings = function_.strings;
    const auto id = static_cast<uint32_t>(random_.below(strings.size() + 1));
    if (id < strings.size())
        return id;
    const std::string plain = "f" + std::to_string(id);
    std::string name = odd_name(random_, plain);
    if (std::ranges::find(strings, name) != strings.end())
        name = plain;
    strings.push_back(std::move(name));
    return id;
}

void Marks::define(uint32_t id, uint8_t opcode) {
    Instruction mark;
    mark.row = isa::find(opcode, -1);
    mark.operands.push_back({.kind = OperandKind::label, .id = id});
    function_.labels[id].defined = true;
    function_.code.push_back(std::move(mark));
}

// A label of another kernel is defined there.
void Marks::finish() {
    for (uint32_t id = 0; id < function_.labels.size(); ++id) {
        const Label& label = function_.labels[id];
        const bool is_function = label.kind == LabelKind::subroutine && !random_.one_in(3);
        if (!label.defined && label.kind != LabelKind::fc)
            define(id, is_function ? isa::opcode::subroutine : isa::opcode::label);
    }
    number_marks(function_);
}

void number_marks(Function& function) {
    number(function, OperandKind::label, function.labels);
    number(function, OperandKind::string, function.strings);
}

} // namespace visor::generator
