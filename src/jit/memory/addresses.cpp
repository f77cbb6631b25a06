// Addresses of lanes: their shapes, range checks, rows, and substitutes for lanes that must not access
// memory.
#include "jit/memory/lowering_state.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <numeric>

namespace visor::jit {

namespace {

// Limit on the ratio of loaded to requested bytes when an extent is loaded as a whole.
constexpr int64_t max_extent_ratio = 2;

} // namespace

std::optional<LaneAffine::Form> Lowering::form_of(const Access& access) {
    return access.lanes() < 2 ? std::nullopt : whole_.form(access.addresses, 0, access.call);
}

bool Lowering::in_native_width(const Access& access) {
    return access.lanes() > part_lanes && access.lanes() % part_lanes == 0;
}

std::vector<LaneAffine::Form> Lowering::forms_of_parts(const Access& access) {
    std::vector<LaneAffine::Form> forms;
    for (uint32_t k = 0; k < access.lanes() / part_lanes; ++k) {
        auto form = parts_.form(access.addresses, k, access.call);
        if (!form)
            return {};
        forms.push_back(std::move(*form));
    }
    return forms;
}

bool Lowering::is_row(const LaneAffine::Form& form, int64_t bytes) {
    for (size_t k = 0; k < form.steps.size(); ++k)
        if (form.steps[k] != static_cast<int64_t>(k) * bytes)
            return false;
    return true;
}

// True if the lanes are so dense that loading their whole extent pays off.
bool Lowering::is_dense_extent(const LaneAffine::Form& form, const Access& access) {
    const int64_t low = form.lowest();
    const int64_t span = form.highest() - low + access.bytes();
    return span <= max_extent_ratio * access.lanes() * access.bytes() &&
           std::ranges::all_of(form.steps, [&](int64_t step) { return (step - low) % access.bytes() == 0; });
}

// Shared local memory masks its offsets. In outlined functions the window may be shared local memory
// (access_of_arguments).
Guard Lowering::guard_of(const Access& access) {
    if (access.flat())
        return Guard::flat;
    return access.reach.scratch               ? Guard::scratch
           : masks_offsets(access.reach.mask) ? Guard::local
                                              : Guard::surface;
}

// The extent of all lanes, relative to lane 0's address.
Span Lowering::span_of(const Access& access, const LaneAffine::Form& form) {
    return {form.lowest(), form.highest() + access.bytes()};
}

// Lane 0's address, after the range check of all lanes; `first`: its offset in a surface (i64).
llvm::Value* Lowering::first_of(const Access& access, const LaneAffine::Form& form, Value* first, Use use) {
    const Mark mark{guard_of(access), use};
    if (access.flat())
        return bounds_.at(mark, ir_.CreateAdd(form.base, number(access.displacement)), span_of(access, form));
    return bounds_.behind(mark, access.reach.data, ir_.CreateAdd(first, number(access.displacement)),
                          span_of(access, form));
}

// `first` is lane 0's.
llvm::Value* Lowering::lane_address(Value* first, const LaneAffine::Form& form, size_t lane) {
    return ir_.CreateConstGEP1_64(ir_.getInt8Ty(), first, static_cast<uint64_t>(form.steps[lane]));
}

// True if a row can be one masked instruction. Workaround for LLVM 19: it widens masks of vectors shorter
// than a register, and leaves the added bits undefined when it spills them
// (tests/jit/fuzz/found/row_of_eight_bytes.visaasm).
bool Lowering::can_mask(const Access& access) {
    constexpr uint32_t shortest_register = 128;
    return access.lanes() * access.bits >= shortest_register;
}

// True if that is faster than separate lanes: CPUs without AVX-512 have no masks for bytes and words.
bool Lowering::masks_row(const Access& access) const {
    return can_mask(access) && (access.bits >= 32 || (gathers_ && !brief_));
}

llvm::Value* Lowering::slice(Value* vector, uint32_t part) {
    std::vector<int> order(part_lanes);
    std::iota(order.begin(), order.end(), static_cast<int>(part * part_lanes));
    return ir_.CreateShuffleVector(vector, order);
}

Lowering::Access Lowering::part_of(const Access& access, uint32_t part) {
    Access one = access;
    one.addresses = slice(access.addresses, part);
    one.on = slice(access.on, part);
    if (access.values != nullptr)
        one.values = slice(access.values, part);
    return one;
}

llvm::Value* Lowering::joined(llvm::ArrayRef<Value*> parts) {
    return parts.size() == 1 ? parts.front() : llvm::concatenateVectors(ir_, parts);
}

// ---- range checks

// Offsets in a surface, after its mask.
llvm::Value* Lowering::masked(const Access& access, Value* addresses) {
    Value* const mask = ir_.CreateTrunc(access.reach.mask, ir_.getInt32Ty());
    return ir_.CreateAnd(addresses,
                         addresses->getType()->isVectorTy() ? splat(mask, lanes_of(addresses)) : mask);
}

llvm::Value* Lowering::splat(Value* scalar, uint32_t lanes) {
    return ir_.CreateVectorSplat(lanes, scalar);
}

llvm::Value* Lowering::number(int64_t value) {
    return ir_.getInt64(static_cast<uint64_t>(value));
}

// i1: all lanes of a form are inside a surface. Sets the offset of the first one. No window exceeds 2 GiB,
// and shared local offsets have no bits above bit 28: lanes do not carry into masked bits.
llvm::Value* Lowering::form_inside(const Access& access, const LaneAffine::Form& form, Value*& first) {
    const Span span{form.lowest() + access.displacement,
                    form.highest() + access.displacement + access.bytes()};
    if (form.conditions.empty() && Bounds::always_in_window(form.base, span, access.reach.bytes)) {
        first = ir_.CreateZExt(form.base, ir_.getInt64Ty());
        return ir_.getTrue();
    }
    first = ir_.CreateZExt(masked(access, form.base), ir_.getInt64Ty());
    std::vector<Value*> conditions = form.conditions;
    conditions.push_back(bounds_.span_in_window(first, span, access.reach.bytes));
    return all_of(conditions);
}

// Active lanes that are inside.
llvm::Value* Lowering::lanes_inside(const Access& access, Value* addresses) {
    const auto end = static_cast<uint64_t>(access.displacement + access.bytes());
    return ir_.CreateAnd(access.on, bounds_.lanes_in_window(addresses, access.reach.bytes, end));
}

// ---- substitutes for inactive lanes

// A stack slot for the largest store of an inactive lane.
llvm::Value* Lowering::inactive_store_slot() {
    if (inactive_store_slot_ == nullptr) {
        llvm::IRBuilder<> entry(&*function_.getEntryBlock().begin());
        inactive_store_slot_ = entry.CreateAlloca(llvm::ArrayType::get(ir_.getInt64Ty(), 2));
    }
    return inactive_store_slot_;
}

// ---- rows, and separate lanes

llvm::Value* Lowering::is_row_at_run_time(const Access& access, Value* addresses) {
    Value* const row = every_on(ir_, are_consecutive(addresses, access.bits / 8), access.on);
    return access.flat() ? row : ir_.CreateAnd(row, row_inside(access, addresses));
}

// Per lane: it is where a row from lane 0 on has it.
llvm::Value* Lowering::are_consecutive(Value* addresses, uint64_t step) {
    const auto bits = addresses->getType()->getScalarSizeInBits();
    std::vector<llvm::Constant*> steps;
    for (uint32_t k = 0; k < lanes_of(addresses); ++k)
        steps.push_back(llvm::ConstantInt::get(ir_.getIntNTy(bits), uint64_t{k} * step));
    Value* const first = splat(ir_.CreateExtractElement(addresses, uint64_t{0}), lanes_of(addresses));
    return ir_.CreateICmpEQ(addresses, ir_.CreateAdd(first, llvm::ConstantVector::get(steps)));
}

llvm::Value* Lowering::row_inside(const Access& access, Value* addresses) {
    Value* const first = ir_.CreateZExt(ir_.CreateExtractElement(addresses, uint64_t{0}), ir_.getInt64Ty());
    const int64_t length = access.displacement + access.bytes() * access.lanes();
    return bounds_.span_in_window(first, {0, length}, access.reach.bytes);
}

llvm::Value* Lowering::row_begin(const Access& access, Value* addresses, Use use) {
    const Mark mark{guard_of(access), use};
    const Span span{0, access.bytes() * access.lanes()};
    Value* const first = ir_.CreateExtractElement(addresses, uint64_t{0});
    if (access.flat())
        return bounds_.at(mark, ir_.CreateAdd(first, number(access.displacement)), span);
    Value* const offset = ir_.CreateZExt(first, ir_.getInt64Ty());
    return bounds_.behind(mark, access.reach.data, ir_.CreateAdd(offset, number(access.displacement)), span);
}

// 64-bit addresses, and the lanes that may access them.
std::pair<llvm::Value*, llvm::Value*> Lowering::vector_of_addresses(const Access& access) {
    const uint32_t lanes = access.lanes();
    if (access.flat())
        return {ir_.CreateAdd(access.addresses, splat(number(access.displacement), lanes)), access.on};
    Value* const addresses = masked(access, access.addresses);
    Value* const base = ir_.CreatePtrToInt(access.reach.data, ir_.getInt64Ty());
    auto* const wide = llvm::FixedVectorType::get(ir_.getInt64Ty(), lanes);
    Value* const begin = splat(ir_.CreateAdd(base, number(access.displacement)), lanes);
    return {ir_.CreateAdd(begin, ir_.CreateZExt(addresses, wide)), lanes_inside(access, addresses)};
}

// Marked pointers for gathers and scatters.
llvm::Value* Lowering::lanes_at(const Access& access, Value* numbers) {
    return bounds_.at({guard_of(access), Use::lanes}, numbers, {0, access.bytes()});
}

// Each lane's address, `instead` for lanes that must not access memory. Passes them through the stack, which
// is faster than extracting elements.
std::function<llvm::Value*(uint32_t)> Lowering::addresses_or(const Access& access, Value* numbers, Value* in,
                                                             Value* instead) {
    Value* const other = splat(ir_.CreatePtrToInt(instead, ir_.getInt64Ty()), access.lanes());
    Value* const safe = is_all(in) ? numbers : ir_.CreateSelect(in, numbers, other);
    const Mark mark{guard_of(access), Use::unit};
    const Span span{0, access.bytes()};
    if (access.lanes() < 4)
        return [=, this](uint32_t lane) {
            return bounds_.at(mark, ir_.CreateExtractElement(safe, uint64_t{lane}), span);
        };
    Value* const stack = on_stack();
    ir_.CreateAlignedStore(safe, stack, llvm::Align(64), true);
    return [=, this](uint32_t lane) {
        Value* const at = ir_.CreateConstInBoundsGEP1_64(ir_.getInt64Ty(), stack, lane);
        return bounds_.at(mark, ir_.CreateAlignedLoad(ir_.getInt64Ty(), at, llvm::Align(8), true), span);
    };
}

llvm::Value* Lowering::on_stack() {
    return lane_buffer(stack_);
}

llvm::Value* Lowering::lane_buffer(Value*& buffer) {
    if (buffer == nullptr) {
        llvm::IRBuilder<> entry(&*function_.getEntryBlock().begin());
        auto* const allocated = entry.CreateAlloca(llvm::ArrayType::get(ir_.getInt64Ty(), max_lanes));
        allocated->setAlignment(llvm::Align(64));
        buffer = allocated;
    }
    return buffer;
}

} // namespace visor::jit
