#include "jit/memory/lowering.h"

#include "jit/memory/lowering_state.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <numeric>

namespace visor::jit {

namespace {

// Limit of values that are looked at.
constexpr size_t max_visited = 64;

// True if loaded data, or what is too long to follow, goes into the addresses: those of a gather.
bool has_data_in(llvm::Value* addresses) {
    std::vector<llvm::Value*> open{addresses};
    llvm::SmallPtrSet<const llvm::Value*, 16> visited;
    while (!open.empty()) {
        auto* const instruction = llvm::dyn_cast<llvm::Instruction>(open.back());
        open.pop_back();
        if (instruction == nullptr || !visited.insert(instruction).second)
            continue;
        if (llvm::isa<MemLoad>(instruction) || visited.size() == max_visited)
            return true;
        open.insert(open.end(), instruction->op_begin(), instruction->op_end());
    }
    return false;
}

} // namespace

Lowering::Lowering(llvm::Function& function, bool gathers, bool brief)
    : function_(function), gathers_(gathers), brief_(brief), whole_(function, 0, !brief),
      parts_(function, part_lanes, !brief), ir_(function.getContext()), bounds_(ir_) {}

void Lowering::run() {
    std::vector<MemoryIntrinsic*> calls;
    const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function_);
    for (llvm::BasicBlock* const block : blocks)
        for (llvm::Instruction& instruction : *block)
            if (auto* const found = llvm::dyn_cast<MemoryIntrinsic>(&instruction))
                calls.push_back(found);
    for (MemoryIntrinsic* const at : calls)
        if (auto* const load = llvm::dyn_cast<MemLoad>(at)) {
            loaded_.insert(root_of(access_of(*load)));
            if (!brief_ && has_data_in(load->addresses()))
                dependent_.insert(load);
        }
    for (llvm::ArrayRef<MemoryIntrinsic*> left = calls; !left.empty();) {
        size_t done = expand_interleaved(left);
        if (done == 0) {
            expand(*left.front());
            done = 1;
        }
        left = left.drop_front(done);
    }
    for (MemoryIntrinsic* const at : calls) // until here, analyses need their operands
        at->eraseFromParent();
}

void Lowering::expand(MemoryIntrinsic& at) {
    ir_.SetInsertPoint(&at);
    if (auto* const check = llvm::dyn_cast<RangeCheck>(&at))
        return at.replaceAllUsesWith(expand_range_check(*check));
    if (auto* const check = llvm::dyn_cast<DisjointCheck>(&at))
        return at.replaceAllUsesWith(expand_disjoint_check(*check));
    if (const auto* const check = llvm::dyn_cast<ExtentCheck>(&at))
        return at.replaceAllUsesWith(expand_extent_check(*check));
    const Access access = access_of(llvm::cast<LaneIntrinsic>(at));
    if (const auto* const extreme = llvm::dyn_cast<Extreme>(&at))
        return at.replaceAllUsesWith(call_extreme(access, extreme->largest()));
    if (access.values != nullptr)
        return store(access);
    at.replaceAllUsesWith(load(access));
}

Lowering::Access Lowering::access_of(LaneIntrinsic& at) {
    Access access{.call = &at, .addresses = at.addresses(), .on = at.on(), .displacement = at.displacement()};
    access.bits = at.getType()->getScalarSizeInBits();
    const auto* const memory = llvm::dyn_cast<MemAccess>(&at);
    if (memory == nullptr)
        return access;
    if (memory->flat())
        access.reach.site = memory->site();
    else
        access.reach = {.data = memory->data(),
                        .bytes = memory->window_bytes(),
                        .mask = memory->offset_mask(),
                        .scratch = memory->scratch()};
    if (const auto* const store = llvm::dyn_cast<MemStore>(memory))
        access.values = store->values();
    access.bits = memory->unit_bits();
    return access;
}

// ---- control flow at the call

// If-then-else at the call, with branch weights `odds` : 1. Returns a phi of both results (null without
// results).
llvm::Value* Lowering::either(Value* condition, const std::function<Value*()>& then,
                              const std::function<Value*()>& otherwise, uint32_t odds) {
    const auto given = [](Value* value) {
        return value == nullptr ? std::vector<Value*>() : std::vector<Value*>{value};
    };
    const std::vector<Value*> both =
        either_all(condition, [&] { return given(then()); }, [&] { return given(otherwise()); }, odds);
    return both.empty() ? nullptr : both.front();
}

// With several results.
std::vector<llvm::Value*> Lowering::either_all(Value* condition,
                                               llvm::function_ref<std::vector<Value*>()> then,
                                               llvm::function_ref<std::vector<Value*>()> otherwise,
                                               uint32_t odds) {
    llvm::Instruction* const here = &*ir_.GetInsertPoint();
    llvm::BasicBlock* const after = here->getParent();
    // Splits off the code before the call, not after it: expansion proceeds in order, and long blocks have
    // many messages.
    llvm::BasicBlock* const before = after->splitBasicBlockBefore(here);
    const auto branch = [&] {
        auto* const block = llvm::BasicBlock::Create(function_.getContext(), "", &function_, after);
        return llvm::BranchInst::Create(after, block);
    };
    llvm::BranchInst* const then_end = branch();
    llvm::BranchInst* const otherwise_end = branch();
    before->getTerminator()->eraseFromParent();
    ir_.SetInsertPoint(before);
    ir_.CreateCondBr(condition, then_end->getParent(), otherwise_end->getParent(),
                     llvm::MDBuilder(function_.getContext()).createBranchWeights(odds, 1));
    ir_.SetInsertPoint(then_end);
    const std::vector<Value*> first = then();
    llvm::BasicBlock* const then_from = ir_.GetInsertBlock();
    ir_.SetInsertPoint(otherwise_end);
    const std::vector<Value*> second = otherwise();
    llvm::BasicBlock* const otherwise_from = ir_.GetInsertBlock();
    ir_.SetInsertPoint(here);
    std::vector<Value*> both;
    for (size_t k = 0; k < first.size(); ++k) {
        auto* const phi = llvm::PHINode::Create(first[k]->getType(), 2, "", after->getFirstNonPHIIt());
        phi->addIncoming(first[k], then_from);
        phi->addIncoming(second[k], otherwise_from);
        both.push_back(phi);
    }
    return both;
}

llvm::Value* Lowering::all_of(llvm::ArrayRef<Value*> conditions) {
    Value* all = ir_.getTrue();
    for (Value* const one : conditions)
        all = ir_.CreateAnd(all, one);
    return all;
}

llvm::Value* Lowering::every(Value* lanes) {
    Value* const bits = mask_bits(ir_, lanes);
    return ir_.CreateICmpEQ(bits, llvm::ConstantInt::getAllOnesValue(bits->getType()));
}

llvm::Value* Lowering::any(Value* lanes) {
    Value* const bits = mask_bits(ir_, lanes);
    return ir_.CreateICmpNE(bits, llvm::ConstantInt::get(bits->getType(), 0));
}

// ---- range checks

llvm::Value* Lowering::expand_range_check(RangeCheck& at) {
    Access access{.call = &at, .addresses = at.addresses(), .on = at.on(), .displacement = at.displacement()};
    Value* const low = at.low();
    Value* const last = at.last();
    access.reach.site = at.site();
    std::vector<LaneAffine::Form> forms;
    if (auto form = form_of(access))
        forms.push_back(std::move(*form));
    else if (in_native_width(access))
        forms = forms_of_parts(access);
    if (forms.empty())
        return check_unknown(access, low, last);
    std::vector<Value*> conditions;
    for (const LaneAffine::Form& form : forms) {
        Value* const lowest = ir_.CreateAdd(form.base, number(form.lowest() + access.displacement));
        conditions.insert(conditions.end(), form.conditions.begin(), form.conditions.end());
        conditions.push_back(bounds_.span_in({low, last}, lowest, number(form.highest() - form.lowest())));
    }
    Value* const inside = all_of(conditions);
    if (forms.size() == 1)
        inside_[access.reach.site] = inside;
    if (brief_ && is_worth_a_call(access))
        return inside;
    if (std::ranges::any_of(forms, [](const LaneAffine::Form& form) { return form.assumed; }))
        return check_assumed(access, inside, low, last);
    return either(inside, [&] { return ir_.getTrue(); }, [&] { return call_check_lanes(access, low, last); });
}

// Where the lanes are not as assumed, checks the indices, as for addresses without a form.
llvm::Value* Lowering::check_assumed(const Access& access, Value* inside, Value* low, Value* last) {
    const std::optional<Indices> indices = indices_of(access, low, last);
    const auto checks = either_all(
        inside, [&] { return std::vector<Value*>{ir_.getTrue(), ir_.getFalse()}; },
        [&] {
            if (!indices)
                return std::vector<Value*>{call_check_lanes(access, low, last), ir_.getFalse()};
            Value* const valid = check_indices(access, *indices);
            Value* const all = either(
                valid, [&] { return ir_.getTrue(); }, [&] { return call_check_lanes(access, low, last); });
            return std::vector<Value*>{all, valid};
        },
        assumption_odds);
    if (indices)
        indexed_[access.reach.site] = {*indices, checks[1]};
    return checks[0];
}

// For addresses with a scalar base; none: of another form, or better checked otherwise.
std::optional<Lowering::Indices> Lowering::indices_of(const Access& access, Value* low, Value* last) {
    const auto split = brief_ || access.lanes() < 4 ? std::nullopt : base_and_index(ir_, access.addresses);
    if (!split)
        return std::nullopt;
    Value* const start = ir_.CreateAdd(split->start, number(access.displacement));
    const Bounds::Indices indices = bounds_.indices_in({low, last}, start, split->shift);
    return Indices{*split, bounds_.as_index(indices.max_index), indices.any};
}

// i1: the indices of all active lanes are in range.
llvm::Value* Lowering::check_indices(const Access& access, const Indices& indices) {
    return ir_.CreateAnd(
        indices.any, every_on(ir_, bounds_.index_in(indices.addresses.index, indices.max_index), access.on));
}

// For addresses without a form: checks the indices first.
llvm::Value* Lowering::check_unknown(const Access& access, Value* low, Value* last) {
    const std::optional<Indices> indices = indices_of(access, low, last);
    if (!indices)
        return brief_ ? call_check_lanes(access, low, last) : check_lanes(access, low, last);
    Value* const inside = check_indices(access, *indices);
    indexed_[access.reach.site] = {*indices, inside};
    return either(inside, [&] { return ir_.getTrue(); }, [&] { return call_check_lanes(access, low, last); });
}

llvm::Value* Lowering::check_lanes(const Access& access, Value* low, Value* last) {
    const uint32_t lanes = access.lanes();
    Value* const first = ir_.CreateAdd(access.addresses, splat(number(access.displacement), lanes));
    return bounds_.lanes_in({low, last}, first, access.on);
}

// Over the addresses of all active lanes.
llvm::Value* Lowering::extreme(const Access& access, bool largest) {
    const uint32_t lanes = access.lanes();
    Value* const addresses = ir_.CreateAdd(access.addresses, splat(number(access.displacement), lanes));
    Value* const none = splat(largest ? ir_.getInt64(0) : ir_.getInt64(UINT64_MAX), lanes);
    Value* const candidates = ir_.CreateSelect(access.on, addresses, none);
    return largest ? ir_.CreateIntMaxReduce(candidates) : ir_.CreateIntMinReduce(candidates);
}

llvm::Value* Lowering::expand_disjoint_check(DisjointCheck& at) {
    Value* addresses = at.addresses();
    const int64_t bytes = at.bytes();
    const uint32_t lanes = lanes_of(addresses);
    constexpr int64_t masked_bit = int64_t{1} << 28U;
    if (const auto form = whole_.form(addresses, 0, &at); form && form->conditions.empty()) {
        bool far = form->highest() - form->lowest() + bytes < masked_bit;
        for (uint32_t k = 0; k + 1 < lanes; ++k)
            far = far && form->steps[k + 1] - form->steps[k] >= bytes;
        if (far) // also under the mask and with wrapping: all lanes lie within that many bytes
            return ir_.getTrue();
    }
    auto* const own = ir_.getIntNTy(addresses->getType()->getScalarSizeInBits());
    addresses = ir_.CreateAnd(addresses, splat(ir_.CreateTrunc(at.offset_mask(), own), lanes));
    std::vector<int> lower(lanes - 1);
    std::iota(lower.begin(), lower.end(), 0);
    std::vector<int> upper(lanes - 1);
    std::iota(upper.begin(), upper.end(), 1);
    Value* const below = ir_.CreateShuffleVector(addresses, lower);
    Value* const above = ir_.CreateShuffleVector(addresses, upper);
    auto* const element = llvm::cast<llvm::IntegerType>(addresses->getType()->getScalarType());
    Value* const least = splat(llvm::ConstantInt::get(element, static_cast<uint64_t>(bytes)), lanes - 1);
    Value* const far = ir_.CreateICmpUGE(ir_.CreateSub(above, below), least);
    return every(ir_.CreateAnd(far, ir_.CreateICmpUGT(above, below)));
}

llvm::Value* Lowering::expand_extent_check(const ExtentCheck& at) {
    return bounds_.known_in_window(at.addresses(), at.end(), at.window_bytes());
}

void lower_memory_intrinsics(llvm::Function& function, bool gathers, bool brief) {
    llvm::EliminateUnreachableBlocks(function);
    Lowering(function, gathers, brief).run();
}

} // namespace visor::jit
