#include "jit/target/prepare_fastisel.h"

#include "jit/ir/memory_intrinsics.h"
#include "jit/target/legalize_vectors.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <set>

namespace visor::jit {

namespace {

using llvm::Value;

// In a block: after each move LLVM renumbers the block's instructions.
constexpr size_t max_hoists = 200;

class FastIselPreparation {
public:
    FastIselPreparation(llvm::Function& function, uint32_t register_bits)
        : function_(function), layout_(function.getParent()->getDataLayout()), register_bits_(register_bits),
          ir_(function.getContext()) {}

    void run() {
        for (llvm::BasicBlock& block : function_)
            for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
                fold(instruction);
        for (llvm::BasicBlock& block : function_)
            for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
                narrow_load(instruction);
        for (llvm::BasicBlock& block : function_) {
            hoists_ = 0;
            for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block)))
                if (!legalize(instruction) && !hoist(instruction))
                    break;
        }
    }

private:
    // Folds constant expressions, and instructions with constant operands.
    void fold(llvm::Instruction& instruction) {
        for (llvm::Use& use : instruction.operands())
            if (auto* const constant = llvm::dyn_cast<llvm::Constant>(use.get());
                constant != nullptr && llvm::isa<llvm::ConstantExpr, llvm::ConstantVector>(constant))
                use.set(llvm::ConstantFoldConstant(constant, layout_)); // and its operands
        if (llvm::Constant* const known = llvm::ConstantFoldInstruction(&instruction, layout_)) {
            instruction.replaceAllUsesWith(known);
            instruction.eraseFromParent();
        }
    }

    // Loads a lane of a loaded vector, or all lanes as an integer, directly from memory.
    void narrow_load(llvm::Instruction& instruction) {
        const bool is_cast =
            llvm::isa<llvm::BitCastInst>(instruction) && !instruction.getType()->isVectorTy();
        const auto* const extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction);
        if (!is_cast && extract == nullptr)
            return;
        auto* const load = llvm::dyn_cast<llvm::LoadInst>(instruction.getOperand(0));
        const auto* const lane =
            extract == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
        const uint64_t bits = instruction.getType()->getPrimitiveSizeInBits().getFixedValue();
        if (load == nullptr || !load->isSimple() || bits < 8 || (extract != nullptr && lane == nullptr) ||
            (lane != nullptr && lane->getValue().uge(lanes_of(load))))
            return;
        ir_.SetInsertPoint(load->getNextNode());
        const uint64_t offset = lane == nullptr ? 0 : lane->getZExtValue() * bits / 8;
        Value* const address = ir_.CreateConstGEP1_64(ir_.getInt8Ty(), load->getPointerOperand(), offset);
        instruction.replaceAllUsesWith(ir_.CreateAlignedLoad(
            instruction.getType(), address, llvm::commonAlignment(load->getAlign(), offset)));
        instruction.eraseFromParent();
        if (load->use_empty())
            load->eraseFromParent();
    }

    [[nodiscard]] bool is_register(llvm::Type* type) const {
        if (!type->isVectorTy())
            return is_lane_type(type) || type->isIntegerTy(1) || type->isVoidTy();
        const uint64_t bits = layout_.getTypeSizeInBits(type).getFixedValue();
        const bool is_size = bits == 128 || bits == 256 || bits == 512;
        return is_size && bits <= register_bits_ && is_lane_type(type->getScalarType());
    }

    // Whether FastISel supports the instruction, or its replacement.
    bool legalize(llvm::Instruction& instruction) {
        if (llvm::isInstructionTriviallyDead(&instruction)) {
            instruction.eraseFromParent();
            return true;
        }
        if (llvm::isa<llvm::CallInst, llvm::AllocaInst>(instruction))
            return true; // FastISel continues after unsupported calls
        if (auto* const extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction))
            return through_stack(*extract);
        if (auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
            return through_stack(*shuffle);
        if (!is_register(instruction.getType()))
            return false;
        for (const Value* const operand : instruction.operands())
            if (!llvm::isa<llvm::BasicBlock>(operand) && !is_register(operand->getType()))
                return false;
        const bool is_vector = instruction.getType()->isVectorTy();
        if (auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction); binary && is_vector)
            return legalize_arithmetic(*binary);
        if (llvm::isa<llvm::StoreInst, llvm::PHINode>(instruction)) {
            load_constants(instruction);
            return true;
        }
        return !is_vector ||
               llvm::isa<llvm::LoadInst, llvm::BitCastInst, llvm::SExtInst, llvm::ZExtInst>(instruction);
    }

    bool legalize_arithmetic(llvm::BinaryOperator& binary) {
        using Op = llvm::Instruction::BinaryOps;
        switch (binary.getOpcode()) {
        case Op::Shl:
            return shift_by_adds(binary);
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::And:
        case Op::Or:
        case Op::Xor:
        case Op::FAdd:
        case Op::FSub:
        case Op::FMul:
        case Op::FDiv:
            load_constants(binary);
            return true;
        default:
            return false;
        }
    }

    // A left shift by a small constant, as additions.
    bool shift_by_adds(llvm::BinaryOperator& shift) {
        constexpr uint64_t most = 4;
        const auto* const counts = llvm::dyn_cast<llvm::Constant>(shift.getOperand(1));
        const auto* const count =
            counts == nullptr ? nullptr : llvm::dyn_cast_or_null<llvm::ConstantInt>(counts->getSplatValue());
        if (count == nullptr || count->getValue().ugt(most))
            return false;
        ir_.SetInsertPoint(&shift);
        Value* value = shift.getOperand(0);
        for (uint64_t k = 0; k < count->getZExtValue(); ++k)
            value = ir_.CreateAdd(value, value);
        shift.replaceAllUsesWith(value);
        shift.eraseFromParent();
        return true;
    }

    void load_constants(llvm::Instruction& instruction) {
        auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
        for (unsigned k = 0; k < instruction.getNumOperands(); ++k) {
            auto* const constant = llvm::dyn_cast<llvm::Constant>(instruction.getOperand(k));
            if (constant == nullptr || !constant->getType()->isVectorTy() ||
                llvm::isa<llvm::UndefValue>(constant))
                continue;
            ir_.SetInsertPoint(phi == nullptr ? &instruction : phi->getIncomingBlock(k)->getTerminator());
            const auto align = llvm::Align(layout_.getTypeStoreSize(constant->getType()).getFixedValue());
            Value* const loaded =
                ir_.CreateAlignedLoad(constant->getType(), constant_pool_entry(*constant), align);
            if (phi == nullptr)
                instruction.setOperand(k, loaded);
            else // a predecessor may occur twice, with one value
                phi->setIncomingValueForBlock(phi->getIncomingBlock(k), loaded);
        }
    }

    Value* constant_pool_entry(llvm::Constant& constant) {
        llvm::GlobalVariable*& known = constants_[&constant];
        if (known == nullptr) {
            known = new llvm::GlobalVariable(*function_.getParent(), constant.getType(), true,
                                             llvm::GlobalValue::PrivateLinkage, &constant);
            known->setAlignment(llvm::Align(layout_.getTypeStoreSize(constant.getType()).getFixedValue()));
        }
        return known;
    }

    bool through_stack(llvm::ExtractElementInst& extract) {
        Value* const vector = extract.getVectorOperand();
        const auto* const lane = llvm::dyn_cast<llvm::ConstantInt>(extract.getIndexOperand());
        if (lane == nullptr || lane->getValue().uge(lanes_of(vector)) || !is_register(vector->getType()))
            return false;
        ir_.SetInsertPoint(&extract);
        ir_.CreateAlignedStore(vector, stack_slot(), llvm::Align(64));
        Value* const at = ir_.CreateConstGEP1_64(extract.getType(), stack_slot(), lane->getZExtValue());
        extract.replaceAllUsesWith(ir_.CreateLoad(extract.getType(), at));
        extract.eraseFromParent();
        return true;
    }

    // Hoists an unsupported instruction to its operands, so that SelectionDAG takes less of the block. False:
    // it cannot be hoisted further; FastISel ends here.
    bool hoist(llvm::Instruction& instruction) {
        if (instruction.mayReadOrWriteMemory() || instruction.isTerminator() ||
            llvm::isa<llvm::PHINode>(instruction) || ++hoists_ > max_hoists ||
            !hoisted_.insert(&instruction).second)
            return false;
        llvm::BasicBlock& block = *instruction.getParent();
        if (auto* const insert = llvm::dyn_cast<llvm::InsertElementInst>(instruction.getOperand(0));
            insert != nullptr && insert->getParent() == &block)
            hoist(*insert); // the vector of a splat
        // The last definition of an operand.
        llvm::Instruction* last = nullptr;
        for (Value* const operand : instruction.operands())
            if (auto* const made = llvm::dyn_cast<llvm::Instruction>(operand);
                made != nullptr && made->getParent() == &block && !llvm::isa<llvm::PHINode>(made) &&
                (last == nullptr || last->comesBefore(made)))
                last = made;
        llvm::Instruction* const address =
            last == nullptr ? &*block.getFirstInsertionPt() : last->getNextNode();
        if (address == &instruction)
            return false;
        instruction.moveBefore(address);
        return true;
    }

    // A subvector, or the concatenation of two vectors.
    bool through_stack(llvm::ShuffleVectorInst& shuffle) {
        Value* const first = shuffle.getOperand(0);
        llvm::Type* const type = shuffle.getType();
        if (!is_register(type) || !is_register(first->getType()) || llvm::isa<llvm::Constant>(first))
            return false;
        int begin = 0;
        const bool concatenates = shuffle.isConcat() && !llvm::isa<llvm::Constant>(shuffle.getOperand(1));
        if (!concatenates && !shuffle.isExtractSubvectorMask(begin))
            return false;
        ir_.SetInsertPoint(&shuffle);
        ir_.CreateAlignedStore(first, stack_slot(), llvm::Align(64));
        const uint64_t bytes = layout_.getTypeStoreSize(first->getType()).getFixedValue();
        if (concatenates)
            ir_.CreateAlignedStore(shuffle.getOperand(1),
                                   ir_.CreateConstGEP1_64(ir_.getInt8Ty(), stack_slot(), bytes),
                                   llvm::Align(bytes));
        Value* const at =
            ir_.CreateConstGEP1_64(type->getScalarType(), stack_slot(), static_cast<uint64_t>(begin));
        shuffle.replaceAllUsesWith(
            ir_.CreateAlignedLoad(type, at, llvm::Align(type->getScalarSizeInBits() / 8)));
        shuffle.eraseFromParent();
        return true;
    }

    // The stack slot for one vector.
    Value* stack_slot() {
        if (stack_slot_ == nullptr) {
            llvm::IRBuilder<> entry(&*function_.getEntryBlock().begin());
            auto* const made = entry.CreateAlloca(llvm::ArrayType::get(ir_.getInt64Ty(), 8));
            made->setAlignment(llvm::Align(64));
            stack_slot_ = made;
        }
        return stack_slot_;
    }

    llvm::Function& function_;
    const llvm::DataLayout& layout_;
    uint32_t register_bits_;
    llvm::IRBuilder<> ir_;
    std::map<llvm::Constant*, llvm::GlobalVariable*> constants_;
    std::set<llvm::Instruction*> hoisted_;
    size_t hoists_ = 0; // in the current block
    Value* stack_slot_ = nullptr;
};

} // namespace

void prepare_for_fastisel(llvm::Function& function, uint32_t register_bits) {
    FastIselPreparation(function, register_bits).run();
}

} // namespace visor::jit
