// Emits the scalar code of one lane of a loop.
#include "jit/analysis/base_index.h"
#include "jit/analysis/lane_slice.h"
#include "jit/ir/memory_intrinsics.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr llvm::Align any_alignment;

// The type of a lane's part.
llvm::Type* part_type(const llvm::Type* vector, uint32_t simd) {
    const auto* const type = llvm::cast<llvm::FixedVectorType>(vector);
    const unsigned count = type->getNumElements() / simd;
    return count == 1 ? type->getElementType() : llvm::FixedVectorType::get(type->getElementType(), count);
}
Value* repeated(llvm::IRBuilder<>& ir, Value* scalar, const llvm::Type* part) {
    const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(part);
    return type == nullptr ? scalar : ir.CreateVectorSplat(type->getNumElements(), scalar);
}
bool is_true(const Value* value) {
    const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(value);
    return constant != nullptr && constant->isOne();
}

// Of flat addresses: 32-bit indices where possible.
std::optional<IndexTerms> flat_terms(Value* addresses) {
    auto terms = address_terms(addresses);
    return terms ? std::move(terms) : wide_terms(addresses);
}

} // namespace

// ---- invariants

Invariants::Invariants(const LaneSlices& slices, llvm::Instruction& before, llvm::BasicBlock& entry)
    : slices_(slices), ir_(&before), entry_(entry), bounds_(ir_), bails_out_(ir_.getFalse()) {
    for (llvm::BasicBlock* const block : slices.chain().blocks)
        for (llvm::Instruction& instruction : *block) {
            if (!slices.needed(instruction))
                continue;
            if (slices.kind(&instruction) == LaneKind::invariant) {
                llvm::Instruction* const copy = instruction.clone();
                for (llvm::Use& use : copy->operands())
                    use.set(value(use.get()));
                ir_.Insert(copy);
                values_[&instruction] = copy;
            } else if (const auto* const check = llvm::dyn_cast<RangeCheck>(&instruction)) {
                prepare_range_check(*check);
            } else if (const auto* const load = llvm::dyn_cast<MemLoad>(&instruction)) {
                if (load->flat())
                    prepare_flat(*load);
                else
                    prepare_surface(*load);
            }
        }
    zero_slot_ = create_slot(ir_.getInt64Ty());
    ir_.CreateStore(ir_.getInt64(0), zero_slot_);
}

llvm::Value* Invariants::create_slot(llvm::Type* type) {
    llvm::IRBuilder<> entry(&*entry_.getFirstInsertionPt());
    llvm::AllocaInst* const extent = entry.CreateAlloca(type);
    extent->setAlignment(llvm::Align(64));
    return extent;
}

void Invariants::bail_out_if(Value* condition) {
    bails_out_ = ir_.CreateOr(bails_out_, condition);
}

llvm::Value* Invariants::smaller(Value* one, Value* other) {
    return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, one, other);
}

llvm::Value* Invariants::sum_of(const std::vector<Value*>& terms, uint64_t displacement) {
    Value* sum = nullptr;
    for (Value* const term : terms) {
        if (slices_.kind(slices_.source(term)) != LaneKind::invariant)
            return nullptr;
        sum = sum == nullptr ? value(term) : ir_.CreateAdd(sum, value(term));
    }
    Value* const wide = sum == nullptr ? ir_.getInt64(0) : ir_.CreateZExt(sum, ir_.getInt64Ty());
    return ir_.CreateAdd(wide, ir_.getInt64(displacement));
}

// Checks indices instead of addresses where possible.
void Invariants::prepare_range_check(const RangeCheck& check) {
    Value* const low = value(check.low());
    Value* const last = value(check.last());
    const uint64_t displacement = check.displacement();
    Limits& limits = limits_[&check];
    const auto terms = flat_terms(check.addresses());
    Value* const start = terms ? sum_of(terms->terms, displacement) : nullptr;
    if (start == nullptr) { // the index is the address, relative to `low`
        const Bounds::Indices indices = bounds_.indices_in({.low = nullptr, .last = last}, low, 0);
        bail_out_if(ir_.CreateNot(indices.any));
        limits.index = check.addresses();
        limits.least = ir_.CreateSub(low, ir_.getInt64(displacement));
        limits.extent = indices.max_index;
        return;
    }
    const Bounds::Indices indices = bounds_.indices_in({low, last}, start, terms->shift);
    bail_out_if(ir_.CreateNot(indices.any));
    limits.index = terms->index;
    const bool is_short = terms->index->getType()->getScalarSizeInBits() == 32;
    limits.extent = is_short ? bounds_.as_index(indices.max_index) : indices.max_index;
    checked_index_[check.site()] = terms->index;
}

void Invariants::prepare_flat(const MemLoad& load) {
    Limits& limits = limits_[&load];
    const auto terms = flat_terms(load.addresses());
    const auto checked_site = checked_index_.find(load.site());
    Value* const start = terms && checked_site != checked_index_.end() && checked_site->second == terms->index
                             ? sum_of(terms->terms, load.displacement())
                             : nullptr;
    if (start == nullptr) {
        limits.index = load.addresses();
        return;
    }
    limits.index = terms->index;
    limits.begin = ir_.CreateIntToPtr(start, ir_.getPtrTy());
    limits.shift = terms->shift;
}

// Shared local memory has a constant mask. Other surfaces have all bits set, as a constant if the code names
// the surface.
void Invariants::prepare_surface(const MemLoad& load) {
    Limits& limits = limits_[&load];
    const uint64_t end = uint64_t{load.displacement()} + load.unit_bits() / 8;
    const Bounds::Shorter offsets = bounds_.offsets_in_window(value(load.window_bytes()), end);
    bail_out_if(ir_.CreateNot(offsets.fits));
    Value* const mask = ir_.CreateTrunc(value(load.offset_mask()), ir_.getInt32Ty());
    const bool masked = masks_offsets(mask);
    if (!llvm::isa<llvm::Constant>(mask))
        bail_out_if(ir_.CreateICmpNE(mask, ir_.getInt32(UINT32_MAX)));
    IndexTerms terms = offset_terms(load.addresses());
    Value* start = masked ? nullptr : sum_of(terms.terms, 0);
    if (start == nullptr) {
        terms = {.terms = {}, .index = load.addresses()};
        start = ir_.getInt64(0);
        limits.mask = masked ? mask : nullptr;
    }
    const uint64_t low_bits = (uint64_t{1} << terms.cleared) - 1;
    bail_out_if(ir_.CreateICmpNE(ir_.CreateAnd(start, ir_.getInt64(low_bits)), ir_.getInt64(0)));
    const Bounds::Indices indices = bounds_.indices_in(offsets.interval, start, terms.shift);
    bail_out_if(ir_.CreateNot(indices.any));
    limits.index = terms.index;
    limits.shift = terms.shift;
    limits.extent = bounds_.as_index(indices.max_index);
    limits.guard = masked ? Guard::local : load.scratch() ? Guard::scratch : Guard::surface;
    Value* const data = ir_.CreateConstGEP1_64(ir_.getInt8Ty(), value(load.data()), load.displacement());
    limits.begin = ir_.CreateGEP(ir_.getInt8Ty(), data, start);
}

llvm::Value* Invariants::value(Value* original) const {
    original = slices_.source(original);
    const auto found = values_.find(original);
    return found == values_.end() ? original : found->second;
}

llvm::Value* Invariants::part(llvm::IRBuilder<>& ir, Value* vector, Value* number) {
    Value* const own = value(vector);
    llvm::Type* const type = part_type(own->getType(), slices_.simd());
    if (llvm::isa<llvm::UndefValue>(own))
        return llvm::PoisonValue::get(type);
    if (own->getType()->getScalarSizeInBits() == 1 && !type->isVectorTy())
        return bit(ir, own, number);
    if (Value* const all = llvm::getSplatValue(own))
        return repeated(ir, all, type);
    Value*& extent = stack_slots_[own];
    if (extent == nullptr) {
        extent = create_slot(own->getType());
        ir_.CreateStore(own, extent);
    }
    return ir.CreateAlignedLoad(
        type, Bounds(ir).element(extent, type, ir.CreateZExt(number, ir.getInt64Ty())), any_alignment);
}

llvm::Value* Invariants::bit(llvm::IRBuilder<>& ir, Value* mask, Value* number) {
    Value* own = value(mask);
    if (own->getType()->isVectorTy())
        own = ir_.CreateBitCast(own, ir_.getIntNTy(slices_.simd()));
    if (const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(own)) {
        const llvm::APInt bits = constant->getValue().trunc(slices_.simd());
        if (bits.isAllOnes() || bits.isZero())
            return ir.getInt1(bits.isAllOnes());
    }
    return ir.CreateTrunc(ir.CreateLShr(own, ir.CreateZExtOrTrunc(number, own->getType())), ir.getInt1Ty());
}

// ---- one lane

llvm::Value* LaneCode::at(Value* original, LaneKind kind) {
    Value* const source = slices_.source(original);
    const auto found = own_.find(source);
    if (found != own_.end()) {
        if (kind != LaneKind::mask || slices_.kind(source) == LaneKind::mask)
            return found->second;
        Value* const bits = found->second; // of a uniform integer
        return ir_.CreateTrunc(ir_.CreateLShr(bits, ir_.CreateZExtOrTrunc(number_, bits->getType())),
                               ir_.getInt1Ty());
    }
    switch (kind) {
    case LaneKind::mask:
        return invariants_.bit(ir_, source, number_);
    case LaneKind::lanes:
        return part(source);
    default:
        return invariants_.value(source);
    }
}

llvm::Value* LaneCode::part(Value* source) {
    if (load_point_ == nullptr)
        return invariants_.part(ir_, source, number_);
    Value*& known = parts_[source];
    if (known == nullptr) {
        llvm::IRBuilder<> load_point(load_point_);
        known = invariants_.part(load_point, source, number_);
    }
    return known;
}

llvm::Value* LaneCode::test(Value* condition) {
    return at(condition, LaneKind::uniform);
}

void LaneCode::recompute_counted() {
    for (llvm::BasicBlock* const block : slices_.chain().blocks)
        for (llvm::Instruction& instruction : *block)
            if (slices_.counted(&instruction) && !llvm::isa<llvm::PHINode>(instruction))
                own_[&instruction] = emit_copy(instruction);
}

// Its operands are available; its own loads are emitted here.
llvm::Value* LaneCode::now(SafepointPoll& poll) {
    for (llvm::Instruction& instruction : *poll.getParent()) {
        if (slices_.kind(&instruction) != LaneKind::none || llvm::isa<llvm::PHINode>(instruction) ||
            llvm::isa<llvm::StoreInst>(instruction) || instruction.isTerminator())
            continue;
        llvm::Instruction* const copy = instruction.clone();
        for (llvm::Use& use : copy->operands())
            use.set(at(use.get(), LaneKind::uniform));
        own_[&instruction] = ir_.Insert(copy);
    }
    return at(poll.getCondition(), LaneKind::uniform);
}

void LaneCode::emit(llvm::BasicBlock& block) {
    for (llvm::Instruction& instruction : block) {
        if (!slices_.needed(instruction) || llvm::isa<llvm::PHINode>(instruction))
            continue;
        const LaneKind kind = slices_.kind(&instruction);
        if (kind == LaneKind::invariant || (kind == LaneKind::test && inactive_))
            continue;
        own_[&instruction] = emit_one(instruction);
    }
}

llvm::Value* LaneCode::emit_one(llvm::Instruction& instruction) {
    switch (slices_.kind(&instruction)) {
    case LaneKind::mask:
        return emit_mask(instruction);
    case LaneKind::test:
        if (auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
            Value* const on = at(compare->getOperand(0), LaneKind::mask);
            return compare->getPredicate() == llvm::CmpInst::ICMP_NE ? on : ir_.CreateNot(on);
        }
        return inside(invariants_.limits(llvm::cast<RangeCheck>(instruction)),
                      at(llvm::cast<RangeCheck>(instruction).on(), LaneKind::lanes));
    case LaneKind::uniform:
        return emit_copy(instruction);
    default:
        break;
    }
    if (auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
        return emit_shuffle(*shuffle);
    if (const auto* const load = llvm::dyn_cast<MemLoad>(&instruction))
        return emit_load(*load);
    if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        return emit_intrinsic(*call);
    if (llvm::isa<llvm::BitCastInst>(instruction)) {
        if (slices_.kind(slices_.source(instruction.getOperand(0))) == LaneKind::mask)
            return at(instruction.getOperand(0), LaneKind::mask);
        return ir_.CreateBitCast(at(instruction.getOperand(0), LaneKind::lanes),
                                 part_type(instruction.getType(), slices_.simd()));
    }
    return emit_copy(instruction);
}

llvm::Value* LaneCode::emit_mask(llvm::Instruction& instruction) {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
        return ir_.CreateBinOp(llvm::cast<llvm::BinaryOperator>(instruction).getOpcode(),
                               at(instruction.getOperand(0), LaneKind::mask),
                               at(instruction.getOperand(1), LaneKind::mask));
    case llvm::Instruction::BitCast:
        return at(instruction.getOperand(0), LaneKind::lanes);
    default: // extensions and truncations keep the bit
        return at(instruction.getOperand(0), LaneKind::mask);
    }
}

llvm::Value* LaneCode::emit_copy(llvm::Instruction& instruction) {
    llvm::Instruction* const copy = instruction.clone();
    for (llvm::Use& use : copy->operands())
        use.set(at(use.get(), use->getType()->isVectorTy() ? LaneKind::lanes : LaneKind::uniform));
    if (instruction.getType()->isVectorTy())
        copy->mutateType(part_type(instruction.getType(), slices_.simd()));
    return ir_.Insert(copy);
}

llvm::Value* LaneCode::emit_intrinsic(llvm::CallInst& call) {
    std::vector<Value*> arguments;
    for (const llvm::Use& use : call.args())
        arguments.push_back(
            at(use.get(), use->getType()->isVectorTy() ? LaneKind::lanes : LaneKind::uniform));
    llvm::Type* const type = part_type(call.getType(), slices_.simd());
    llvm::CallInst* const own = ir_.CreateIntrinsic(type, call.getIntrinsicID(), arguments);
    own->copyIRFlags(&call);
    return own;
}

llvm::Value* LaneCode::emit_shuffle(llvm::ShuffleVectorInst& shuffle) {
    const uint32_t simd = slices_.simd();
    llvm::Type* const type = part_type(shuffle.getType(), simd);
    if (Value* const all = llvm::getSplatValue(&shuffle))
        return repeated(ir_, at(all, LaneKind::uniform), type);
    const unsigned from = lanes_of(shuffle.getOperand(0));
    const auto element = [&](int index) -> Value* {
        if (index < 0)
            return llvm::PoisonValue::get(type->getScalarType());
        Value* const operand = shuffle.getOperand(static_cast<unsigned>(index) < from ? 0 : 1);
        Value* const part = at(operand, LaneKind::lanes);
        return part->getType()->isVectorTy()
                   ? ir_.CreateExtractElement(part, static_cast<uint64_t>(index) % from)
                   : part;
    };
    if (!type->isVectorTy())
        return element(shuffle.getShuffleMask()[0]);
    Value* all = llvm::PoisonValue::get(type);
    for (unsigned k = 0; k < lanes_of(all); ++k)
        all = ir_.CreateInsertElement(all, element(shuffle.getShuffleMask()[k]), uint64_t{k});
    return all;
}

// ---- memory

void LaneCode::bail_out_unless(Value* holds) {
    llvm::BasicBlock& here = *ir_.GetInsertBlock();
    llvm::BasicBlock* const on =
        llvm::BasicBlock::Create(here.getContext(), "lane.on", here.getParent(), bail_out_);
    ir_.CreateCondBr(holds, on, bail_out_, llvm::MDBuilder(here.getContext()).createBranchWeights(1000, 1));
    ir_.SetInsertPoint(on);
}

// One range check per index: later ones tighten the first one's limit.
llvm::Value* LaneCode::inside(const Invariants::Limits& limits, Value* on) {
    Value* index = at(limits.index, LaneKind::lanes);
    if (is_true(on) && limits.mask == nullptr && limits.least == nullptr) {
        llvm::ICmpInst*& checked = checked_[index];
        if (checked != nullptr) {
            Bounds::tighten(*checked, invariants_.smaller(checked->getOperand(1), limits.extent));
            return ir_.getTrue();
        }
        return checked = bounds_.index_check(index, limits.extent);
    }
    if (limits.mask != nullptr)
        index = ir_.CreateAnd(index, limits.mask);
    if (limits.least != nullptr)
        index = ir_.CreateSub(index, limits.least);
    Value* const in = bounds_.index_in(index, limits.extent);
    return is_true(on) ? in : ir_.CreateOr(in, ir_.CreateNot(on));
}

// Surfaces: checks the range, or bails out. Flat addresses have a check of their own.
llvm::Value* LaneCode::emit_load(const MemLoad& load) {
    llvm::Type* const type = part_type(load.getType(), slices_.simd());
    if (inactive_)
        return llvm::Constant::getNullValue(type);
    const Invariants::Limits& limits = invariants_.limits(load);
    Value* const on = at(load.on(), LaneKind::lanes);
    if (!load.flat())
        bail_out_unless(inside(limits, on));
    Value* offset = ir_.CreateZExt(at(limits.index, LaneKind::lanes), ir_.getInt64Ty());
    if (limits.mask != nullptr)
        offset = ir_.CreateAnd(offset, ir_.CreateZExt(limits.mask, ir_.getInt64Ty()));
    const Mark mark{limits.guard, Use::unit};
    const Span span{0, load.unit_bits() / 8};
    Value* from = limits.begin == nullptr
                      ? bounds_.at(mark, ir_.CreateAdd(offset, ir_.getInt64(load.displacement())), span)
                      : bounds_.behind(mark, limits.begin, offset, ir_.getIntNTy(8U << limits.shift), span);
    if (!is_true(on))
        from = ir_.CreateSelect(on, from, invariants_.zero_slot());
    return ir_.CreateAlignedLoad(type, from, any_alignment);
}

} // namespace visor::jit
