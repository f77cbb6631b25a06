// Orders a block by phases: first the other instructions of phase k (messages, masks as integers), then its
// elementwise arithmetic, in a loop if profitable. Other instructions that use arithmetic of phase k belong
// to phase k + 1; messages keep their order. Values pass through memory between the loop and the rest of the
// block. Loaded values are reused in place if memory still holds them.
#include "jit/transform/strip_mine_lanes.h"

#include "jit/ir/elementwise.h"

#include "jit/transform/association_order.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Instruction;
using llvm::Value;

constexpr size_t min_operations = 256;           // for a loop to pay off
constexpr size_t operations_per_stack_value = 4; // live-ins and live-outs
constexpr size_t max_stack_values = 512;         // live-ins and live-outs of a loop
constexpr uint32_t lane_bits = 32;               // of typical elements
// Live values per register. Below this, spills are cheaper: they overlap with arithmetic of twice the
// throughput (measured: docs/dev/jit-experiments.md).
constexpr size_t min_excess = 3;
constexpr uint64_t stack_alignment = 64; // of values in memory

constexpr size_t min_operations_for(bool eager) {
    return eager ? 1 : min_operations;
}

uint32_t lanes_of_type(const llvm::Type* type) {
    const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector == nullptr ? 0 : vector->getNumElements();
}

class Block {
public:
    Block(llvm::BasicBlock& block, uint32_t lanes, uint32_t parts, uint32_t registers, bool eager)
        : block_(block), lanes_(lanes), parts_(parts), registers_(registers), eager_(eager) {}

    void run() {
        find_phases();
        std::vector<size_t> worth;
        for (size_t k = 0; k < phases_.size(); ++k)
            if (is_worth_it(k))
                worth.push_back(k);
        if (worth.empty())
            return;
        reorder();
        for (const size_t k : worth)
            make_loop(phases_[k].by_lane);
    }

private:
    struct Phase {
        std::vector<Instruction*> others;
        std::vector<Instruction*> by_lane;
    };

    void find_phases() {
        size_t memory = 0; // phase of the last memory access
        std::map<const Value*, size_t> phase_of;
        for (Instruction& instruction : block_) {
            if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator())
                continue;
            const bool by_lane = is_elementwise(instruction, lanes_);
            const bool accesses_memory =
                instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects();
            size_t phase = accesses_memory ? memory : 0;
            for (const Value* operand : instruction.operands())
                if (const auto found = phase_of.find(operand); found != phase_of.end())
                    phase =
                        std::max(phase, found->second + (!by_lane && in_loops_.contains(operand) ? 1 : 0));
            if (accesses_memory)
                memory = phase;
            phase_of[&instruction] = phase;
            phases_.resize(std::max(phases_.size(), phase + 1));
            (by_lane ? phases_[phase].by_lane : phases_[phase].others).push_back(&instruction);
            if (by_lane)
                in_loops_.insert(&instruction);
        }
    }

    // Many operations per live-in and live-out, and too high register pressure.
    [[nodiscard]] bool is_worth_it(size_t phase) const {
        const std::vector<Instruction*>& all = phases_[phase].by_lane;
        if (all.size() < min_operations_for(eager_))
            return false;
        const std::set<const Value*> inside(all.begin(), all.end());
        std::map<const Value*, size_t> last_use; // by vector value
        size_t stack_values = 0;
        for (size_t at = 0; at < all.size(); ++at)
            for (const Value* operand : all[at]->operands())
                if (lanes_of_type(operand->getType()) != 0 && !llvm::isa<llvm::Constant>(operand)) {
                    stack_values += !inside.contains(operand) && !last_use.contains(operand) ? 1 : 0;
                    last_use[operand] = at;
                }
        std::vector<size_t> ends(all.size());
        for (const auto& [value, at] : last_use)
            ++ends[at];
        size_t alive = stack_values;
        size_t max_alive = 0;
        for (size_t at = 0; at < all.size(); ++at) {
            stack_values += is_live_out(*all[at], inside) ? 1 : 0;
            alive += last_use.contains(all[at]) ? 1 : 0;
            max_alive = std::max(max_alive, alive);
            alive -= ends[at];
        }
        if (eager_)
            return stack_values <= max_stack_values;
        return stack_values <= std::min(max_stack_values, all.size() / operations_per_stack_value) &&
               max_alive * parts_ > min_excess * registers_;
    }
    static bool is_live_out(const Instruction& instruction, const std::set<const Value*>& inside) {
        return std::ranges::any_of(instruction.users(),
                                   [&](const llvm::User* user) { return !inside.contains(user); });
    }

    void reorder() {
        Instruction* const end = block_.getTerminator();
        for (const Phase& phase : phases_)
            for (const auto* const some : {&phase.others, &phase.by_lane})
                for (Instruction* const instruction : *some)
                    instruction->moveBefore(end);
    }

    [[nodiscard]] llvm::FixedVectorType* part_type(llvm::Type* type) const {
        return llvm::FixedVectorType::get(type->getScalarType(), lanes_ / parts_);
    }
    // Mask bits take a byte each in memory.
    [[nodiscard]] static llvm::Type* memory_type(llvm::Type* type) {
        return type->isIntOrIntVectorTy(1) ? type->getWithNewBitWidth(8) : type;
    }
    llvm::AllocaInst* stack_slot(llvm::Type* type) const {
        llvm::IRBuilder<> ir(&*block_.getParent()->getEntryBlock().getFirstInsertionPt());
        llvm::AllocaInst* const result = ir.CreateAlloca(memory_type(type));
        result->setAlignment(llvm::Align(stack_alignment));
        return result;
    }

    // The instructions are consecutive.
    void make_loop(const std::vector<Instruction*>& all) {
        const std::set<const Value*> inside(all.begin(), all.end());
        llvm::BasicBlock* const before = all.front()->getParent();
        llvm::BasicBlock* const loop = llvm::SplitBlock(before, all.front());
        llvm::BasicBlock* const exit = llvm::SplitBlock(loop, all.back()->getNextNode());
        llvm::IRBuilder<> ir(loop, loop->begin());
        llvm::PHINode* const part = ir.CreatePHI(ir.getInt64Ty(), 2);
        Value* const first_lane = ir.CreateMul(part, ir.getInt64(lanes_ / parts_));
        const auto address = [&](Value* memory, llvm::Type* type) {
            return ir.CreateInBoundsGEP(memory_type(type)->getScalarType(), memory, first_lane);
        };
        std::map<Value*, Value*> part_of;
        const auto operand_part = [&](Value* operand) -> Value* {
            if (lanes_of_type(operand->getType()) == 0)
                return operand;
            Value*& result = part_of[operand];
            if (result == nullptr)
                result = load_part(ir, *operand, *before->getTerminator(), address);
            return result;
        };
        for (Instruction* const whole : all) {
            ir.SetInsertPoint(whole);
            std::vector<Value*> operands;
            for (Value* const operand : whole->operands())
                operands.push_back(operand_part(operand));
            part_of[whole] = clone_part(ir, *whole, operands);
        }
        llvm::IRBuilder<> after(exit, exit->begin());
        ir.SetInsertPoint(loop->getTerminator());
        for (Instruction* const whole : all)
            if (is_live_out(*whole, inside))
                store_part(ir, after, *whole, part_of[whole], inside, address);
        for (Instruction* const whole : llvm::reverse(all))
            whole->eraseFromParent();
        close(*loop, *before, *exit, *part);
        pin_association_order(*loop);
    }

    void close(llvm::BasicBlock& loop, llvm::BasicBlock& before, llvm::BasicBlock& exit,
               llvm::PHINode& part) const {
        llvm::IRBuilder<> ir(loop.getTerminator());
        Value* const next = ir.CreateAdd(&part, ir.getInt64(1));
        ir.CreateCondBr(ir.CreateICmpEQ(next, ir.getInt64(parts_)), &exit, &loop);
        loop.getTerminator()->eraseFromParent();
        part.addIncoming(ir.getInt64(0), &before);
        part.addIncoming(next, &loop);
    }

    // True if memory still holds the loaded value at `end`, in the same block, and in the following loop.
    [[nodiscard]] bool lasts(const llvm::LoadInst& load, const Instruction& end) const {
        if (!load.isSimple() || load.getParent() != end.getParent() || load.getType()->isIntOrIntVectorTy(1))
            return false;
        for (const Instruction* at = &load; at != &end; at = at->getNextNode()) {
            const auto* const store = llvm::dyn_cast<llvm::StoreInst>(at);
            const bool own = store != nullptr && stack_slots_.contains(store->getPointerOperand());
            const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(at);
            const bool is_prefetch = call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::prefetch;
            if (at->mayWriteToMemory() && !own && !is_prefetch)
                return false;
        }
        return true;
    }

    template <class Address>
    Value* load_part(llvm::IRBuilder<>& ir, Value& whole, Instruction& before, const Address& address) {
        llvm::FixedVectorType* const type = part_type(whole.getType());
        auto* const constant = llvm::dyn_cast<llvm::Constant>(&whole);
        if (constant != nullptr && llvm::isa<llvm::PoisonValue>(constant))
            return llvm::PoisonValue::get(type);
        if (constant != nullptr && constant->getSplatValue() != nullptr)
            return llvm::ConstantVector::getSplat(type->getElementCount(), constant->getSplatValue());
        if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&whole); load && lasts(*load, before))
            return ir.CreateAlignedLoad(type, address(load->getPointerOperand(), whole.getType()),
                                        std::min(load->getAlign(), alignment(*type)));
        llvm::AllocaInst* const memory = stack_slot(whole.getType());
        stack_slots_.insert(memory);
        const bool is_mask = whole.getType()->isIntOrIntVectorTy(1);
        llvm::IRBuilder<> outside(&before);
        outside.CreateAlignedStore(is_mask ? outside.CreateZExt(&whole, memory_type(whole.getType()))
                                           : &whole,
                                   memory, llvm::Align(stack_alignment));
        Value* const loaded =
            ir.CreateAlignedLoad(memory_type(type), address(memory, whole.getType()), alignment(*type));
        return is_mask ? ir.CreateTrunc(loaded, type) : loaded;
    }

    template <class Address>
    void store_part(llvm::IRBuilder<>& ir, llvm::IRBuilder<>& after, Instruction& whole, Value* part,
                    const std::set<const Value*>& inside, const Address& address) const {
        llvm::AllocaInst* const memory = stack_slot(whole.getType());
        const bool is_mask = whole.getType()->isIntOrIntVectorTy(1);
        ir.CreateAlignedStore(is_mask ? ir.CreateZExt(part, memory_type(part->getType())) : part,
                              address(memory, whole.getType()), alignment(*part->getType()));
        Value* joined =
            after.CreateAlignedLoad(memory_type(whole.getType()), memory, llvm::Align(stack_alignment));
        if (is_mask)
            joined = after.CreateTrunc(joined, whole.getType());
        whole.replaceUsesWithIf(joined,
                                [&](const llvm::Use& use) { return !inside.contains(use.getUser()); });
    }
    static llvm::Align alignment(const llvm::Type& part) {
        const uint64_t bits = lanes_of_type(&part) * uint64_t{memory_type(const_cast<llvm::Type*>(&part))
                                                                  ->getScalarType()
                                                                  ->getPrimitiveSizeInBits()
                                                                  .getFixedValue()};
        return llvm::commonAlignment(llvm::Align(stack_alignment), bits / 8);
    }

    Value* clone_part(llvm::IRBuilder<>& ir, Instruction& whole, std::vector<Value*>& operands) const {
        if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&whole)) {
            operands.pop_back(); // the callee
            auto* const result =
                ir.CreateIntrinsic(part_type(whole.getType()), call->getIntrinsicID(), operands);
            if (llvm::isa<llvm::FPMathOperator>(result))
                result->copyFastMathFlags(&whole);
            return result;
        }
        Instruction* const own = whole.clone();
        for (unsigned k = 0; k < operands.size(); ++k)
            own->setOperand(k, operands[k]);
        own->mutateType(part_type(whole.getType()));
        return ir.Insert(own);
    }

    llvm::BasicBlock& block_;
    uint32_t lanes_;
    uint32_t parts_;
    uint32_t registers_;
    bool eager_;
    std::vector<Phase> phases_;
    std::set<const Value*> in_loops_;
    std::set<const Value*> stack_slots_; // of live-ins
};

} // namespace

void strip_mine_lanes(llvm::Function& function, uint32_t register_bits, uint32_t registers, bool eager) {
    std::vector<llvm::BasicBlock*> blocks;
    for (llvm::BasicBlock& block : function)
        if (block.size() >= min_operations_for(eager))
            blocks.push_back(&block);
    const uint32_t part_lanes = register_bits / lane_bits;
    for (llvm::BasicBlock* const block : blocks)
        for (const uint32_t lanes : {32U, 16U})
            if (lanes > part_lanes && block->size() >= min_operations_for(eager))
                Block(*block, lanes, lanes / part_lanes, registers, eager).run();
}

} // namespace visor::jit
