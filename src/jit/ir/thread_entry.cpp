#include "jit/ir/thread_entry.h"

#include "jit/engine/runtime_abi.h"
#include "jit/ir/prefetch.h"

#include <llvm/IR/Function.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace visor::jit {

using llvm::Value;

namespace {

constexpr int64_t lines_a_turn = 6; // of more some are dropped, or waited for

Value* number(llvm::IRBuilder<>& ir, int64_t value) {
    return ir.getInt64(static_cast<uint64_t>(value));
}

} // namespace

std::optional<ThreadEntry> ThreadEntry::of(llvm::Function& function) {
    for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block)
            if (instruction.getMetadata(thread_entry_mark) != nullptr)
                return ThreadEntry(*llvm::cast<llvm::StoreInst>(&instruction));
    return std::nullopt;
}

Value* ThreadEntry::threads_led() {
    if (led_ != nullptr)
        return led_;
    llvm::IRBuilder<> ir(store_->getNextNode());
    Value* const group = ir.CreateLoad(ir.getPtrTy(), member(ir, offsetof(State, group)));
    Value* const count = ir.CreateLoad(ir.getInt64Ty(), member(ir, offsetof(State, group_count)));
    led_ = ir.CreateSelect(ir.CreateICmpEQ(group, state()), count, ir.getInt64(0));
    return led_;
}

Value* ThreadEntry::state() const {
    return store_->getPointerOperand()->stripInBoundsConstantOffsets();
}

Value* ThreadEntry::member(llvm::IRBuilder<>& ir, size_t offset) const {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), state(), offset);
}

Value* ThreadEntry::member_of_first(llvm::IRBuilder<>& ir, size_t offset) const {
    Value* const first = ir.CreateLoad(ir.getPtrTy(), member(ir, offsetof(State, group)));
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), first, offset);
}

void ThreadEntry::ask_for_next(Value* begin, int64_t span, llvm::Instruction* before) {
    if (asks_)
        return;
    asks_ = true;
    llvm::BasicBlock& entry = store_->getFunction()->getEntryBlock();
    llvm::IRBuilder<> ir(&entry, entry.begin());
    Value* const place = ir.CreateAlloca(ir.getPtrTy());
    Value* const turns = ir.CreateAlloca(ir.getInt64Ty());
    ir.CreateStore(llvm::ConstantPointerNull::get(ir.getPtrTy()), place);
    ir.CreateStore(number(ir, 0), turns);

    ir.SetInsertPoint(before);
    Value* const last = member(ir, offsetof(State, read_ahead));
    Value* const distance =
        ir.CreateSub(ir.CreatePtrToInt(begin, ir.getInt64Ty()), ir.CreateLoad(ir.getInt64Ty(), last));
    ir.CreateStore(begin, last);
    ir.CreateStore(ir.CreateGEP(ir.getInt8Ty(), begin, distance), place);
    Value* const follows = ir.CreateICmpULE(ir.CreateSub(distance, number(ir, span / 2)), number(ir, span));
    const int64_t most = span / (lines_a_turn * line_bytes);
    ir.CreateStore(ir.CreateSelect(follows, number(ir, most), number(ir, 0)), turns);

    ir.SetInsertPoint(store_->getNextNode());
    llvm::LoadInst* const left = ir.CreateLoad(ir.getInt64Ty(), turns);
    Value* const some = ir.CreateICmpNE(left, number(ir, 0));
    ir.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(some, ir.GetInsertPoint(), false));
    ir.CreateStore(ir.CreateSub(left, number(ir, 1)), turns);
    Value* const from = ir.CreateLoad(ir.getPtrTy(), place);
    for (int64_t line = 0; line < lines_a_turn; ++line)
        prefetch_line(ir, ir.CreateGEP(ir.getInt8Ty(), from, number(ir, line * line_bytes)),
                      CacheLevel::second_cache);
    ir.CreateStore(ir.CreateGEP(ir.getInt8Ty(), from, number(ir, lines_a_turn * line_bytes)), place);
}

} // namespace visor::jit
