#include "jit/target/x86/ternary_logic.h"

#include "jit/ir/native_width.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr unsigned register_bits = 512;
constexpr unsigned register_lanes = 16; // of 32 bits
constexpr size_t inputs = 3;
constexpr size_t least_operations = 3;
constexpr size_t max_cuts = 8; // of a value
// The truth table of each input alone.
constexpr std::array<uint8_t, inputs> columns{0xf0, 0xcc, 0xaa};

bool is_logic(const Value* value) {
    const auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(value);
    return binary != nullptr && binary->isBitwiseLogicOp() && value->getType()->isVectorTy() &&
           value->getType()->getPrimitiveSizeInBits() % register_bits == 0;
}

// All zeros or all ones: not an input.
bool is_plain(const Value* value) {
    const auto* const constant = llvm::dyn_cast<llvm::Constant>(value);
    return constant != nullptr && (constant->isNullValue() || constant->isAllOnesValue());
}

using Cut = llvm::SmallVector<Value*, inputs>;

// The cuts of each value in a block: sets of at most three leaves that determine it (as in FPGA technology
// mapping).
class Cuts {
public:
    explicit Cuts(llvm::BasicBlock& block) {
        for (llvm::Instruction& operation : block)
            if (is_logic(&operation)) {
                order_.emplace(&operation, order_.size());
                find(operation);
            }
    }

    [[nodiscard]] std::vector<Cut> of(const Value& value) const {
        std::vector<Cut> all;
        if (const auto found = known_.find(&value); found != known_.end())
            for (const Numbers& numbers : found->second) {
                all.emplace_back();
                for (const size_t number : numbers)
                    all.back().push_back(values_[number]);
            }
        return all;
    }

    // The operations between the root and the leaves of a cut, in program order.
    [[nodiscard]] std::vector<llvm::Instruction*> cone(llvm::Instruction& root, const Cut& cut) const {
        std::vector<llvm::Instruction*> all{&root};
        for (size_t k = 0; k < all.size(); ++k)
            for (Value* const operand : all[k]->operand_values())
                if (!is_plain(operand) && !llvm::is_contained(cut, operand) &&
                    !llvm::is_contained(all, operand))
                    all.push_back(llvm::cast<llvm::Instruction>(operand));
        std::ranges::sort(all, {}, [&](const llvm::Instruction* operation) { return order_.at(operation); });
        return all;
    }

private:
    // Sorted numbers of values, assigned in program order: cuts are deterministic.
    using Numbers = llvm::SmallVector<size_t>;

    // All cuts of a value; the last is the trivial one, empty for a plain value.
    std::vector<Numbers> all_of(Value& value) {
        const auto [at, is_new] = numbers_.emplace(&value, values_.size());
        if (is_new)
            values_.push_back(&value);
        const auto found = known_.find(&value);
        std::vector<Numbers> all = found == known_.end() ? std::vector<Numbers>{} : found->second;
        all.push_back(is_plain(&value) ? Numbers{} : Numbers{at->second});
        return all;
    }

    void find(llvm::Instruction& operation) {
        std::vector<Numbers> all;
        for (const Numbers& one : all_of(*operation.getOperand(0)))
            for (const Numbers& other : all_of(*operation.getOperand(1))) {
                Numbers both;
                std::ranges::set_union(one, other, std::back_inserter(both));
                if (both.size() <= inputs && all.size() < max_cuts && !llvm::is_contained(all, both))
                    all.push_back(both);
            }
        known_[&operation] = std::move(all);
    }

    std::unordered_map<const llvm::Instruction*, size_t> order_; // LLVM renumbers after each change
    std::vector<Value*> values_;
    std::unordered_map<const Value*, size_t> numbers_;
    std::unordered_map<const Value*, std::vector<Numbers>> known_;
};

// The operations of a cone without other users.
std::vector<llvm::Instruction*> replaced_of(const std::vector<llvm::Instruction*>& cone) {
    std::vector<llvm::Instruction*> all{cone.back()};
    for (llvm::Instruction* const operation : llvm::drop_begin(llvm::reverse(cone)))
        if (llvm::all_of(operation->users(), [&](llvm::User* user) { return llvm::is_contained(all, user); }))
            all.push_back(operation);
    return all;
}

// The truth table: bit k is the result for the inputs in k's bits, the first input highest.
uint8_t table_of(const std::vector<llvm::Instruction*>& cone, const Cut& cut) {
    std::unordered_map<const Value*, uint8_t> known;
    for (size_t k = 0; k < cut.size(); ++k)
        known[cut[k]] = columns[k];
    const auto of = [&](const Value* value) -> uint8_t {
        if (is_plain(value))
            return llvm::cast<llvm::Constant>(value)->isNullValue() ? 0 : 0xff;
        return known.at(value);
    };
    for (const llvm::Instruction* const operation : cone) {
        const uint8_t one = of(operation->getOperand(0));
        const uint8_t other = of(operation->getOperand(1));
        known[operation] = operation->getOpcode() == llvm::Instruction::And  ? one & other
                           : operation->getOpcode() == llvm::Instruction::Or ? one | other
                                                                             : one ^ other;
    }
    return known.at(cone.back());
}

Value* as_instruction(llvm::IRBuilder<>& ir, const Cut& cut, uint8_t table, llvm::Type* type) {
    const unsigned lanes = static_cast<unsigned>(type->getPrimitiveSizeInBits() / 32);
    auto* const words = llvm::FixedVectorType::get(ir.getInt32Ty(), lanes);
    llvm::SmallVector<Value*> whole;
    for (Value* const leaf : cut)
        whole.push_back(ir.CreateBitCast(leaf, words));
    Value* const result = in_native_width(ir, whole, register_lanes, [&](llvm::ArrayRef<Value*> own) {
        llvm::SmallVector<Value*> arguments(own);
        arguments.push_back(ir.getInt32(table));
        return ir.CreateIntrinsic(llvm::Intrinsic::x86_avx512_pternlog_d_512, {}, arguments);
    });
    return ir.CreateBitCast(result, type);
}

void map_ternary_logic(llvm::BasicBlock& block) {
    const Cuts cuts(block);
    std::unordered_set<const llvm::Instruction*> replaced;
    for (llvm::Instruction& root : llvm::make_early_inc_range(llvm::reverse(block))) {
        if (!is_logic(&root) || replaced.contains(&root))
            continue;
        Cut best;
        std::vector<llvm::Instruction*> most;
        for (const Cut& cut : cuts.of(root)) {
            if (cut.size() != inputs)
                continue;
            std::vector<llvm::Instruction*> operations = replaced_of(cuts.cone(root, cut));
            if (operations.size() >= least_operations && operations.size() > most.size()) {
                best = cut;
                most = std::move(operations);
            }
        }
        if (most.empty())
            continue;
        llvm::IRBuilder<> ir(&root);
        root.replaceAllUsesWith(
            as_instruction(ir, best, table_of(cuts.cone(root, best), best), root.getType()));
        replaced.insert(most.begin(), most.end());
    }
    // Backwards: users, which are dead as well, are erased first.
    for (llvm::Instruction& operation : llvm::make_early_inc_range(llvm::reverse(block)))
        if (replaced.contains(&operation))
            operation.eraseFromParent();
}

} // namespace

void map_ternary_logic(llvm::Function& function) {
    for (llvm::BasicBlock& block : function)
        map_ternary_logic(block);
}

} // namespace visor::jit
