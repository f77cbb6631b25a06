#include "jit/plan.h"

#include "isa/opcode.h"
#include "isa/predefined.h"

#include <algorithm>
#include <iterator>

namespace visor::jit {

namespace {

namespace opcode = isa::opcode;

constexpr uint8_t opcode_fence = 0x5c;
constexpr uint8_t opcode_lsc_fence = 0x8b;
constexpr uint8_t opcode_cache_flush = 0x5a;
constexpr uint8_t opcode_dpasw = 0x1c;
constexpr uint8_t opcode_and = 0x20;
constexpr uint8_t opcode_or = 0x21;
constexpr uint8_t opcode_mov = 0x29;

// Larger register stretches stay in memory: as values they would only be taken apart and put together.
constexpr uint32_t largest_value = 2048;
constexpr size_t largest_code = 12'000;
constexpr size_t most_joins = 2'000;

bool is_register(const PreparedOperand& operand) {
    return (operand.kind == OperandKind::general || operand.kind == OperandKind::raw) && !operand.null;
}

bool is_result(const PreparedInstruction& instruction, size_t operand) {
    const isa::FieldKind kind = isa::field_of_operand(*instruction.row, operand).kind;
    return kind == isa::FieldKind::vector_dst || kind == isa::FieldKind::raw_dst;
}

bool is_goto(const PreparedInstruction& instruction) {
    return instruction.row->opcode == opcode::goto_;
}

class Planner {
public:
    Planner(const Program& program, uint32_t simd, bool full)
        : program_(program), simd_(simd), full_(full) {}

    Plan run() {
        find_roots();
        pin();
        mark_inputs();
        find_convergence();
        find_leaders();
        find_float_modes();
        find_alive();
        return std::move(plan_);
    }

private:
    [[nodiscard]] size_t size() const { return program_.code.size(); }

    void find_roots() {
        std::vector<std::pair<uint32_t, uint32_t>> reached; // limit, base
        for (const PreparedOperand& operand : program_.operands)
            if (is_register(operand))
                reached.emplace_back(operand.limit, operand.base);
        std::ranges::sort(reached);
        uint32_t limit = UINT32_MAX;
        for (const auto& [end, base] : reached) {
            if (end == limit)
                continue;
            limit = end;
            const uint32_t first = base / 4 * 4;
            plan_.roots.push_back({.base = first, .bytes = (end - first + 3) / 4 * 4});
        }
    }

    void pin_at(uint32_t byte) {
        const auto root =
            std::ranges::find_if(plan_.roots, [byte](const Root& r) { return r.base + r.bytes > byte; });
        if (root != plan_.roots.end())
            root->pinned = true;
    }

    void pin() {
        for (Root& root : plan_.roots)
            root.pinned = root.bytes > largest_value;
        // Values are kept in dwords.
        for (const PreparedOperand& operand : program_.operands)
            if (is_register(operand) && operand.base % std::clamp<uint32_t>(isa::size_of(operand.type), 1, 4) != 0)
                pin_at(operand.base);
        for (const PreparedInstruction& instruction : program_.code)
            for (const PreparedOperand& operand : program_.operands_of(instruction))
                if (operand.kind == OperandKind::address_of)
                    pin_at(operand.base);
        const uint32_t last = program_.calls ? isa::predefined_count - 1U : 0;
        for (uint32_t id = 1; id <= last; ++id)
            if (program_.variables[id].used)
                pin_at(program_.variables[id].base);
        // An address that is added to a variable's name.
        for (const PreparedInstruction& instruction : program_.code) {
            if (instruction.row->family != isa::Family::address)
                continue;
            for (const PreparedOperand& operand : program_.operands_of(instruction))
                if (is_register(operand))
                    pin_at(operand.base);
        }
        pin_at(program_.register_base(isa::Predefined::cr0));
        pin_at(program_.register_base(isa::Predefined::ce0));
        pin_at(program_.register_base(isa::Predefined::tsc));
    }

    void mark_input(uint32_t id) {
        if (id >= program_.variables.size() || !program_.variables[id].used)
            return;
        const uint32_t base = program_.variables[id].base;
        const uint32_t end = base + std::max(program_.variables[id].bytes, 1U);
        for (Root& root : plan_.roots)
            root.input = root.input || (root.base < end && base < root.base + root.bytes);
    }

    void mark_inputs() {
        for (uint32_t id = 1; id < isa::predefined_count; ++id)
            mark_input(id);
        for (const Input& input : program_.function->inputs)
            if (input.klass == InputClass::general)
                mark_input(input.id);
    }

    // ---- where all lanes are together

    void find_convergence() {
        plan_.convergent.assign(size(), true);
        plan_.plain_branch.assign(size(), false);
        const bool whole = program_.function->kind == FunctionKind::kernel && !has(opcode::call) &&
                           !returns_early();
        if (!whole) {
            plan_.convergent.assign(size(), false);
            return;
        }
        std::vector<bool> spans(size(), false);
        for (size_t i = 0; i < size(); ++i)
            spans[i] = is_goto(program_.code[i]) && program_.code[i].execution.size != 1;
        for (bool changed = true; changed;) {
            plan_.convergent.assign(size(), true);
            cover(spans);
            changed = false;
            for (size_t i = 0; i < size(); ++i) {
                if (is_goto(program_.code[i]) && !spans[i] && !plan_.convergent[i]) {
                    spans[i] = true;
                    changed = true;
                }
            }
        }
        for (size_t i = 0; i < size(); ++i)
            plan_.plain_branch[i] = is_goto(program_.code[i]) && !spans[i];
    }

    // Between a goto that lanes take one by one and its label, some of them wait there.
    void cover(const std::vector<bool>& spans) {
        std::vector<int> depth(size() + 1, 0);
        for (size_t i = 0; i < size(); ++i) {
            if (!spans[i])
                continue;
            const size_t target = program_.code[i].target;
            if (target > i) {
                ++depth[i + 1];
                --depth[std::min(target, size())];
            } else {
                ++depth[target];
                --depth[i + 1];
            }
        }
        int open = 0;
        for (size_t i = 0; i < size(); ++i) {
            open += depth[i];
            if (open > 0)
                plan_.convergent[i] = false;
        }
    }

    [[nodiscard]] bool has(uint8_t code) const {
        return std::ranges::any_of(program_.code,
                                   [code](const PreparedInstruction& i) { return i.row->opcode == code; });
    }

    // Lanes that end before the others.
    [[nodiscard]] bool returns_early() const {
        for (size_t i = 0; i + 1 < size(); ++i)
            if (program_.code[i].row->opcode == opcode::ret)
                return true;
        return false;
    }

    // ---- blocks and entries

    void find_leaders() {
        plan_.leader.assign(size() + 1, false);
        plan_.leader[0] = true;
        plan_.entries.push_back(0);
        for (size_t i = 0; i < size(); ++i) {
            const PreparedInstruction& instruction = program_.code[i];
            const isa::Row& row = *instruction.row;
            if (isa::has(row, isa::atomic_access) || row.opcode == opcode_fence ||
                row.opcode == opcode_lsc_fence)
                plan_.spins = true;
            if (instruction.join != no_target)
                plan_.leader[i] = true;
            if (isa::has(row, isa::ends_block) || may_stop(instruction))
                plan_.leader[i + 1] = true;
            for (const PreparedOperand& operand : program_.operands_of(instruction))
                if (operand.kind == OperandKind::label)
                    plan_.leader[std::min<size_t>(operand.base, size())] = true;
            if (may_stop(instruction) && i + 1 < size())
                plan_.entries.push_back(static_cast<uint32_t>(i + 1));
        }
        for (size_t i = 0; i < size(); ++i)
            for (const PreparedOperand& operand : program_.operands_of(program_.code[i]))
                if (operand.kind == OperandKind::label && operand.base <= i && plan_.spins)
                    plan_.entries.push_back(operand.base);
        std::ranges::sort(plan_.entries);
        const auto [first, last] = std::ranges::unique(plan_.entries);
        plan_.entries.erase(first, last);
    }

    // ---- %cr0

    [[nodiscard]] bool writes_mode(const PreparedInstruction& instruction) const {
        const auto operands = program_.operands_of(instruction);
        const uint32_t mode = program_.register_base(isa::Predefined::cr0);
        for (size_t k = 0; k < operands.size(); ++k) {
            const PreparedOperand& operand = operands[k];
            if (is_result(instruction, k) &&
                ((is_register(operand) && operand.base <= mode && mode < operand.limit) ||
                 operand.kind == OperandKind::indirect))
                return true;
        }
        return false;
    }

    [[nodiscard]] std::optional<uint32_t> mode_after(const PreparedInstruction& instruction,
                                                     std::optional<uint32_t> mode) const {
        if (isa::has(*instruction.row, isa::ends_block) && instruction.row->family == isa::Family::flow &&
            (instruction.row->opcode == opcode::fcall || instruction.row->opcode == opcode::ifcall))
            return std::nullopt;
        if (!writes_mode(instruction))
            return mode;
        const auto operands = program_.operands_of(instruction);
        const uint32_t place = program_.register_base(isa::Predefined::cr0);
        const bool simple = instruction.execution.size == 1 && instruction.execution.no_mask &&
                            instruction.predicate.id == 0 && operands.size() >= 2 &&
                            operands[0].kind == OperandKind::general && operands[0].base == place &&
                            isa::size_of(operands[0].type) == 4;
        if (!simple)
            return std::nullopt;
        const auto value = [&](const PreparedOperand& operand) -> std::optional<uint32_t> {
            if (operand.modifier != SourceModifier::none)
                return std::nullopt;
            if (operand.kind == OperandKind::immediate && isa::is_integer(operand.type))
                return static_cast<uint32_t>(operand.value);
            if (operand.kind == OperandKind::general && operand.base == place)
                return mode;
            return std::nullopt;
        };
        const auto first = value(operands[1]);
        const uint8_t code = instruction.row->opcode;
        if (code == opcode_mov)
            return first;
        if (operands.size() < 3 || !first)
            return std::nullopt;
        const auto second = value(operands[2]);
        if (!second || (code != opcode_and && code != opcode_or))
            return std::nullopt;
        return code == opcode_and ? *first & *second : *first | *second;
    }

    // One pass in code order: at a label that is reached from elsewhere the mode is known when the whole
    // function agrees on one, or nothing changes it but the beginning.
    void find_float_modes() {
        plan_.float_mode.assign(size(), std::nullopt);
        std::optional<uint32_t> mode;
        if (program_.function->kind == FunctionKind::kernel)
            mode = 0;
        size_t first_change_after_label = size();
        bool seen_leader = false;
        for (size_t i = 0; i < size(); ++i) {
            seen_leader = seen_leader || (i > 0 && plan_.leader[i]);
            const bool changes = writes_mode(program_.code[i]) ||
                                 program_.code[i].row->opcode == opcode::fcall ||
                                 program_.code[i].row->opcode == opcode::ifcall;
            if (changes && seen_leader)
                first_change_after_label = std::min(first_change_after_label, i);
        }
        const bool settled = first_change_after_label == size(); // the first block sets it for good
        for (size_t i = 0; i < size(); ++i) {
            if (i > 0 && plan_.leader[i] && !settled)
                mode = std::nullopt;
            plan_.float_mode[i] = mode;
            mode = mode_after(program_.code[i], mode);
        }
    }

    // ---- what is alive

    // Bits by item, in words.
    using Set = std::vector<uint64_t>;

    static void insert(Set& set, uint32_t item) { set[item / 64] |= uint64_t{1} << item % 64; }
    static void erase(Set& set, uint32_t item) { set[item / 64] &= ~(uint64_t{1} << item % 64); }
    static bool unite(Set& to, const Set& from) {
        bool changed = false;
        for (size_t w = 0; w < to.size(); ++w) {
            changed = changed || (from[w] & ~to[w]) != 0;
            to[w] |= from[w];
        }
        return changed;
    }

    [[nodiscard]] bool writes_all_lanes(size_t index) const {
        const PreparedInstruction& instruction = program_.code[index];
        const Execution& execution = instruction.execution;
        return instruction.predicate.id == 0 &&
               (execution.no_mask || (full_ && plan_.convergent[index] &&
                                      execution.offset + execution.size <= simd_));
    }

    // Whether the whole root is overwritten.
    [[nodiscard]] bool overwrites(size_t index, size_t operand, const Root& root) const {
        const PreparedInstruction& instruction = program_.code[index];
        const PreparedOperand& result = program_.operands_of(instruction)[operand];
        if (!writes_all_lanes(index) || result.base > root.base ||
            isa::has(*instruction.row, isa::writes_predicate))
            return false;
        if (result.kind == OperandKind::general)
            return result.vertical == 1 && result.base + uint64_t{instruction.execution.size} *
                                                             isa::size_of(result.type) >=
                                               uint64_t{root.base} + root.bytes;
        return result.base + extent(program_.source_of(instruction), operand, program_.device->grf_bytes) >=
               uint64_t{root.base} + root.bytes;
    }

    // The set before an instruction, from the set behind it.
    void step_back(size_t index, Set& alive) const {
        const PreparedInstruction& instruction = program_.code[index];
        const auto operands = program_.operands_of(instruction);
        for (size_t k = 0; k < operands.size(); ++k) {
            if (!is_register(operands[k]) || !is_result(instruction, k))
                continue;
            const uint32_t root = plan_.root_at(operands[k].base);
            if (overwrites(index, k, plan_.roots[root]))
                erase(alive, root);
        }
        for (size_t k = 0; k < operands.size(); ++k) {
            const PreparedOperand& operand = operands[k];
            if (is_register(operand) && !is_result(instruction, k))
                insert(alive, plan_.root_at(operand.base));
            else if (is_register(operand) &&
                     !overwrites(index, k, plan_.roots[plan_.root_at(operand.base)]))
                insert(alive, plan_.root_at(operand.base));
            else if (operand.kind == OperandKind::predicate)
                insert(alive, plan_.predicate_item(operand.base));
            else if (operand.kind == OperandKind::address || operand.kind == OperandKind::indirect)
                for (uint32_t e = 0; e < 32 && operand.base + e < program_.address_elements; ++e)
                    insert(alive, plan_.address_item(program_, operand.base + e));
        }
        if (instruction.predicate.id != 0)
            insert(alive, plan_.predicate_item(instruction.predicate.id));
    }

    // Of the first instruction of each block, to a fixed point.
    void find_alive() {
        const uint32_t items =
            plan_.address_item(program_, program_.address_elements);
        const Set none((items + 63) / 64, 0);
        std::vector<uint32_t> blocks;
        for (uint32_t i = 0; i < size(); ++i)
            if (plan_.leader[i])
                blocks.push_back(i);
        if (plan_.entries.size() > 1)
            solve(blocks, none);
        else
            before_.assign(blocks.size(), none);
        for (const uint32_t entry : plan_.entries) {
            const auto block = static_cast<size_t>(std::ranges::lower_bound(blocks, entry) - blocks.begin());
            Items& alive = plan_.alive.emplace_back();
            for (uint32_t item = 0; entry != 0 && item < items; ++item)
                if ((before_[block][item / 64] >> item % 64 & 1U) != 0)
                    alive.push_back(item);
        }
    }

    void solve(const std::vector<uint32_t>& blocks, const Set& none) {
        before_.assign(blocks.size(), none);
        // Where control may go when no lane is left: any later join.
        std::vector<Set> parked(program_.joins.size() + 1, none);
        const auto block_of = [&](uint32_t index) {
            return static_cast<size_t>(std::ranges::upper_bound(blocks, index) - blocks.begin()) - 1;
        };
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t k = program_.joins.size(); k-- > 0;) {
                unite(parked[k], parked[k + 1]);
                unite(parked[k], before_[block_of(program_.joins[k])]);
            }
            for (size_t b = blocks.size(); b-- > 0;) {
                const auto end = static_cast<uint32_t>(b + 1 < blocks.size() ? blocks[b + 1] : size());
                Set alive = b + 1 < blocks.size() ? before_[b + 1] : none;
                const PreparedInstruction& last = program_.code[end - 1];
                for (const PreparedOperand& operand : program_.operands_of(last))
                    if (operand.kind == OperandKind::label && operand.base < size())
                        unite(alive, before_[block_of(operand.base)]);
                if (last.row->family == isa::Family::flow) {
                    const auto next =
                        static_cast<size_t>(std::ranges::lower_bound(program_.joins, end) -
                                            program_.joins.begin());
                    unite(alive, parked[next]);
                }
                for (uint32_t i = end; i-- > blocks[b];)
                    step_back(i, alive);
                changed = unite(before_[b], alive) || changed;
            }
        }
    }

    const Program& program_;
    uint32_t simd_;
    bool full_;
    Plan plan_;
    std::vector<Set> before_; // by block
};

} // namespace

uint32_t Plan::root_at(uint32_t byte) const {
    const auto next = std::ranges::upper_bound(roots, byte, {}, &Root::base);
    return static_cast<uint32_t>(std::distance(roots.begin(), next)) - 1U;
}

bool may_stop(const PreparedInstruction& instruction) {
    const isa::Row& row = *instruction.row;
    switch (row.opcode) {
    case opcode_fence:
    case opcode_lsc_fence:
    case opcode_cache_flush:
        return false;
    case opcode::fcall:
    case opcode::ifcall:
    case opcode::fret:
    case opcode::call:
        return true;
    default:
        return row.family == isa::Family::sync || row.opcode == opcode_dpasw;
    }
}

const char* refusal(const Program& program) {
    if (program.code.size() > largest_code)
        return "it is too long";
    if (program.joins.size() > most_joins)
        return "it has too many labels";
    if (program.calls || program.function->kind != FunctionKind::kernel)
        return "it calls functions";
    for (const PreparedInstruction& instruction : program.code) {
        if (instruction.row->opcode == opcode::call)
            return "it has subroutines";
        if (instruction.row->opcode == opcode::switchjmp &&
            std::ranges::any_of(program.operands_of(instruction), [](const PreparedOperand& operand) {
                return operand.kind == OperandKind::indirect;
            }))
            return "it jumps by an indirect operand";
    }
    return "";
}

Plan make_plan(const Program& program, uint32_t simd, bool full) {
    return Planner(program, simd, full).run();
}

} // namespace visor::jit
