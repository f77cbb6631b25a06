#include "jit/program/uniform_predicates.h"

#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/predefined.h"
#include "jit/program/function_info.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace visor::jit {

namespace {

namespace opcode = isa::opcode;

constexpr uint32_t group_lanes = 4; // the smallest group of lanes that writes a predicate

// Local value numbering: within a block, equal numbers mean equal values.
using ValueNumber = uint32_t;
constexpr ValueNumber divergent = 0; // not uniform, or unknown

class UniformityAnalysis {
public:
    UniformityAnalysis(const Program& program, const std::vector<bool>& leader, uint32_t simd)
        : program_(program), leader_(leader), groups_((simd + group_lanes - 1) / group_lanes),
          uniform_(program.predicate_count, true) {}

    std::vector<bool> run() {
        for (size_t i = 0; i < program_.code.size(); ++i) {
            if (leader_[i])
                end_block();
            visit(program_.code[i]);
        }
        end_block();
        return std::move(uniform_);
    }

private:
    using Groups = std::array<ValueNumber, 32 / group_lanes>;

    void end_block() {
        for (const auto& [id, groups] : written_)
            for (size_t g = 0; g < std::min<size_t>(groups_, groups.size()); ++g)
                if (groups[g] == divergent || groups[g] != groups[0])
                    uniform_[id] = false;
        written_.clear();
        registers_.clear();
        numbers_.clear();
    }

    void visit(const PreparedInstruction& instruction) {
        const auto operands = program_.operands_of(instruction);
        const ValueNumber number = number_of(instruction);
        if (isa::has(*instruction.row, isa::writes_predicate))
            write_predicate(instruction.predicate.id, instruction.execution, divergent);
        for (size_t k = 0; k < operands.size(); ++k) {
            const PreparedOperand& operand = operands[k];
            if (!is_result(instruction, k))
                continue;
            if (operand.kind == OperandKind::predicate)
                write_predicate(operand.base, instruction.execution, number);
            else if (operand.kind == OperandKind::indirect) {
                registers_.clear();
                numbers_.clear();
            } else if (is_register(operand))
                write_register(operand, instruction.execution.size == 1 ? number : divergent);
        }
    }

    void write_predicate(uint32_t id, const Execution& execution, ValueNumber number) {
        Groups& groups = written_[id];
        const uint32_t end = execution.offset + execution.size;
        for (uint32_t lane = execution.offset / group_lanes * group_lanes; lane < end; lane += group_lanes)
            if (lane / group_lanes < groups.size())
                groups[lane / group_lanes] = execution.size < group_lanes ? divergent : number;
    }

    [[nodiscard]] bool holds(const PreparedOperand& operand, isa::Predefined what) const {
        const VariableSlot& slot = program_.variables[isa::id(what)];
        return slot.used && operand.base < slot.base + slot.bytes && slot.base < operand.limit;
    }

    // Forgets the values of all bytes from the operand to its variable's end.
    void write_register(const PreparedOperand& operand, ValueNumber number) {
        constexpr uint32_t longest = 8; // bytes of an element
        registers_.erase(registers_.lower_bound({operand.base - std::min(operand.base, longest - 1), 0}),
                         registers_.lower_bound({operand.limit, 0}));
        if (holds(operand, isa::Predefined::cr0))
            numbers_.clear(); // the floating-point mode may have changed
        if (number != divergent)
            registers_[{operand.base, isa::size_of(operand.type)}] = number;
    }

    // The only result: a predicate, or one element of a register.
    [[nodiscard]] std::optional<size_t> result_of(const PreparedInstruction& instruction) const {
        const auto operands = program_.operands_of(instruction);
        std::optional<size_t> result;
        for (size_t k = 0; k < operands.size(); ++k) {
            if (!is_result(instruction, k))
                continue;
            const bool element = operands[k].kind == OperandKind::general && instruction.execution.size == 1;
            if (result || (!element && operands[k].kind != OperandKind::predicate))
                return std::nullopt;
            result = k;
        }
        return result;
    }

    // The value number of a NoMask instruction on uniform sources.
    ValueNumber number_of(const PreparedInstruction& instruction) {
        using enum isa::Family;
        const isa::Row& row = *instruction.row;
        if (!instruction.execution.no_mask || instruction.predicate.id != 0 ||
            (row.family != arith && row.family != logic && row.family != compare && row.family != move))
            return divergent;
        const auto result = result_of(instruction);
        if (!result)
            return divergent;
        const auto operands = program_.operands_of(instruction);
        std::vector<uint64_t> key{row.opcode, static_cast<uint16_t>(row.sub), instruction.saturate ? 1U : 0U,
                                  static_cast<uint64_t>(operands[*result].kind),
                                  static_cast<uint64_t>(operands[*result].type)};
        for (size_t k = 0; k < operands.size(); ++k) {
            if (k == *result)
                continue;
            const auto part = key_of(instruction, operands[k]);
            if (!part)
                return divergent;
            key.insert(key.end(), part->begin(), part->end());
        }
        return numbers_.try_emplace(std::move(key), ++last_).first->second;
    }

    using Key = std::array<uint64_t, 3>;

    std::optional<Key> key_of(const PreparedInstruction& instruction, const PreparedOperand& operand) {
        const Execution& execution = instruction.execution;
        const uint64_t kind = static_cast<uint64_t>(operand.kind) << 16U |
                              static_cast<uint64_t>(operand.type) << 8U |
                              static_cast<uint64_t>(operand.modifier);
        switch (operand.kind) {
        case OperandKind::literal:
            return Key{kind, operand.value, 0};
        case OperandKind::immediate:
            if (isa::is_packed_immediate(operand.type) ||
                (instruction.row->opcode == opcode::setp && !has_equal_bits(operand.value, execution.size)))
                return std::nullopt;
            return Key{kind, operand.value, 1};
        case OperandKind::general:
            if (operand.null || (execution.size != 1 && !is_scalar(operand)) ||
                instruction.row->opcode == opcode::setp)
                return std::nullopt;
            return Key{kind, number_at(operand), 2};
        case OperandKind::predicate: {
            const ValueNumber number = number_of_lanes(operand.base, execution);
            return number == divergent ? std::nullopt : std::optional(Key{kind, number, 3});
        }
        default:
            return std::nullopt;
        }
    }

    // SETP page: the bits of a scalar become the lanes' elements.
    static bool has_equal_bits(uint64_t value, uint32_t lanes) {
        const uint64_t all = (uint64_t{1} << lanes) - 1;
        return (value & all) == 0 || (value & all) == all;
    }

    ValueNumber number_at(const PreparedOperand& operand) {
        if (holds(operand, isa::Predefined::tsc))
            return ++last_; // a timestamp: differs each time
        return registers_.try_emplace({operand.base, isa::size_of(operand.type)}, ++last_).first->second;
    }

    [[nodiscard]] ValueNumber number_of_lanes(uint32_t id, const Execution& execution) const {
        const auto written = written_.find(id);
        if (written == written_.end() || execution.size < group_lanes)
            return divergent;
        const uint32_t first = execution.offset / group_lanes;
        const uint32_t end = std::min<uint32_t>(first + execution.size / group_lanes, 32 / group_lanes);
        const ValueNumber number = written->second[first];
        for (uint32_t g = first; g < end; ++g)
            if (written->second[g] != number)
                return divergent;
        return number;
    }

    const Program& program_;
    const std::vector<bool>& leader_;
    uint32_t groups_; // of the kernel's lanes
    std::vector<bool> uniform_;
    // State of the current block:
    std::map<uint32_t, Groups> written_; // by predicate
    std::map<std::pair<uint32_t, uint32_t>, ValueNumber>
        registers_; // by offset and bytes of a register's element
    std::map<std::vector<uint64_t>, ValueNumber> numbers_;
    ValueNumber last_ = divergent;
};

} // namespace

std::vector<bool> find_uniform_predicates(const Program& program, const std::vector<bool>& leader,
                                          uint32_t simd) {
    return UniformityAnalysis(program, leader, simd).run();
}

} // namespace visor::jit
