#include "mutation.h"

#include "isa/predefined.h"
#include "isa/table.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace visor::seeded {

namespace {

using isa::FieldKind;

bool touches_memory(const isa::Row& row) {
    return isa::has(row, isa::reads_memory) || isa::has(row, isa::writes_memory);
}

bool is_named(const Instruction& instruction, std::string_view mnemonic) {
    return instruction.row->mnemonic == mnemonic;
}

std::optional<size_t> index_of(const Instruction& instruction, std::string_view field) {
    const int index = isa::operand_index(*instruction.row, field);
    if (index < 0 || static_cast<size_t>(index) >= instruction.operands.size())
        return std::nullopt;
    return static_cast<size_t>(index);
}

const Operand* operand_named(const Instruction& instruction, std::string_view field) {
    const auto at = index_of(instruction, field);
    return at ? &instruction.operands[*at] : nullptr;
}

// ---- which operand of a message says where: its name in the row, and how a step of it is written ----

enum class Step : uint8_t { none, literal, number, scalar, lanes };
struct Address {
    Step step = Step::none;
    size_t operand = 0;
    bool counts_elements = false; // a step is one, whatever an element's size
};

Address address_of(const Instruction& instruction) {
    const isa::Row& row = *instruction.row;
    if (!touches_memory(row) || row.family == isa::Family::sampler || row.family == isa::Family::typed)
        return {};
    for (const std::string_view name : {"addr_imm_offset", "x_offset"}) // LSC
        if (const auto at = index_of(instruction, name))
            return {Step::literal, *at, name == "x_offset"};
    const bool counts = is_named(instruction, "gather") || is_named(instruction, "scatter") ||
                        is_named(instruction, "oword_ld") || is_named(instruction, "oword_st");
    for (const std::string_view name :
         {"offset", "global_offset", "address", "addresses", "element_offset"}) {
        const auto at = index_of(instruction, name);
        if (!at)
            continue;
        const Operand& operand = instruction.operands[*at];
        if (operand.kind == OperandKind::immediate)
            return {Step::number, *at, counts};
        if (operand.kind == OperandKind::general)
            return {Step::scalar, *at, counts};
        if (operand.kind == OperandKind::raw && !is_null(operand))
            return {Step::lanes, *at, counts};
    }
    return {};
}

// ---- the rules ----

bool is_guard(const Function& function, uint32_t at) {
    const Instruction& instruction = function.code[at];
    if (!is_named(instruction, "goto") || instruction.predicate.id == 0)
        return false;
    const Operand* label = operand_named(instruction, "label");
    // Forward: what it skips stands behind it.
    for (size_t i = at + 1; label != nullptr && i < function.code.size(); ++i)
        if (is_named(function.code[i], "label") && function.code[i].operands.front().id == label->id)
            return true;
    return false;
}

bool is_input(const Function& function, const Operand& operand) {
    if (operand.kind != OperandKind::general || isa::is_predefined(operand.id))
        return false;
    const uint32_t root = root_of(function, operand.id).id;
    return std::ranges::any_of(function.inputs, [&](const Input& input) {
        return input.klass == InputClass::general && root_of(function, input.id).id == root;
    });
}

bool initialises(const Function& function, const Instruction& instruction) {
    if (instruction.predicate.id != 0)
        return false;
    if (is_named(instruction, "movs"))
        return instruction.operands.front().kind == OperandKind::state_surface;
    if (!is_named(instruction, "mov") && !is_named(instruction, "setp"))
        return false;
    const Operand& destination = instruction.operands.front();
    const Operand& source = instruction.operands.back();
    const bool variable = destination.kind == OperandKind::predicate ||
                          (destination.kind == OperandKind::general && !isa::is_predefined(destination.id));
    return variable && (source.kind == OperandKind::immediate || is_input(function, source));
}

// Codes of cmp's relation, as rows write them: eq ne gt ge lt le.
constexpr uint64_t gt = 2;
constexpr uint64_t le = 5;

bool compares_order(const Instruction& instruction) {
    if (!is_named(instruction, "cmp"))
        return false;
    const Operand* relation = operand_named(instruction, "rel_op");
    return relation != nullptr && relation->value >= gt && relation->value <= le;
}

bool is_float(const Function& function, const Operand& operand) {
    if (operand.kind == OperandKind::general)
        return isa::is_float(general_type(function, operand.id));
    return (operand.kind == OperandKind::immediate || operand.kind == OperandKind::indirect) &&
           isa::is_float(operand.type);
}

bool compares_integers(const Function& function, const Instruction& instruction) {
    if (!compares_order(instruction))
        return false;
    const size_t count = instruction.operands.size();
    return !is_float(function, instruction.operands[count - 1]) &&
           !is_float(function, instruction.operands[count - 2]);
}

class Collector {
public:
    Collector(const Function& function, const Behaviour& behaviour)
        : function_(function), behaviour_(behaviour) {}

    std::vector<Site> collect() {
        for (uint32_t i = 0; i < function_.code.size(); ++i)
            look_at(i);
        return std::move(sites_);
    }

private:
    void look_at(uint32_t at) {
        const Instruction& instruction = function_.code[at];
        const isa::Row& row = *instruction.row;
        const auto found = behaviour_.find(at);
        const Observed observed = found == behaviour_.end() ? Observed{} : found->second;
        if (is_named(instruction, "barrier") ||
            (is_named(instruction, "sbarrier") && instruction.operands.front().value == 1))
            add(Operator::remove_barrier, at);
        if (row.form == isa::TextForm::fence || row.form == isa::TextForm::lsc_fence)
            add(Operator::remove_fence, at);
        if (observed.unit_bytes != 0 && address_of(instruction).step != Step::none)
            add(Operator::shift_index, at);
        if (initialises(function_, instruction) || observed.initialises)
            add(Operator::drop_initialisation, at);
        if (compares_integers(function_, instruction))
            add(Operator::move_bound, at);
        if ((instruction.predicate.id != 0 && touches_memory(row)) || is_guard(function_, at))
            add(Operator::weaken_predicate, at);
        if (instruction.predicate.id != 0 && instruction.predicate.control != PredicateControl::none)
            add(Operator::weaken_predicate, at, 1);
    }

    void add(Operator what, uint32_t at, uint8_t variant = 0) {
        const uint32_t number = ++counts_[static_cast<size_t>(what)];
        sites_.push_back({what, at, number, variant});
    }

    const Function& function_;
    const Behaviour& behaviour_;
    std::array<uint32_t, operators> counts_{};
    std::vector<Site> sites_;
};

// ---- what they do ----

void erase(Mutant& mutant, uint32_t at) {
    mutant.function.code.erase(mutant.function.code.begin() + at);
    mutant.original.erase(mutant.original.begin() + at);
}

void remove_barrier(Mutant& mutant, uint32_t at) {
    std::vector<Instruction>& code = mutant.function.code;
    if (is_named(code[at], "sbarrier")) { // with the wait that belongs to it
        const auto wait = std::find_if(code.begin() + at + 1, code.end(), [](const Instruction& next) {
            return is_named(next, "sbarrier") && next.operands.front().value == 0;
        });
        if (wait != code.end())
            erase(mutant, static_cast<uint32_t>(wait - code.begin()));
    }
    erase(mutant, at);
}

uint32_t declare(Function& function, GeneralVariable variable) {
    function.general.push_back(std::move(variable));
    return isa::first_user_general + static_cast<uint32_t>(function.general.size()) - 1;
}

Instruction addition(Execution execution, uint32_t to, const Operand& from, isa::Type type, uint64_t step) {
    Instruction add;
    add.row = isa::find("add");
    add.execution = execution;
    Operand destination;
    destination.kind = OperandKind::general;
    destination.id = to;
    destination.region.horizontal = 1;
    Operand number;
    number.kind = OperandKind::immediate;
    number.type = type;
    number.value = step;
    add.operands = {destination, from, number};
    return add;
}

// The address goes through an addition into a variable of its own.
void add_before(Mutant& mutant, uint32_t at, const Address& address, uint64_t step) {
    Function& function = mutant.function;
    const Operand operand = function.code[at].operands[address.operand];
    const bool by_lane = address.step == Step::lanes;
    Execution execution = function.code[at].execution;
    execution.no_mask = true;
    if (!by_lane)
        execution.size = 1;
    const bool wide =
        function.code[at].row->family == isa::Family::svm || is_named(function.code[at], "svm_atomic");
    const isa::Type type =
        by_lane ? (wide ? isa::Type::uq : isa::Type::ud) : general_type(function, operand.id);
    const uint32_t shifted = declare(
        function, {.name = "Vshifted", .type = type, .elements = execution.size, .align = Align::grf});
    Operand from = operand;
    if (by_lane) {
        from = {};
        from.kind = OperandKind::general;
        from.id = declare(function, {.name = "Vaddress",
                                     .type = type,
                                     .elements = execution.size,
                                     .alias = operand.id,
                                     .alias_offset = static_cast<uint32_t>(operand.offset)});
        from.region = {1, 1, 0};
    }
    Operand to = operand;
    to.id = shifted;
    to.offset = 0;
    to.row = 0;
    to.column = 0;
    function.code[at].operands[address.operand] = to;
    const isa::Type immediate = wide && isa::size_of(type) == 8 ? isa::Type::uq : isa::Type::ud;
    function.code.insert(function.code.begin() + at, addition(execution, shifted, from, immediate, step));
    mutant.original.insert(mutant.original.begin() + at, UINT32_MAX);
}

void shift_index(Mutant& mutant, uint32_t at, uint32_t unit_bytes) {
    Instruction& instruction = mutant.function.code[at];
    const Address address = address_of(instruction);
    const uint64_t step = address.counts_elements ? 1 : unit_bytes;
    if (address.step == Step::literal || address.step == Step::number)
        instruction.operands[address.operand].value += step;
    else
        add_before(mutant, at, address, step);
}

// lt and le, gt and ge: which side equality is on.
void move_bound(Instruction& instruction) {
    instruction.operands[*index_of(instruction, "rel_op")].value ^= 1U;
}

void weaken(Mutant& mutant, uint32_t at, uint8_t variant) {
    Instruction& instruction = mutant.function.code[at];
    if (variant == 1)
        instruction.predicate.control = instruction.predicate.control == PredicateControl::any
                                            ? PredicateControl::all
                                            : PredicateControl::any;
    else if (is_named(instruction, "goto"))
        erase(mutant, at);
    else
        instruction.predicate = {};
}

} // namespace

std::vector<Site> sites(const Function& function, const Behaviour& behaviour) {
    return Collector(function, behaviour).collect();
}

Mutant mutate(const Function& function, const Site& site, const Behaviour& behaviour) {
    Mutant mutant{function, std::vector<uint32_t>(function.code.size())};
    std::iota(mutant.original.begin(), mutant.original.end(), 0U);
    switch (site.what) {
    case Operator::remove_barrier:
        remove_barrier(mutant, site.instruction);
        break;
    case Operator::remove_fence:
    case Operator::drop_initialisation:
        erase(mutant, site.instruction);
        break;
    case Operator::shift_index:
        shift_index(mutant, site.instruction, behaviour.at(site.instruction).unit_bytes);
        break;
    case Operator::move_bound:
        move_bound(mutant.function.code[site.instruction]);
        break;
    case Operator::weaken_predicate:
        weaken(mutant, site.instruction, site.variant);
        break;
    }
    return mutant;
}

} // namespace visor::seeded
