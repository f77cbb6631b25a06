// Loads: contiguous where the lanes' addresses are known, at compile time or at run time, to be so; else lane
// by lane.
#include "jit/memory/lowering_state.h"

namespace visor::jit {

namespace {

constexpr llvm::Align any_alignment; // any byte
// Weights without a hint.
constexpr uint32_t even_odds = 1;

} // namespace

llvm::Value* Lowering::load(const Access& access) {
    if (const auto form = form_of(access))
        return load_form(access, *form);
    if (in_native_width(access)) {
        const std::vector<LaneAffine::Form> forms = forms_of_parts(access);
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
    return brief_ ? call_load_lanes(access) : load_unknown(access);
}

llvm::Value* Lowering::load_form(const Access& access, const LaneAffine::Form& form) {
    if (access.flat())
        return load_flat_form(access, form);
    Value* first = nullptr;
    Value* const in = form_inside(access, form, first);
    if (form.uniform() && form.conditions.empty()) {
        Value* const from =
            ir_.CreateSelect(in, first_of(access, form, first, Use::row), zeros(*function_.getParent()));
        return splat(load_at(ir_.getIntNTy(access.bits), from), access.lanes());
    }
    return load_if(in, access, form,
                   [&] { return load_known(access, form, first_of(access, form, first, Use::row)); });
}

// `known` where the form holds and its lanes are inside.
llvm::Value* Lowering::load_if(Value* condition, const Access& access, const LaneAffine::Form& form,
                               const std::function<Value*()>& known) {
    return either(
        condition, known, [&] { return form.assumed ? load_unknown(access) : call_load_lanes(access); },
        odds_of(form));
}

llvm::Value* Lowering::load_flat_form(const Access& access, const LaneAffine::Form& form) {
    if (const auto inside = inside_.find(access.reach.site);
        inside != inside_.end() && (brief_ || !is_all(access.on))) {
        Value* const all = inside->second; // inactive lanes are inside as well
        return load_if(all, access, form,
                       [&] { return load_known(access, form, first_of(access, form, nullptr, Use::row)); });
    }
    const auto known = [&]() -> Value* {
        const bool masks = !is_all(access.on) && is_row(form, access.bytes()) && masks_row(access);
        Value* const from = first_of(access, form, nullptr, masks ? Use::masked_row : Use::row);
        if (is_all(access.on))
            return load_known(access, form, from);
        auto* const unit = ir_.getIntNTy(access.bits);
        if (form.uniform())
            return splat(load_at(unit, ir_.CreateSelect(any(access.on), from, zeros(*function_.getParent()))),
                         access.lanes());
        auto* const type = llvm::FixedVectorType::get(unit, access.lanes());
        if (masks)
            return ir_.CreateMaskedLoad(type, from, any_alignment, access.on,
                                        llvm::Constant::getNullValue(type));
        if (brief_)
            return call_load_lanes(access);
        const auto lanes = [&] {
            return gathered(access, [&](uint32_t lane) {
                return ir_.CreateSelect(ir_.CreateExtractElement(access.on, uint64_t{lane}),
                                        lane_address(from, form, lane), zeros(*function_.getParent()));
            });
        };
        if (!has_vector_form(access, form))
            return lanes();
        // Masks that code cannot know are full in most threads.
        return either(
            every(access.on), [&] { return load_known(access, form, from); }, lanes, assumption_odds);
    };
    if (form.conditions.empty())
        return known();
    return load_if(all_of(form.conditions), access, form, known);
}

// Whether load_known() loads several lanes at once.
bool Lowering::has_vector_form(const Access& access, const LaneAffine::Form& form) const {
    return is_row(form, access.bytes()) || is_dense_extent(form, access) || has_near_lanes(access, form);
}

// All lanes are inside; `first` is lane 0's address.
llvm::Value* Lowering::load_known(const Access& access, const LaneAffine::Form& form, Value* first) {
    const uint32_t lanes = access.lanes();
    auto* const unit = ir_.getIntNTy(access.bits);
    auto* const type = llvm::FixedVectorType::get(unit, lanes);
    if (is_row(form, access.bytes()))
        return load_at(type, first);
    if (form.uniform())
        return splat(load_at(unit, first), lanes);
    if (is_dense_extent(form, access)) {
        const int64_t low = form.lowest();
        const int64_t span = form.highest() - low + access.bytes();
        auto* const stream = llvm::FixedVectorType::get(unit, static_cast<uint32_t>(span / access.bytes()));
        Value* const all =
            load_at(stream, ir_.CreateConstGEP1_64(ir_.getInt8Ty(), first, static_cast<uint64_t>(low)));
        std::vector<int> order(lanes);
        for (uint32_t k = 0; k < lanes; ++k)
            order[k] = static_cast<int>((form.steps[k] - low) / access.bytes());
        return ir_.CreateShuffleVector(all, order);
    }
    if (Value* const rows = load_rows(access, form, first))
        return rows;
    return gathered(access, [&](uint32_t lane) { return lane_address(first, form, lane); });
}

llvm::Value* Lowering::load_at(llvm::Type* type, Value* from) {
    return ir_.CreateAlignedLoad(type, from, any_alignment);
}

// Lane by lane, each from its own address.
llvm::Value* Lowering::gathered(const Access& access, const std::function<Value*(uint32_t)>& address) {
    auto* const unit = ir_.getIntNTy(access.bits);
    if (brief_) { // the stack builds the vector in one load
        Value* const buffer = values_on_stack();
        for (uint32_t lane = 0; lane < access.lanes(); ++lane)
            ir_.CreateStore(load_at(unit, address(lane)), ir_.CreateConstGEP1_64(unit, buffer, lane));
        return ir_.CreateAlignedLoad(llvm::FixedVectorType::get(unit, access.lanes()), buffer,
                                     llvm::Align(64));
    }
    Value* all = llvm::PoisonValue::get(llvm::FixedVectorType::get(unit, access.lanes()));
    for (uint32_t lane = 0; lane < access.lanes(); ++lane)
        all = ir_.CreateInsertElement(all, load_at(unit, address(lane)), uint64_t{lane});
    return all;
}

// Unknown addresses: checks at run time whether lanes are contiguous.
llvm::Value* Lowering::load_unknown(const Access& access) {
    if (access.lanes() < 4)
        return load_lanes(access);
    if (const Indexed* const indexed = indexed_at(access))
        return either(
            indexed->inside, [&] { return load_indexed(access, *indexed); },
            [&] { return call_load_lanes(access); });
    if (access.flat() && !can_mask(access))
        return load_lanes(access);
    Value* const addresses = access.flat() ? access.addresses : masked(access, access.addresses);
    Value* row = is_row_at_run_time(access, addresses);
    // CPUs without masks of bytes and words load whole rows alone.
    const bool masks = access.flat() && masks_row(access);
    if (access.flat() && !masks)
        row = ir_.CreateAnd(row, every(access.on));
    auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(access.bits), access.lanes());
    return either(
        row,
        [&]() -> Value* {
            if (!masks) // inactive lanes are inside as well
                return load_at(type, row_begin(access, addresses, Use::row));
            return ir_.CreateMaskedLoad(type, row_begin(access, addresses, Use::masked_row), any_alignment,
                                        access.on, llvm::Constant::getNullValue(type));
        },
        [&] {
            if (depends_on_data(access))
                return load_lanes(access);
            return either(
                are_equal(access, addresses), [&] { return load_equal(access, addresses); },
                [&] { return load_lanes(access); }, even_odds);
        },
        even_odds);
}

// i1: all active lanes have lane 0's address, and there are some.
llvm::Value* Lowering::are_equal(const Access& access, Value* addresses) {
    Value* const first = splat(ir_.CreateExtractElement(addresses, uint64_t{0}), lanes_of(addresses));
    Value* const equal = every_on(ir_, ir_.CreateICmpEQ(addresses, first), access.on);
    return is_all(access.on) ? equal : ir_.CreateAnd(equal, any(access.on));
}

// One load for all lanes. Of a surface, checks its address.
llvm::Value* Lowering::load_equal(const Access& access, Value* addresses) {
    Value* const first = ir_.CreateExtractElement(addresses, uint64_t{0});
    const Mark mark{guard_of(access), Use::unit};
    auto* const unit = ir_.getIntNTy(access.bits);
    if (access.flat()) {
        Value* const address = ir_.CreateAdd(first, number(access.displacement));
        return splat(load_at(unit, bounds_.at(mark, address, {0, access.bytes()})), access.lanes());
    }
    Value* const offset = ir_.CreateZExt(first, ir_.getInt64Ty());
    const int64_t end = access.displacement + access.bytes();
    Value* const inside = bounds_.span_in_window(offset, {0, end}, access.reach.bytes);
    Value* const from = bounds_.behind(
        mark, access.reach.data, ir_.CreateAdd(offset, number(access.displacement)), {0, access.bytes()});
    return splat(load_at(unit, ir_.CreateSelect(inside, from, zeros(*function_.getParent()))),
                 access.lanes());
}

// Passes indices through the stack, which is faster than extracting elements.
llvm::Value* Lowering::gathered_from(const Access& access, Value* begin, Value* indices, unsigned shift) {
    Value* const stack = on_stack();
    ir_.CreateAlignedStore(indices, stack, llvm::Align(64), true);
    return gathered(access, [&](uint32_t lane) {
        Value* const at = ir_.CreateConstInBoundsGEP1_64(ir_.getInt32Ty(), stack, lane);
        Value* const index = ir_.CreateAlignedLoad(ir_.getInt32Ty(), at, llvm::Align(4), true);
        return bounds_.behind({guard_of(access), Use::unit}, begin, ir_.CreateZExt(index, ir_.getInt64Ty()),
                              ir_.getIntNTy(8U << shift), {0, access.bytes()});
    });
}

// Lanes outside load the surface's last unit, then select zero. The surface may be too short for a unit.
llvm::Value* Lowering::load_clamped(const Access& access) {
    const auto end = static_cast<uint64_t>(access.displacement + access.bytes());
    const Bounds::Last last = bounds_.last_in_window(access.reach.bytes, end);
    Value* const data = ir_.CreateGEP(ir_.getInt8Ty(), access.reach.data, number(access.displacement));
    Value* const begin = ir_.CreateSelect(last.fits, data, zeros(*function_.getParent()));
    Value* const addresses = masked(access, access.addresses);
    Value* const near = bounds_.clamped(addresses, last.offset);
    Value* const all = gathered_from(access, begin, near, 0);
    return ir_.CreateSelect(ir_.CreateICmpEQ(near, addresses), all,
                            llvm::Constant::getNullValue(all->getType()));
}

// Lane by lane; inactive lanes and those outside load zeros of the module.
llvm::Value* Lowering::load_lanes(const Access& access) {
    if (!gathers_ && !access.flat() && access.lanes() >= 4)
        return load_clamped(access);
    return load_each(access);
}

const Lowering::Indexed* Lowering::indexed_at(const Access& access) {
    const auto found = indexed_.find(access.reach.site);
    const bool usable = access.flat() && !gathers_ && found != indexed_.end() &&
                        lanes_of(found->second.addresses.index) == access.lanes();
    return usable ? &found->second : nullptr;
}

// The indices of all active lanes are in range.
llvm::Value* Lowering::load_indexed(const Access& access, const Indexed& indexed) {
    const auto [start, index, shift] = indexed.addresses;
    Value* const begin =
        ir_.CreateIntToPtr(ir_.CreateAdd(start, number(access.displacement)), ir_.getPtrTy());
    const auto lanes = [&] {
        return gathered_from(access, begin, bounds_.clamped(index, indexed.max_index), shift);
    };
    const auto each = [&]() -> Value* {
        if (depends_on_data(access))
            return lanes();
        return either(
            are_equal(access, index),
            [&] {
                Value* const own = ir_.CreateExtractElement(index, uint64_t{0});
                auto* const element = ir_.getIntNTy(8U << shift);
                Value* const from =
                    bounds_.behind({Guard::flat, Use::unit}, begin, ir_.CreateZExt(own, ir_.getInt64Ty()),
                                   element, {0, access.bytes()});
                return splat(load_at(ir_.getIntNTy(access.bits), from), access.lanes());
            },
            lanes, even_odds);
    };
    const uint64_t step = static_cast<uint64_t>(access.bytes()) >> shift;
    if (step << shift != static_cast<uint64_t>(access.bytes()))
        return each();
    Value* const first = ir_.CreateZExt(ir_.CreateExtractElement(index, uint64_t{0}), ir_.getInt64Ty());
    Value* const last = ir_.CreateAdd(first, ir_.getInt64(step * (access.lanes() - 1)));
    Value* const row =
        ir_.CreateAnd(every_on(ir_, are_consecutive(index, step), access.on),
                      bounds_.index_in(last, ir_.CreateZExt(indexed.max_index, ir_.getInt64Ty())));
    auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(access.bits), access.lanes());
    return either(
        row,
        [&] {
            Value* const offset = ir_.CreateShl(first, uint64_t{shift});
            return load_at(type, bounds_.behind({Guard::flat, Use::row}, begin, offset,
                                                {0, access.bytes() * access.lanes()}));
        },
        each, even_odds);
}

llvm::Value* Lowering::load_each(const Access& access) {
    const auto [pointers, in] = vector_of_addresses(access);
    if (gathers_ && access.bits >= 32 && access.lanes() >= 4) {
        auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(access.bits), access.lanes());
        return ir_.CreateMaskedGather(type, lanes_at(access, pointers), any_alignment, in,
                                      llvm::Constant::getNullValue(type));
    }
    return gathered(access, addresses_or(access, pointers, in, zeros(*function_.getParent())));
}

} // namespace visor::jit
