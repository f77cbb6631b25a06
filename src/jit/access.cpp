#include "jit/access.h"

#include "jit/affine.h"
#include "jit/stand_in.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr llvm::Align any_alignment; // any byte

constexpr uint32_t most_lanes = 32;
// Lanes that have a form of their own where a vector of more has none.
constexpr uint32_t part_lanes = 16;
// A stretch that is loaded whole, to pick elements from, is no longer than this many times what is wanted.
constexpr int64_t longest_stretch = 2;

class Expansion {
public:
    Expansion(llvm::Function& function, bool gathers)
        : function_(function), gathers_(gathers), whole_(function, 0), parts_(function, part_lanes),
          ir_(function.getContext()) {}

    void run() {
        std::vector<llvm::CallInst*> calls;
        const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function_);
        for (llvm::BasicBlock* const block : blocks)
            for (llvm::Instruction& instruction : *block)
                if (auto* const found = llvm::dyn_cast<llvm::CallInst>(&instruction))
                    if (const llvm::Function* const callee = found->getCalledFunction();
                        callee != nullptr && callee->getName().starts_with(stand_in::any))
                        calls.push_back(found);
        for (llvm::CallInst* const at : calls)
            expand(*at);
        for (llvm::CallInst* const at : calls) // addresses stay theirs until now
            at->eraseFromParent();
    }

private:
    // One stand-in.
    struct Access {
        llvm::CallInst* call = nullptr;
        Value* places = nullptr;
        Value* on = nullptr;
        Reach reach;
        int64_t displacement = 0;
        uint32_t bits = 0;
        Value* values = nullptr; // of a store
        [[nodiscard]] uint32_t lanes() const { return lanes_of(places); }
        [[nodiscard]] int64_t bytes() const { return bits / 8; }
        [[nodiscard]] bool flat() const { return reach.data == nullptr; }
    };

    void expand(llvm::CallInst& at) {
        const llvm::StringRef name = at.getCalledFunction()->getName();
        ir_.SetInsertPoint(&at);
        if (name.starts_with(stand_in::admits))
            return at.replaceAllUsesWith(expand_admits(at));
        if (name.starts_with(stand_in::apart))
            return at.replaceAllUsesWith(expand_apart(at));
        Access access{.call = &at, .places = at.getArgOperand(0), .on = at.getArgOperand(1)};
        access.displacement = constant(at.getArgOperand(2));
        if (name.starts_with(stand_in::load_surface) || name.starts_with(stand_in::store_surface))
            access.reach = {at.getArgOperand(3), at.getArgOperand(4), at.getArgOperand(5)};
        if (name.starts_with(stand_in::store_surface) || name.starts_with(stand_in::store_flat)) {
            access.values = at.getArgOperand(at.arg_size() - 1);
            access.bits = access.values->getType()->getScalarSizeInBits();
            return store(access);
        }
        access.bits = at.getType()->getScalarSizeInBits();
        at.replaceAllUsesWith(load(access));
    }

    static int64_t constant(const Value* value) {
        return static_cast<int64_t>(llvm::cast<llvm::ConstantInt>(value)->getZExtValue());
    }
    // ---- shapes of places

    std::optional<Affine::Form> form_of(const Access& access) {
        return access.lanes() < 2 ? std::nullopt : whole_.form(access.places, 0, access.call);
    }
    [[nodiscard]] static bool in_parts(const Access& access) {
        return access.lanes() > part_lanes && access.lanes() % part_lanes == 0;
    }
    std::vector<Affine::Form> forms_of_parts(const Access& access) {
        std::vector<Affine::Form> forms;
        for (uint32_t k = 0; k < access.lanes() / part_lanes; ++k) {
            auto form = parts_.form(access.places, k, access.call);
            if (!form)
                return {};
            forms.push_back(std::move(*form));
        }
        return forms;
    }
    [[nodiscard]] static bool is_row(const Affine::Form& form, int64_t bytes) {
        for (size_t k = 0; k < form.steps.size(); ++k)
            if (form.steps[k] != static_cast<int64_t>(k) * bytes)
                return false;
        return true;
    }
    [[nodiscard]] static bool is_all(const Value* on) {
        const auto* const constant = llvm::dyn_cast<llvm::Constant>(on);
        return constant != nullptr && constant->isAllOnesValue();
    }
    Value* slice(Value* vector, uint32_t part) {
        std::vector<int> order(part_lanes);
        std::iota(order.begin(), order.end(), static_cast<int>(part * part_lanes));
        return ir_.CreateShuffleVector(vector, order);
    }
    Access part_of(const Access& access, uint32_t part) {
        Access one = access;
        one.places = slice(access.places, part);
        one.on = slice(access.on, part);
        if (access.values != nullptr)
            one.values = slice(access.values, part);
        return one;
    }
    Value* joined(const std::vector<Value*>& parts) {
        Value* all = parts.front();
        for (size_t k = 1; k < parts.size(); ++k) {
            const auto have = static_cast<int>(lanes_of(all));
            std::vector<int> lengthen(static_cast<size_t>(have), -1);
            std::iota(lengthen.begin(), lengthen.begin() + part_lanes, 0);
            Value* const next = ir_.CreateShuffleVector(parts[k], lengthen);
            std::vector<int> order(static_cast<size_t>(have) + part_lanes);
            std::iota(order.begin(), order.end(), 0);
            all = ir_.CreateShuffleVector(all, next, order);
        }
        return all;
    }

    // ---- control flow at the call

    // Runs the one or the other; what they give, in one value (null when they give nothing).
    Value* either(llvm::CallInst& at, Value* condition, const std::function<Value*()>& then,
                  const std::function<Value*()>& otherwise) {
        llvm::Instruction* then_end = nullptr;
        llvm::Instruction* otherwise_end = nullptr;
        llvm::SplitBlockAndInsertIfThenElse(
            condition, at.getIterator(), &then_end, &otherwise_end,
            llvm::MDBuilder(function_.getContext()).createBranchWeights(1000, 1));
        ir_.SetInsertPoint(then_end);
        Value* const first = then();
        llvm::BasicBlock* const then_from = ir_.GetInsertBlock();
        ir_.SetInsertPoint(otherwise_end);
        Value* const second = otherwise();
        llvm::BasicBlock* const otherwise_from = ir_.GetInsertBlock();
        ir_.SetInsertPoint(&at);
        if (first == nullptr)
            return nullptr;
        llvm::PHINode* const both = llvm::PHINode::Create(first->getType(), 2, "", at.getParent()->begin());
        both->addIncoming(first, then_from);
        both->addIncoming(second, otherwise_from);
        return both;
    }
    Value* all_of(llvm::ArrayRef<Value*> conditions) {
        Value* all = ir_.getTrue();
        for (Value* const one : conditions)
            all = ir_.CreateAnd(all, one);
        return all;
    }
    Value* every(Value* lanes) {
        Value* const bits = ir_.CreateBitCast(lanes, ir_.getIntNTy(lanes_of(lanes)));
        return ir_.CreateICmpEQ(bits, llvm::ConstantInt::getAllOnesValue(bits->getType()));
    }
    Value* any(Value* lanes) {
        Value* const bits = ir_.CreateBitCast(lanes, ir_.getIntNTy(lanes_of(lanes)));
        return ir_.CreateICmpNE(bits, llvm::ConstantInt::get(bits->getType(), 0));
    }

    // ---- bounds

    // Places of a surface after its mask.
    Value* masked(const Access& access, Value* places) {
        Value* const mask = ir_.CreateTrunc(access.reach.mask, ir_.getInt32Ty());
        return ir_.CreateAnd(places, places->getType()->isVectorTy() ? splat(mask, lanes_of(places)) : mask);
    }
    Value* splat(Value* scalar, uint32_t lanes) { return ir_.CreateVectorSplat(lanes, scalar); }
    Value* number(int64_t value) { return ir_.getInt64(static_cast<uint64_t>(value)); }

    // Whether all lanes of a form are inside a surface, and where the first one is. No window is larger than
    // 2 GiB, and bit 28 of shared local addresses has nothing above it: no lane carries into what is masked.
    Value* form_inside(const Access& access, const Affine::Form& form, Value*& first) {
        first = ir_.CreateZExt(masked(access, form.base), ir_.getInt64Ty());
        const int64_t low = form.lowest() + access.displacement;
        const int64_t high = form.highest() + access.displacement + access.bytes();
        std::vector<Value*> conditions = form.unless;
        conditions.push_back(ir_.CreateICmpSLE(ir_.CreateAdd(first, number(high)), access.reach.bytes));
        if (low < 0)
            conditions.push_back(ir_.CreateICmpSGE(first, number(-low)));
        return all_of(conditions);
    }
    // Lanes that are on and inside.
    Value* lanes_inside(const Access& access, Value* places) {
        const uint32_t lanes = access.lanes();
        Value* const size = number(access.displacement + access.bytes());
        Value* const fits = ir_.CreateICmpUGE(access.reach.bytes, size);
        Value* const last = ir_.CreateTrunc(ir_.CreateSub(access.reach.bytes, size), ir_.getInt32Ty());
        Value* const in = ir_.CreateICmpULE(places, splat(last, lanes));
        return ir_.CreateAnd(access.on, ir_.CreateAnd(in, splat(fits, lanes)));
    }

    // ---- places that lanes that may not touch memory use instead

    Value* zeros() {
        llvm::Module& module = *function_.getParent();
        constexpr const char* name = "visor_zeros";
        if (llvm::GlobalVariable* const found = module.getNamedGlobal(name))
            return found;
        auto* const type = llvm::ArrayType::get(ir_.getInt8Ty(), 64);
        return new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::PrivateLinkage,
                                        llvm::Constant::getNullValue(type), name);
    }
    Value* nowhere() {
        if (nowhere_ == nullptr) {
            llvm::IRBuilder<> entry(&*function_.getEntryBlock().begin());
            nowhere_ = entry.CreateAlloca(llvm::ArrayType::get(ir_.getInt64Ty(), 1));
        }
        return nowhere_;
    }

    // ---- loads

    Value* load(const Access& access) {
        if (const auto form = form_of(access))
            return load_form(access, *form);
        if (in_parts(access)) {
            const std::vector<Affine::Form> forms = forms_of_parts(access);
            if (!forms.empty()) {
                std::vector<Value*> parts;
                for (uint32_t k = 0; k < forms.size(); ++k) {
                    ir_.SetInsertPoint(access.call);
                    parts.push_back(load_form(part_of(access, k), forms[k]));
                }
                ir_.SetInsertPoint(access.call);
                return joined(parts);
            }
        }
        return load_unknown(access);
    }

    Value* load_form(const Access& access, const Affine::Form& form) {
        if (access.flat())
            return load_flat_form(access, form);
        Value* first = nullptr;
        Value* const in = form_inside(access, form, first);
        if (form.uniform() && form.unless.empty()) {
            Value* const from =
                ir_.CreateSelect(in, moved(access.reach.data, first, access.displacement), zeros());
            return splat(load_at(ir_.getIntNTy(access.bits), from), access.lanes());
        }
        return either(
            *access.call, in,
            [&] { return load_known(access, form, moved(access.reach.data, first, access.displacement)); },
            [&] { return load_lanes(access); });
    }

    Value* load_flat_form(const Access& access, const Affine::Form& form) {
        const auto known = [&]() -> Value* {
            Value* const from =
                ir_.CreateIntToPtr(ir_.CreateAdd(form.base, number(access.displacement)), ir_.getPtrTy());
            if (is_all(access.on))
                return load_known(access, form, from);
            auto* const unit = ir_.getIntNTy(access.bits);
            if (form.uniform())
                return splat(load_at(unit, ir_.CreateSelect(any(access.on), from, zeros())), access.lanes());
            auto* const type = llvm::FixedVectorType::get(unit, access.lanes());
            if (is_row(form, access.bytes()) && access.bits >= 32)
                return ir_.CreateMaskedLoad(type, from, any_alignment, access.on,
                                            llvm::Constant::getNullValue(type));
            return gathered(access, [&](uint32_t lane) {
                Value* const own =
                    ir_.CreateConstGEP1_64(ir_.getInt8Ty(), from, static_cast<uint64_t>(form.steps[lane]));
                return ir_.CreateSelect(ir_.CreateExtractElement(access.on, uint64_t{lane}), own, zeros());
            });
        };
        if (form.unless.empty())
            return known();
        return either(*access.call, all_of(form.unless), known, [&] { return load_lanes(access); });
    }

    // All lanes may be read; `first` is lane 0's.
    Value* load_known(const Access& access, const Affine::Form& form, Value* first) {
        const uint32_t lanes = access.lanes();
        auto* const unit = ir_.getIntNTy(access.bits);
        auto* const type = llvm::FixedVectorType::get(unit, lanes);
        if (is_row(form, access.bytes()))
            return load_at(type, first);
        if (form.uniform())
            return splat(load_at(unit, first), lanes);
        const int64_t low = form.lowest();
        const int64_t span = form.highest() - low + access.bytes();
        const bool on_grid =
            std::ranges::all_of(form.steps, [&](int64_t step) { return (step - low) % access.bytes() == 0; });
        if (on_grid && span <= longest_stretch * lanes * access.bytes()) {
            auto* const stretch =
                llvm::FixedVectorType::get(unit, static_cast<uint32_t>(span / access.bytes()));
            Value* const all =
                load_at(stretch, ir_.CreateConstGEP1_64(ir_.getInt8Ty(), first, static_cast<uint64_t>(low)));
            std::vector<int> order(lanes);
            for (uint32_t k = 0; k < lanes; ++k)
                order[k] = static_cast<int>((form.steps[k] - low) / access.bytes());
            return ir_.CreateShuffleVector(all, order);
        }
        return gathered(access, [&](uint32_t lane) {
            return ir_.CreateConstGEP1_64(ir_.getInt8Ty(), first, static_cast<uint64_t>(form.steps[lane]));
        });
    }

    Value* load_at(llvm::Type* type, Value* from) { return ir_.CreateAlignedLoad(type, from, any_alignment); }
    Value* moved(Value* data, Value* offset, int64_t displacement) {
        return ir_.CreateGEP(ir_.getInt8Ty(), data, ir_.CreateAdd(offset, number(displacement)));
    }
    // Lane after lane, each from its own place.
    Value* gathered(const Access& access, const std::function<Value*(uint32_t)>& place) {
        auto* const unit = ir_.getIntNTy(access.bits);
        Value* all = llvm::PoisonValue::get(llvm::FixedVectorType::get(unit, access.lanes()));
        for (uint32_t lane = 0; lane < access.lanes(); ++lane)
            all = ir_.CreateInsertElement(all, load_at(unit, place(lane)), uint64_t{lane});
        return all;
    }

    // Nothing is known: lanes in a row are told when the code runs.
    Value* load_unknown(const Access& access) {
        if (access.lanes() < 4)
            return load_lanes(access);
        Value* const places = access.flat() ? access.places : masked(access, access.places);
        Value* row = every(ir_.CreateOr(matches_row(access, places), ir_.CreateNot(access.on)));
        if (!access.flat())
            row = ir_.CreateAnd(row, row_inside(access, places));
        auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(access.bits), access.lanes());
        return either(
            *access.call, row,
            [&] {
                return ir_.CreateMaskedLoad(type, row_begin(access, places), any_alignment, access.on,
                                            llvm::Constant::getNullValue(type));
            },
            [&] { return load_lanes(access); });
    }
    Value* matches_row(const Access& access, Value* places) {
        const auto bits = places->getType()->getScalarSizeInBits();
        std::vector<llvm::Constant*> steps;
        for (uint32_t k = 0; k < access.lanes(); ++k)
            steps.push_back(llvm::ConstantInt::get(ir_.getIntNTy(bits), uint64_t{k} * (access.bits / 8)));
        Value* const first = splat(ir_.CreateExtractElement(places, uint64_t{0}), access.lanes());
        return ir_.CreateICmpEQ(places, ir_.CreateAdd(first, llvm::ConstantVector::get(steps)));
    }
    Value* row_inside(const Access& access, Value* places) {
        Value* const first = ir_.CreateZExt(ir_.CreateExtractElement(places, uint64_t{0}), ir_.getInt64Ty());
        const int64_t length = access.displacement + access.bytes() * access.lanes();
        return ir_.CreateICmpULE(ir_.CreateAdd(first, number(length)), access.reach.bytes);
    }
    Value* row_begin(const Access& access, Value* places) {
        Value* const first = ir_.CreateExtractElement(places, uint64_t{0});
        if (access.flat())
            return ir_.CreateIntToPtr(ir_.CreateAdd(first, number(access.displacement)), ir_.getPtrTy());
        return moved(access.reach.data, ir_.CreateZExt(first, ir_.getInt64Ty()), access.displacement);
    }

    // Every lane by itself; those that are off or outside read zeros that are Visor's own.
    Value* load_lanes(const Access& access) {
        const auto [pointers, in] = vector_of_places(access);
        if (gathers_ && access.bits >= 32 && access.lanes() >= 4) {
            auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(access.bits), access.lanes());
            return ir_.CreateMaskedGather(type, as_pointers(pointers), any_alignment, in,
                                          llvm::Constant::getNullValue(type));
        }
        return gathered(access, places_or(access, pointers, in, zeros()));
    }
    // As numbers of 64 bits, and the lanes that may use them.
    std::pair<Value*, Value*> vector_of_places(const Access& access) {
        const uint32_t lanes = access.lanes();
        if (access.flat())
            return {ir_.CreateAdd(access.places, splat(number(access.displacement), lanes)), access.on};
        Value* const places = masked(access, access.places);
        Value* const base = ir_.CreatePtrToInt(access.reach.data, ir_.getInt64Ty());
        auto* const wide = llvm::FixedVectorType::get(ir_.getInt64Ty(), lanes);
        Value* const begin = splat(ir_.CreateAdd(base, number(access.displacement)), lanes);
        return {ir_.CreateAdd(begin, ir_.CreateZExt(places, wide)), lanes_inside(access, places)};
    }
    Value* as_pointers(Value* numbers) {
        return ir_.CreateIntToPtr(numbers, llvm::FixedVectorType::get(ir_.getPtrTy(), lanes_of(numbers)));
    }
    // Each lane's place, `instead` for one that must not touch memory. They go through the stack, which is
    // quicker than out of vectors one by one.
    std::function<Value*(uint32_t)> places_or(const Access& access, Value* numbers, Value* in,
                                              Value* instead) {
        Value* const other = splat(ir_.CreatePtrToInt(instead, ir_.getInt64Ty()), access.lanes());
        Value* const safe = is_all(in) ? numbers : ir_.CreateSelect(in, numbers, other);
        if (access.lanes() < 4)
            return [this, safe](uint32_t lane) {
                return ir_.CreateIntToPtr(ir_.CreateExtractElement(safe, uint64_t{lane}), ir_.getPtrTy());
            };
        Value* const stack = on_stack();
        ir_.CreateAlignedStore(safe, stack, llvm::Align(64), true);
        return [this, stack](uint32_t lane) {
            Value* const at = ir_.CreateConstInBoundsGEP1_64(ir_.getInt64Ty(), stack, lane);
            return ir_.CreateIntToPtr(ir_.CreateAlignedLoad(ir_.getInt64Ty(), at, llvm::Align(8), true),
                                      ir_.getPtrTy());
        };
    }
    Value* on_stack() {
        if (stack_ == nullptr) {
            llvm::IRBuilder<> entry(&*function_.getEntryBlock().begin());
            auto* const room = entry.CreateAlloca(llvm::ArrayType::get(ir_.getInt64Ty(), most_lanes));
            room->setAlignment(llvm::Align(64));
            stack_ = room;
        }
        return stack_;
    }

    // ---- stores

    void store(const Access& access) {
        if (const auto form = form_of(access))
            return store_form(access, *form);
        if (in_parts(access)) {
            const std::vector<Affine::Form> forms = forms_of_parts(access);
            for (uint32_t k = 0; k < forms.size(); ++k) {
                ir_.SetInsertPoint(access.call);
                store_form(part_of(access, k), forms[k]);
            }
            if (!forms.empty())
                return;
        }
        store_unknown(access);
    }

    void store_form(const Access& access, const Affine::Form& form) {
        if (form.uniform()) // one place: the last lane's stays
            return store_lanes(access);
        if (access.flat()) {
            const auto known = [&]() -> Value* {
                store_known(access, form,
                            ir_.CreateIntToPtr(ir_.CreateAdd(form.base, number(access.displacement)),
                                               ir_.getPtrTy()));
                return nullptr;
            };
            if (form.unless.empty()) {
                known();
                return;
            }
            either(*access.call, all_of(form.unless), known, [&] { return store_lanes(access), nullptr; });
            return;
        }
        Value* first = nullptr;
        Value* const in = form_inside(access, form, first);
        either(
            *access.call, in,
            [&]() -> Value* {
                store_known(access, form, moved(access.reach.data, first, access.displacement));
                return nullptr;
            },
            [&]() -> Value* {
                store_lanes(access);
                return nullptr;
            });
    }

    // All lanes that are on may be written.
    void store_known(const Access& access, const Affine::Form& form, Value* first) {
        const bool row = is_row(form, access.bytes());
        if (row && is_all(access.on)) {
            ir_.CreateAlignedStore(access.values, first, any_alignment);
        } else if (row && access.bits >= 32) {
            ir_.CreateMaskedStore(access.values, first, any_alignment, access.on);
        } else {
            scattered(access, [&](uint32_t lane) -> Value* {
                Value* const own =
                    ir_.CreateConstGEP1_64(ir_.getInt8Ty(), first, static_cast<uint64_t>(form.steps[lane]));
                return is_all(access.on)
                           ? own
                           : ir_.CreateSelect(ir_.CreateExtractElement(access.on, uint64_t{lane}), own,
                                              nowhere());
            });
        }
    }

    void store_unknown(const Access& access) {
        if (access.lanes() < 4)
            return store_lanes(access);
        Value* const places = access.flat() ? access.places : masked(access, access.places);
        Value* row = every(ir_.CreateOr(matches_row(access, places), ir_.CreateNot(access.on)));
        if (!access.flat())
            row = ir_.CreateAnd(row, row_inside(access, places));
        either(
            *access.call, row,
            [&]() -> Value* {
                ir_.CreateMaskedStore(access.values, row_begin(access, places), any_alignment, access.on);
                return nullptr;
            },
            [&]() -> Value* {
                store_lanes(access);
                return nullptr;
            });
    }

    void store_lanes(const Access& access) {
        const auto [pointers, in] = vector_of_places(access);
        if (gathers_ && access.bits >= 32 && access.lanes() >= 4) {
            ir_.CreateMaskedScatter(access.values, as_pointers(pointers), any_alignment, in);
            return;
        }
        scattered(access, places_or(access, pointers, in, nowhere()));
    }
    void scattered(const Access& access, const std::function<Value*(uint32_t)>& place) {
        for (uint32_t lane = 0; lane < access.lanes(); ++lane)
            ir_.CreateAlignedStore(ir_.CreateExtractElement(access.values, uint64_t{lane}), place(lane),
                                   any_alignment);
    }

    // ---- questions

    Value* expand_admits(llvm::CallInst& at) {
        Access access{.call = &at, .places = at.getArgOperand(0), .on = at.getArgOperand(1)};
        access.displacement = constant(at.getArgOperand(2));
        Value* const low = at.getArgOperand(3);
        Value* const last = at.getArgOperand(4);
        std::vector<Affine::Form> forms;
        if (auto form = form_of(access))
            forms.push_back(std::move(*form));
        else if (in_parts(access))
            forms = forms_of_parts(access);
        if (forms.empty())
            return lanes_admitted(access, low, last);
        std::vector<Value*> conditions;
        for (const Affine::Form& form : forms) {
            Value* const lowest = ir_.CreateAdd(form.base, number(form.lowest() + access.displacement));
            conditions.insert(conditions.end(), form.unless.begin(), form.unless.end());
            conditions.push_back(ir_.CreateICmpUGE(lowest, low));
            conditions.push_back(ir_.CreateICmpULE(lowest, last));
            if (const int64_t span = form.highest() - form.lowest(); span != 0)
                conditions.push_back(ir_.CreateICmpUGE(ir_.CreateSub(last, lowest), number(span)));
        }
        return either(
            at, all_of(conditions), [&] { return ir_.getTrue(); },
            [&] { return lanes_admitted(access, low, last); });
    }
    Value* lanes_admitted(const Access& access, Value* low, Value* last) {
        const uint32_t lanes = access.lanes();
        Value* const first = ir_.CreateAdd(access.places, splat(number(access.displacement), lanes));
        Value* const above = ir_.CreateICmpUGE(first, splat(low, lanes));
        Value* const below = ir_.CreateICmpULE(first, splat(last, lanes));
        return every(ir_.CreateOr(ir_.CreateAnd(above, below), ir_.CreateNot(access.on)));
    }

    Value* expand_apart(llvm::CallInst& at) {
        Value* places = at.getArgOperand(0);
        const int64_t bytes = constant(at.getArgOperand(1));
        const uint32_t lanes = lanes_of(places);
        constexpr int64_t masked_bit = int64_t{1} << 28U;
        if (const auto form = whole_.form(places, 0, &at); form && form->unless.empty()) {
            bool far = form->highest() - form->lowest() + bytes < masked_bit;
            for (uint32_t k = 0; k + 1 < lanes; ++k)
                far = far && form->steps[k + 1] - form->steps[k] >= bytes;
            if (far) // also where a lane carries into what is masked, or wraps: all lie in that many bytes
                return ir_.getTrue();
        }
        auto* const own = ir_.getIntNTy(places->getType()->getScalarSizeInBits());
        places = ir_.CreateAnd(places, splat(ir_.CreateTrunc(at.getArgOperand(2), own), lanes));
        std::vector<int> lower(lanes - 1);
        std::iota(lower.begin(), lower.end(), 0);
        std::vector<int> upper(lanes - 1);
        std::iota(upper.begin(), upper.end(), 1);
        Value* const below = ir_.CreateShuffleVector(places, lower);
        Value* const above = ir_.CreateShuffleVector(places, upper);
        auto* const element = llvm::cast<llvm::IntegerType>(places->getType()->getScalarType());
        Value* const least = splat(llvm::ConstantInt::get(element, static_cast<uint64_t>(bytes)), lanes - 1);
        Value* const far = ir_.CreateICmpUGE(ir_.CreateSub(above, below), least);
        return every(ir_.CreateAnd(far, ir_.CreateICmpUGT(above, below)));
    }

    llvm::Function& function_;
    bool gathers_;
    Affine whole_;
    Affine parts_;
    llvm::IRBuilder<> ir_;
    Value* nowhere_ = nullptr;
    Value* stack_ = nullptr; // room for the places of an access
};

} // namespace

void expand_accesses(llvm::Function& function, bool gathers) {
    llvm::EliminateUnreachableBlocks(function);
    Expansion(function, gathers).run();
}

} // namespace visor::jit
