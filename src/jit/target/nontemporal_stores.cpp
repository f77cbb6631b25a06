#include "jit/target/nontemporal_stores.h"

#include "jit/engine/runtime_abi.h"
#include "jit/ir/prefetch.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

class Stores {
public:
    Stores(llvm::Function& function, NontemporalStores which) : function_(function), which_(which) {}

    void run() {
        std::vector<llvm::StoreInst*> marked;
        for (llvm::Instruction& instruction : llvm::instructions(function_))
            if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
                store != nullptr && store->hasMetadata(llvm::LLVMContext::MD_nontemporal))
                marked.push_back(store);
        uint64_t longest = 0;
        for (llvm::StoreInst* const store : marked) {
            llvm::MDNode* const mark = store->getMetadata(llvm::LLVMContext::MD_nontemporal);
            store->setMetadata(llvm::LLVMContext::MD_nontemporal, nullptr);
            const uint64_t bytes = bytes_of(*store);
            if (which_ == NontemporalStores::no || bytes == 0)
                continue;
            longest = std::max(longest, bytes);
            store_lines(*store, bytes, mark);
        }
        if (longest != 0)
            fence_before_returns(longest);
    }

private:
    // 0: not a multiple of cache lines.
    static uint64_t bytes_of(const llvm::StoreInst& store) {
        const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(store.getValueOperand()->getType());
        const uint64_t bytes = type == nullptr ? 0 : type->getPrimitiveSizeInBits().getFixedValue() / 8;
        return bytes % line_bytes == 0 ? bytes : 0;
    }

    // Whether all threads of the launch together store enough, at `bytes` each.
    Value* is_large(llvm::IRBuilder<>& ir, uint64_t bytes) {
        if (which_ == NontemporalStores::any)
            return ir.getTrue();
        if (threads_ == nullptr) {
            llvm::IRBuilder<> start(&*function_.getEntryBlock().getFirstInsertionPt());
            threads_ = start.CreateLoad(
                start.getInt64Ty(), start.CreateConstInBoundsGEP1_64(start.getInt8Ty(), function_.getArg(0),
                                                                     offsetof(State, launch_threads)));
        }
        return ir.CreateICmpUGE(threads_, ir.getInt64(nontemporal_bytes / bytes));
    }

    void store_lines(llvm::StoreInst& store, uint64_t bytes, llvm::MDNode* mark) {
        llvm::IRBuilder<> ir(&store);
        Value* const address = ir.CreatePtrToInt(store.getPointerOperand(), ir.getInt64Ty());
        Value* const whole = ir.CreateICmpEQ(ir.CreateAnd(address, line_bytes - 1), ir.getInt64(0));
        llvm::Instruction* lines = nullptr;
        llvm::Instruction* ordinary = nullptr;
        llvm::SplitBlockAndInsertIfThenElse(ir.CreateAnd(whole, is_large(ir, bytes)), &store, &lines,
                                            &ordinary);
        ir.SetInsertPoint(lines);
        Value* const values = store.getValueOperand();
        auto* const type = llvm::cast<llvm::FixedVectorType>(values->getType());
        const auto lanes = static_cast<unsigned>(type->getNumElements() / (bytes / line_bytes));
        for (uint64_t k = 0; k < bytes / line_bytes; ++k) {
            Value* const line =
                bytes == line_bytes
                    ? values
                    : ir.CreateShuffleVector(
                          values, llvm::createSequentialMask(static_cast<unsigned>(k) * lanes, lanes, 0));
            Value* const at =
                ir.CreateConstGEP1_64(ir.getInt8Ty(), store.getPointerOperand(), k * line_bytes);
            ir.CreateAlignedStore(line, at, llvm::Align(line_bytes))
                ->setMetadata(llvm::LLVMContext::MD_nontemporal, mark);
        }
        store.moveBefore(ordinary);
    }

    // Some CPUs do not order these stores with others, so a fence makes them visible before the return. The
    // code's own fences and atomics already order them.
    void fence_before_returns(uint64_t longest) {
        std::vector<llvm::Instruction*> ends;
        for (llvm::BasicBlock& block : function_)
            if (llvm::isa<llvm::ReturnInst>(block.getTerminator()))
                ends.push_back(block.getTerminator());
        for (llvm::Instruction* const end : ends) {
            llvm::IRBuilder<> ir(end);
            ir.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(is_large(ir, longest), end, false));
            if (llvm::Triple(function_.getParent()->getTargetTriple()).isX86())
                ir.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {});
            else
                ir.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
        }
    }

    llvm::Function& function_;
    NontemporalStores which_;
    Value* threads_ = nullptr;
};

} // namespace

void use_nontemporal_stores(llvm::Function& function, NontemporalStores which) {
    Stores(function, which).run();
}

} // namespace visor::jit
