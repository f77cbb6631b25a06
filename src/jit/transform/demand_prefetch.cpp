#include "jit/transform/demand_prefetch.h"

#include "jit/analysis/access_streams.h"
#include "jit/ir/bounds.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/ir/prefetch.h"
#include "jit/ir/thread_entry.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <set>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr size_t min_accesses = 8; // of fewer messages the benefit is too small

class GroupPrefetch {
public:
    GroupPrefetch(llvm::Function& function, ThreadEntry& thread_entry)
        : function_(function), thread_entry_(thread_entry), ir_(function.getContext()) {}

    void run() {
        const std::vector<AccessStream> streams = find_access_streams(function_, false);
        std::set<Value*> prefetched; // each half of a thread's lanes has a root: one suffices
        for (const AccessStream& stream : streams) {
            Value* const surface = stream.surface();
            if (is_worth_it(stream) && (surface == nullptr || prefetched.insert(surface).second))
                prefetch_stream(stream);
        }
    }

private:
    // A site's limits, or a surface.
    [[nodiscard]] static Bounds::Interval interval_of(const LaneIntrinsic& message) {
        if (const auto* const check = llvm::dyn_cast<RangeCheck>(&message))
            return {.low = check->low(), .last = check->last()};
        return {.low = nullptr, .last = llvm::cast<MemAccess>(message).window_bytes()};
    }
    // A thread that reads half of the extent by itself reads in order.
    [[nodiscard]] static bool is_worth_it(const AccessStream& stream) {
        const int64_t span = stream.high - stream.low;
        return stream.units >= min_accesses && span <= max_stream_bytes && stream.bytes < span / 2;
    }

    // If the group reads about half of the extent, and all of it is inside.
    void prefetch_stream(const AccessStream& stream) {
        const int64_t span = stream.high - stream.low;
        Value* const group_threads = thread_entry_.group_threads_if_first();
        ir_.SetInsertPoint(stream.first());
        Value* const base = stream.begin(ir_);
        Value* const inside = Bounds(ir_).span_in(interval_of(*stream.first()), base, number(span));
        Value* const begin = stream.flat() ? ir_.CreateIntToPtr(base, ir_.getPtrTy())
                                           : ir_.CreateGEP(ir_.getInt8Ty(), stream.surface(), base);
        const int64_t threads = (span * 3 / 8 + stream.bytes - 1) / stream.bytes;
        Value* const has_enough_threads = ir_.CreateICmpUGE(group_threads, number(threads));
        llvm::Instruction* const then = llvm::SplitBlockAndInsertIfThen(
            ir_.CreateAnd(has_enough_threads, inside), stream.first()->getIterator(), false,
            llvm::MDBuilder(function_.getContext()).createBranchWeights(1, 7));
        load_lines({stream.flat() ? Guard::flat : Guard::surface, Use::ahead}, begin, span, then);
        thread_entry_.prefetch_next_stream(begin, span, then);
    }

    // Real loads: a busy CPU drops prefetches.
    void load_lines(Mark mark, Value* begin, int64_t span, llvm::Instruction* at) {
        llvm::BasicBlock* const before = at->getParent();
        llvm::BasicBlock* const after = before->splitBasicBlock(at->getIterator());
        llvm::BasicBlock* const loop =
            llvm::BasicBlock::Create(function_.getContext(), "prefetch", &function_, after);
        before->getTerminator()->setSuccessor(0, loop);
        ir_.SetInsertPoint(loop);
        llvm::PHINode* const offset = ir_.CreatePHI(ir_.getInt64Ty(), 2);
        Value* const address = Bounds(ir_).behind(mark, begin, offset, {0, 1});
        ir_.CreateAlignedLoad(ir_.getInt8Ty(), address, llvm::Align(1), true);
        Value* const next = ir_.CreateAdd(offset, number(line_bytes));
        offset->addIncoming(number(0), before);
        offset->addIncoming(next, loop);
        ir_.CreateCondBr(ir_.CreateICmpULT(next, number(span)), loop, after);
    }

    Value* number(int64_t value) { return ir_.getInt64(static_cast<uint64_t>(value)); }

    llvm::Function& function_;
    ThreadEntry& thread_entry_;
    llvm::IRBuilder<> ir_;
};

} // namespace

void prefetch_for_group(llvm::Function& function, ThreadEntry& thread_entry) {
    GroupPrefetch(function, thread_entry).run();
}

} // namespace visor::jit
