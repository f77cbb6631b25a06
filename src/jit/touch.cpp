#include "jit/touch.h"

#include "jit/line.h"
#include "jit/state.h"
#include "jit/stretch.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <set>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr size_t least_accesses = 8; // fewer are not worth a look
constexpr int64_t lines_a_turn = 6;  // of more some are dropped, or waited for

class Touching {
public:
    explicit Touching(llvm::Function& function) : function_(function), ir_(function.getContext()) {}

    void run() {
        if (!find_turn())
            return;
        const Stretches stretches = find_stretches(function_, false);
        std::set<Value*> touched; // halves of a thread's lanes have a root each: one is enough
        for (const auto& [key, stretch] : stretches) {
            Value* const surface = stretch.surface();
            if (is_worth_it(stretch) && (surface == nullptr || touched.insert(surface).second))
                touch(stretch);
        }
    }

private:
    bool find_turn() {
        for (llvm::BasicBlock& block : function_)
            for (llvm::Instruction& instruction : block)
                if (instruction.getMetadata(turn_mark) != nullptr)
                    turn_ = llvm::cast<llvm::StoreInst>(&instruction);
        return turn_ != nullptr;
    }

    // How many threads the group has, in its first one's turn; 0 in the others'.
    Value* threads_led() {
        if (led_ != nullptr)
            return led_;
        ir_.SetInsertPoint(turn_->getNextNode());
        const auto load = [&](size_t offset, llvm::Type* type) {
            return ir_.CreateLoad(type, member(offset));
        };
        Value* const leads = ir_.CreateICmpEQ(load(offsetof(State, group), ir_.getPtrTy()), state());
        led_ = ir_.CreateSelect(leads, load(offsetof(State, group_count), ir_.getInt64Ty()), number(0));
        return led_;
    }

    // That of the thread whose turn it is.
    [[nodiscard]] Value* state() const { return turn_->getPointerOperand()->stripInBoundsConstantOffsets(); }

    Value* member(size_t offset) { return ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), state(), offset); }

    // Who reads half of it by himself reads in order.
    [[nodiscard]] static bool is_worth_it(const Stretch& stretch) {
        const int64_t span = stretch.high - stretch.low;
        return stretch.count >= least_accesses && span <= longest_stretch && stretch.bytes < span / 2;
    }

    // When the threads together read about half of it, and all of it may be read.
    void touch(const Stretch& stretch) {
        const int64_t span = stretch.high - stretch.low;
        Value* const led = threads_led();
        ir_.SetInsertPoint(stretch.first);
        Value* const base = stretch.begin(ir_);
        Value* inside = nullptr;
        Value* begin = nullptr;
        if (stretch.flat()) {
            Value* const last = stretch.first->getArgOperand(4);
            inside = ir_.CreateAnd(ir_.CreateICmpUGE(base, stretch.first->getArgOperand(3)),
                                   ir_.CreateAnd(ir_.CreateICmpULE(base, last),
                                                 ir_.CreateICmpUGE(ir_.CreateSub(last, base), number(span))));
            begin = ir_.CreateIntToPtr(base, ir_.getPtrTy());
        } else {
            Value* const bytes = stretch.first->getArgOperand(4);
            inside = ir_.CreateAnd(ir_.CreateICmpULE(base, bytes),
                                   ir_.CreateICmpUGE(ir_.CreateSub(bytes, base), number(span)));
            begin = ir_.CreateGEP(ir_.getInt8Ty(), stretch.surface(), base);
        }
        const int64_t threads = (span * 3 / 8 + stretch.bytes - 1) / stretch.bytes;
        Value* const leads = ir_.CreateICmpUGE(led, number(threads));
        llvm::Instruction* const then = llvm::SplitBlockAndInsertIfThen(
            ir_.CreateAnd(leads, inside), stretch.first->getIterator(), false,
            llvm::MDBuilder(function_.getContext()).createBranchWeights(1, 7));
        read_lines(begin, span, then);
        if (!asks_)
            ask_for_next(begin, span, then);
        asks_ = true;
    }

    // Memory rests while threads compute and come to barriers: where stretches follow each other, those of
    // groups or, in a loop, those of its turns, every thread's turn asks for some lines of the next one. It
    // is taken to be as far away as this one is from the last.
    void ask_for_next(Value* begin, int64_t span, llvm::Instruction* then) {
        llvm::BasicBlock& entry = function_.getEntryBlock();
        ir_.SetInsertPoint(&entry, entry.begin());
        Value* const place = ir_.CreateAlloca(ir_.getPtrTy());
        Value* const turns = ir_.CreateAlloca(ir_.getInt64Ty());
        ir_.CreateStore(llvm::ConstantPointerNull::get(ir_.getPtrTy()), place);
        ir_.CreateStore(number(0), turns);

        ir_.SetInsertPoint(then);
        Value* const last = member(offsetof(State, read_ahead));
        Value* const distance = ir_.CreateSub(ir_.CreatePtrToInt(begin, ir_.getInt64Ty()),
                                              ir_.CreateLoad(ir_.getInt64Ty(), last));
        ir_.CreateStore(begin, last);
        ir_.CreateStore(ir_.CreateGEP(ir_.getInt8Ty(), begin, distance), place);
        Value* const follows = ir_.CreateICmpULE(ir_.CreateSub(distance, number(span / 2)), number(span));
        const int64_t most = span / (lines_a_turn * line_bytes);
        ir_.CreateStore(ir_.CreateSelect(follows, number(most), number(0)), turns);

        ir_.SetInsertPoint(turn_->getNextNode());
        llvm::LoadInst* const left = ir_.CreateLoad(ir_.getInt64Ty(), turns);
        Value* const some = ir_.CreateICmpNE(left, number(0));
        ir_.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(some, ir_.GetInsertPoint(), false));
        ir_.CreateStore(ir_.CreateSub(left, number(1)), turns);
        Value* const from = ir_.CreateLoad(ir_.getPtrTy(), place);
        for (int64_t line = 0; line < lines_a_turn; ++line)
            fetch_line(ir_, ir_.CreateGEP(ir_.getInt8Ty(), from, number(line * line_bytes)));
        ir_.CreateStore(ir_.CreateGEP(ir_.getInt8Ty(), from, number(lines_a_turn * line_bytes)), place);
    }

    // Real loads: a CPU that is busy drops prefetches.
    void read_lines(Value* begin, int64_t span, llvm::Instruction* at) {
        llvm::BasicBlock* const before = at->getParent();
        llvm::BasicBlock* const after = before->splitBasicBlock(at->getIterator());
        llvm::BasicBlock* const loop =
            llvm::BasicBlock::Create(function_.getContext(), "touch", &function_, after);
        before->getTerminator()->setSuccessor(0, loop);
        ir_.SetInsertPoint(loop);
        llvm::PHINode* const offset = ir_.CreatePHI(ir_.getInt64Ty(), 2);
        Value* const place = ir_.CreateGEP(ir_.getInt8Ty(), begin, offset);
        ir_.CreateAlignedLoad(ir_.getInt8Ty(), place, llvm::Align(1), true);
        Value* const next = ir_.CreateAdd(offset, number(line_bytes));
        offset->addIncoming(number(0), before);
        offset->addIncoming(next, loop);
        ir_.CreateCondBr(ir_.CreateICmpULT(next, number(span)), loop, after);
    }

    Value* number(int64_t value) { return ir_.getInt64(static_cast<uint64_t>(value)); }

    llvm::Function& function_;
    llvm::IRBuilder<> ir_;
    llvm::StoreInst* turn_ = nullptr;
    Value* led_ = nullptr;
    bool asks_ = false; // for one stretch
};

} // namespace

void touch_ahead(llvm::Function& function) {
    Touching(function).run();
}

} // namespace visor::jit
