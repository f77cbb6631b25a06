#include "jit/ir/block_access.h"

#include "jit/ir/bounds.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr llvm::Align any_alignment; // any byte

const llvm::IntrinsicInst* masked(const Value* value, llvm::Intrinsic::ID id) {
    const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(value);
    return call != nullptr && call->getIntrinsicID() == id ? call : nullptr;
}
const llvm::IntrinsicInst* masked_load(const Value* value) {
    return masked(value, llvm::Intrinsic::masked_load);
}
const llvm::IntrinsicInst* masked_store(const Value* value) {
    return masked(value, llvm::Intrinsic::masked_store);
}

// Null for other instructions.
const Value* loaded_from(const Value* value) {
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(value))
        return load->getPointerOperand();
    const llvm::IntrinsicInst* const load = masked_load(value);
    return load == nullptr ? nullptr : load->getArgOperand(0);
}
const Value* stored_to(const Value* value) {
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(value))
        return store->getPointerOperand();
    const llvm::IntrinsicInst* const store = masked_store(value);
    return store == nullptr ? nullptr : store->getArgOperand(1);
}

bool is_block(const Value* pointer) {
    const auto mark = pointer == nullptr ? std::nullopt : marked(*pointer);
    return mark && (mark->mark.use == Use::block || mark->mark.use == Use::block_tail);
}

} // namespace

bool BlockAccess::classof(const Value* value) {
    return llvm::isa<BlockLoad, BlockStore>(value);
}
bool BlockLoad::classof(const Value* value) {
    return is_block(loaded_from(value));
}
bool BlockStore::classof(const Value* value) {
    return is_block(stored_to(value));
}

const Value* BlockAccess::pointer() const {
    const Value* const from = loaded_from(this);
    return from != nullptr ? from : stored_to(this);
}

Guard BlockAccess::guard() const {
    return marked(*pointer()).value().mark.guard;
}

uint32_t BlockAccess::bytes() const {
    return static_cast<uint32_t>(marked(*pointer()).value().span.end);
}

const Value* BlockAccess::on() const {
    if (const llvm::IntrinsicInst* const load = masked_load(this))
        return load->getArgOperand(2);
    const llvm::IntrinsicInst* const store = masked_store(this);
    return store == nullptr ? nullptr : store->getArgOperand(3);
}

const Value* BlockStore::values() const {
    const Value* const code = this;
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(code);
    return store != nullptr ? store->getValueOperand() : masked_store(this)->getArgOperand(0);
}

BlockLoad* create_block_load(llvm::IRBuilder<>& ir, llvm::Type* type, Value* pointer, Value* on) {
    llvm::Instruction* const load =
        on == nullptr
            ? static_cast<llvm::Instruction*>(ir.CreateAlignedLoad(type, pointer, any_alignment))
            : ir.CreateMaskedLoad(type, pointer, any_alignment, on, llvm::Constant::getNullValue(type));
    return llvm::cast<BlockLoad>(load);
}

BlockStore* create_block_store(llvm::IRBuilder<>& ir, Value* values, Value* pointer, Value* on) {
    llvm::Instruction* const store =
        on == nullptr ? static_cast<llvm::Instruction*>(ir.CreateAlignedStore(values, pointer, any_alignment))
                      : ir.CreateMaskedStore(values, pointer, any_alignment, on);
    return llvm::cast<BlockStore>(store);
}

} // namespace visor::jit
