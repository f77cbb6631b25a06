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

// In a block: LLVM numbers it anew for each.
constexpr size_t most_moves = 200;

class Suiter {
public:
    Suiter(llvm::Function& function, uint32_t register_bits)
        : function_(function), layout_(function.getParent()->getDataLayout()), register_bits_(register_bits),
          ir_(function.getContext()) {}

    void run() {
        for (llvm::BasicBlock& block : function_)
            for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
                fold(instruction);
        for (llvm::BasicBlock& block : function_)
            for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
                take_from_load(instruction);
        for (llvm::BasicBlock& block : function_) {
            moves_ = 0;
            for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block)))
                if (!suit(instruction) && !moved_up(instruction))
                    break;
        }
    }

private:
    // What is computed of constants alone.
    void fold(llvm::Instruction& instruction) {
        for (llvm::Use& use : instruction.operands())
            if (auto* const constant = llvm::dyn_cast<llvm::Constant>(use.get());
                constant != nullptr && llvm::isa<llvm::ConstantExpr, llvm::ConstantVector>(constant))
                use.set(llvm::ConstantFoldConstant(constant, layout_)); // and what it is made of
        if (llvm::Constant* const known = llvm::ConstantFoldInstruction(&instruction, layout_)) {
            instruction.replaceAllUsesWith(known);
            instruction.eraseFromParent();
        }
    }

    // A lane, or all as one number, of what was just loaded is loaded by itself.
    void take_from_load(llvm::Instruction& instruction) {
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
        const uint64_t behind = lane == nullptr ? 0 : lane->getZExtValue() * bits / 8;
        Value* const place = ir_.CreateConstGEP1_64(ir_.getInt8Ty(), load->getPointerOperand(), behind);
        instruction.replaceAllUsesWith(ir_.CreateAlignedLoad(
            instruction.getType(), place, llvm::commonAlignment(load->getAlign(), behind)));
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

    // Whether the quick way knows the instruction, or now knows what took its place.
    bool suit(llvm::Instruction& instruction) {
        if (llvm::isInstructionTriviallyDead(&instruction)) {
            instruction.eraseFromParent();
            return true;
        }
        if (llvm::isa<llvm::CallInst, llvm::AllocaInst>(instruction))
            return true; // a call by itself ends nothing
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
            return suit_arithmetic(*binary);
        if (llvm::isa<llvm::StoreInst, llvm::PHINode>(instruction)) {
            constants_from_memory(instruction);
            return true;
        }
        return !is_vector ||
               llvm::isa<llvm::LoadInst, llvm::BitCastInst, llvm::SExtInst, llvm::ZExtInst>(instruction);
    }

    bool suit_arithmetic(llvm::BinaryOperator& binary) {
        using Op = llvm::Instruction::BinaryOps;
        switch (binary.getOpcode()) {
        case Op::Shl:
            return doubled(binary);
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
            constants_from_memory(binary);
            return true;
        default:
            return false;
        }
    }

    // A short shift to the left.
    bool doubled(llvm::BinaryOperator& shift) {
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

    void constants_from_memory(llvm::Instruction& instruction) {
        auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
        for (unsigned k = 0; k < instruction.getNumOperands(); ++k) {
            auto* const constant = llvm::dyn_cast<llvm::Constant>(instruction.getOperand(k));
            if (constant == nullptr || !constant->getType()->isVectorTy() ||
                llvm::isa<llvm::UndefValue>(constant))
                continue;
            ir_.SetInsertPoint(phi == nullptr ? &instruction : phi->getIncomingBlock(k)->getTerminator());
            const auto align = llvm::Align(layout_.getTypeStoreSize(constant->getType()).getFixedValue());
            instruction.setOperand(k,
                                   ir_.CreateAlignedLoad(constant->getType(), in_memory(*constant), align));
        }
    }

    Value* in_memory(llvm::Constant& constant) {
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
        ir_.CreateAlignedStore(vector, room(), llvm::Align(64));
        Value* const at = ir_.CreateConstGEP1_64(extract.getType(), room(), lane->getZExtValue());
        extract.replaceAllUsesWith(ir_.CreateLoad(extract.getType(), at));
        extract.eraseFromParent();
        return true;
    }

    // As far as it goes, so that less is in front of what is slow. What was there already ends the quick
    // part.
    bool moved_up(llvm::Instruction& instruction) {
        if (instruction.mayReadOrWriteMemory() || instruction.isTerminator() ||
            llvm::isa<llvm::PHINode>(instruction) || ++moves_ > most_moves ||
            !moved_up_.insert(&instruction).second)
            return false;
        llvm::BasicBlock& block = *instruction.getParent();
        if (auto* const insert = llvm::dyn_cast<llvm::InsertElementInst>(instruction.getOperand(0));
            insert != nullptr && insert->getParent() == &block)
            moved_up(*insert); // a copied number's vector
        // Of those that make its operands.
        llvm::Instruction* last = nullptr;
        for (Value* const operand : instruction.operands())
            if (auto* const made = llvm::dyn_cast<llvm::Instruction>(operand);
                made != nullptr && made->getParent() == &block && !llvm::isa<llvm::PHINode>(made) &&
                (last == nullptr || last->comesBefore(made)))
                last = made;
        llvm::Instruction* const place =
            last == nullptr ? &*block.getFirstInsertionPt() : last->getNextNode();
        if (place == &instruction)
            return false;
        instruction.moveBefore(place);
        return true;
    }

    // Some lanes in a row, or all lanes of two vectors.
    bool through_stack(llvm::ShuffleVectorInst& shuffle) {
        Value* const first = shuffle.getOperand(0);
        llvm::Type* const type = shuffle.getType();
        if (!is_register(type) || !is_register(first->getType()) || llvm::isa<llvm::Constant>(first))
            return false;
        int begin = 0;
        const bool joins = shuffle.isConcat() && !llvm::isa<llvm::Constant>(shuffle.getOperand(1));
        if (!joins && !shuffle.isExtractSubvectorMask(begin))
            return false;
        ir_.SetInsertPoint(&shuffle);
        ir_.CreateAlignedStore(first, room(), llvm::Align(64));
        const uint64_t bytes = layout_.getTypeStoreSize(first->getType()).getFixedValue();
        if (joins)
            ir_.CreateAlignedStore(shuffle.getOperand(1),
                                   ir_.CreateConstGEP1_64(ir_.getInt8Ty(), room(), bytes),
                                   llvm::Align(bytes));
        Value* const at = ir_.CreateConstGEP1_64(type->getScalarType(), room(), static_cast<uint64_t>(begin));
        shuffle.replaceAllUsesWith(
            ir_.CreateAlignedLoad(type, at, llvm::Align(type->getScalarSizeInBits() / 8)));
        shuffle.eraseFromParent();
        return true;
    }

    // Where a vector waits for a moment.
    Value* room() {
        if (room_ == nullptr) {
            llvm::IRBuilder<> entry(&*function_.getEntryBlock().begin());
            auto* const made = entry.CreateAlloca(llvm::ArrayType::get(ir_.getInt64Ty(), 8));
            made->setAlignment(llvm::Align(64));
            room_ = made;
        }
        return room_;
    }

    llvm::Function& function_;
    const llvm::DataLayout& layout_;
    uint32_t register_bits_;
    llvm::IRBuilder<> ir_;
    std::map<llvm::Constant*, llvm::GlobalVariable*> constants_;
    std::set<llvm::Instruction*> moved_up_;
    size_t moves_ = 0; // in the block at hand
    Value* room_ = nullptr;
};

} // namespace

void prepare_for_fastisel(llvm::Function& function, uint32_t register_bits) {
    Suiter(function, register_bits).run();
}

} // namespace visor::jit
