#include "jit/transform/recognize_i64.h"

#include "jit/ir/memory_intrinsics.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

namespace visor::jit {

namespace {

namespace match = llvm::PatternMatch;
using llvm::Value;

constexpr size_t max_terms = 6;

// A 64-bit vector as two halves; null `high`: zero.
struct Pair {
    Value* low = nullptr;
    Value* high = nullptr;
};

// Every second element, from the first or the second on.
bool takes_half(const llvm::ShuffleVectorInst& shuffle, unsigned from) {
    unsigned first = 0;
    return llvm::ShuffleVectorInst::isDeInterleaveMaskOfFactor(shuffle.getShuffleMask(), 2, first) &&
           first == from;
}

// The operands of a shuffle that interleaves low and high halves.
std::optional<Pair> halves_of(const llvm::Instruction& pairs) {
    const auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&pairs);
    if (shuffle == nullptr || !shuffle->getType()->getScalarType()->isIntegerTy(32))
        return std::nullopt;
    const uint32_t lanes = lanes_of(shuffle->getOperand(0));
    llvm::SmallVector<unsigned> starts;
    const bool joins =
        lanes_of(shuffle) == 2 * lanes &&
        llvm::ShuffleVectorInst::isInterleaveMask(shuffle->getShuffleMask(), 2, 2 * lanes, starts) &&
        starts[0] == 0 && starts[1] == lanes;
    return joins ? std::optional(Pair{shuffle->getOperand(0), shuffle->getOperand(1)}) : std::nullopt;
}

bool is_zero(Value* value) {
    return match::match(value, match::m_Zero());
}

// The addends; none: too many.
std::optional<std::vector<Value*>> terms_of(Value* sum) {
    std::vector<Value*> open{sum};
    std::vector<Value*> terms;
    while (!open.empty()) {
        Value* const value = open.back();
        open.pop_back();
        Value* one = nullptr;
        Value* other = nullptr;
        if (match::match(value, match::m_Add(match::m_Value(one), match::m_Value(other))))
            open.insert(open.end(), {one, other});
        else if (!is_zero(value) && !match::match(value, match::m_c_Mul(match::m_Value(), match::m_Zero())))
            terms.push_back(value);
        if (terms.size() + open.size() > max_terms)
            return std::nullopt;
    }
    return terms;
}

// As a vector of i64, if its definition is recognized; else null.
Value* joined(llvm::IRBuilder<>& ir, const Pair& pair) {
    auto* const type = llvm::FixedVectorType::get(ir.getInt64Ty(), lanes_of(pair.low));
    if (pair.high == nullptr)
        return ir.CreateZExt(pair.low, type);
    if (match::match(pair.high, match::m_AShr(match::m_Specific(pair.low), match::m_SpecificInt(31))))
        return ir.CreateSExt(pair.low, type);
    Value* const low = llvm::getSplatValue(pair.low);
    Value* const high = llvm::getSplatValue(pair.high);
    if (low != nullptr && high != nullptr) {
        if (match::match(high, match::m_AShr(match::m_Specific(low), match::m_SpecificInt(31))))
            return ir.CreateVectorSplat(lanes_of(pair.low), ir.CreateSExt(low, ir.getInt64Ty()));
        Value* const number = ir.CreateOr(ir.CreateZExt(low, ir.getInt64Ty()),
                                          ir.CreateShl(ir.CreateZExt(high, ir.getInt64Ty()), 32));
        return ir.CreateVectorSplat(lanes_of(pair.low), number);
    }
    const auto* const even = llvm::dyn_cast<llvm::ShuffleVectorInst>(pair.low);
    const auto* const odd = llvm::dyn_cast<llvm::ShuffleVectorInst>(pair.high);
    const bool same_vector = even != nullptr && odd != nullptr && even->getOperand(0) == odd->getOperand(0) &&
                             lanes_of(even->getOperand(0)) == 2 * lanes_of(even);
    return same_vector && takes_half(*even, 0) && takes_half(*odd, 1)
               ? ir.CreateBitCast(even->getOperand(0), type)
               : nullptr;
}

// low = a + c, high = b + d + (low < a): a and b, c and d.
std::optional<std::pair<Pair, Pair>> summands(const Pair& sum) {
    Value* a = nullptr;
    Value* c = nullptr;
    auto terms = terms_of(sum.high);
    if (!terms || !match::match(sum.low, match::m_Add(match::m_Value(a), match::m_Value(c))))
        return std::nullopt;
    const auto is_carry = [&](Value* term) {
        Value* than = nullptr;
        llvm::CmpInst::Predicate how{}; // with the sum as first operand
        return match::match(term, match::m_ZExt(match::m_c_ICmp(how, match::m_Specific(sum.low),
                                                                match::m_Value(than)))) &&
               (than == a || than == c) && how == llvm::CmpInst::ICMP_ULT;
    };
    const auto carry = std::ranges::find_if(*terms, is_carry);
    if (carry == terms->end())
        return std::nullopt;
    terms->erase(carry);
    if (terms->size() > 2)
        return std::nullopt;
    terms->resize(2);
    return std::pair{Pair{a, (*terms)[0]}, Pair{c, (*terms)[1]}};
}

// low = a * c, high = the high half of a * c, + b * c + a * d.
std::optional<std::pair<Pair, Pair>> factors(const Pair& product) {
    Value* a = nullptr;
    Value* c = nullptr;
    const auto terms = terms_of(product.high);
    if (!terms || !match::match(product.low, match::m_Mul(match::m_Value(a), match::m_Value(c))))
        return std::nullopt;
    const auto is_wide = [](Value* value, Value* of) {
        const llvm::APInt* number = nullptr;
        const llvm::APInt* short_one = nullptr;
        return match::match(value, match::m_ZExt(match::m_Specific(of))) ||
               (match::match(value, match::m_APInt(number)) && match::match(of, match::m_APInt(short_one)) &&
                *number == short_one->zext(64));
    };
    const auto is_high = [&](Value* term) {
        Value* one = nullptr;
        Value* other = nullptr;
        return match::match(term, match::m_Trunc(
                                      match::m_LShr(match::m_Mul(match::m_Value(one), match::m_Value(other)),
                                                    match::m_SpecificInt(32)))) &&
               ((is_wide(one, a) && is_wide(other, c)) || (is_wide(one, c) && is_wide(other, a)));
    };
    Pair first{.low = a};
    Pair second{.low = c};
    bool has_high = false;
    for (Value* const term : *terms) {
        Value* other = nullptr;
        if (!has_high && is_high(term))
            has_high = true;
        else if (first.high == nullptr &&
                 match::match(term, match::m_c_Mul(match::m_Specific(c), match::m_Value(other))))
            first.high = other;
        else if (second.high == nullptr &&
                 match::match(term, match::m_c_Mul(match::m_Specific(a), match::m_Value(other))))
            second.high = other;
        else
            return std::nullopt;
    }
    return has_high ? std::optional(std::pair{first, second}) : std::nullopt;
}

// Null: not recognized.
Value* whole(llvm::Instruction& pairs) {
    const auto pair = halves_of(pairs);
    if (!pair)
        return nullptr;
    llvm::IRBuilder<> ir(&pairs);
    const auto both = [&](const std::pair<Pair, Pair>& of, llvm::Instruction::BinaryOps opcode) -> Value* {
        Value* const first = joined(ir, of.first);
        Value* const second = first == nullptr ? nullptr : joined(ir, of.second);
        return second == nullptr ? nullptr
                                 : ir.CreateBitCast(ir.CreateBinOp(opcode, first, second), pairs.getType());
    };
    if (const auto of = summands(*pair)) {
        if (Value* const sum = both(*of, llvm::Instruction::Add))
            return sum;
        return both({{of->first.low, of->second.high}, {of->second.low, of->first.high}},
                    llvm::Instruction::Add);
    }
    if (const auto of = factors(*pair))
        return both(*of, llvm::Instruction::Mul);
    return nullptr;
}

// The 64-bit elements that a phi of 32-bit elements is made from and used as; null: it is not.
llvm::Type* whole_type_of(const llvm::PHINode& phi) {
    const auto* const parts = llvm::dyn_cast<llvm::FixedVectorType>(phi.getType());
    if (parts == nullptr || !parts->getElementType()->isIntegerTy(32))
        return nullptr;
    const auto is_cast_from = [](const Value* value, const llvm::Type* type) {
        const auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(value);
        return cast != nullptr && cast->getSrcTy() == type;
    };
    for (const llvm::User* const user : phi.users())
        if (auto* const type = user->getType();
            is_cast_from(user, parts) && type->isIntOrIntVectorTy() && type->getScalarSizeInBits() == 64 &&
            llvm::any_of(phi.incoming_values(),
                         [&](const llvm::Use& use) { return is_cast_from(use.get(), type); }))
            return type;
    return nullptr;
}

// As a phi of whole elements; returns what the users that want parts have now.
Value* retype(llvm::PHINode& phi, llvm::Type* type) {
    auto* const whole = llvm::PHINode::Create(type, phi.getNumIncomingValues(), "", phi.getIterator());
    std::unordered_map<const llvm::BasicBlock*, Value*>
        incoming; // a block may be there twice, with one value
    for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
        llvm::BasicBlock* const from = phi.getIncomingBlock(k);
        Value*& value = incoming[from];
        if (value == nullptr) {
            Value* const parts = phi.getIncomingValue(k);
            const auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(parts);
            value = cast != nullptr && cast->getSrcTy() == type
                        ? cast->getOperand(0)
                        : llvm::IRBuilder<>(from->getTerminator()).CreateBitCast(parts, type);
        }
        whole->addIncoming(value, from);
    }
    llvm::IRBuilder<> ir(&*phi.getParent()->getFirstInsertionPt());
    Value* const parts = ir.CreateBitCast(whole, phi.getType());
    for (llvm::User* const user : llvm::make_early_inc_range(phi.users()))
        if (auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(user); cast && cast->getType() == type) {
            cast->replaceAllUsesWith(whole);
            cast->eraseFromParent();
        }
    phi.replaceAllUsesWith(parts);
    return parts;
}

// Addresses that a loop carries are in registers of 32-bit elements, which hides by how much they grow.
void retype_phis(llvm::Function& function) {
    std::vector<llvm::WeakTrackingVH> open;
    for (llvm::BasicBlock& block : function)
        for (llvm::PHINode& phi : block.phis())
            open.emplace_back(&phi);
    while (!open.empty()) {
        auto* const phi = llvm::dyn_cast_or_null<llvm::PHINode>(static_cast<Value*>(open.back()));
        open.pop_back();
        llvm::Type* const type = phi == nullptr ? nullptr : whole_type_of(*phi);
        if (type == nullptr)
            continue;
        const std::vector<Value*> before(phi->value_op_begin(), phi->value_op_end());
        Value* const parts = retype(*phi, type);
        phi->eraseFromParent();
        // Those of the loops around it and in it.
        for (Value* const value : before)
            if (value != phi && llvm::isa<llvm::PHINode>(value))
                open.emplace_back(value);
        for (llvm::User* const user : parts->users())
            if (llvm::isa<llvm::PHINode>(user))
                open.emplace_back(user);
    }
}

} // namespace

void recognize_i64(llvm::Function& function) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
        if (Value* const other = whole(instruction))
            instruction.replaceAllUsesWith(other);
    retype_phis(function);
}

} // namespace visor::jit
