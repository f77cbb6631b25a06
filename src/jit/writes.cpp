#include "jit/writes.h"

#include "jit/stand_in.h"
#include "jit/state.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <cstddef>
#include <set>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

// What `load` reads is where the States of a group begin, if it reads of one: that one, else null.
const Value* state_of_group(const llvm::LoadInst& load) {
    const llvm::DataLayout& layout = load.getModule()->getDataLayout();
    llvm::APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
    const Value* const base =
        load.getPointerOperand()->stripAndAccumulateInBoundsConstantOffsets(layout, offset);
    return offset == offsetof(State, group) ? base : nullptr;
}

// A thread's State: those of a group follow each other behind the one that the code is given, round and
// round.
bool is_state(const Value& object) {
    std::set<const Value*> seen;
    std::vector<const Value*> open{&object};
    const auto look_at = [&](const Value* value) { open.push_back(llvm::getUnderlyingObject(value)); };
    while (!open.empty()) {
        const Value* const next = open.back();
        open.pop_back();
        if (!seen.insert(next).second)
            continue;
        if (const auto* const argument = llvm::dyn_cast<llvm::Argument>(next)) {
            if (argument->getArgNo() != 0)
                return false;
        } else if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(next)) {
            llvm::for_each(phi->incoming_values(), look_at);
        } else if (const auto* const choice = llvm::dyn_cast<llvm::SelectInst>(next)) {
            look_at(choice->getTrueValue());
            look_at(choice->getFalseValue());
        } else {
            const auto* const load = llvm::dyn_cast<llvm::LoadInst>(next);
            const Value* const from = load == nullptr ? nullptr : state_of_group(*load);
            if (from == nullptr)
                return false;
            look_at(from);
        }
    }
    return true;
}

// The machine's registers and its State: no kernel's memory. What members of State point to is Visor's
// own, too, but for shared local memory, where nobody walks; surfaces begin two steps from it.
bool is_own(const Value& pointer) {
    const Value* const object = llvm::getUnderlyingObject(&pointer);
    const auto* const member = llvm::dyn_cast<llvm::LoadInst>(object);
    return llvm::isa<llvm::AllocaInst>(object) || is_state(*object) ||
           (member != nullptr && is_state(*llvm::getUnderlyingObject(member->getPointerOperand())));
}

// Polls of the engine's word.
bool is_volatile_load(const llvm::Instruction& instruction) {
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load != nullptr && load->isVolatile() && !load->isAtomic();
}

} // namespace

bool orders_memory(const llvm::Instruction& instruction) {
    return llvm::isa<llvm::FenceInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction);
}

bool loads_shared_surface(const llvm::CallInst& call) {
    if (!is_stand_in(call, stand_in::load_surface) || is_scratch(call))
        return false;
    const auto* const mask = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(5));
    return mask != nullptr && mask->isMinusOne();
}

bool may_write(const llvm::Instruction& instruction) {
    if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
        if (is_stand_in(*call, stand_in::store_surface))
            return !is_scratch(*call);
        if (is_stand_in(*call, stand_in::any))
            return is_stand_in(*call, stand_in::any_store);
        if (const auto* const block = llvm::dyn_cast<llvm::AnyMemIntrinsic>(call))
            return !is_own(*block->getDest());
        return call->mayWriteToMemory();
    }
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        return !is_own(*store->getPointerOperand());
    return instruction.mayWriteToMemory() && !is_volatile_load(instruction);
}

} // namespace visor::jit
