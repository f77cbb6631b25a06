#include "jit/target/pack_extracts.h"

#include "jit/ir/memory_intrinsics.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;
namespace match = llvm::PatternMatch;

constexpr unsigned packed_bits = 8;

// One of two elements, as 64 bits.
struct Part {
    llvm::Instruction* value = nullptr;
    uint64_t element = 0;
};

// The element of a pair that the user computes; nothing: another use. `set`: bits that may be set.
std::optional<Part> part_of(llvm::User& user, uint64_t pair, const llvm::APInt& set) {
    const llvm::APInt* kept = nullptr;
    auto* const value = llvm::dyn_cast<llvm::Instruction>(&user);
    if (value == nullptr)
        return {};
    if (match::match(value, match::m_LShr(match::m_Value(), match::m_SpecificInt(32))))
        return Part{.value = value, .element = 2 * pair + 1};
    const bool low = match::match(value, match::m_And(match::m_Value(), match::m_APInt(kept))) &&
                     kept->getActiveBits() <= 32 && set.zext(64).isSubsetOf(*kept);
    return low ? std::optional(Part{.value = value, .element = 2 * pair}) : std::nullopt;
}

// All uses of the pairs; empty if any does not extract one element.
std::vector<Part> parts_of(llvm::BitCastInst& pairs, const llvm::APInt& set) {
    std::vector<Part> found;
    for (llvm::User* const user : pairs.users()) {
        uint64_t pair = 0;
        if (!match::match(user, match::m_ExtractElt(match::m_Value(), match::m_ConstantInt(pair))))
            return {};
        for (llvm::User* const each : user->users()) {
            const auto part = part_of(*each, pair, set);
            if (!part)
                return {};
            found.push_back(*part);
        }
    }
    return found;
}

void pack(llvm::BitCastInst& pairs, const std::vector<Part>& parts, unsigned shift) {
    llvm::IRBuilder<> ir(&pairs);
    Value* const elements = pairs.getOperand(0);
    const uint32_t lanes = lanes_of(elements);
    auto* const narrow = llvm::FixedVectorType::get(ir.getIntNTy(packed_bits), lanes);
    auto* const qwords = llvm::FixedVectorType::get(ir.getInt64Ty(), lanes / 8);
    Value* const packed =
        ir.CreateBitCast(ir.CreateTrunc(ir.CreateLShr(elements, uint64_t{shift}), narrow), qwords);
    for (const Part& part : parts) {
        ir.SetInsertPoint(part.value);
        Value* const eight = ir.CreateExtractElement(packed, part.element / 8);
        Value* const moved = ir.CreateLShr(eight, part.element % 8 * packed_bits);
        Value* const one = ir.CreateAnd(moved, (uint64_t{1} << packed_bits) - 1);
        part.value->replaceAllUsesWith(ir.CreateShl(one, uint64_t{shift}));
    }
}

} // namespace

void pack_extracts(llvm::Function& function) {
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block) {
            auto* const pairs = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
            if (pairs == nullptr || lanes_of(pairs) % 4 != 0 ||
                !pairs->getType()->getScalarType()->isIntegerTy(64) ||
                !pairs->getOperand(0)->getType()->getScalarType()->isIntegerTy(32))
                continue;
            const llvm::APInt set = ~llvm::computeKnownBits(pairs->getOperand(0), layout).Zero;
            if (set.isZero() || set.getActiveBits() - set.countr_zero() > packed_bits)
                continue;
            const std::vector<Part> parts = parts_of(*pairs, set);
            if (!parts.empty())
                pack(*pairs, parts, set.countr_zero());
        }
}

} // namespace visor::jit
