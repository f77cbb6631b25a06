#include "jit/target/broadcast_loads.h"

#include "jit/ir/memory_intrinsics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <optional>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr uint32_t max_elements = 16;

using ElementUse = std::pair<llvm::Instruction*, uint32_t>; // a user, and the element that it uses

llvm::LoadInst* load_of(Value* value) {
    auto* const load = llvm::dyn_cast<llvm::LoadInst>(value);
    return load != nullptr && load->isSimple() ? load : nullptr;
}

// A load with a single use.
llvm::LoadInst* only_load_of(Value* value) {
    return value->hasOneUse() ? load_of(value) : nullptr;
}

// A loaded vector, or a phi with a loaded vector among its incoming values.
bool is_candidate(llvm::Instruction& vector) {
    const uint32_t lanes = lanes_of(&vector);
    const uint32_t bits = vector.getType()->getScalarSizeInBits();
    if (lanes < 2 || lanes > max_elements || (bits != 32 && bits != 64))
        return false;
    const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&vector);
    return phi == nullptr ? load_of(&vector) != nullptr
                          : llvm::any_of(phi->incoming_values(),
                                         [](Value* from) { return only_load_of(from) != nullptr; });
}

// The element that the shuffle splats.
std::optional<uint32_t> element_of(const llvm::ShuffleVectorInst& shuffle, const Value* vector) {
    std::optional<uint32_t> only;
    for (const int from : shuffle.getShuffleMask()) {
        if (from < 0)
            continue;
        if (only && *only != static_cast<uint32_t>(from))
            return {};
        only = static_cast<uint32_t>(from);
    }
    const bool in_first = only && *only < lanes_of(vector) && shuffle.getOperand(0) == vector;
    return in_first ? only : std::nullopt;
}

// Users of single elements; empty if a user reads more of the vector, or none splats.
std::vector<ElementUse> element_uses_of(llvm::Instruction& loaded) {
    std::vector<ElementUse> found;
    std::vector<Value*> same{&loaded};
    bool fills = false;
    while (!same.empty()) {
        Value* const vector = same.back();
        same.pop_back();
        for (llvm::User* const user : vector->users()) {
            if (auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(user);
                cast != nullptr && lanes_of(cast) == lanes_of(&loaded)) {
                same.push_back(cast);
            } else if (auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(user)) {
                const auto element = element_of(*shuffle, vector);
                if (!element)
                    return {};
                found.emplace_back(shuffle, *element);
                fills = true;
            } else if (auto* const extract = llvm::dyn_cast<llvm::ExtractElementInst>(user)) {
                const auto* const index = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
                if (index == nullptr || index->getZExtValue() >= lanes_of(&loaded))
                    return {};
                found.emplace_back(extract, static_cast<uint32_t>(index->getZExtValue()));
            } else {
                return {};
            }
        }
    }
    return fills ? found : std::vector<ElementUse>();
}

// The replacement of a user, inserted at the vector's definition.
Value* element_at(llvm::Instruction* before, Value* vector, uint32_t element, llvm::Type* type) {
    llvm::IRBuilder<> ir(before);
    llvm::Type* const own = type->getScalarType();
    Value* value = nullptr;
    if (llvm::LoadInst* const load = load_of(vector); load != nullptr && load == before) {
        const uint64_t bytes = element * uint64_t{own->getScalarSizeInBits() / 8};
        Value* const address =
            ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), load->getPointerOperand(), bytes);
        value = ir.CreateAlignedLoad(own, address, llvm::commonAlignment(load->getAlign(), bytes));
    } else {
        value = ir.CreateBitCast(ir.CreateExtractElement(vector, uint64_t{element}), own);
    }
    return type->isVectorTy()
               ? ir.CreateVectorSplat(llvm::cast<llvm::FixedVectorType>(type)->getNumElements(), value)
               : value;
}

Value* merged(llvm::PHINode& phi, uint32_t element, llvm::Type* type) {
    auto* const made = llvm::PHINode::Create(type, phi.getNumIncomingValues(), "", phi.getIterator());
    std::map<llvm::BasicBlock*, Value*> by_block; // a predecessor may occur twice, with one value
    for (uint32_t k = 0; k < phi.getNumIncomingValues(); ++k) {
        llvm::BasicBlock* const block = phi.getIncomingBlock(k);
        Value* const from = phi.getIncomingValue(k);
        llvm::LoadInst* const load = only_load_of(from);
        Value*& value = by_block[block];
        if (value == nullptr)
            value = element_at(load != nullptr ? load : block->getTerminator(), from, element, type);
        made->addIncoming(value, block);
    }
    return made;
}

void split(llvm::Instruction& loaded, const std::vector<ElementUse>& uses) {
    std::map<std::pair<uint32_t, llvm::Type*>, Value*> made;
    for (const auto& [use, element] : uses) {
        llvm::Type* const type = use->getType();
        Value*& value = made[{element, type}];
        auto* const phi = llvm::dyn_cast<llvm::PHINode>(&loaded);
        if (value == nullptr)
            value =
                phi == nullptr ? element_at(&loaded, &loaded, element, type) : merged(*phi, element, type);
        use->replaceAllUsesWith(value);
    }
}

} // namespace

void form_broadcast_loads(llvm::Function& function) {
    std::vector<llvm::Instruction*> loaded;
    for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block)
            if (is_candidate(instruction))
                loaded.push_back(&instruction);
    llvm::SmallVector<llvm::WeakTrackingVH> unused;
    for (llvm::Instruction* const vector : loaded)
        if (const std::vector<ElementUse> uses = element_uses_of(*vector); !uses.empty()) {
            split(*vector, uses);
            for (const auto& [use, element] : uses)
                unused.emplace_back(use);
        }
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
}

} // namespace visor::jit
