#include "jit/target/legalize_vectors.h"

#include "jit/ir/memory_intrinsics.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;
using Parts = std::vector<Value*>;

class Splitter {
public:
    Splitter(llvm::Function& function, uint32_t register_bits)
        : function_(function), layout_(function.getParent()->getDataLayout()), register_bits_(register_bits),
          ir_(function.getContext()) {}

    void run() {
        std::vector<llvm::Instruction*> all;
        for (llvm::BasicBlock* const block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_))
            for (llvm::Instruction& instruction : *block)
                all.push_back(&instruction);
        for (llvm::Instruction* const instruction : all) {
            ir_.SetInsertPoint(instruction);
            if (split(*instruction))
                replaced_.insert(instruction);
        }
        for (llvm::PHINode* const phi : phis_)
            complete(*phi);
        for (llvm::Instruction* const instruction : all)
            if (replaced_.contains(instruction))
                join_for_unsplit_users(*instruction);
        for (llvm::Instruction* const instruction : replaced_)
            instruction->dropAllReferences();
        for (llvm::Instruction* const instruction : replaced_)
            instruction->eraseFromParent();
    }

private:
    // Registers of a type; 1: it is not split.
    [[nodiscard]] uint32_t parts_of(llvm::Type* type) const {
        const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
        if (vector == nullptr || !is_lane_type(vector->getElementType()))
            return 1;
        const uint64_t bits = layout_.getTypeSizeInBits(type).getFixedValue();
        return bits > register_bits_ && bits % register_bits_ == 0
                   ? static_cast<uint32_t>(bits / register_bits_)
                   : 1;
    }
    [[nodiscard]] bool is_wide(const Value* value) const { return parts_of(value->getType()) > 1; }
    [[nodiscard]] llvm::FixedVectorType* part_type(llvm::Type* type) const {
        return llvm::FixedVectorType::get(type->getScalarType(),
                                          llvm::cast<llvm::FixedVectorType>(type)->getNumElements() /
                                              parts_of(type));
    }

    static std::vector<int> lanes_from(uint32_t first, uint32_t count) {
        std::vector<int> lanes(count);
        std::iota(lanes.begin(), lanes.end(), static_cast<int>(first));
        return lanes;
    }

    // The parts of a wide value. Extracts them at the definition if that was not split.
    const Parts& parts(Value* value) {
        const auto found = parts_.find(value);
        if (found != parts_.end())
            return found->second;
        Parts made;
        const uint32_t count = parts_of(value->getType());
        const uint32_t lanes = part_type(value->getType())->getNumElements();
        const llvm::IRBuilder<>::InsertPointGuard guard(ir_);
        if (auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value))
            ir_.SetInsertPoint(*instruction->getInsertionPointAfterDef());
        else
            ir_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
        for (uint32_t k = 0; k < count; ++k) {
            Value* const known = part_of_constant(value, k * lanes, lanes);
            made.push_back(known != nullptr ? known
                                            : ir_.CreateShuffleVector(value, lanes_from(k * lanes, lanes)));
        }
        return parts_[value] = std::move(made);
    }
    // Null: not a constant, or its elements are unknown.
    Value* part_of_constant(Value* value, uint32_t first, uint32_t lanes) {
        auto* const constant = llvm::dyn_cast<llvm::Constant>(value);
        const llvm::Constant* const folded =
            constant == nullptr ? nullptr : llvm::ConstantFoldConstant(constant, layout_);
        std::vector<llvm::Constant*> elements;
        for (uint32_t k = 0; k < lanes; ++k) {
            elements.push_back(folded == nullptr ? nullptr : folded->getAggregateElement(first + k));
            if (elements.back() == nullptr)
                return nullptr;
        }
        return llvm::ConstantVector::get(elements);
    }

    // Splits an instruction, and enters its result in `parts_`. False: it is not split.
    bool split(llvm::Instruction& instruction) {
        if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
            return is_wide(store->getValueOperand()) && store->isSimple() && split_store(*store);
        if (auto* const extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction))
            return is_wide(extract->getVectorOperand()) && split_extract(*extract);
        if (auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
            return is_wide(shuffle->getOperand(0)) && split_shuffle(*shuffle);
        if (!is_wide(&instruction))
            return false;
        if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
            return split_phi(*phi);
        if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
            return load->isSimple() && split_load(*load);
        if (auto* const insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction))
            return split_insert(*insert);
        if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(instruction))
            return split_extension(llvm::cast<llvm::CastInst>(instruction));
        return is_legalized_by_lane(instruction) && split_by_lane(instruction);
    }

    // Elementwise: each part of the result depends on the same part of the operands.
    bool is_legalized_by_lane(const llvm::Instruction& instruction) const {
        if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
            return llvm::isTriviallyVectorizable(call->getIntrinsicID()) && vectors_match(instruction);
        return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::FreezeInst, llvm::BitCastInst,
                         llvm::SIToFPInst, llvm::UIToFPInst, llvm::IntToPtrInst, llvm::PtrToIntInst>(
                   instruction) &&
               vectors_match(instruction);
    }
    [[nodiscard]] bool vectors_match(const llvm::Instruction& instruction) const {
        const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        const auto matches = [&](const Value* operand) {
            return operand->getType()->isVectorTy()
                       ? parts_of(operand->getType()) == parts_of(instruction.getType())
                       : call != nullptr; // a scalar argument
        };
        return call == nullptr ? std::ranges::all_of(instruction.operands(), matches)
                               : std::ranges::all_of(call->args(), matches);
    }
    bool split_by_lane(llvm::Instruction& instruction) {
        Parts made;
        for (uint32_t k = 0; k < parts_of(instruction.getType()); ++k) {
            if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
                std::vector<Value*> arguments;
                for (Value* const argument : call->args())
                    arguments.push_back(is_wide(argument) ? parts(argument)[k] : argument);
                made.push_back(
                    ir_.CreateIntrinsic(part_type(call->getType()), call->getIntrinsicID(), arguments));
                continue;
            }
            llvm::Instruction* const own = instruction.clone();
            for (unsigned at = 0; at < instruction.getNumOperands(); ++at)
                if (is_wide(instruction.getOperand(at)))
                    own->setOperand(at, parts(instruction.getOperand(at))[k]);
            own->mutateType(part_type(instruction.getType()));
            made.push_back(ir_.Insert(own));
        }
        parts_[&instruction] = std::move(made);
        return true;
    }

    // Sources may be masks, which are not split.
    bool split_extension(llvm::CastInst& extension) {
        Value* const from = extension.getOperand(0);
        auto* const type = part_type(extension.getType());
        const uint32_t lanes = type->getNumElements();
        Parts made;
        for (uint32_t k = 0; k < parts_of(extension.getType()); ++k)
            made.push_back(ir_.CreateCast(extension.getOpcode(), lanes_of_any(from, k * lanes, lanes), type));
        parts_[&extension] = std::move(made);
        return true;
    }
    Value* lanes_of_any(Value* vector, uint32_t first, uint32_t count) {
        if (!is_wide(vector))
            return ir_.CreateShuffleVector(vector, lanes_from(first, count));
        const uint32_t lanes = part_type(vector->getType())->getNumElements();
        Value* const part = parts(vector)[first / lanes];
        return lanes == count ? part : ir_.CreateShuffleVector(part, lanes_from(first % lanes, count));
    }

    Value* part_pointer(Value* index, uint32_t part) {
        return ir_.CreateConstGEP1_64(ir_.getInt8Ty(), index, uint64_t{part} * register_bits_ / 8);
    }
    [[nodiscard]] llvm::Align alignment(llvm::Align whole, uint32_t part) const {
        return llvm::commonAlignment(whole, uint64_t{part} * register_bits_ / 8);
    }
    bool split_load(llvm::LoadInst& load) {
        Parts made;
        for (uint32_t k = 0; k < parts_of(load.getType()); ++k)
            made.push_back(ir_.CreateAlignedLoad(part_type(load.getType()),
                                                 part_pointer(load.getPointerOperand(), k),
                                                 alignment(load.getAlign(), k)));
        parts_[&load] = std::move(made);
        return true;
    }
    bool split_store(llvm::StoreInst& store) {
        const Parts& values = parts(store.getValueOperand());
        for (uint32_t k = 0; k < values.size(); ++k)
            ir_.CreateAlignedStore(values[k], part_pointer(store.getPointerOperand(), k),
                                   alignment(store.getAlign(), k));
        return true;
    }

    bool split_phi(llvm::PHINode& phi) {
        Parts made;
        for (uint32_t k = 0; k < parts_of(phi.getType()); ++k)
            made.push_back(ir_.CreatePHI(part_type(phi.getType()), phi.getNumIncomingValues()));
        parts_[&phi] = std::move(made);
        phis_.push_back(&phi);
        return true;
    }
    // After all incoming values were split.
    void complete(llvm::PHINode& phi) {
        const Parts own = parts_[&phi];
        for (unsigned from = 0; from < phi.getNumIncomingValues(); ++from) {
            const Parts& incoming = parts(phi.getIncomingValue(from));
            for (uint32_t k = 0; k < own.size(); ++k)
                llvm::cast<llvm::PHINode>(own[k])->addIncoming(incoming[k], phi.getIncomingBlock(from));
        }
    }

    bool split_insert(llvm::InsertElementInst& insert) {
        const auto* const index = llvm::dyn_cast<llvm::ConstantInt>(insert.getOperand(2));
        const uint32_t lanes = part_type(insert.getType())->getNumElements();
        if (index == nullptr || index->getValue().uge(lanes_of(&insert)))
            return false;
        Parts made = parts(insert.getOperand(0));
        Value*& changed = made[index->getZExtValue() / lanes];
        changed = ir_.CreateInsertElement(changed, insert.getOperand(1), index->getZExtValue() % lanes);
        parts_[&insert] = std::move(made);
        return true;
    }
    bool split_extract(llvm::ExtractElementInst& extract) {
        const auto* const index = llvm::dyn_cast<llvm::ConstantInt>(extract.getIndexOperand());
        Value* const from = extract.getVectorOperand();
        const uint32_t lanes = part_type(from->getType())->getNumElements();
        if (index == nullptr || index->getValue().uge(lanes_of(from)))
            return false;
        parts_[&extract] = {ir_.CreateExtractElement(parts(from)[index->getZExtValue() / lanes],
                                                     index->getZExtValue() % lanes)};
        return true;
    }

    // Splits if each part of the result has lanes of at most two parts of the operands.
    bool split_shuffle(llvm::ShuffleVectorInst& shuffle) {
        const uint32_t count = parts_of(shuffle.getType());
        const uint32_t lanes = lanes_of(&shuffle) / count;
        std::vector<Lanes> wanted;
        for (uint32_t k = 0; k < count; ++k) {
            auto one = source_lanes(shuffle, k * lanes, lanes);
            if (!one)
                return false;
            wanted.push_back(std::move(*one));
        }
        Parts made;
        for (uint32_t k = 0; k < count; ++k)
            made.push_back(k > 0 && wanted[k] == wanted[k - 1] ? made.back() : shuffled(shuffle, wanted[k]));
        parts_[&shuffle] = std::move(made);
        return true;
    }
    struct Lanes {
        std::vector<uint32_t> from; // parts, numbered through both operands
        std::vector<int> mask;
        bool operator==(const Lanes&) const = default;
    };
    std::optional<Lanes> source_lanes(const llvm::ShuffleVectorInst& shuffle, uint32_t first,
                                      uint32_t count) {
        const uint32_t part_lanes = part_type(shuffle.getOperand(0)->getType())->getNumElements();
        Lanes wanted;
        for (uint32_t k = first; k < first + count; ++k) {
            const int lane = shuffle.getMaskValue(k);
            if (lane < 0) {
                wanted.mask.push_back(lane);
                continue;
            }
            const uint32_t part = static_cast<uint32_t>(lane) / part_lanes;
            auto at = std::ranges::find(wanted.from, part);
            if (at == wanted.from.end())
                at = wanted.from.insert(at, part);
            if (wanted.from.size() > 2)
                return std::nullopt;
            const auto index = static_cast<uint32_t>(at - wanted.from.begin());
            wanted.mask.push_back(
                static_cast<int>(index * part_lanes + static_cast<uint32_t>(lane) % part_lanes));
        }
        return wanted;
    }
    Value* shuffled(llvm::ShuffleVectorInst& shuffle, const Lanes& wanted) {
        if (wanted.from.empty())
            return llvm::PoisonValue::get(llvm::FixedVectorType::get(
                shuffle.getType()->getScalarType(), static_cast<unsigned>(wanted.mask.size())));
        Value* const first = part_of_both(shuffle, wanted.from.front());
        if (wanted.from.size() == 1 && wanted.mask.size() == lanes_of(first) &&
            std::ranges::equal(wanted.mask, lanes_from(0, lanes_of(first))))
            return first;
        Value* const second = wanted.from.size() == 1 ? llvm::PoisonValue::get(first->getType())
                                                      : part_of_both(shuffle, wanted.from.back());
        return ir_.CreateShuffleVector(first, second, wanted.mask);
    }
    Value* part_of_both(const llvm::ShuffleVectorInst& shuffle, uint32_t part) {
        const uint32_t count = parts_of(shuffle.getOperand(0)->getType());
        return parts(shuffle.getOperand(part / count))[part % count];
    }

    // Users that were not split get the concatenated parts.
    void join_for_unsplit_users(llvm::Instruction& instruction) {
        const bool has_unsplit_users = std::ranges::any_of(instruction.users(), [&](llvm::User* user) {
            return !replaced_.contains(llvm::cast<llvm::Instruction>(user));
        });
        if (!has_unsplit_users)
            return;
        const Parts& own = parts_[&instruction];
        ir_.SetInsertPoint(*instruction.getInsertionPointAfterDef());
        Value* const whole = own.size() == 1 ? own.front() : llvm::concatenateVectors(ir_, own);
        instruction.replaceUsesWithIf(whole, [&](const llvm::Use& use) {
            return !replaced_.contains(llvm::cast<llvm::Instruction>(use.getUser()));
        });
    }

    llvm::Function& function_;
    const llvm::DataLayout& layout_;
    uint32_t register_bits_;
    llvm::IRBuilder<> ir_;
    std::map<Value*, Parts> parts_;
    std::set<llvm::Instruction*> replaced_;
    std::vector<llvm::PHINode*> phis_;
};

} // namespace

bool is_lane_type(const llvm::Type* type) {
    return type->isIntegerTy(8) || type->isIntegerTy(16) || type->isIntegerTy(32) || type->isIntegerTy(64) ||
           type->isFloatTy() || type->isDoubleTy() || type->isPointerTy();
}

void legalize_vectors(llvm::Function& function, uint32_t register_bits) {
    Splitter(function, register_bits).run();
}

} // namespace visor::jit
