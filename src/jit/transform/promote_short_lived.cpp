#include "jit/transform/promote_short_lived.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr size_t most_accesses = 256;
constexpr uint64_t most_dwords = 256; // of a stack slot

// A load or store of a stack slot; or its clearing, which writes to all of it.
struct Access {
    llvm::Instruction* code = nullptr;
    uint32_t first = 0; // dword of the stack slot
    uint32_t dwords = 0;
    bool clears = false;

    [[nodiscard]] llvm::Type* type() const { return llvm::getLoadStoreType(code); }
    [[nodiscard]] bool is_load() const { return llvm::isa<llvm::LoadInst>(code); }
};

// Dwords of a stack slot whose accesses overlap none of others but the clearing.
struct Slot {
    uint32_t first = 0;
    uint32_t dwords = 0;
    llvm::Type* type = nullptr;   // of its value
    std::vector<Access> accesses; // in the order of blocks, and of code in each
};

class Promotion {
public:
    explicit Promotion(llvm::Function& function)
        : layout_(function.getDataLayout()), ir_(function.getContext()) {}

    void run(llvm::Function& function) {
        dominators_.recalculate(function);
        cycles_.compute(function);
        for (const llvm::BasicBlock* const block :
             llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
            order_[block] = order_.size();
        for (llvm::Instruction& code : function.getEntryBlock())
            if (auto* const memory = llvm::dyn_cast<llvm::AllocaInst>(&code))
                add_slots(*memory);
        for (llvm::BasicBlock& block : function)
            for (llvm::Instruction& code : block)
                if (const auto found = accesses_.find(&code); found != accesses_.end())
                    for (const auto& [slot, access] : found->second)
                        slots_[slot].accesses.push_back(access);
        for (Slot& slot : slots_)
            promote(slot);
        for (llvm::AllocaInst* const memory : promoted_)
            erase(*memory);
    }

private:
    void add_slots(llvm::AllocaInst& memory) {
        const std::optional<llvm::TypeSize> bytes = memory.getAllocationSize(layout_);
        if (!bytes || bytes->isScalable() || *bytes % 4 != 0 || *bytes / 4 > most_dwords)
            return;
        std::vector<Access> found;
        if (!collect(memory, 0, *bytes, found) || found.size() > most_accesses)
            return;
        llvm::sort(found, [](const Access& a, const Access& b) {
            return a.clears != b.clears ? a.clears : a.first < b.first;
        });
        const auto others = llvm::find_if(found, [](const Access& access) { return !access.clears; });
        if (others == found.end())
            return;
        const llvm::ArrayRef<Access> clears(found.data(), static_cast<size_t>(others - found.begin()));
        for (auto begin = others; begin != found.end();) {
            uint32_t end = begin->first;
            auto next = begin;
            for (; next != found.end() && (next == begin || next->first < end); ++next)
                end = std::max(end, next->first + next->dwords);
            add_slot(begin->first, end, {&*begin, static_cast<size_t>(next - begin)}, clears);
            begin = next;
        }
        promoted_.push_back(&memory);
    }

    void add_slot(uint32_t first, uint32_t end, llvm::ArrayRef<Access> found, llvm::ArrayRef<Access> clears) {
        const uint32_t dwords = end - first;
        for (const Access& access : found)
            accesses_[access.code].emplace_back(slots_.size(), access);
        for (const Access& access : clears)
            accesses_[access.code].emplace_back(slots_.size(), Access{access.code, first, dwords, true});
        slots_.push_back(
            {.first = first, .dwords = dwords, .type = value_type(found, dwords), .accesses = {}});
    }

    // False: something else uses the pointer.
    bool collect(llvm::Instruction& pointer, uint64_t offset, uint64_t size,
                 std::vector<Access>& found) const {
        for (llvm::User* const user : pointer.users()) {
            auto* const code = llvm::cast<llvm::Instruction>(user);
            if (auto* const place = llvm::dyn_cast<llvm::GetElementPtrInst>(code)) {
                llvm::APInt more(64, 0);
                if (!place->accumulateConstantOffset(layout_, more) || more.uge(size) ||
                    !collect(*place, offset + more.getZExtValue(), size, found))
                    return false;
                continue;
            }
            if (found.size() > most_accesses || llvm::getLoadStorePointerOperand(code) != &pointer)
                return false;
            const std::optional<Access> access = as_access(*code, offset, size);
            if (!access)
                return false;
            found.push_back(*access);
        }
        return true;
    }

    [[nodiscard]] std::optional<Access> as_access(llvm::Instruction& code, uint64_t offset,
                                                  uint64_t size) const {
        const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&code);
        const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&code);
        llvm::Type* const type = llvm::getLoadStoreType(&code);
        llvm::Type* const element = type->getScalarType();
        const uint64_t bytes = layout_.getTypeStoreSize(type);
        if (store != nullptr && store->isSimple() && offset == 0 && bytes == size && is_null(*store))
            return Access{&code, 0, static_cast<uint32_t>(size / 4), true};
        const bool plain = (store != nullptr ? store->isSimple() : load->isSimple()) &&
                           (element->isFloatingPointTy() || element->isIntegerTy()) &&
                           element->getPrimitiveSizeInBits() % 8 == 0 &&
                           element->getPrimitiveSizeInBits() <= 64 &&
                           layout_.getTypeSizeInBits(type) == bytes * 8;
        if (!plain || offset % 4 != 0 || bytes % 4 != 0 || offset > size || bytes > size - offset)
            return std::nullopt;
        return Access{&code, static_cast<uint32_t>(offset / 4), static_cast<uint32_t>(bytes / 4)};
    }

    static bool is_null(const llvm::StoreInst& store) {
        const auto* const value = llvm::dyn_cast<llvm::Constant>(store.getValueOperand());
        return value != nullptr && value->isNullValue();
    }

    // As whose accesses use it, or dwords.
    [[nodiscard]] llvm::Type* value_type(llvm::ArrayRef<Access> accesses, uint32_t dwords) {
        llvm::Type* const type = accesses.front().type();
        const bool common =
            accesses.front().dwords == dwords &&
            llvm::all_of(accesses, [&](const Access& access) { return access.type() == type; });
        return common ? type : dwords == 1 ? ir_.getInt32Ty() : dwords_of(dwords);
    }
    [[nodiscard]] llvm::Type* dwords_of(uint32_t count) {
        return llvm::FixedVectorType::get(ir_.getInt32Ty(), count);
    }

    // The slot's value after the store.
    Value* stored(const Slot& slot, const Access& store, Value* before) {
        if (store.clears)
            return llvm::Constant::getNullValue(slot.type);
        ir_.SetInsertPoint(store.code);
        Value* const value = llvm::cast<llvm::StoreInst>(store.code)->getValueOperand();
        if (store.dwords == slot.dwords)
            return ir_.CreateBitCast(value, slot.type);
        Value* const part = ir_.CreateBitCast(value, dwords_of(store.dwords));
        std::vector<int> widened(slot.dwords, llvm::PoisonMaskElem);
        llvm::SmallVector<int, 16> chosen = llvm::createSequentialMask(0, slot.dwords, 0);
        for (uint32_t k = 0; k < store.dwords; ++k) {
            const uint32_t place = store.first - slot.first + k;
            widened[place] = static_cast<int>(k);
            chosen[place] = static_cast<int>(slot.dwords + place);
        }
        return ir_.CreateShuffleVector(before, ir_.CreateShuffleVector(part, widened), chosen);
    }

    // What the load gives.
    Value* loaded(const Slot& slot, const Access& load, Value* value) {
        ir_.SetInsertPoint(load.code);
        if (load.dwords != slot.dwords) {
            const uint32_t first = load.first - slot.first;
            value = ir_.CreateShuffleVector(value, llvm::createSequentialMask(first, load.dwords, 0));
        }
        return ir_.CreateBitCast(value, load.type());
    }

    // A slot is cleared where a thread starts and used far away. The block in which its other accesses begin:
    // it dominates them, and nothing leads from them back to it but through the block that clears. Null: the
    // latter.
    [[nodiscard]] llvm::BasicBlock* dominator_of_uses(const Slot& slot) const {
        const Access& clear = slot.accesses.front();
        if (!clear.clears)
            return nullptr;
        llvm::BasicBlock* const first = clear.code->getParent();
        llvm::BasicBlock* dominator = slot.accesses[1].code->getParent();
        for (const Access& access : llvm::drop_begin(slot.accesses)) {
            if (!dominators_.isReachableFromEntry(access.code->getParent()))
                return nullptr;
            dominator = dominators_.findNearestCommonDominator(dominator, access.code->getParent());
        }
        if (!dominators_.properlyDominates(first, dominator))
            return nullptr;
        while (dominator != first && cycles_.getCycle(dominator) != cycles_.getCycle(first))
            dominator = dominators_.getNode(dominator)->getIDom()->getBlock();
        return dominator == first ? nullptr : dominator;
    }

    // Values of one slot. Handles: what a block gives on may be what came into another.
    struct Values {
        llvm::DenseMap<llvm::BasicBlock*, llvm::WeakTrackingVH> out; // of blocks that store, then of `live`
        llvm::MapVector<llvm::BasicBlock*, llvm::Instruction*> in;   // placeholders
        std::vector<llvm::BasicBlock*> live; // that values come into, in reverse postorder
        std::vector<llvm::PHINode*> joins;
    };

    void promote(const Slot& slot) {
        Values values;
        llvm::BasicBlock* const dominator = dominator_of_uses(slot);
        if (dominator != nullptr)
            values.out[dominator] = llvm::Constant::getNullValue(slot.type);
        for (size_t k = dominator == nullptr ? 0 : 1; k < slot.accesses.size();) {
            llvm::BasicBlock* const block = slot.accesses[k].code->getParent();
            Value* value = block == dominator ? llvm::Constant::getNullValue(slot.type) : nullptr;
            bool stores = false;
            for (; k < slot.accesses.size() && slot.accesses[k].code->getParent() == block; ++k) {
                const Access& access = slot.accesses[k];
                if (value == nullptr && (access.is_load() || access.dwords != slot.dwords))
                    value = values.in[block] = placeholder(slot.type, *block);
                if (access.is_load())
                    access.code->replaceAllUsesWith(loaded(slot, access, value));
                else
                    value = stored(slot, access, value);
                stores = stores || !access.is_load();
                if (!access.clears)
                    access.code->eraseFromParent();
            }
            if (stores)
                values.out[block] = value;
        }
        find_live(values);
        for (llvm::BasicBlock* const block : values.live)
            join(slot, *block, values);
        for (llvm::PHINode* const phi : values.joins)
            for (llvm::BasicBlock* const before : llvm::predecessors(phi->getParent()))
                phi->addIncoming(values.out.lookup(before), before);
        values.out.clear(); // each replacement would visit its handles
        simplify(values.joins);
    }

    void find_live(Values& values) {
        llvm::DenseSet<llvm::BasicBlock*> found;
        for (const auto& [block, _] : values.in)
            values.live.push_back(block);
        found.insert(values.live.begin(), values.live.end());
        for (size_t k = 0; k < values.live.size(); ++k)
            for (llvm::BasicBlock* const before : llvm::predecessors(values.live[k]))
                if (!values.out.contains(before) && found.insert(before).second)
                    values.live.push_back(before);
        llvm::sort(values.live, [&](const llvm::BasicBlock* a, const llvm::BasicBlock* b) {
            return order_.lookup(a) < order_.lookup(b);
        });
    }

    // A phi where values differ, or where one is not known yet.
    void join(const Slot& slot, llvm::BasicBlock& block, Values& values) {
        Value* value = nullptr;
        bool differ = false;
        for (llvm::BasicBlock* const before : llvm::predecessors(&block)) {
            Value* const one = values.out.lookup(before);
            differ = differ || one == nullptr || (value != nullptr && one != value);
            value = one;
        }
        const auto in = values.in.find(&block);
        if (differ) {
            ir_.SetInsertPoint(&block, block.begin());
            values.joins.push_back(ir_.CreatePHI(slot.type, 2));
            value = values.joins.back();
        } else if (value == nullptr || (in != values.in.end() && value == in->second)) {
            value = llvm::UndefValue::get(slot.type);
        }
        if (in != values.in.end()) {
            in->second->replaceAllUsesWith(value);
            in->second->eraseFromParent();
        }
        if (!values.out.contains(&block))
            values.out[&block] = value;
    }

    // Removes phis of one value and themselves.
    static void simplify(const std::vector<llvm::PHINode*>& joins) {
        llvm::SetVector<llvm::PHINode*> left(joins.begin(), joins.end());
        llvm::DenseSet<llvm::PHINode*> all(joins.begin(), joins.end());
        while (!left.empty()) {
            llvm::PHINode* const phi = left.pop_back_val();
            Value* const value = phi->hasConstantValue();
            if (value == nullptr)
                continue;
            for (llvm::User* const user : phi->users())
                if (auto* const other = llvm::dyn_cast<llvm::PHINode>(user);
                    other != nullptr && other != phi && all.contains(other))
                    left.insert(other);
            all.erase(phi);
            phi->replaceAllUsesWith(value);
            phi->eraseFromParent();
        }
    }

    llvm::Instruction* placeholder(llvm::Type* type, llvm::BasicBlock& block) {
        ir_.SetInsertPoint(&block, block.getFirstInsertionPt());
        return ir_.Insert(new llvm::FreezeInst(llvm::PoisonValue::get(type)));
    }

    static void erase(llvm::Instruction& code) {
        for (llvm::User* const user : llvm::make_early_inc_range(code.users()))
            erase(*llvm::cast<llvm::Instruction>(user));
        code.eraseFromParent();
    }

    const llvm::DataLayout& layout_;
    llvm::IRBuilder<> ir_;
    llvm::DominatorTree dominators_;
    llvm::CycleInfo cycles_;
    llvm::DenseMap<const llvm::BasicBlock*, size_t> order_; // reverse postorder
    std::vector<Slot> slots_;
    llvm::DenseMap<const llvm::Instruction*, llvm::SmallVector<std::pair<size_t, Access>, 1>>
        accesses_; // slots
    std::vector<llvm::AllocaInst*> promoted_;
};

} // namespace

void promote_short_lived_slots(llvm::Function& function, bool eager) {
    // What LLVM takes a tenth of a second for.
    constexpr size_t few_blocks = 1'000;
    constexpr size_t few_slots = 2'000; // in the entry block
    if (!function.isDeclaration() &&
        (eager || function.size() > few_blocks || function.getEntryBlock().size() > few_slots))
        Promotion(function).run(function);
}

} // namespace visor::jit
