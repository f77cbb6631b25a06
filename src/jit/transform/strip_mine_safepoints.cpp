#include "jit/transform/strip_mine_safepoints.h"

#include "jit/ir/safepoint.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace visor::jit {

namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

constexpr size_t max_unrolled = 4000; // instructions after unrolling
constexpr size_t max_deciding = 32;   // instructions that compute the exit condition

// A loop in the translator's form: a body that ends in a safepoint poll.
struct PolledLoop {
    llvm::Loop* loop = nullptr;
    BasicBlock* before = nullptr;
    SafepointPoll* safepoint = nullptr;
    BasicBlock* poll = nullptr;      // its block: continues to the header, or
    BasicBlock* slow_path = nullptr; // which continues, too, or leaves
    std::vector<BasicBlock*> body;   // all other blocks, in reverse post-order
    Instruction* counted = nullptr;  // instruction count, which the poll compares with the fuel
    llvm::PHINode* counter = nullptr;
    uint64_t each = 0; // instructions per iteration
    llvm::BranchInst* exit = nullptr;
    uint32_t count = 0;

    [[nodiscard]] BasicBlock* header() const { return loop->getHeader(); }
    [[nodiscard]] bool is_in_body(const Instruction& code) const {
        return code.getParent() != poll && code.getParent() != slow_path && loop->contains(&code);
    }
    // A header phi's value for the next iteration.
    [[nodiscard]] Value* next(const llvm::PHINode& phi) const { return phi.getIncomingValueForBlock(poll); }
    [[nodiscard]] Value* first(const llvm::PHINode& phi) const {
        return phi.getIncomingValueForBlock(before);
    }
};

// ---- matching loops

bool find_blocks(PolledLoop& iterations, const llvm::LoopInfo& loops) {
    llvm::Loop& loop = *iterations.loop;
    iterations.before = loop.getLoopPredecessor();
    for (BasicBlock* const block : loop.blocks())
        if (auto* const poll = llvm::dyn_cast<SafepointPoll>(block->getTerminator())) {
            if (iterations.safepoint != nullptr)
                return false;
            iterations.safepoint = poll;
            iterations.poll = block;
        }
    if (iterations.before == nullptr ||
        llvm::count(llvm::successors(iterations.before), loop.getHeader()) != 1 ||
        iterations.safepoint == nullptr || iterations.poll == loop.getHeader() ||
        iterations.safepoint->fast_path() != loop.getHeader())
        return false;
    iterations.slow_path = iterations.safepoint->slow_path();
    if (!loop.contains(iterations.slow_path) ||
        iterations.slow_path->getSinglePredecessor() != iterations.poll)
        return false;
    llvm::SmallVector<BasicBlock*> latches;
    loop.getLoopLatches(latches);
    llvm::LoopBlocksRPO order(&loop);
    order.perform(&loops);
    std::ranges::copy_if(order, std::back_inserter(iterations.body), [&](const BasicBlock* block) {
        return block != iterations.poll && block != iterations.slow_path;
    });
    return std::ranges::all_of(latches, [&](const BasicBlock* latch) {
        return latch == iterations.poll || latch == iterations.slow_path;
    });
}

// Both latches pass equal values, and no value of the poll blocks is used outside of them.
bool latches_agree(const PolledLoop& iterations) {
    for (const llvm::PHINode& phi : iterations.header()->phis()) {
        const int other = phi.getBasicBlockIndex(iterations.slow_path);
        if (other >= 0 && phi.getIncomingValue(static_cast<unsigned>(other)) != iterations.next(phi))
            return false;
    }
    const auto outlives = [](const BasicBlock* block, const BasicBlock* other) {
        return std::ranges::any_of(*block, [&](const Instruction& code) {
            return llvm::isa<llvm::PHINode>(code) || std::ranges::any_of(code.users(), [&](const auto* user) {
                       const BasicBlock* const at = llvm::cast<Instruction>(user)->getParent();
                       return at != block && at != other;
                   });
        });
    };
    return !outlives(iterations.poll, iterations.slow_path) &&
           !outlives(iterations.slow_path, iterations.poll);
}

// The poll only checks for a stop request and for spent fuel.
bool find_counter(PolledLoop& iterations) {
    iterations.counted = llvm::dyn_cast_or_null<Instruction>(iterations.safepoint->instruction_count());
    Value* at = iterations.counted;
    while (true) {
        const auto* const sum = llvm::dyn_cast_or_null<llvm::BinaryOperator>(at);
        if (sum == nullptr || sum->getOpcode() != Instruction::Add || !iterations.is_in_body(*sum))
            break;
        const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
        if (number == nullptr)
            return false;
        iterations.each += number->getZExtValue();
        at = sum->getOperand(0);
    }
    iterations.counter = llvm::dyn_cast_or_null<llvm::PHINode>(at);
    if (iterations.counter == nullptr || iterations.counter->getParent() != iterations.header() ||
        iterations.next(*iterations.counter) != iterations.counted)
        return false;
    return std::ranges::all_of(*iterations.poll, [&](const Instruction& code) {
        const bool only_looks = llvm::isa<llvm::LoadInst>(code) || !code.mayHaveSideEffects();
        return only_looks && std::ranges::all_of(code.operands(), [&](const Value* operand) {
                   const auto* const copies = llvm::dyn_cast<Instruction>(operand);
                   return copies == nullptr || copies == iterations.counted ||
                          copies->getParent() == iterations.poll || !iterations.loop->contains(copies);
               });
    });
}

bool is_of_numbers(const Instruction& code) {
    return llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::CastInst, llvm::SelectInst, llvm::FreezeInst,
                     llvm::InsertElementInst, llvm::ExtractElementInst, llvm::ShuffleVectorInst>(code);
}

// The values that determine CONDITION, of a branch in the body; none unless they follow from constants on
// entry.
std::optional<std::set<Value*>> what_decides(const PolledLoop& iterations, Value* condition) {
    std::set<Value*> needed{condition};
    std::vector<Value*> open{condition};
    const auto need = [&](Value* value) {
        if (needed.insert(value).second)
            open.push_back(value);
    };
    while (!open.empty()) {
        Value* const value = open.back();
        open.pop_back();
        if (llvm::isa<llvm::Constant>(value))
            continue;
        auto* const code = llvm::dyn_cast<Instruction>(value);
        auto* const phi = llvm::dyn_cast<llvm::PHINode>(value);
        const bool is_known =
            phi != nullptr
                ? phi->getParent() == iterations.header() && llvm::isa<llvm::Constant>(iterations.first(*phi))
                : code != nullptr && iterations.is_in_body(*code) && is_of_numbers(*code);
        if (!is_known || needed.size() > max_deciding)
            return std::nullopt;
        if (phi != nullptr)
            need(iterations.next(*phi));
        else
            std::ranges::for_each(code->operands(), need);
    }
    return needed;
}

// True if CONDITION equals `leaves` for the first time in the last iteration.
bool leaves_after(const PolledLoop& iterations, Value* condition, bool leaves) {
    const std::optional<std::set<Value*>> check = what_decides(iterations, condition);
    if (!check)
        return false;
    const std::set<Value*>& needed = *check;
    std::map<const Value*, llvm::Constant*> now;
    for (Value* const value : needed)
        if (auto* const constant = llvm::dyn_cast<llvm::Constant>(value))
            now[constant] = constant;
    const llvm::DataLayout& layout = iterations.header()->getModule()->getDataLayout();
    std::map<const Value*, llvm::Constant*> then = now;
    for (llvm::PHINode& phi : iterations.header()->phis())
        if (needed.contains(&phi))
            then[&phi] = llvm::cast<llvm::Constant>(iterations.first(phi));
    for (uint32_t iteration = 1; iteration <= iterations.count; ++iteration) {
        now = then;
        for (BasicBlock* const block : iterations.body)
            for (Instruction& code : *block) {
                if (!needed.contains(&code) || llvm::isa<llvm::PHINode>(code))
                    continue;
                llvm::SmallVector<llvm::Constant*> operands;
                for (const Value* const operand : code.operands())
                    operands.push_back(now.at(operand));
                now[&code] = llvm::ConstantFoldInstOperands(&code, operands, layout);
                if (now[&code] == nullptr)
                    return false;
            }
        const auto* const result = llvm::dyn_cast<llvm::ConstantInt>(now.at(condition));
        if (result == nullptr)
            return false;
        if (result->isOne() == leaves)
            return iteration == iterations.count;
        for (llvm::PHINode& phi : iterations.header()->phis())
            if (needed.contains(&phi))
                then[&phi] = now.at(iterations.next(phi));
    }
    return false;
}

bool find_exit(PolledLoop& iterations, const llvm::DominatorTree& tree) {
    for (BasicBlock* const block : iterations.body) {
        auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
        if (branch == nullptr || !branch->isConditional() || !tree.dominates(block, iterations.poll))
            continue;
        const bool leaves = !iterations.loop->contains(branch->getSuccessor(0)); // on true
        if (leaves == !iterations.loop->contains(branch->getSuccessor(1)))
            continue;
        if (leaves_after(iterations, branch->getCondition(), leaves)) {
            iterations.exit = branch;
            return true;
        }
    }
    return false;
}

bool is_short(const PolledLoop& iterations) {
    size_t size = 0;
    for (const BasicBlock* const block : iterations.body)
        size += block->size();
    return size * iterations.count <= max_unrolled;
}

// ---- unrolling

class Unroller {
public:
    explicit Unroller(const PolledLoop& iterations)
        : iterations_(iterations), function_(*iterations.header()->getParent()) {}

    UnrolledLoop run() {
        BasicBlock* const check = BasicBlock::Create(function_.getContext(), "unroll.check", &function_);
        iterations_.before->getTerminator()->replaceSuccessorWith(iterations_.header(), check);
        for (llvm::PHINode& phi : iterations_.header()->phis()) {
            now_[&phi] = iterations_.first(phi);
            phi.replaceIncomingBlockWith(iterations_.before, check);
        }
        BasicBlock* const first = BasicBlock::Create(function_.getContext(), "unrolled", &function_);
        emit_poll(*check, *first);
        BasicBlock* from = first;
        for (uint32_t iteration = 1; iteration <= iterations_.count; ++iteration)
            from = clone_iteration(*from, iteration == iterations_.count);
        llvm::IRBuilder<>(from).CreateUnreachable(); // after the last iteration's exit
        unrolled_.begin = first;
        unrolled_.exit = iterations_.exit->getSuccessor(leaves_if_true() ? 0 : 1);
        unrolled_.blocks.push_back(from);
        return std::move(unrolled_);
    }

private:
    // One poll for all iterations.
    void emit_poll(BasicBlock& at, BasicBlock& unrolled) {
        llvm::IRBuilder<> ir(&at);
        llvm::ValueToValueMapTy map;
        map[iterations_.counted] = ir.CreateAdd(
            now_.at(iterations_.counter), llvm::ConstantInt::get(iterations_.counter->getType(),
                                                                 iterations_.each * (iterations_.count - 1)));
        for (const Instruction& code : *iterations_.poll) {
            if (code.isTerminator())
                break;
            Instruction* const own = code.clone();
            ir.Insert(own);
            map[&code] = own;
            llvm::RemapInstruction(own, map, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
        }
        ir.CreateCondBr(map[iterations_.safepoint->getCondition()], iterations_.header(), &unrolled,
                        llvm::MDBuilder(function_.getContext()).createBranchWeights(1, 1000));
    }

    // Clones the body after FROM; returns the block of the next iteration.
    BasicBlock* clone_iteration(BasicBlock& from, bool is_last) {
        BasicBlock* const end = BasicBlock::Create(function_.getContext(), "iteration", &function_);
        llvm::ValueToValueMapTy map;
        for (const llvm::PHINode& phi : iterations_.header()->phis())
            map[&phi] = now_.at(&phi);
        map[iterations_.poll] = end;
        std::vector<BasicBlock*> copies;
        for (BasicBlock* const block : iterations_.body) {
            BasicBlock* const own = llvm::CloneBasicBlock(block, map, "", &function_);
            if (block == iterations_.header())
                while (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&own->front()))
                    phi->eraseFromParent();
            for (const llvm::PHINode& phi : iterations_.header()->phis())
                map[&phi] = now_.at(&phi);
            map[block] = own;
            copies.push_back(own);
        }
        unrolled_.blocks.push_back(&from);
        std::ranges::copy(copies, std::back_inserter(unrolled_.blocks));
        for (BasicBlock* const own : copies)
            for (Instruction& code : *own)
                llvm::RemapInstruction(&code, map,
                                       llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
        llvm::IRBuilder<>(&from).CreateBr(copies.front());
        const auto in_iteration = [&](Value* value) {
            const auto at = map.find(value);
            return at == map.end() ? value : static_cast<Value*>(at->second);
        };
        for (size_t k = 0; k < copies.size(); ++k)
            for (BasicBlock* const leaves_to : llvm::successors(iterations_.body[k]))
                if (!iterations_.loop->contains(leaves_to))
                    for (llvm::PHINode& phi : leaves_to->phis())
                        phi.addIncoming(in_iteration(phi.getIncomingValueForBlock(iterations_.body[k])),
                                        copies[k]);
        std::map<const llvm::PHINode*, Value*> next;
        for (const llvm::PHINode& phi : iterations_.header()->phis())
            next[&phi] = in_iteration(iterations_.next(phi));
        now_ = std::move(next);
        auto& values = unrolled_.iterations.emplace_back();
        for (const auto& [value, own] : map)
            values[value] = own;
        auto* const exit = llvm::cast<llvm::BranchInst>(
            llvm::cast<BasicBlock>(map[iterations_.exit->getParent()])->getTerminator());
        exit->setCondition(llvm::ConstantInt::getBool(function_.getContext(), leaves_if_true() == is_last));
        return end;
    }

    [[nodiscard]] bool leaves_if_true() const {
        return !iterations_.loop->contains(iterations_.exit->getSuccessor(0));
    }

    const PolledLoop& iterations_;
    llvm::Function& function_;
    std::map<const llvm::PHINode*, Value*> now_; // at the begin of the next clone
    UnrolledLoop unrolled_;
};

} // namespace

std::optional<UnrolledLoop> unroll(llvm::BasicBlock& header, uint32_t iterations) {
    llvm::DominatorTree tree(*header.getParent());
    const llvm::LoopInfo loops(tree);
    PolledLoop found{.loop = loops.getLoopFor(&header), .count = iterations};
    if (found.loop == nullptr || found.header() != &header || !found.loop->isInnermost() ||
        !find_blocks(found, loops) || !latches_agree(found) || !find_counter(found) ||
        !find_exit(found, tree) || !is_short(found))
        return std::nullopt;
    llvm::formLCSSA(*found.loop, tree, &loops, nullptr);
    return Unroller(found).run();
}

} // namespace visor::jit
