#include "jit/ir/thread_entry.h"

#include "jit/engine/runtime_abi.h"
#include "jit/ir/prefetch.h"

#include <llvm/IR/Function.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace visor::jit {

using llvm::Value;

namespace {

constexpr const char* thread_mark = "visor.thread";
constexpr const char* thread_entry_mark = "visor.thread_entry"; // the same, in code with barriers

constexpr int64_t lines_per_slice = 6; // more would exceed the CPU's outstanding misses

Value* number(llvm::IRBuilder<>& ir, int64_t value) {
    return ir.getInt64(static_cast<uint64_t>(value));
}

} // namespace

bool ThreadStart::classof(const Value* value) {
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(value);
    return store != nullptr && store->getMetadata(thread_mark) != nullptr;
}

Value* ThreadStart::state() const {
    return const_cast<Value*>(getPointerOperand()->stripInBoundsConstantOffsets());
}

ThreadStart* mark_thread_start(llvm::StoreInst& store, bool has_barrier) {
    llvm::MDNode* const empty = llvm::MDNode::get(store.getContext(), {});
    store.setMetadata(thread_mark, empty);
    if (has_barrier)
        store.setMetadata(thread_entry_mark, empty);
    return llvm::cast<ThreadStart>(&store);
}

std::optional<ThreadEntry> ThreadEntry::of(llvm::Function& function) {
    for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block)
            if (instruction.getMetadata(thread_entry_mark) != nullptr)
                return ThreadEntry(*llvm::cast<llvm::StoreInst>(&instruction));
    return std::nullopt;
}

Value* ThreadEntry::group_threads_if_first() {
    if (group_threads_ != nullptr)
        return group_threads_;
    llvm::IRBuilder<> ir(store_->getNextNode());
    Value* const group = ir.CreateLoad(ir.getPtrTy(), member(ir, offsetof(State, group)));
    Value* const count = ir.CreateLoad(ir.getInt64Ty(), member(ir, offsetof(State, group_count)));
    group_threads_ = ir.CreateSelect(ir.CreateICmpEQ(group, state()), count, ir.getInt64(0));
    return group_threads_;
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

void ThreadEntry::prefetch_next_stream(Value* begin, int64_t span, llvm::Instruction* before) {
    if (prefetches_)
        return;
    prefetches_ = true;
    llvm::BasicBlock& entry = store_->getFunction()->getEntryBlock();
    llvm::IRBuilder<> ir(&entry, entry.begin());
    Value* const next_line = ir.CreateAlloca(ir.getPtrTy());
    Value* const slices = ir.CreateAlloca(ir.getInt64Ty());
    ir.CreateStore(llvm::ConstantPointerNull::get(ir.getPtrTy()), next_line);
    ir.CreateStore(number(ir, 0), slices);

    ir.SetInsertPoint(before);
    Value* const last = member(ir, offsetof(State, prefetched));
    Value* const distance =
        ir.CreateSub(ir.CreatePtrToInt(begin, ir.getInt64Ty()), ir.CreateLoad(ir.getInt64Ty(), last));
    ir.CreateStore(begin, last);
    ir.CreateStore(ir.CreateGEP(ir.getInt8Ty(), begin, distance), next_line);
    Value* const is_sequential =
        ir.CreateICmpULE(ir.CreateSub(distance, number(ir, span / 2)), number(ir, span));
    const int64_t slices_per_stream = span / (lines_per_slice * line_bytes);
    ir.CreateStore(ir.CreateSelect(is_sequential, number(ir, slices_per_stream), number(ir, 0)), slices);

    ir.SetInsertPoint(store_->getNextNode());
    llvm::LoadInst* const left = ir.CreateLoad(ir.getInt64Ty(), slices);
    Value* const any_left = ir.CreateICmpNE(left, number(ir, 0));
    ir.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(any_left, ir.GetInsertPoint(), false));
    ir.CreateStore(ir.CreateSub(left, number(ir, 1)), slices);
    Value* const first_line = ir.CreateLoad(ir.getPtrTy(), next_line);
    for (int64_t line = 0; line < lines_per_slice; ++line)
        prefetch_line(ir, ir.CreateGEP(ir.getInt8Ty(), first_line, number(ir, line * line_bytes)),
                      CacheLevel::second_cache);
    ir.CreateStore(ir.CreateGEP(ir.getInt8Ty(), first_line, number(ir, lines_per_slice * line_bytes)),
                   next_line);
}

} // namespace visor::jit
