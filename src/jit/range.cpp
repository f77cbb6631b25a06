#include "jit/range.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

#include <algorithm>
#include <bit>

namespace visor::jit {

namespace {

// What a number is made of is followed so far.
constexpr unsigned deepest = 12;

const llvm::ConstantInt* bound_of_load(const llvm::Value* value, unsigned which) {
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(value);
    const llvm::MDNode* const range =
        load == nullptr ? nullptr : load->getMetadata(llvm::LLVMContext::MD_range);
    return range == nullptr ? nullptr : llvm::mdconst::extract<llvm::ConstantInt>(range->getOperand(which));
}

std::optional<uint64_t> largest_of(const llvm::Value* value, unsigned depth);

// In `bits` bits without a carry.
std::optional<uint64_t> kept_in(unsigned bits, std::optional<uint64_t> number) {
    return number && (bits >= 64 || *number >> bits == 0) ? number : std::nullopt;
}

std::optional<uint64_t> largest_of_two(const llvm::BinaryOperator& value, unsigned depth) {
    using Op = llvm::Instruction::BinaryOps;
    const auto left = largest_of(value.getOperand(0), depth);
    const auto right = largest_of(value.getOperand(1), depth);
    if (value.getOpcode() == Op::And)
        return left && right ? std::min(*left, *right) : left ? left : right;
    const auto* const count = llvm::dyn_cast<llvm::ConstantInt>(value.getOperand(1));
    const unsigned bits = value.getType()->getIntegerBitWidth();
    if (!left || !right || *left > UINT32_MAX || *right > UINT32_MAX)
        return std::nullopt;
    switch (value.getOpcode()) {
    case Op::Add:
    case Op::Or:
        return kept_in(bits, *left + *right);
    case Op::Mul:
        return kept_in(bits, *left * *right);
    case Op::Shl:
        return count != nullptr && *right < 32 ? kept_in(bits, *left << *right) : std::nullopt;
    case Op::LShr:
        return count != nullptr && *right < 32 ? *left >> *right : *left;
    case Op::URem:
        return count != nullptr && *right > 0 ? *right - 1 : *left;
    default:
        return std::nullopt;
    }
}

std::optional<uint64_t> largest_of(const llvm::Value* value, unsigned depth) {
    if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64)
        return std::nullopt;
    if (const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(value))
        return constant->getZExtValue();
    if (const llvm::ConstantInt* const end = bound_of_load(value, 1))
        return end->getZExtValue() - 1;
    if (depth == 0)
        return std::nullopt;
    if (const auto* const extension = llvm::dyn_cast<llvm::ZExtInst>(value))
        return largest_of(extension->getOperand(0), depth - 1);
    if (const auto* const extension = llvm::dyn_cast<llvm::SExtInst>(value)) {
        const auto most = largest_of(extension->getOperand(0), depth - 1);
        const unsigned bits = extension->getOperand(0)->getType()->getIntegerBitWidth();
        return kept_in(bits - 1, most);
    }
    if (const auto* const cut = llvm::dyn_cast<llvm::TruncInst>(value))
        return kept_in(cut->getType()->getIntegerBitWidth(), largest_of(cut->getOperand(0), depth - 1));
    if (const auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(value))
        return largest_of_two(*binary, depth - 1);
    return std::nullopt;
}

} // namespace

std::optional<uint64_t> largest(const llvm::Value* value) {
    return largest_of(value, deepest);
}

uint64_t smallest(const llvm::Value* value) {
    const llvm::ConstantInt* const first = bound_of_load(value, 0);
    return first == nullptr ? 0 : first->getZExtValue();
}

} // namespace visor::jit
