// Scalar code of lane-affine forms: bases and run-time conditions.
#include "jit/analysis/lane_affine.h"
#include "jit/ir/memory_intrinsics.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace visor::jit {

namespace {

using llvm::Value;

// Larger steps do not belong to one access.
constexpr int64_t max_distance = int64_t{1} << 40;

uint32_t bits_of(const Value* value) {
    return value->getType()->getScalarSizeInBits();
}

// i1: all lanes of a row are, signed, in [least, most]. `first` is as wide as both, and wider than a lane.
Value* lanes_between(llvm::IRBuilder<>& ir, Value* first, const std::vector<int64_t>& steps, Value* least,
                     Value* most) {
    const auto at = [&](int64_t step) {
        return ir.CreateAdd(first,
                            llvm::ConstantInt::get(first->getType(), static_cast<uint64_t>(step), true));
    };
    const auto [low, high] = std::ranges::minmax(steps);
    return ir.CreateAnd(ir.CreateICmpSGE(at(low), least), ir.CreateICmpSLE(at(high), most));
}

// The vector of a form, from its base.
Value* vector_of(llvm::IRBuilder<>& ir, llvm::ArrayRef<int64_t> steps, Value* base) {
    Value* const all = ir.CreateVectorSplat(static_cast<unsigned>(steps.size()), base);
    if (std::ranges::all_of(steps, [](int64_t step) { return step == 0; }))
        return all;
    std::vector<llvm::Constant*> distances;
    for (const int64_t step : steps)
        distances.push_back(llvm::ConstantInt::get(base->getType(), static_cast<uint64_t>(step), true));
    return ir.CreateAdd(all, llvm::ConstantVector::get(distances));
}

} // namespace

LaneAffine::Value* LaneAffine::known_base(Value* value, uint32_t chunk) const {
    const auto found = bases_.find({value, chunk});
    return found == bases_.end() ? nullptr : found->second;
}

// True if the bases of all operands exist; collects the missing ones.
bool LaneAffine::ready(Value* value, uint32_t chunk, std::vector<Key>& missing) const {
    const auto need = [&](Value* operand, uint32_t part) {
        if (!llvm::isa<llvm::Constant>(operand) && known_base(operand, part) == nullptr)
            missing.emplace_back(operand, part);
    };
    if (is_assumed(value, chunk)) {
        if (const auto clamp = clamp_of(value, chunk)) {
            need(clamp->row, chunk);
            need(clamp->bound, chunk);
        }
        return missing.empty();
    }
    if (llvm::isa<llvm::BinaryOperator>(value) ||
        (llvm::isa<llvm::CastInst>(value) && !llvm::isa<llvm::BitCastInst>(value)))
        for (Value* const operand : llvm::cast<llvm::Instruction>(value)->operands())
            need(operand, chunk);
    else if (is_carried(value)) {
        const uint32_t bytes = bits_of(value) / 8;
        const uint32_t parts = is_joined(value, chunk) ? 2 : 1;
        for (uint32_t k = 0; k < parts; ++k)
            if (const auto source = source_of(value, chunk, k * bytes / parts, bytes / parts))
                need(source->vector, source->chunk);
    }
    return missing.empty();
}

LaneAffine::Value* LaneAffine::base(Value* value, uint32_t chunk) {
    std::vector<Key> stack{{value, chunk}};
    while (!stack.empty() || !open_phis_.empty()) {
        if (stack.empty()) { // operands of scalar phis
            const auto [phi, key] = open_phis_.back();
            const auto* const from = llvm::cast<llvm::PHINode>(key.first);
            std::vector<Key> missing;
            for (Value* const incoming : from->incoming_values())
                if (!llvm::isa<llvm::Constant>(incoming) && known_base(incoming, key.second) == nullptr)
                    missing.emplace_back(incoming, key.second);
            if (!missing.empty()) {
                stack = std::move(missing);
                continue;
            }
            open_phis_.pop_back();
            for (uint32_t k = 0; k < from->getNumIncomingValues(); ++k)
                phi->addIncoming(build(from->getIncomingValue(k), key.second), from->getIncomingBlock(k));
            continue;
        }
        const auto [at, part] = stack.back();
        std::vector<Key> missing;
        if (known_base(at, part) == nullptr && !ready(at, part, missing)) {
            stack.insert(stack.end(), missing.begin(), missing.end());
            continue;
        }
        stack.pop_back();
        build(at, part);
    }
    return build(value, chunk);
}

LaneAffine::Value* LaneAffine::build(Value* value, uint32_t chunk) {
    if (auto* const constant = llvm::dyn_cast<llvm::Constant>(value))
        return constant->getAggregateElement(chunk * chunk_lanes(value));
    if (Value* const known = known_base(value, chunk))
        return known;
    Value* result = nullptr;
    if (is_assumed(value, chunk)) {
        llvm::IRBuilder<> ir(function_.getContext());
        ir.SetInsertPoint(*llvm::cast<llvm::Instruction>(value)->getInsertionPointAfterDef());
        const auto clamp = clamp_of(value, chunk);
        result = clamp ? build(clamp->row, chunk)
                       : ir.CreateExtractElement(value, uint64_t{chunk} * chunk_lanes(value));
    } else if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(value)) {
        auto* const scalar = llvm::PHINode::Create(phi->getType()->getScalarType(),
                                                   phi->getNumIncomingValues(), "", phi->getIterator());
        open_phis_.emplace_back(scalar, Key{value, chunk});
        result = scalar;
    } else if (auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(value)) {
        llvm::IRBuilder<> ir(binary->getNextNode());
        result = ir.CreateBinOp(binary->getOpcode(), build(binary->getOperand(0), chunk),
                                build(binary->getOperand(1), chunk));
    } else if (auto* const cast = llvm::dyn_cast<llvm::CastInst>(value);
               cast != nullptr && !llvm::isa<llvm::BitCastInst>(value)) {
        llvm::IRBuilder<> ir(cast->getNextNode());
        result = ir.CreateCast(cast->getOpcode(), build(cast->getOperand(0), chunk),
                               cast->getType()->getScalarType());
    } else {
        result = build_element(value, chunk);
    }
    bases_[{value, chunk}] = result;
    return result;
}

// The vector whose base yields the first lane's part; none if an extract is needed.
std::optional<LaneAffine::Source> LaneAffine::source_of(Value* vector, uint32_t chunk, uint32_t offset,
                                                        uint32_t bytes) const {
    const uint32_t whole = bits_of(vector) / 8;
    const ElementOrigin at = whole_origin(vector, chunk * chunk_lanes(vector) * whole + offset, bytes, false);
    if (at.value == nullptr || at.value == vector || !is_candidate(at.value) || kept_.contains(at.value) ||
        bits_of(at.value) < bytes * 8)
        return std::nullopt;
    const uint32_t size = bits_of(at.value) / 8;
    const uint32_t lanes = chunk_lanes(at.value);
    const uint32_t index = at.byte / size;
    const State state = state_of(at.value, index / lanes);
    if (state.kind != State::Kind::affine)
        return std::nullopt;
    return Source{at.value, index / lanes, state.steps[index % lanes], at.byte % size};
}

// The first lane's element, from its origin.
LaneAffine::Value* LaneAffine::build_element(Value* vector, uint32_t chunk) {
    const uint32_t bytes = bits_of(vector) / 8;
    if (!is_joined(vector, chunk))
        return build_part(vector, chunk, 0, bytes);
    // Extract the halves after the vector's definition, which precedes the code that joins them.
    llvm::IRBuilder<> ir(function_.getContext());
    ir.SetInsertPoint(*llvm::cast<llvm::Instruction>(vector)->getInsertionPointAfterDef());
    Value* const low = build_part(vector, chunk, 0, bytes / 2);
    Value* const high = build_part(vector, chunk, bytes / 2, bytes / 2);
    auto* const type = vector->getType()->getScalarType();
    return ir.CreateOr(ir.CreateZExt(low, type),
                       ir.CreateShl(ir.CreateZExt(high, type), uint64_t{bytes} * 4));
}

LaneAffine::Value* LaneAffine::build_part(Value* vector, uint32_t chunk, uint32_t offset, uint32_t bytes) {
    const uint32_t first_byte = chunk * chunk_lanes(vector) * (bits_of(vector) / 8) + offset;
    llvm::IRBuilder<> ir(function_.getContext());
    auto* const type = ir.getIntNTy(bytes * 8);
    const auto insert_after = [&](Value* value) {
        if (auto* const result = llvm::dyn_cast<llvm::Instruction>(value))
            ir.SetInsertPoint(*result->getInsertionPointAfterDef());
        else
            ir.SetInsertPoint(function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    };
    if (const auto source = source_of(vector, chunk, offset, bytes)) {
        Value* from = build(source->vector, source->chunk);
        insert_after(from);
        if (source->step != 0)
            from = ir.CreateAdd(
                from, llvm::ConstantInt::get(from->getType(), static_cast<uint64_t>(source->step), true));
        return ir.CreateTrunc(source->byte == 0 ? from : ir.CreateLShr(from, uint64_t{source->byte} * 8),
                              type);
    }
    ElementOrigin at = origin(vector, first_byte, bytes, kept_, false);
    if (at.value != nullptr && at.byte == 0 && at.value->getType() == type)
        return at.value;
    if (at.value == nullptr || !at.value->getType()->isVectorTy())
        at = {vector, first_byte};
    insert_after(at.value);
    Value* elements = at.value;
    const auto whole = static_cast<uint32_t>(elements->getType()->getPrimitiveSizeInBits()) / 8;
    if (elements->getType()->getScalarType() != type)
        elements = ir.CreateBitCast(elements, llvm::FixedVectorType::get(type, whole / bytes));
    return ir.CreateExtractElement(elements, uint64_t{at.byte / bytes});
}

// True if the form of this very value is an assumption.
bool LaneAffine::is_assumed(Value* value, uint32_t chunk) const {
    const auto found = states_.find({value, chunk});
    return found != states_.end() && std::ranges::any_of(found->second.checks, [&](const Check& check) {
               return check.instruction == value && check.chunk == chunk && is_assumption(*check.instruction);
           });
}

// i1: all lanes of the row, without wrapping, are larger than the bound, or smaller.
LaneAffine::Value* LaneAffine::takes_row(const Clamp& clamp, uint32_t chunk, llvm::IRBuilder<>& ir) {
    const uint32_t bits = bits_of(clamp.row);
    auto* const wide = ir.getIntNTy(bits < 64 ? 64 : 128);
    const auto widened = [&](Value* value) {
        return clamp.is_signed ? ir.CreateSExt(value, wide) : ir.CreateZExt(value, wide);
    };
    const auto least =
        clamp.is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getMinValue(bits);
    const auto most = clamp.is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    Value* const bound = widened(base(clamp.bound, chunk));
    return lanes_between(ir, widened(base(clamp.row, chunk)), state_of(clamp.row, chunk).steps,
                         clamp.largest ? bound : widened(ir.getInt(least)),
                         clamp.largest ? widened(ir.getInt(most)) : bound);
}

// i1: all lanes lie at their steps from the first one. Once for all accesses that assume so.
LaneAffine::Value* LaneAffine::assumption(llvm::Instruction& instruction, uint32_t chunk) {
    Value*& known = assumptions_[{&instruction, chunk}];
    if (known != nullptr)
        return known;
    llvm::IRBuilder<> ir(function_.getContext());
    ir.SetInsertPoint(*instruction.getInsertionPointAfterDef());
    if (const auto clamp = clamp_of(&instruction, chunk)) {
        base(&instruction, chunk); // behind those of its operands
        known = takes_row(*clamp, chunk, ir);
        return known;
    }
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
        phi != nullptr && steps_in_loop(*phi, chunk))
        return known = carried_assumption(*phi, chunk);
    known = lanes_keep_steps(ir, &instruction, state_of(&instruction, chunk).steps, chunk);
    return known;
}

// i1: the lanes of a chunk lie at these steps from its first one.
LaneAffine::Value* LaneAffine::lanes_keep_steps(llvm::IRBuilder<>& ir, Value* lanes,
                                                const std::vector<int64_t>& steps, uint32_t chunk) const {
    const auto lanes_of_chunk = static_cast<uint32_t>(steps.size());
    if (chunks(lanes) > 1)
        lanes = ir.CreateShuffleVector(lanes,
                                       llvm::createSequentialMask(chunk * lanes_of_chunk, lanes_of_chunk, 0));
    Value* const first = ir.CreateExtractElement(lanes, uint64_t{0});
    Value* const same = mask_bits(ir, ir.CreateICmpEQ(lanes, vector_of(ir, steps, first)));
    return ir.CreateICmpEQ(same, llvm::ConstantInt::getAllOnesValue(same->getType()));
}

// Whether an incoming value has the phi's steps wherever the phi has them, as a counter of a loop.
bool LaneAffine::keeps_steps(const llvm::PHINode& phi, Value* incoming, uint32_t chunk) const {
    if (incoming == &phi)
        return true;
    const State state = state_of(incoming, chunk);
    return state.kind == State::Kind::affine && state.checks.size() == 1 &&
           state.checks.front().instruction == &phi && state.checks.front().chunk == chunk;
}
bool LaneAffine::steps_in_loop(const llvm::PHINode& phi, uint32_t chunk) const {
    return llvm::any_of(phi.incoming_values(),
                        [&](const llvm::Use& use) { return keeps_steps(phi, use.get(), chunk); });
}

// Compares the lanes where a loop begins, and not in each iteration.
LaneAffine::Value* LaneAffine::carried_assumption(llvm::PHINode& phi, uint32_t chunk) {
    const std::vector<int64_t> steps = state_of(&phi, chunk).steps;
    llvm::IRBuilder<> ir(&phi);
    llvm::PHINode* const holds = ir.CreatePHI(ir.getInt1Ty(), phi.getNumIncomingValues());
    std::map<const llvm::BasicBlock*, Value*> compared; // a block may be there twice
    for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
        llvm::BasicBlock* const from = phi.getIncomingBlock(k);
        Value*& condition = compared[from];
        if (condition == nullptr) {
            ir.SetInsertPoint(from->getTerminator());
            Value* const incoming = phi.getIncomingValue(k);
            condition =
                keeps_steps(phi, incoming, chunk) ? holds : lanes_keep_steps(ir, incoming, steps, chunk);
        }
        holds->addIncoming(condition, from);
    }
    return holds;
}

// i1: no lane of an extension or disjoint `or` wraps.
LaneAffine::Value* LaneAffine::condition(llvm::IRBuilder<>& ir, const Check& of) {
    const auto [check, chunk] = of;
    Value* const operand = check->getOperand(0);
    const State state = state_of(operand, chunk);
    Value* const from = base(operand, chunk);
    const uint32_t bits = bits_of(operand);
    auto* const wide = ir.getInt64Ty();
    const auto between = [&](Value* number, int64_t least, int64_t most) {
        return lanes_between(ir, number, state.steps, ir.getInt64(static_cast<uint64_t>(least)),
                             ir.getInt64(static_cast<uint64_t>(most)));
    };
    if (llvm::isa<llvm::ZExtInst>(check))
        return between(ir.CreateZExt(from, wide), 0, static_cast<int64_t>((uint64_t{1} << bits) - 1));
    if (llvm::isa<llvm::SExtInst>(check))
        return between(ir.CreateSExt(from, wide), -(int64_t{1} << (bits - 1)),
                       (int64_t{1} << (bits - 1)) - 1);
    // Or: steps stay below the lowest set bit.
    const llvm::APInt* constant = nullptr;
    llvm::PatternMatch::match(check->getOperand(1), llvm::PatternMatch::m_APInt(constant));
    const uint64_t set = constant->getZExtValue();
    const uint64_t below = (set & (~set + 1)) - 1;
    Value* const part = ir.CreateAnd(ir.CreateZExt(from, wide), ir.getInt64(below));
    return between(part, 0, static_cast<int64_t>(below & (~uint64_t{0} >> 1U)));
}

std::optional<LaneAffine::Form> LaneAffine::form(Value* vector, uint32_t chunk, llvm::Instruction* at) {
    const State state = state_of(vector, chunk);
    if (state.kind != State::Kind::affine || std::ranges::any_of(state.steps, [](int64_t step) {
            return step > max_distance || step < -max_distance;
        }))
        return std::nullopt;
    Form found{.base = base(vector, chunk), .steps = state.steps, .conditions = {}};
    llvm::IRBuilder<> ir(at);
    for (const Check& check : state.checks) {
        const bool assumes = is_assumption(*check.instruction);
        found.conditions.push_back(assumes ? assumption(*check.instruction, check.chunk)
                                           : condition(ir, check));
        found.assumed = found.assumed || assumes;
    }
    return found;
}

} // namespace visor::jit
