#include "jit/program/function_info.h"

#include "isa/opcode.h"
#include "isa/predefined.h"
#include "jit/program/integer_quotients.h"
#include "jit/program/lane_locality.h"
#include "jit/program/liveness.h"
#include "jit/program/rematerialize.h"
#include "jit/program/uniform_predicates.h"

#include <algorithm>
#include <iterator>

namespace visor::jit {

namespace {

namespace opcode = isa::opcode;

// Larger roots stay in memory: as values they would only be split and joined again.
constexpr uint32_t largest_promoted = 2048;
struct Length {
    size_t code;
    size_t joins;
};
constexpr Length longest{.code = 120'000, .joins = 6'000};
constexpr Length longest_tier2{.code = 12'000, .joins = 2'000};

bool is_goto(const PreparedInstruction& instruction) {
    return instruction.row->opcode == opcode::goto_;
}

class FunctionAnalysis {
public:
    FunctionAnalysis(const Program& program, uint32_t simd, bool full)
        : program_(program), simd_(simd), full_(full) {}

    FunctionInfo run() {
        find_roots();
        pin();
        mark_inputs();
        find_leaders();
        find_convergence();
        find_waits();
        const std::vector<bool> local = find_block_local_roots(program_, info_);
        for (size_t r = 0; r < local.size(); ++r)
            info_.roots[r].local = local[r];
        const std::vector<bool> by_lane = find_lane_roots(program_, info_);
        for (size_t r = 0; r < by_lane.size(); ++r)
            info_.roots[r].by_lane = by_lane[r];
        find_rematerializable(program_, info_);
        find_float_modes();
        relax_integer_quotients(program_, info_);
        compute_liveness(program_, simd_, full_, info_);
        return std::move(info_);
    }

private:
    [[nodiscard]] size_t size() const { return program_.code.size(); }

    void find_roots() {
        std::vector<std::pair<uint32_t, uint32_t>> reached; // limit, base
        const RegisterRange& addressable = program_.addressable;
        for (const PreparedOperand& operand : program_.operands)
            if (is_register(operand) && !addressable.contains(operand.base, 1))
                reached.emplace_back(operand.limit, operand.base);
        if (!addressable.empty()) // one root, even if direct operands access parts of it
            reached.emplace_back(addressable.end, addressable.begin);
        std::ranges::sort(reached);
        uint32_t limit = UINT32_MAX;
        for (const auto& [end, base] : reached) {
            if (end == limit)
                continue;
            limit = end;
            const uint32_t first = base / 4 * 4;
            info_.roots.push_back({.base = first, .bytes = (end - first + 3) / 4 * 4});
        }
    }

    void pin_at(uint32_t byte) {
        const auto root =
            std::ranges::find_if(info_.roots, [byte](const Root& r) { return r.base + r.bytes > byte; });
        if (root != info_.roots.end() && root->base <= byte)
            root->pinned = true;
    }

    void pin() {
        for (Root& root : info_.roots)
            root.pinned = root.bytes > largest_promoted;
        // Values are kept in dwords.
        for (const PreparedOperand& operand : program_.operands)
            if (is_register(operand) &&
                operand.base % std::clamp<uint32_t>(isa::size_of(operand.type), 1, 4) != 0)
                pin_at(operand.base);
        if (!program_.addressable.empty())
            pin_at(program_.addressable.begin);
        const uint32_t last = program_.calls ? isa::predefined_count - 1U : 0;
        for (uint32_t id = 1; id <= last; ++id)
            if (program_.variables[id].used)
                pin_at(program_.variables[id].base);
        pin_at(program_.register_base(isa::Predefined::cr0));
        pin_at(program_.register_base(isa::Predefined::ce0));
        pin_at(program_.register_base(isa::Predefined::tsc));
    }

    void mark_input(uint32_t id) {
        if (id >= program_.variables.size() || !program_.variables[id].used)
            return;
        const uint32_t base = program_.variables[id].base;
        const uint32_t end = base + std::max(program_.variables[id].bytes, 1U);
        for (Root& root : info_.roots)
            root.input = root.input || (root.base < end && base < root.base + root.bytes);
    }

    void mark_inputs() {
        for (uint32_t id = 1; id < isa::predefined_count; ++id)
            mark_input(id);
        for (const Input& input : program_.function->inputs)
            if (input.klass == InputClass::general)
                mark_input(input.id);
    }

    // ---- convergence

    void find_convergence() {
        info_.convergent.assign(size(), true);
        info_.plain_branch.assign(size(), false);
        const bool whole =
            program_.function->kind == FunctionKind::kernel && !has(opcode::call) && !returns_early();
        if (!whole) {
            info_.convergent.assign(size(), false);
            return;
        }
        const std::vector<bool> uniform = find_uniform_predicates(program_, info_.leader, simd_);
        std::vector<bool> divergent(size(), false);
        for (size_t i = 0; i < size(); ++i)
            divergent[i] = is_goto(program_.code[i]) && !is_uniform_branch(program_.code[i], uniform);
        for (bool changed = true; changed;) {
            info_.convergent.assign(size(), true);
            mark_divergent_ranges(divergent);
            changed = false;
            for (size_t i = 0; i < size(); ++i) {
                if (is_branch(i) && !divergent[i] && !info_.convergent[i]) {
                    divergent[i] = true;
                    changed = true;
                }
            }
        }
        for (size_t i = 0; i < size(); ++i)
            info_.plain_branch[i] = is_goto(program_.code[i]) && !divergent[i];
    }

    // Whether a goto in convergent control flow is uniform.
    [[nodiscard]] bool is_uniform_branch(const PreparedInstruction& instruction,
                                         const std::vector<bool>& uniform) const {
        const Execution& execution = instruction.execution;
        return execution.size == 1 ||
               (execution.offset == 0 && execution.size >= simd_ && uniform[instruction.predicate.id]);
    }

    [[nodiscard]] bool is_branch(size_t i) const {
        const uint8_t code = program_.code[i].row->opcode;
        return is_goto(program_.code[i]) || code == opcode::jmp || code == opcode::switchjmp;
    }

    // Control flow is divergent between a divergent goto and its label, and wherever a jump leads from there.
    void mark_divergent_ranges(const std::vector<bool>& divergent) {
        std::vector<int> depth(size() + 1, 0);
        const auto add = [&](size_t first, size_t end) {
            ++depth[first];
            --depth[std::min(end, size())];
        };
        for (size_t i = 0; i < size(); ++i) {
            if (!divergent[i])
                continue;
            for (const PreparedOperand& label : program_.operands_of(program_.code[i]))
                if (label.kind == OperandKind::label) {
                    if (label.base <= i)
                        add(label.base, i + 1);
                    else // a jump leaves lanes that are parked before its label
                        add(i + 1,
                            !is_goto(program_.code[i]) && waits_between(i, label.base) ? size() : label.base);
                }
        }
        int open = 0;
        for (size_t i = 0; i < size(); ++i) {
            open += depth[i];
            if (open > 0)
                info_.convergent[i] = false;
        }
    }

    // Whether lanes may be parked at a join after `first` and before `last`.
    [[nodiscard]] bool waits_between(size_t first, size_t last) const {
        const auto next = std::ranges::upper_bound(program_.joins, first);
        return next != program_.joins.end() && *next < last;
    }

    [[nodiscard]] bool has(uint8_t code) const {
        return std::ranges::any_of(program_.code,
                                   [code](const PreparedInstruction& i) { return i.row->opcode == code; });
    }

    // Whether lanes may return before others.
    [[nodiscard]] bool returns_early() const {
        for (size_t i = 0; i + 1 < size(); ++i)
            if (program_.code[i].row->opcode == opcode::ret)
                return true;
        return false;
    }

    // ---- parked lanes

    [[nodiscard]] size_t join_at(uint32_t index) const {
        return static_cast<size_t>(std::ranges::lower_bound(program_.joins, index) - program_.joins.begin());
    }

    void wait_from(size_t join, uint32_t index) {
        if (join < info_.waited_from.size())
            info_.waited_from[join] = std::min(info_.waited_from[join], index);
    }

    // Lanes may be parked at a join from its first goto on; if that goto is in a loop that ends before the
    // join, from the loop's header on.
    void find_waits() {
        info_.waited_from.assign(program_.joins.size(), no_target);
        for (uint32_t i = 0; i < size(); ++i) {
            const PreparedInstruction& instruction = program_.code[i];
            if (!is_goto(instruction) || info_.plain_branch[i])
                continue;
            if (instruction.target > i)
                wait_from(join_at(instruction.target), i);
            else
                wait_from(join_at(i + 1), instruction.target);
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t i = 0; i < size(); ++i)
                for (const PreparedOperand& operand : program_.operands_of(program_.code[i])) {
                    if (operand.kind != OperandKind::label || operand.base > i)
                        continue;
                    for (size_t k = join_at(i + 1); k < program_.joins.size(); ++k) {
                        uint32_t& from = info_.waited_from[k];
                        if (from != no_target && from > operand.base && from <= i) {
                            from = operand.base;
                            changed = true;
                        }
                    }
                }
        }
    }

    // ---- blocks and entries

    void find_leaders() {
        info_.leader.assign(size() + 1, false);
        info_.leader[0] = true;
        info_.entries.push_back(0);
        for (size_t i = 0; i < size(); ++i) {
            const PreparedInstruction& instruction = program_.code[i];
            const isa::Row& row = *instruction.row;
            if (isa::has(row, isa::atomic_access) || row.opcode == opcode::fence ||
                row.opcode == opcode::lsc_fence)
                info_.spins = true;
            if (instruction.join != no_target)
                info_.leader[i] = true;
            if (isa::has(row, isa::ends_block) || may_stop(instruction))
                info_.leader[i + 1] = true;
            for (const PreparedOperand& operand : program_.operands_of(instruction))
                if (operand.kind == OperandKind::label)
                    info_.leader[std::min<size_t>(operand.base, size())] = true;
            if (may_stop(instruction)) // also after the last instruction, where the thread ends
                info_.entries.push_back(static_cast<uint32_t>(i + 1));
        }
        for (size_t i = 0; i < size(); ++i)
            for (const PreparedOperand& operand : program_.operands_of(program_.code[i]))
                if (operand.kind == OperandKind::label && operand.base <= i && info_.spins)
                    info_.entries.push_back(operand.base);
        std::ranges::sort(info_.entries);
        const auto [first, last] = std::ranges::unique(info_.entries);
        info_.entries.erase(first, last);
    }

    // ---- %cr0

    [[nodiscard]] bool writes_mode(const PreparedInstruction& instruction) const {
        const auto operands = program_.operands_of(instruction);
        const uint32_t mode = program_.register_base(isa::Predefined::cr0);
        const bool addressable =
            program_.addressable.begin < mode + sizeof(uint32_t) && mode < program_.addressable.end;
        for (size_t k = 0; k < operands.size(); ++k) {
            const PreparedOperand& operand = operands[k];
            if (is_result(instruction, k) &&
                ((is_register(operand) && operand.base <= mode && mode < operand.limit) ||
                 (operand.kind == OperandKind::indirect && addressable)))
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
        const uint32_t mode_register = program_.register_base(isa::Predefined::cr0);
        const bool simple = instruction.execution.size == 1 && instruction.execution.no_mask &&
                            instruction.predicate.id == 0 && operands.size() >= 2 &&
                            operands[0].kind == OperandKind::general && operands[0].base == mode_register &&
                            isa::size_of(operands[0].type) == 4;
        if (!simple)
            return std::nullopt;
        const auto value = [&](const PreparedOperand& operand) -> std::optional<uint32_t> {
            if (operand.modifier != SourceModifier::none)
                return std::nullopt;
            if (operand.kind == OperandKind::immediate && isa::is_integer(operand.type))
                return static_cast<uint32_t>(operand.value);
            if (operand.kind == OperandKind::general && operand.base == mode_register)
                return mode;
            return std::nullopt;
        };
        const auto first = value(operands[1]);
        const uint8_t code = instruction.row->opcode;
        if (code == opcode::mov)
            return first;
        if (operands.size() < 3 || !first)
            return std::nullopt;
        const auto second = value(operands[2]);
        if (!second)
            return std::nullopt;
        switch (code) {
        case opcode::and_:
            return *first & *second;
        case opcode::or_:
            return *first | *second;
        case opcode::xor_:
            return *first ^ *second;
        default:
            return std::nullopt;
        }
    }

    // Lattice of the data-flow analysis: unreached, one known mode, or unknown.
    struct Mode {
        bool reached = false;
        std::optional<uint32_t> bits;

        // Returns whether it changed.
        bool meet(const Mode& other) {
            if (!other.reached || (reached && (!bits || bits == other.bits)))
                return false;
            bits = reached ? std::nullopt : other.bits;
            reached = true;
            return true;
        }
    };

    // Forward data flow to a fixed point. Lanes parked anywhere may resume at any later join.
    void find_float_modes() {
        info_.float_mode.assign(size(), std::nullopt);
        std::vector<Mode> incoming(size() + 1);
        incoming[0] = {true, std::nullopt};
        if (program_.function->kind == FunctionKind::kernel)
            incoming[0].bits = 0;
        for (bool changed = true; changed;) {
            changed = false;
            Mode mode;
            Mode parked;
            for (size_t i = 0; i < size(); ++i) {
                const PreparedInstruction& instruction = program_.code[i];
                if (info_.leader[i]) {
                    incoming[i].meet(mode);
                    if (instruction.join != no_target)
                        incoming[i].meet(parked);
                    mode = incoming[i];
                }
                info_.float_mode[i] = mode.bits;
                if (mode.reached)
                    mode.bits = mode_after(instruction, mode.bits);
                for (const PreparedOperand& operand : program_.operands_of(instruction))
                    if (operand.kind == OperandKind::label && operand.base < size() &&
                        incoming[operand.base].meet(mode) && operand.base <= i)
                        changed = true;
                if (instruction.row->family == isa::Family::flow)
                    parked.meet(mode);
                if (leaves(instruction))
                    mode = {};
            }
        }
    }

    const Program& program_;
    uint32_t simd_;
    bool full_;
    FunctionInfo info_;
};

} // namespace

uint32_t FunctionInfo::root_at(uint32_t byte) const {
    const auto next = std::ranges::upper_bound(roots, byte, {}, &Root::base);
    return static_cast<uint32_t>(std::distance(roots.begin(), next)) - 1U;
}

bool may_stop(const PreparedInstruction& instruction) {
    const isa::Row& row = *instruction.row;
    switch (row.opcode) {
    case opcode::fence:
    case opcode::lsc_fence:
    case opcode::sampler_cache_flush:
        return false;
    case opcode::fcall:
    case opcode::ifcall:
    case opcode::fret:
    case opcode::call:
        return true;
    default:
        return row.family == isa::Family::sync || meets_partner(instruction);
    }
}

bool leaves(const PreparedInstruction& instruction) {
    const uint8_t code = instruction.row->opcode;
    return instruction.predicate.id == 0 && instruction.execution.size == 1 &&
           (code == opcode::goto_ || code == opcode::jmp || code == opcode::ret);
}

bool meets_partner(const PreparedInstruction& instruction) {
    return instruction.row->opcode == opcode::dpasw;
}

uint32_t addresses_of(const PreparedInstruction& instruction, const PreparedOperand& operand) {
    const uint32_t lanes = instruction.execution.size;
    switch (operand.kind) {
    case OperandKind::address:
        return std::max<uint32_t>(lanes, operand.width);
    case OperandKind::indirect:
        return operand.multi_address ? (lanes + operand.width - 1) / std::max<uint32_t>(operand.width, 1) : 1;
    default:
        return 0;
    }
}

bool is_lane_wise(const PreparedInstruction& instruction) {
    const isa::Row& row = *instruction.row;
    const bool vectors = row.family == isa::Family::arith || row.family == isa::Family::matrix;
    return !vectors || isa::has(row, isa::lane_wise) || row.opcode == opcode::addc ||
           row.opcode == opcode::subb;
}

bool is_tier1_only(const Program& program) {
    return program.code.size() > longest_tier2.code || program.joins.size() > longest_tier2.joins;
}

const char* refusal(const Program& program) {
    if (program.code.size() > longest.code)
        return "it is too long";
    if (program.joins.size() > longest.joins)
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

std::optional<NamedSurface> named_surface(const Program& program, const FunctionInfo& info, uint32_t index,
                                          bool full) {
    const PreparedInstruction& instruction = program.code[index];
    const auto operands = program.operands_of(instruction);
    if (operands.size() < 2 || operands[0].kind != OperandKind::state_surface ||
        operands[1].kind != OperandKind::immediate || instruction.execution.size != 1 ||
        isa::size_of(operands[1].type) != 4 || is_bindless(operands[0]))
        return std::nullopt;
    if (!runs_always(info, instruction, index, full) || !is_result(instruction, 0))
        return std::nullopt;
    return NamedSurface{operands[0].base, static_cast<uint32_t>(operands[1].value)};
}

bool moves_surface(const Program& program, const PreparedInstruction& instruction) {
    return instruction.row->family == isa::Family::move && instruction.operand_count != 0 &&
           program.operands_of(instruction)[0].kind == OperandKind::state_surface;
}

bool runs_always(const FunctionInfo& info, const PreparedInstruction& instruction, uint32_t index,
                 bool full) {
    return instruction.predicate.id == 0 &&
           (instruction.execution.no_mask || (full && info.convergent[index]));
}

// Predefined variables that the dispatcher fills, such as group ids, are not inputs.
bool is_given_input(const Program& program, const FunctionInfo& info, const PreparedOperand& operand) {
    if (!is_register(operand) || operand.modifier != SourceModifier::none || !isa::is_integer(operand.type) ||
        isa::size_of(operand.type) < 4 || !info.roots[info.root_at(operand.base)].constant)
        return false;
    const auto holds = [&](uint32_t id) {
        const VariableSlot& slot = program.variables[id];
        return slot.used && slot.base <= operand.base &&
               operand.base + isa::size_of(operand.type) <= slot.base + slot.bytes;
    };
    for (uint32_t id = 0; id < isa::predefined_count; ++id)
        if (holds(id))
            return false;
    return std::ranges::any_of(program.function->inputs, [&](const Input& input) {
        return input.klass == InputClass::general && !isa::is_predefined(input.id) &&
               input.id < program.variables.size() && holds(input.id);
    });
}

FunctionInfo analyze_function(const Program& program, uint32_t simd, bool full) {
    return FunctionAnalysis(program, simd, full).run();
}

} // namespace visor::jit
