// Interleaved accesses: consecutive units of structures, with one structure per lane. Accesses all units of a
// lane at once and transposes them: memory is ordered by lane, registers by unit.
#include "jit/memory/lowering_state.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <ranges>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr llvm::Align any_alignment; // any byte
constexpr uint32_t max_bits = 128;   // of a lane at once; inactive_store_slot() has as many

// True if the next memory intrinsic does the same `bytes` bytes further on.
bool follows(const MemAccess& first, const MemoryIntrinsic& other, int64_t bytes) {
    const auto* const second = llvm::dyn_cast<MemAccess>(&other);
    if (second == nullptr || first.getNextNode() != second || !first.is_like(*second) ||
        first.addresses() != second->addresses() || first.on() != second->on())
        return false;
    const bool same_memory = first.flat() ? first.site() == second->site()
                                          : first.data() == second->data() &&
                                                first.window_bytes() == second->window_bytes() &&
                                                first.offset_mask() == second->offset_mask();
    return same_memory && int64_t{second->displacement()} - int64_t{first.displacement()} == bytes;
}

// Shuffles each group of `from.size()` lanes of both; indices from `from.size()` on select from the second.
Value* shuffled(llvm::IRBuilder<>& ir, Value* first, Value* second, llvm::ArrayRef<uint32_t> from) {
    const uint32_t lanes = lanes_of(first);
    const auto size = static_cast<uint32_t>(from.size());
    std::vector<int> order(lanes);
    for (uint32_t k = 0; k < lanes; ++k) {
        const uint32_t in = from[k % size];
        order[k] = static_cast<int>((in < size ? in : lanes + in - size) + k / size * size);
    }
    return ir.CreateShuffleVector(first, second, order);
}

// Transposes two or four vectors: element k of group j of result i is element i of group j of vector k.
std::vector<Value*> transposed(llvm::IRBuilder<>& ir, llvm::ArrayRef<Value*> rows) {
    if (rows.size() == 2)
        return {shuffled(ir, rows[0], rows[1], {0, 2}), shuffled(ir, rows[0], rows[1], {1, 3})};
    const auto lower = [&](Value* a, Value* b) { return shuffled(ir, a, b, {0, 4, 1, 5}); };
    const auto upper = [&](Value* a, Value* b) { return shuffled(ir, a, b, {2, 6, 3, 7}); };
    const std::array low{lower(rows[0], rows[1]), lower(rows[2], rows[3])};
    const std::array high{upper(rows[0], rows[1]), upper(rows[2], rows[3])};
    return {shuffled(ir, low[0], low[1], {0, 1, 4, 5}), shuffled(ir, low[0], low[1], {2, 3, 6, 7}),
            shuffled(ir, high[0], high[1], {0, 1, 4, 5}), shuffled(ir, high[0], high[1], {2, 3, 6, 7})};
}

} // namespace

// The number of leading memory intrinsics that access units of one message together; 1: only the first.
uint32_t Lowering::units_of(llvm::ArrayRef<MemoryIntrinsic*> calls) {
    if (!llvm::isa<MemAccess>(calls.front()))
        return 1;
    const Access first = access_of(llvm::cast<LaneIntrinsic>(*calls.front()));
    if ((first.bits != 32 && first.bits != 64) || first.lanes() < 4)
        return 1;
    const size_t max_index = max_bits / first.bits;
    size_t count = 1;
    while (count < std::min(max_index, calls.size()) &&
           follows(llvm::cast<MemAccess>(*calls[count - 1]), *calls[count], first.bytes()))
        ++count;
    return static_cast<uint32_t>(count);
}

// Lanes of three units load four, where these lie among the bytes of all lanes: the next one, or the one
// before (-1 unit). None: neither does.
std::optional<int64_t> Lowering::padded_offset(const Access& unit, const LaneAffine::Form& form,
                                               size_t lane) {
    const int64_t step = form.steps[lane];
    if (step + 4 * unit.bytes() <= form.highest() + 3 * unit.bytes())
        return 0;
    return step - unit.bytes() >= form.lowest() ? std::optional(-unit.bytes()) : std::nullopt;
}

bool Lowering::can_pad(const Access& unit, llvm::ArrayRef<LaneAffine::Form> forms) {
    return !forms.empty() && unit.values == nullptr &&
           std::ranges::all_of(forms, [&](const LaneAffine::Form& form) {
               return std::ranges::all_of(std::views::iota(size_t{0}, form.steps.size()), [&](size_t lane) {
                   return padded_offset(unit, form, lane).has_value();
               });
           });
}

// Of all lanes, or of each part; none if unknown.
std::vector<LaneAffine::Form> Lowering::forms_of(const Access& access) {
    if (auto form = form_of(access))
        return {std::move(*form)};
    return in_native_width(access) ? forms_of_parts(access) : std::vector<LaneAffine::Form>();
}

// Returns the number of lowered memory intrinsics; 0: separate accesses are better.
size_t Lowering::expand_interleaved(llvm::ArrayRef<MemoryIntrinsic*> calls) {
    uint32_t count = brief_ ? 1 : units_of(calls);
    if (count == 1)
        return 0;
    std::vector<Access> units;
    for (MemoryIntrinsic* const call : calls.take_front(count))
        units.push_back(access_of(llvm::cast<LaneIntrinsic>(*call)));
    const Access whole = units.front();
    const bool loads = whole.values == nullptr;
    ir_.SetInsertPoint(whole.call);
    std::vector<LaneAffine::Form> forms = forms_of(whole);
    if (std::ranges::any_of(forms, [&](const LaneAffine::Form& form) {
            return form.uniform() || is_dense_extent(form, whole);
        }))
        return 0;
    if (loads && whole.flat() && !is_all(whole.on) && !inside_.contains(whole.reach.site))
        forms.clear(); // inactive lanes must not access memory
    if (count == 3 && !can_pad(whole, forms)) {
        count = 2;
        units.pop_back();
    }
    if (forms.empty() && !loads)
        return 0;
    std::vector<std::vector<Value*>> loaded(count);
    const auto keep = [&](const std::vector<Value*>& values) {
        for (uint32_t k = 0; k < values.size(); ++k)
            loaded[k].push_back(values[k]);
    };
    if (forms.empty())
        keep(load_scattered(units));
    for (uint32_t part = 0; part < forms.size(); ++part) {
        ir_.SetInsertPoint(whole.call);
        std::vector<Access> own = units;
        if (forms.size() > 1)
            for (Access& unit : own)
                unit = part_of(unit, part);
        keep(loads ? load_interleaved(own, forms[part]) : store_interleaved(own, forms[part]));
    }
    ir_.SetInsertPoint(whole.call);
    for (uint32_t k = 0; loads && k < count; ++k)
        units[k].call->replaceAllUsesWith(joined(loaded[k]));
    return count;
}

// One message with the units of all.
Lowering::Access Lowering::whole_of(llvm::ArrayRef<Access> units) {
    Access whole = units.front();
    whole.bits *= static_cast<uint32_t>(units.size());
    return whole;
}

// The first, on lane 0's address, if all units of all lanes are inside; else the second.
std::vector<Value*> Lowering::interleaved_or(llvm::ArrayRef<Access> units, const LaneAffine::Form& form,
                                             llvm::function_ref<std::vector<Value*>(Value*)> together,
                                             llvm::function_ref<std::vector<Value*>()> apart) {
    const Access whole = whole_of(units);
    Value* inside = nullptr;
    Value* from = nullptr;
    if (whole.flat()) {
        from = first_of(whole, form, nullptr, Use::row);
        inside = whole.values == nullptr && !is_all(whole.on) ? inside_.at(whole.reach.site)
                                                              : all_of(form.conditions);
    } else {
        Value* first = nullptr;
        inside = form_inside(whole, form, first);
        from = first_of(whole, form, first, Use::row);
    }
    if (inside == ir_.getTrue())
        return together(from);
    return either_all(inside, [&] { return together(from); }, apart, odds_of(form));
}

std::vector<Value*> Lowering::load_interleaved(llvm::ArrayRef<Access> units, const LaneAffine::Form& form) {
    const auto count = static_cast<uint32_t>(units.size());
    auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(units.front().bits), std::bit_ceil(count));
    return interleaved_or(
        units, form,
        [&](Value* first) {
            return load_transposed(units, [&](uint32_t lane) -> Value* {
                Value* const address = lane_address(first, form, lane);
                const int64_t offset = count == 3 ? *padded_offset(units.front(), form, lane) : 0;
                if (offset == 0)
                    return load_at(type, address);
                Value* const shifted = load_at(
                    type, ir_.CreateConstGEP1_64(ir_.getInt8Ty(), address, static_cast<uint64_t>(offset)));
                return ir_.CreateShuffleVector(shifted, {1, 2, 3, llvm::PoisonMaskElem});
            });
        },
        [&] { return form.assumed ? load_unassumed(units) : load_separately(units); });
}

// In line, where lanes are not as assumed. Loads of three units might pass the end: two, then one.
std::vector<Value*> Lowering::load_unassumed(llvm::ArrayRef<Access> units) {
    if (units.size() != 3)
        return load_scattered(units);
    std::vector<Value*> values = load_scattered(units.take_front(2));
    values.push_back(load_unknown(units.back()));
    return values;
}

// For any addresses. Inactive lanes load zeros of the module.
std::vector<Value*> Lowering::load_scattered(llvm::ArrayRef<Access> units) {
    const Access whole = whole_of(units);
    const auto [numbers, in] = vector_of_addresses(whole);
    const auto together = [&] {
        auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(units.front().bits),
                                                      static_cast<uint32_t>(units.size()));
        const auto address = addresses_or(whole, numbers, in, zeros(*function_.getParent()));
        return load_transposed(units, [&](uint32_t lane) { return load_at(type, address(lane)); });
    };
    if (whole.flat())
        return together();
    return either_all(every_on(ir_, in, whole.on), together, [&] { return load_separately(units); });
}

std::vector<Value*> Lowering::load_separately(llvm::ArrayRef<Access> units) {
    std::vector<Value*> values;
    for (const Access& unit : units)
        values.push_back(call_load_lanes(unit));
    return values;
}

// `units_of_lane`: loads a lane's units, a power of two of them.
std::vector<Value*> Lowering::load_transposed(llvm::ArrayRef<Access> units,
                                              const std::function<Value*(uint32_t)>& units_of_lane) {
    const uint32_t count = std::bit_ceil(static_cast<uint32_t>(units.size()));
    std::vector<std::vector<Value*>> rows(count);
    for (uint32_t lane = 0; lane < units.front().lanes(); ++lane)
        rows[lane % count].push_back(units_of_lane(lane));
    std::vector<Value*> joined_rows;
    for (const std::vector<Value*>& row : rows)
        joined_rows.push_back(joined(row));
    std::vector<Value*> values = transposed(ir_, joined_rows);
    values.resize(units.size());
    return values;
}

// Returns nothing. The translator has checked that lanes do not overlap.
std::vector<Value*> Lowering::store_interleaved(llvm::ArrayRef<Access> units, const LaneAffine::Form& form) {
    const size_t count = units.size();
    Value* const on = units.front().on;
    const auto together = [&](Value* first) {
        std::vector<Value*> values;
        for (const Access& unit : units)
            values.push_back(unit.values);
        const std::vector<Value*> rows = transposed(ir_, values);
        if_all_on(units.front(), [&](bool all) {
            for (size_t lane = 0; lane < form.steps.size(); ++lane) {
                std::vector<int> order(count);
                std::iota(order.begin(), order.end(), static_cast<int>(lane / count * count));
                Value* address = lane_address(first, form, lane);
                if (!all)
                    address = ir_.CreateSelect(ir_.CreateExtractElement(on, uint64_t{lane}), address,
                                               inactive_store_slot());
                ir_.CreateAlignedStore(ir_.CreateShuffleVector(rows[lane % count], order), address,
                                       any_alignment);
            }
        });
        return std::vector<Value*>();
    };
    return interleaved_or(units, form, together, [&] {
        for (const Access& unit : units)
            form.assumed ? store_unknown(unit) : call_store_lanes(unit);
        return std::vector<Value*>();
    });
}

} // namespace visor::jit
