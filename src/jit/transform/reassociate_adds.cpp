#include "jit/transform/reassociate_adds.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr size_t max_terms = 24;
// A sum is compared with this many later ones, and this many with the same first term.
constexpr size_t window = 16;
// Smaller relative savings do not justify a different order.
constexpr size_t min_saving = 16;

class Reassociation {
public:
    explicit Reassociation(llvm::Function& function) : function_(function), tree_(function), loops_(tree_) {}

    void run() {
        find();
        const size_t before = found_.size();
        for (size_t k = 0; k < sums_.size(); ++k)
            use_earlier(k);
        for (size_t k = 0; k < sums_.size(); ++k)
            while (share_common_terms(k)) {
            }
        if (additions() + before / min_saving >= before)
            return;
        for (const Sum& sum : sums_)
            write(sum);
        llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced_);
    }

private:
    // Sorted indices of nodes, with repetitions.
    using Terms = std::vector<size_t>;
    // Operands of sums, and sums.
    struct Node {
        Value* value = nullptr; // null: a partial sum without code yet
        size_t order = 0;       // of definitions
    };
    struct Part { // common to several sums
        size_t node = 0;
        Terms terms;
    };
    // A sum with users other than sums.
    struct Sum {
        llvm::Instruction* at = nullptr;
        size_t node = 0;
        Terms terms;
        std::vector<Part> parts; // emitted before it
        bool changed = false;
    };

    // ---- collecting sums

    [[nodiscard]] static bool is_sum(const Value* value) {
        constexpr unsigned bits = 32;
        const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
        const auto* const sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
        return type != nullptr && type->getElementType()->isIntegerTy(bits) && sum != nullptr &&
               sum->getOpcode() == llvm::Instruction::Add;
    }

    // Only used by sums of the same loop.
    [[nodiscard]] bool is_inner(const llvm::Instruction& sum) const {
        const llvm::Loop* const loop = loops_.getLoopFor(sum.getParent());
        return !sum.use_empty() && std::ranges::all_of(sum.users(), [&](const llvm::User* user) {
            return is_sum(user) &&
                   loops_.getLoopFor(llvm::cast<llvm::Instruction>(user)->getParent()) == loop;
        });
    }

    void find() {
        const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function_);
        size_t order = 0;
        for (llvm::BasicBlock* const block : blocks)
            for (llvm::Instruction& instruction : *block) {
                order_[&instruction] = ++order;
                if (is_sum(&instruction))
                    found_.push_back(&instruction);
            }
        for (llvm::Instruction* const sum : found_) {
            Terms terms = terms_of(*sum);
            if (is_inner(*sum) && terms.size() <= max_terms)
                inner_.emplace(sum, std::move(terms));
            else
                sums_.push_back({sum, node_of(sum), std::move(terms), {}, false});
        }
    }

    Terms terms_of(llvm::Instruction& sum) {
        Terms all;
        for (Value* const operand : sum.operand_values()) {
            const auto inner = inner_.find(operand);
            if (inner != inner_.end())
                all.insert(all.end(), inner->second.begin(), inner->second.end());
            else
                all.push_back(node_of(operand));
        }
        std::ranges::sort(all);
        return all;
    }

    size_t node_of(Value* value) {
        const auto [at, is_new] = numbers_.emplace(value, nodes_.size());
        if (is_new) {
            const auto order = order_.find(value);
            nodes_.push_back({value, order == order_.end() ? 0 : order->second});
        }
        return at->second;
    }

    // ---- common terms

    // Replaces terms by the longest sum that dominates this one.
    void use_earlier(size_t number) {
        Sum& sum = sums_[number];
        add_form(sum.terms, number);
        while (const Sum* const longest = longest_within(sum)) {
            const Terms* const form = std::ranges::includes(sum.terms, forms_.at(longest->node).front())
                                          ? &forms_.at(longest->node).front()
                                          : &forms_.at(longest->node).back();
            replace(sum, *form, longest->node);
        }
        if (sum.changed)
            add_form(sum.terms, number);
    }

    void add_form(const Terms& terms, size_t number) {
        forms_[sums_[number].node].push_back(terms);
        if (terms.size() > 1)
            sums_by_first_term_[terms.front()].push_back(number);
    }

    const Sum* longest_within(const Sum& sum) {
        const Sum* longest = nullptr;
        size_t length = 1;
        for (const size_t term : sum.terms) {
            const std::vector<size_t>& others = sums_by_first_term_[term];
            for (size_t k = others.size() - std::min(others.size(), window); k < others.size(); ++k) {
                const Sum& other = sums_[others[k]];
                if (&other == &sum || !tree_.dominates(other.at, sum.at))
                    continue;
                for (const Terms& form : forms_[other.node])
                    if (form.size() > length && std::ranges::includes(sum.terms, form)) {
                        longest = &other;
                        length = form.size();
                    }
            }
        }
        return longest;
    }

    static void replace(Sum& sum, const Terms& terms, size_t node) {
        Terms rest;
        std::ranges::set_difference(sum.terms, terms, std::back_inserter(rest));
        rest.insert(std::ranges::upper_bound(rest, node), node);
        sum.terms = std::move(rest);
        sum.changed = true;
    }

    // True if terms common with later sums became a partial sum.
    bool share_common_terms(size_t number) {
        Sum& sum = sums_[number];
        const size_t end = std::min(sums_.size(), number + 1 + window);
        Terms common;
        for (size_t k = number + 1; k < end; ++k) {
            Terms both;
            std::ranges::set_intersection(sum.terms, sums_[k].terms, std::back_inserter(both));
            if (both.size() > std::max<size_t>(common.size(), 1) && tree_.dominates(sum.at, sums_[k].at))
                common = std::move(both);
        }
        if (common.empty())
            return false;
        size_t node = sum.node;
        const bool is_whole = common.size() == sum.terms.size();
        if (!is_whole) {
            node = nodes_.size();
            nodes_.push_back({nullptr, latest(common)});
            sum.parts.push_back({node, common});
            replace(sum, common, node);
        }
        for (size_t k = number + 1; k < end; ++k)
            if (std::ranges::includes(sums_[k].terms, common) && tree_.dominates(sum.at, sums_[k].at))
                replace(sums_[k], common, node);
        return true;
    }

    [[nodiscard]] size_t latest(const Terms& terms) const {
        size_t order = 0;
        for (const size_t term : terms)
            order = std::max(order, nodes_[term].order);
        return order;
    }

    // ---- emitting sums

    [[nodiscard]] size_t additions() const {
        size_t count = 0;
        for (const Sum& sum : sums_) {
            count += sum.terms.size() - 1;
            for (const Part& part : sum.parts)
                count += part.terms.size() - 1;
        }
        return count;
    }

    void write(const Sum& sum) {
        if (!sum.changed)
            return;
        llvm::IRBuilder<> ir(sum.at);
        for (const Part& part : sum.parts)
            nodes_[part.node].value = added(ir, part.terms);
        Value* const result = added(ir, sum.terms);
        nodes_[sum.node].value = result;
        sum.at->replaceAllUsesWith(result);
        replaced_.emplace_back(sum.at); // later sums may reuse its operands
    }

    // Adds early definitions first.
    Value* added(llvm::IRBuilder<>& ir, Terms terms) {
        std::ranges::sort(terms, {}, [&](size_t term) { return std::pair(nodes_[term].order, term); });
        Value* all = nodes_[terms.front()].value;
        for (size_t k = 1; k < terms.size(); ++k)
            all = ir.CreateAdd(all, nodes_[terms[k]].value);
        return all;
    }

    llvm::Function& function_;
    llvm::DominatorTree tree_;
    llvm::LoopInfo loops_;
    std::unordered_map<const Value*, size_t> order_;
    std::vector<llvm::Instruction*> found_;
    std::unordered_map<const Value*, Terms> inner_;
    std::unordered_map<const Value*, size_t> numbers_; // of nodes
    std::vector<Node> nodes_;
    std::vector<Sum> sums_;
    llvm::SmallVector<llvm::WeakTrackingVH> replaced_;
    std::unordered_map<size_t, std::vector<size_t>> sums_by_first_term_; // by node
    std::unordered_map<size_t, std::vector<Terms>> forms_;               // by sum: its original and new terms
};

} // namespace

void reassociate_adds(llvm::Function& function) {
    Reassociation(function).run();
}

} // namespace visor::jit
