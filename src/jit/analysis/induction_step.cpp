#include "jit/analysis/induction_step.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr unsigned max_depth = 24;
constexpr int64_t max_distance = INT32_MAX;

// Of scalars and splats.
std::optional<int64_t> constant_of(const Value* value) {
    const llvm::APInt* number = nullptr;
    if (!llvm::PatternMatch::match(value, llvm::PatternMatch::m_APInt(number)) ||
        number->getSignificantBits() > 32)
        return std::nullopt;
    return number->getSExtValue();
}

// Ignores lanes that keep their value.
std::optional<int64_t> either_of(std::optional<int64_t> one, std::optional<int64_t> other) {
    if (!one || !other)
        return std::nullopt;
    if (*one == 0 || *one == *other)
        return other;
    return *other == 0 ? one : std::nullopt;
}

std::optional<int64_t> near(int64_t step) {
    return step < -max_distance || step > max_distance ? std::nullopt : std::optional(step);
}

} // namespace

bool InductionSteps::is_inside(const Value* value) const {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction != nullptr && loop_.contains(instruction);
}

InductionSteps::Step InductionSteps::step(Value* value, unsigned depth) {
    if (!is_inside(value))
        return 0;
    if (const auto found = known_.find(value); found != known_.end())
        return found->second;
    if (depth == max_depth)
        return std::nullopt;
    known_[value] = std::nullopt; // ends cycles
    const Step step = evaluate(*llvm::cast<llvm::Instruction>(value), depth + 1);
    known_[value] = step;
    return step;
}

InductionSteps::Step InductionSteps::evaluate(llvm::Instruction& instruction, unsigned depth) {
    if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
        return of_phi(*phi, depth);
    if (instruction.mayReadOrWriteMemory() || llvm::isa<llvm::CallBase>(instruction))
        return std::nullopt;
    if (llvm::isa<llvm::BinaryOperator>(instruction))
        return of_binary(instruction, depth);
    if (llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst, llvm::FreezeInst>(instruction))
        return step(instruction.getOperand(0), depth);
    if (auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction);
        shuffle != nullptr && llvm::isa<llvm::PoisonValue>(shuffle->getOperand(1)))
        return step(shuffle->getOperand(0), depth);
    if (auto* const insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction);
        insert != nullptr && llvm::isa<llvm::PoisonValue>(insert->getOperand(0)))
        return step(insert->getOperand(1), depth);
    if (llvm::isa<llvm::SelectInst>(instruction))
        return either_of(step(instruction.getOperand(1), depth), step(instruction.getOperand(2), depth));
    for (Value* const operand : instruction.operand_values())
        if (step(operand, depth) != 0)
            return std::nullopt;
    return 0;
}

InductionSteps::Step InductionSteps::of_binary(llvm::Instruction& instruction, unsigned depth) {
    const Step left = step(instruction.getOperand(0), depth);
    const Step right = step(instruction.getOperand(1), depth);
    if (!left || !right)
        return std::nullopt;
    if (*left == 0 && *right == 0)
        return 0;
    const auto factor = constant_of(instruction.getOperand(1));
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Or: // of disjoint bits
        return near(*left + *right);
    case llvm::Instruction::Sub:
        return near(*left - *right);
    case llvm::Instruction::And: // clears low bits that are zero
        return factor && *factor < 0 && *left % -*factor == 0 ? left : std::nullopt;
    case llvm::Instruction::Shl:
        return factor && *factor >= 0 && *factor < 16 ? near(*left * (int64_t{1} << *factor)) : std::nullopt;
    case llvm::Instruction::Mul:
        return factor ? near(*left * *factor) : std::nullopt;
    default:
        return std::nullopt;
    }
}

InductionSteps::Step InductionSteps::of_phi(const llvm::PHINode& phi, unsigned depth) {
    if (phi.getParent() == loop_.getHeader()) {
        Step all = 0;
        for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k)
            if (loop_.contains(phi.getIncomingBlock(k)))
                all = either_of(all, distance(phi.getIncomingValue(k), phi, 0));
        return all;
    }
    Step all = step(phi.getIncomingValue(0), depth);
    for (Value* const value : phi.incoming_values())
        if (step(value, depth) != all)
            return std::nullopt;
    return all;
}

// From a header phi to `value` within one iteration.
InductionSteps::Step InductionSteps::distance(Value* value, const llvm::PHINode& from, unsigned depth) {
    constexpr unsigned max_path = 8;
    constexpr unsigned max_visits = 4096;
    if (value == &from)
        return 0;
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr || depth == max_path || ++visits_ > max_visits)
        return std::nullopt;
    const auto before = [&](unsigned k) { return distance(instruction->getOperand(k), from, depth + 1); };
    if (instruction->getOpcode() == llvm::Instruction::Add ||
        instruction->getOpcode() == llvm::Instruction::Sub) {
        const auto number = constant_of(instruction->getOperand(1));
        const Step left = number ? before(0) : std::nullopt;
        if (!left)
            return std::nullopt;
        return near(instruction->getOpcode() == llvm::Instruction::Add ? *left + *number : *left - *number);
    }
    if (llvm::isa<llvm::SelectInst>(instruction))
        return either_of(before(1), before(2));
    if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
        Step all = 0;
        for (Value* const incoming : phi->incoming_values())
            all = either_of(all, distance(incoming, from, depth + 1));
        return all;
    }
    return std::nullopt;
}

} // namespace visor::jit
