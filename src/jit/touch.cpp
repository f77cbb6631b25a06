#include "jit/touch.h"

#include "jit/affine.h"
#include "jit/stand_in.h"
#include "jit/state.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <set>
#include <utility>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr int64_t line_bytes = 64;
// Fewer are not worth a look, and longer stretches do not fit the nearest caches.
constexpr size_t least_accesses = 8;
constexpr int64_t longest_stretch = 256 << 10;
constexpr int64_t farthest = INT32_MAX;

// root * factor + number, as far as wrapping does not matter: what is touched is looked at anyhow.
struct Sum {
    Value* root = nullptr;
    int64_t factor = 1;
    int64_t number = 0;
};

Sum sum_of(Value* value) {
    Sum sum{.root = value};
    for (unsigned turn = 0; turn < 16; ++turn) {
        if (auto* const cast = llvm::dyn_cast<llvm::CastInst>(sum.root)) {
            if (!cast->getSrcTy()->isIntegerTy())
                return sum;
            sum.root = cast->getOperand(0);
            continue;
        }
        const auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(sum.root);
        const auto* const by =
            binary == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(binary->getOperand(1));
        if (by == nullptr || by->getBitWidth() > 64)
            return sum;
        const int64_t number = by->getSExtValue();
        Sum next = sum;
        switch (binary->getOpcode()) {
        case llvm::Instruction::And: // low bits cleared
            if (!by->getValue().isNegatedPowerOf2())
                return sum;
            break;
        case llvm::Instruction::Add:
        case llvm::Instruction::Or:
            if (number < -farthest || number > farthest)
                return sum;
            next.number += next.factor * number;
            break;
        case llvm::Instruction::Shl:
            if (number < 0 || number > 16)
                return sum;
            next.factor <<= number;
            break;
        default:
            return sum;
        }
        if (std::abs(next.number) > farthest || next.factor > farthest)
            return sum;
        next.root = binary->getOperand(0);
        sum = next;
    }
    return sum;
}

// Accesses at one root.
struct Stretch {
    llvm::CallInst* first = nullptr;
    Value* base = nullptr; // of the first one's lanes
    int64_t at = 0;        // the first one's number
    int64_t low = 0;       // of all of them
    int64_t high = 0;
    int64_t bytes = 0; // that all of them read
    size_t count = 0;
};

class Touching {
public:
    explicit Touching(llvm::Function& function) : function_(function), ir_(function.getContext()) {}

    void run() {
        if (!find_turn())
            return;
        Affine affine(function_, 0);
        const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function_);
        std::vector<llvm::CallInst*> calls;
        for (llvm::BasicBlock* const block : blocks)
            for (llvm::Instruction& instruction : *block)
                if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
                    call != nullptr && reads(*call))
                    calls.push_back(call);
        for (llvm::CallInst* const call : calls)
            note(affine, *call);
        std::set<Value*> touched; // halves of a thread's lanes have a root each: one is enough
        for (const auto& [key, stretch] : stretches_) {
            Value* const surface = key.first.first;
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
        Value* const state = turn_->getPointerOperand()->stripInBoundsConstantOffsets();
        ir_.SetInsertPoint(turn_->getNextNode());
        const auto member = [&](size_t offset, llvm::Type* type) {
            return ir_.CreateLoad(type, ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), state, offset));
        };
        Value* const leads = ir_.CreateICmpEQ(member(offsetof(State, group), ir_.getPtrTy()), state);
        led_ = ir_.CreateSelect(leads, member(offsetof(State, group_count), ir_.getInt64Ty()), number(0));
        return led_;
    }

    [[nodiscard]] static bool is_flat(const llvm::CallInst& call) {
        return is_stand_in(call, stand_in::admits);
    }

    // Whether lanes' places are asked for there, be it for a store: that reads its lines, too. Shared local
    // memory is near anyhow.
    [[nodiscard]] static bool reads(const llvm::CallInst& call) {
        return is_flat(call) ||
               (is_stand_in(call, stand_in::load_surface) && !masks_offsets(call.getArgOperand(5)));
    }

    void note(Affine& affine, llvm::CallInst& call) {
        Value* const places = call.getArgOperand(0);
        const auto form = lanes_of(places) < 2 ? std::nullopt : affine.form(places, 0, &call);
        if (!form || form->lowest() != 0 || form->uniform() || form->highest() > longest_stretch)
            return;
        const int64_t bytes = form->highest() / (lanes_of(places) - 1) * lanes_of(places);
        const Sum sum = sum_of(form->base);
        const int64_t number = sum.number + displacement(call);
        Value* const where = is_flat(call) ? nullptr : call.getArgOperand(3);
        Stretch& stretch = stretches_[{{where, sum.root}, sum.factor}];
        if (stretch.count == 0)
            stretch = {.first = &call, .base = form->base, .at = number, .low = number, .high = number};
        stretch.low = std::min(stretch.low, number);
        stretch.high = std::max(stretch.high, number + bytes);
        stretch.bytes += bytes;
        ++stretch.count;
    }

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
        auto* const qword = ir_.getInt64Ty();
        Value* const base = ir_.CreateAdd(ir_.CreateZExt(stretch.base, qword),
                                          number(stretch.low - stretch.at + displacement(*stretch.first)));
        Value* inside = nullptr;
        Value* begin = nullptr;
        if (is_flat(*stretch.first)) {
            Value* const last = stretch.first->getArgOperand(4);
            inside = ir_.CreateAnd(ir_.CreateICmpUGE(base, stretch.first->getArgOperand(3)),
                                   ir_.CreateAnd(ir_.CreateICmpULE(base, last),
                                                 ir_.CreateICmpUGE(ir_.CreateSub(last, base), number(span))));
            begin = ir_.CreateIntToPtr(base, ir_.getPtrTy());
        } else {
            Value* const bytes = stretch.first->getArgOperand(4);
            inside = ir_.CreateAnd(ir_.CreateICmpULE(base, bytes),
                                   ir_.CreateICmpUGE(ir_.CreateSub(bytes, base), number(span)));
            begin = ir_.CreateGEP(ir_.getInt8Ty(), stretch.first->getArgOperand(3), base);
        }
        const int64_t threads = (span * 3 / 8 + stretch.bytes - 1) / stretch.bytes;
        Value* const leads = ir_.CreateICmpUGE(led, number(threads));
        llvm::Instruction* const then = llvm::SplitBlockAndInsertIfThen(
            ir_.CreateAnd(leads, inside), stretch.first->getIterator(), false,
            llvm::MDBuilder(function_.getContext()).createBranchWeights(1, 7));
        read_lines(begin, span, then);
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

    [[nodiscard]] static int64_t displacement(const llvm::CallInst& call) {
        return llvm::cast<llvm::ConstantInt>(call.getArgOperand(2))->getSExtValue();
    }
    Value* number(int64_t value) { return ir_.getInt64(static_cast<uint64_t>(value)); }

    llvm::Function& function_;
    llvm::IRBuilder<> ir_;
    llvm::StoreInst* turn_ = nullptr;
    Value* led_ = nullptr;
    // In the order of their first accesses, so that the same program is the same code.
    llvm::MapVector<std::pair<std::pair<Value*, Value*>, int64_t>, Stretch> stretches_;
};

} // namespace

void touch_ahead(llvm::Function& function) {
    Touching(function).run();
}

} // namespace visor::jit
