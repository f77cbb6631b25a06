#include "jit/analysis/memory_effects.h"

#include "jit/ir/atomics.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/ir/state_pointer.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace visor::jit {

namespace {

using llvm::Value;

// The register file, State and what State's members point to, but shared local memory. Kernels' messages
// cannot load from it; surfaces are two loads away from State.
bool is_own(const Value& pointer, const llvm::DataLayout& layout) {
    const Value* const object = llvm::getUnderlyingObject(&pointer);
    const auto* const member = llvm::dyn_cast<llvm::LoadInst>(object);
    return llvm::isa<llvm::AllocaInst>(object) || is_state(*object, layout) ||
           (member != nullptr && is_state(*llvm::getUnderlyingObject(member->getPointerOperand()), layout));
}

// Polls for a stop request.
bool is_volatile_load(const llvm::Instruction& instruction) {
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load != nullptr && load->isVolatile() && !load->isAtomic();
}

} // namespace

bool orders_memory(const llvm::Instruction& instruction) {
    return llvm::isa<llvm::FenceInst, MemAtomic>(instruction);
}

bool loads_shared_surface(const MemLoad& load) {
    if (load.flat() || load.scratch())
        return false;
    const auto* const mask = llvm::dyn_cast<llvm::ConstantInt>(load.offset_mask());
    return mask != nullptr && mask->isMinusOne();
}

bool writes_local_memory(const MemStore& store) {
    return !store.flat() && masks_offsets(store.offset_mask());
}

bool may_write(const llvm::Instruction& instruction) {
    if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
        if (const auto* const store = llvm::dyn_cast<MemStore>(call))
            return !store->scratch();
        if (llvm::isa<MemoryIntrinsic>(call))
            return false;
        if (const auto* const block = llvm::dyn_cast<llvm::AnyMemIntrinsic>(call))
            return !is_own(*block->getDest(), instruction.getModule()->getDataLayout());
        return call->mayWriteToMemory();
    }
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        return !is_own(*store->getPointerOperand(), instruction.getModule()->getDataLayout());
    return instruction.mayWriteToMemory() && !is_volatile_load(instruction);
}

} // namespace visor::jit
