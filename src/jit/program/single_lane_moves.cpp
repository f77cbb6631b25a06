#include "jit/program/single_lane_moves.h"

#include "isa/field.h"
#include "isa/opcode.h"
#include "jit/program/function_info.h"
#include "machine/thread.h"

#include <bit>
#include <map>
#include <vector>

namespace visor::jit {

namespace {

namespace opcode = isa::opcode;

class Narrowing {
public:
    explicit Narrowing(const Program& program)
        : program_(program), begins_block_(program.code.size(), false) {
        for (const PreparedOperand& operand : program.operands)
            if (operand.kind == OperandKind::label && operand.base < begins_block_.size())
                begins_block_[operand.base] = true;
    }

    std::optional<Program> run() {
        for (size_t i = 0; i < program_.code.size(); ++i) {
            const PreparedInstruction& instruction = program_.code[i];
            if (begins_block_[i] || instruction.join != no_target)
                known_.clear();
            if (const auto lane = only_lane(instruction); lane && can_narrow(instruction))
                narrow(i, *lane);
            follow(instruction);
            if (isa::has(*instruction.row, isa::ends_block))
                known_.clear();
        }
        return std::move(narrowed_);
    }

private:
    // Known bits of a predicate.
    struct Bits {
        uint32_t known = 0;
        uint32_t set = 0;
    };

    // Updates known bits after the instruction.
    void follow(const PreparedInstruction& instruction) {
        const auto operands = program_.operands_of(instruction);
        if (isa::has(*instruction.row, isa::writes_predicate))
            known_.erase(instruction.predicate.id);
        for (size_t k = 0; k < operands.size(); ++k) {
            if (operands[k].kind != OperandKind::predicate || !is_result(instruction, k))
                continue;
            const Execution& execution = instruction.execution;
            const uint32_t lanes = machine::lane_bits(execution.size) << execution.offset;
            Bits& bits = known_[operands[k].base];
            bits.known &= ~lanes;
            // SETP page: the bits of a scalar become the lanes' elements.
            if (instruction.row->opcode == opcode::setp && instruction.predicate.id == 0 &&
                operands.back().kind == OperandKind::immediate &&
                operands.back().modifier == SourceModifier::none)
                bits = {bits.known | lanes,
                        (bits.set & ~lanes) |
                            (static_cast<uint32_t>(operands.back().value) << execution.offset & lanes)};
        }
    }

    // The only lane that the instruction can write, if its predicate proves that.
    [[nodiscard]] std::optional<uint32_t> only_lane(const PreparedInstruction& instruction) const {
        const auto known = known_.find(instruction.predicate.id);
        const Execution& execution = instruction.execution;
        if (instruction.predicate.id == 0 || instruction.predicate.control != PredicateControl::none ||
            known == known_.end() || execution.size == 1)
            return std::nullopt;
        const uint32_t lanes = machine::lane_bits(execution.size);
        if ((~known->second.known >> execution.offset & lanes) != 0)
            return std::nullopt;
        const uint32_t bits = instruction.predicate.inverted ? ~known->second.set : known->second.set;
        const uint32_t on = bits >> execution.offset & lanes;
        return std::has_single_bit(on) ? std::optional(static_cast<uint32_t>(std::countr_zero(on)))
                                       : std::nullopt;
    }

    [[nodiscard]] bool can_narrow(const PreparedInstruction& instruction) const {
        const auto operands = program_.operands_of(instruction);
        if (instruction.row->opcode != opcode::mov || operands.size() != 2)
            return false;
        const PreparedOperand& from = operands[1];
        return operands[0].kind == OperandKind::indirect && operands[0].vertical != 0 &&
               ((from.kind == OperandKind::general && !from.null) ||
                (from.kind == OperandKind::immediate && !isa::is_packed_immediate(from.type)));
    }

    void narrow(size_t index, uint32_t lane) {
        if (!narrowed_)
            narrowed_ = program_;
        PreparedInstruction& instruction = narrowed_->code[index];
        PreparedOperand& to = narrowed_->operands[instruction.first_operand];
        PreparedOperand& from = narrowed_->operands[instruction.first_operand + 1];
        to.offset += static_cast<int32_t>(element_of(to, lane) * isa::size_of(to.type));
        if (from.kind == OperandKind::general)
            from.base += element_of(from, lane) * isa::size_of(from.type);
        instruction.execution.offset = static_cast<uint8_t>(instruction.execution.offset + lane);
        instruction.execution.size = 1;
    }

    const Program& program_;
    std::vector<bool> begins_block_;
    std::map<uint32_t, Bits> known_; // by predicate, in the block so far
    std::optional<Program> narrowed_;
};

} // namespace

std::optional<Program> narrowed(const Program& program) {
    return Narrowing(program).run();
}

} // namespace visor::jit
