#include "jit/transform/recognize_i64_compare.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace visor::jit {

namespace {

namespace match = llvm::PatternMatch;
using llvm::CmpInst;
using llvm::Value;

// `predicate(whole's half, other)`.
struct HalfCompare {
    CmpInst::Predicate predicate = CmpInst::BAD_ICMP_PREDICATE;
    Value* whole = nullptr;
    Value* other = nullptr;
};

Value* low_half_of(Value* value) {
    Value* whole = nullptr;
    return match::match(value, match::m_Trunc(match::m_Value(whole))) && whole->getType()->isIntegerTy(64)
               ? whole
               : nullptr;
}
Value* high_half_of(Value* value) {
    Value* whole = nullptr;
    return match::match(value,
                        match::m_Trunc(match::m_LShr(match::m_Value(whole), match::m_SpecificInt(32)))) &&
                   whole->getType()->isIntegerTy(64)
               ? whole
               : nullptr;
}

std::optional<HalfCompare> half_compare(Value* value, Value* (*half_of)(Value*)) {
    const auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(value);
    if (compare == nullptr || !compare->getOperand(0)->getType()->isIntegerTy(32))
        return std::nullopt;
    if (Value* const whole = half_of(compare->getOperand(0)))
        return HalfCompare{compare->getPredicate(), whole, compare->getOperand(1)};
    if (Value* const whole = half_of(compare->getOperand(1)))
        return HalfCompare{compare->getSwappedPredicate(), whole, compare->getOperand(0)};
    return std::nullopt;
}

struct WholeCompare {
    CmpInst::Predicate predicate = CmpInst::BAD_ICMP_PREDICATE;
    Value* whole = nullptr;
    Value* low = nullptr; // of the other operand
    Value* high = nullptr;
};

// Tries the operands of `and` or `or` in both orders.
template <typename Match>
auto either(llvm::Instruction& instruction, const Match& match) -> decltype(match(nullptr, nullptr)) {
    if (auto found = match(instruction.getOperand(0), instruction.getOperand(1)))
        return found;
    return match(instruction.getOperand(1), instruction.getOperand(0));
}

std::optional<WholeCompare> equal(llvm::Instruction& instruction) {
    return either(instruction, [](Value* one, Value* other) -> std::optional<WholeCompare> {
        const auto low = half_compare(one, low_half_of);
        const auto high = half_compare(other, high_half_of);
        const bool fits = low && high && low->whole == high->whole && low->predicate == CmpInst::ICMP_EQ &&
                          high->predicate == CmpInst::ICMP_EQ;
        return fits ? std::optional(WholeCompare{CmpInst::ICMP_EQ, low->whole, low->other, high->other})
                    : std::nullopt;
    });
}

// high < high' | (high == high' & low < low'), and its complement, high >= high' & (high != high' | low >=
// low').
std::optional<WholeCompare> ordered(llvm::Instruction& instruction, bool opposite) {
    return either(instruction, [&](Value* one, Value* other) -> std::optional<WholeCompare> {
        auto* const inner = llvm::dyn_cast<llvm::BinaryOperator>(other);
        const auto high = half_compare(one, high_half_of);
        const auto opcode = opposite ? llvm::Instruction::Or : llvm::Instruction::And;
        if (!high || inner == nullptr || inner->getOpcode() != opcode)
            return std::nullopt;
        return either(*inner, [&](Value* first, Value* second) -> std::optional<WholeCompare> {
            const auto low = half_compare(first, low_half_of);
            const auto same = half_compare(second, high_half_of);
            if (!low || !same || low->whole != high->whole || same->whole != high->whole ||
                same->other != high->other ||
                same->predicate != (opposite ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ))
                return std::nullopt;
            const bool fits =
                CmpInst::isUnsigned(low->predicate) && CmpInst::isUnsigned(high->predicate) &&
                CmpInst::getStrictPredicate(low->predicate) == CmpInst::getStrictPredicate(high->predicate) &&
                (CmpInst::isStrictPredicate(high->predicate) != opposite);
            return fits ? std::optional(WholeCompare{low->predicate, low->whole, low->other, high->other})
                        : std::nullopt;
        });
    });
}

std::optional<WholeCompare> whole_of(llvm::Instruction& instruction) {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::And:
        if (const auto found = equal(instruction))
            return found;
        return ordered(instruction, true);
    case llvm::Instruction::Or:
        return ordered(instruction, false);
    default:
        return std::nullopt;
    }
}

// After both definitions, so that the compare does not run more often than they do.
llvm::BasicBlock::iterator insertion_point_after(const llvm::DominatorTree& tree, llvm::Function& function,
                                                 Value* one, Value* other) {
    auto* const first = llvm::dyn_cast<llvm::Instruction>(one);
    auto* const second = llvm::dyn_cast<llvm::Instruction>(other);
    if (first == nullptr && second == nullptr)
        return function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    llvm::Instruction* const last =
        first == nullptr || (second != nullptr && tree.dominates(first, second)) ? second : first;
    return *last->getInsertionPointAfterDef();
}

} // namespace

void recognize_i64_compares(llvm::Function& function) {
    const llvm::DominatorTree tree(function);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
        const auto found = instruction.getType()->isIntegerTy(1) ? whole_of(instruction) : std::nullopt;
        if (!found)
            continue;
        llvm::IRBuilder<> ir(function.getContext());
        ir.SetInsertPoint(insertion_point_after(tree, function, found->low, found->high));
        Value* const low = ir.CreateZExt(found->low, ir.getInt64Ty());
        Value* const high = ir.CreateShl(ir.CreateZExt(found->high, ir.getInt64Ty()), 32);
        Value* const other = ir.CreateOr(high, low);
        ir.SetInsertPoint(&instruction);
        instruction.replaceAllUsesWith(ir.CreateICmp(found->predicate, found->whole, other));
    }
}

} // namespace visor::jit
