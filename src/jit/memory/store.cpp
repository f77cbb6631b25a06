// Stores: contiguous where the lanes' addresses are known, at compile time or at run time, to be so; else
// lane by lane, in order.
#include "jit/memory/lowering_state.h"

namespace visor::jit {

namespace {

constexpr llvm::Align any_alignment; // any byte
// Weights without a hint.
constexpr uint32_t even_odds = 1;

} // namespace

void Lowering::store(const Access& access) {
    if (const auto form = form_of(access))
        return store_form(access, *form);
    if (in_native_width(access)) {
        const std::vector<LaneAffine::Form> forms = forms_of_parts(access);
        for (uint32_t k = 0; k < forms.size(); ++k) {
            ir_.SetInsertPoint(access.call);
            store_form(part_of(access, k), forms[k]);
        }
        if (!forms.empty())
            return;
    }
    brief_ ? call_store_lanes(access) : store_unknown(access);
}

void Lowering::store_form(const Access& access, const LaneAffine::Form& form) {
    if (form.uniform()) // one address: the last lane's value remains
        return brief_ ? call_store_lanes(access) : store_lanes(access);
    if (access.flat()) {
        if (form.conditions.empty())
            return store_known(access, form, nullptr);
        return store_if(all_of(form.conditions), access, form, nullptr);
    }
    Value* first = nullptr;
    Value* const in = form_inside(access, form, first);
    store_if(in, access, form, first);
}

// By the form, where it holds and its lanes are inside.
void Lowering::store_if(Value* condition, const Access& access, const LaneAffine::Form& form, Value* first) {
    either(
        condition,
        [&]() -> Value* {
            store_known(access, form, first);
            return nullptr;
        },
        [&]() -> Value* {
            form.assumed ? store_unknown(access) : call_store_lanes(access);
            return nullptr;
        },
        odds_of(form));
}

// All active lanes are inside; `first`: the offset of lane 0 in a surface.
void Lowering::store_known(const Access& access, const LaneAffine::Form& form, Value* first) {
    const bool row = is_row(form, access.bytes());
    if (row && is_all(access.on)) {
        llvm::StoreInst* const whole =
            ir_.CreateAlignedStore(access.values, first_of(access, form, first, Use::row), any_alignment);
        if (!brief_ && is_only_stored(access)) // jit/target/nontemporal_stores.h
            whole->setMetadata(
                llvm::LLVMContext::MD_nontemporal,
                llvm::MDNode::get(ir_.getContext(), llvm::ConstantAsMetadata::get(ir_.getInt32(1))));
    } else if (row && masks_row(access)) {
        store_row(access, [&](Use use) { return first_of(access, form, first, use); });
    } else if (brief_ && !is_all(access.on)) {
        call_store_lanes(access);
    } else {
        Value* const begin = first_of(access, form, first, Use::row);
        if_all_on(access, [&](bool all) {
            if (all && row) {
                ir_.CreateAlignedStore(access.values, begin, any_alignment);
                return;
            }
            scattered(access, [&](uint32_t lane) -> Value* {
                Value* const own = lane_address(begin, form, lane);
                return all ? own
                           : ir_.CreateSelect(ir_.CreateExtractElement(access.on, uint64_t{lane}), own,
                                              inactive_store_slot());
            });
        });
    }
}

// Code for all lanes, and for any others: masks that code cannot know are full in most threads.
void Lowering::if_all_on(const Access& access, const std::function<void(bool all)>& store) {
    if (is_all(access.on))
        return store(true);
    const auto code = [&](bool all) {
        store(all);
        return nullptr;
    };
    either(every(access.on), [&] { return code(true); }, [&] { return code(false); }, assumption_odds);
}

// The root of an array: a surface's data, or the only addend of flat addresses. Null: unknown.
const llvm::Value* Lowering::root_of(const Access& access) {
    if (!access.flat())
        return access.reach.data;
    const auto terms = address_terms(access.addresses);
    return terms && terms->terms.size() == 1 ? terms->terms.front() : nullptr;
}

// True if the code never loads from that array: loaded data belongs in the caches, as does shared local
// memory.
bool Lowering::is_only_stored(const Access& access) const {
    const Value* const root = root_of(access);
    const auto* const mask = access.flat() ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(access.reach.mask);
    const bool local = !access.flat() && (mask == nullptr || !mask->isMinusOne());
    return root != nullptr && !local && !loaded_.contains(root) &&
           (!access.flat() || !loaded_.contains(nullptr));
}

// Contiguous lanes. Masked stores of CPUs without AVX-512 are slow, and rarely needed.
void Lowering::store_row(const Access& access, llvm::function_ref<Value*(Use)> begin) {
    const auto masked = [&]() -> Value* {
        ir_.CreateMaskedStore(access.values, begin(Use::masked_row), any_alignment, access.on);
        return nullptr;
    };
    if (gathers_) {
        masked();
        return;
    }
    either(
        every(access.on),
        [&]() -> Value* {
            ir_.CreateAlignedStore(access.values, begin(Use::row), any_alignment);
            return nullptr;
        },
        masked);
}

void Lowering::store_unknown(const Access& access) {
    if (access.lanes() < 4 || !can_mask(access))
        return store_lanes(access);
    Value* const addresses = access.flat() ? access.addresses : masked(access, access.addresses);
    Value* const row = is_row_at_run_time(access, addresses);
    either(
        row,
        [&]() -> Value* {
            store_row(access, [&](Use use) { return row_begin(access, addresses, use); });
            return nullptr;
        },
        [&]() -> Value* {
            store_lanes(access);
            return nullptr;
        },
        even_odds);
}

void Lowering::store_lanes(const Access& access) {
    const auto [pointers, in] = vector_of_addresses(access);
    if (gathers_ && access.bits >= 32 && access.lanes() >= 4) {
        ir_.CreateMaskedScatter(access.values, lanes_at(access, pointers), any_alignment, in);
        return;
    }
    scattered(access, addresses_or(access, pointers, in, inactive_store_slot()));
}

void Lowering::scattered(const Access& access, const std::function<Value*(uint32_t)>& address) {
    if (brief_) { // in one store
        auto* const unit = ir_.getIntNTy(access.bits);
        Value* const buffer = store_to(access.values, values_on_stack());
        for (uint32_t lane = 0; lane < access.lanes(); ++lane)
            ir_.CreateAlignedStore(ir_.CreateLoad(unit, ir_.CreateConstGEP1_64(unit, buffer, lane)),
                                   address(lane), any_alignment);
        return;
    }
    for (uint32_t lane = 0; lane < access.lanes(); ++lane)
        ir_.CreateAlignedStore(ir_.CreateExtractElement(access.values, uint64_t{lane}), address(lane),
                               any_alignment);
}

} // namespace visor::jit
