#include "jit/transform/recognize_i64_compare.h"

#include "jit/ir/memory_intrinsics.h"

#include <llvm/Analysis/VectorUtils.h>
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

// Every second dword of a vector of qwords, from the first or the second on.
Value* every_second_of(Value* value, unsigned from) {
    const auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value);
    Value* whole = nullptr;
    unsigned first = 0;
    const bool takes =
        shuffle != nullptr && match::match(shuffle->getOperand(0), match::m_BitCast(match::m_Value(whole))) &&
        whole->getType()->isVectorTy() && whole->getType()->isIntOrIntVectorTy(64) &&
        lanes_of(whole) == lanes_of(value) &&
        llvm::ShuffleVectorInst::isDeInterleaveMaskOfFactor(shuffle->getShuffleMask(), 2, first);
    return takes && first == from ? whole : nullptr;
}
Value* low_half_of(Value* value) {
    Value* whole = nullptr;
    return match::match(value, match::m_Trunc(match::m_Value(whole))) &&
                   whole->getType()->isIntOrIntVectorTy(64)
               ? whole
               : every_second_of(value, 0);
}
Value* high_half_of(Value* value) {
    Value* whole = nullptr;
    return match::match(value,
                        match::m_Trunc(match::m_LShr(match::m_Value(whole), match::m_SpecificInt(32)))) &&
                   whole->getType()->isIntOrIntVectorTy(64)
               ? whole
               : every_second_of(value, 1);
}

// Of two halves, if they are those of one value, constants, or the same in all lanes, or scalars; else null.
Value* whole_of_halves(llvm::IRBuilder<>& ir, Value* low, Value* high) {
    if (Value* const whole = low_half_of(low); whole != nullptr && whole == high_half_of(high))
        return whole;
    const auto join = [&](Value* lower, Value* upper) {
        llvm::Type* const type = lower->getType()->getWithNewBitWidth(64);
        Value* const below = ir.CreateZExt(lower, type);
        Value* const above = ir.CreateShl(ir.CreateZExt(upper, type), 32);
        return ir.CreateOr(above, below);
    };
    if (!low->getType()->isVectorTy() || (llvm::isa<llvm::Constant>(low) && llvm::isa<llvm::Constant>(high)))
        return join(low, high);
    Value* const one = llvm::getSplatValue(low);
    Value* const other = llvm::getSplatValue(high);
    return one != nullptr && other != nullptr ? ir.CreateVectorSplat(lanes_of(low), join(one, other))
                                              : nullptr;
}

std::optional<HalfCompare> half_compare(Value* value, Value* (*half_of)(Value*)) {
    const auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(value);
    if (compare == nullptr || !compare->getOperand(0)->getType()->isIntOrIntVectorTy(32))
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
            if (!CmpInst::isUnsigned(low->predicate) || !CmpInst::isRelational(high->predicate))
                return std::nullopt;
            const bool is_signed = CmpInst::isSigned(high->predicate);
            const CmpInst::Predicate above =
                is_signed ? CmpInst::getUnsignedPredicate(high->predicate) : high->predicate;
            const bool fits =
                CmpInst::getStrictPredicate(low->predicate) == CmpInst::getStrictPredicate(above) &&
                (CmpInst::isStrictPredicate(above) != opposite);
            const CmpInst::Predicate predicate =
                is_signed ? CmpInst::getSignedPredicate(low->predicate) : low->predicate;
            return fits ? std::optional(WholeCompare{predicate, low->whole, low->other, high->other})
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

void join_compare(const llvm::DominatorTree& tree, llvm::Instruction& instruction) {
    const auto found = instruction.getType()->isIntOrIntVectorTy(1) ? whole_of(instruction) : std::nullopt;
    if (!found)
        return;
    llvm::IRBuilder<> ir(instruction.getContext());
    ir.SetInsertPoint(insertion_point_after(tree, *instruction.getFunction(), found->low, found->high));
    Value* const other = whole_of_halves(ir, found->low, found->high);
    if (other == nullptr)
        return;
    ir.SetInsertPoint(&instruction);
    instruction.replaceAllUsesWith(ir.CreateICmp(found->predicate, found->whole, other));
}

// The choice between the high halves of what `low` chooses the low halves of; null: there is none.
llvm::SelectInst* high_select_of(llvm::SelectInst& low, Value*& chosen, Value*& otherwise) {
    llvm::IRBuilder<> ir(&low);
    for (llvm::User* const user : low.getCondition()->users()) {
        auto* const high = llvm::dyn_cast<llvm::SelectInst>(user);
        if (high == nullptr || high == &low || high->getType() != low.getType() ||
            high->getParent() != low.getParent() || high->comesBefore(&low) ||
            high->getCondition() != low.getCondition() ||
            (high_half_of(high->getTrueValue()) == nullptr && high_half_of(high->getFalseValue()) == nullptr))
            continue;
        chosen = whole_of_halves(ir, low.getTrueValue(), high->getTrueValue());
        otherwise =
            chosen == nullptr ? nullptr : whole_of_halves(ir, low.getFalseValue(), high->getFalseValue());
        if (otherwise != nullptr)
            return high;
    }
    return nullptr;
}

// Two choices of halves become one of whole vectors, whose halves they are from now on.
void join_selects(llvm::SelectInst& low) {
    if (!low.getType()->isVectorTy() || !low.getType()->isIntOrIntVectorTy(32) ||
        !low.getCondition()->getType()->isVectorTy() ||
        (low_half_of(low.getTrueValue()) == nullptr && low_half_of(low.getFalseValue()) == nullptr))
        return;
    Value* chosen = nullptr;
    Value* otherwise = nullptr;
    llvm::SelectInst* const high = high_select_of(low, chosen, otherwise);
    if (high == nullptr)
        return;
    llvm::IRBuilder<> ir(&low);
    Value* const whole = ir.CreateSelect(low.getCondition(), chosen, otherwise);
    low.replaceAllUsesWith(ir.CreateTrunc(whole, low.getType()));
    ir.SetInsertPoint(high);
    high->replaceAllUsesWith(ir.CreateTrunc(ir.CreateLShr(whole, 32), high->getType()));
}

// A shuffle that joins both halves of a value.
void join_halves(llvm::ShuffleVectorInst& pairs) {
    const uint32_t lanes = lanes_of(pairs.getOperand(0));
    llvm::SmallVector<unsigned> starts;
    if (!pairs.getType()->isIntOrIntVectorTy(32) || lanes_of(&pairs) != 2 * lanes ||
        !llvm::ShuffleVectorInst::isInterleaveMask(pairs.getShuffleMask(), 2, 2 * lanes, starts) ||
        starts[0] != 0 || starts[1] != lanes)
        return;
    Value* const whole = low_half_of(pairs.getOperand(0));
    if (whole == nullptr || whole != high_half_of(pairs.getOperand(1)))
        return;
    llvm::IRBuilder<> ir(&pairs);
    pairs.replaceAllUsesWith(ir.CreateBitCast(whole, pairs.getType()));
}

} // namespace

void recognize_i64_compares(llvm::Function& function) {
    const llvm::DominatorTree tree(function);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
        if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
            join_selects(*select);
        else if (auto* const pairs = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
            join_halves(*pairs);
        else
            join_compare(tree, instruction);
    }
}

} // namespace visor::jit
