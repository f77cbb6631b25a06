#include "jit/analysis/lane_affine.h"

#include "jit/ir/kept_copy.h"
#include "jit/ir/memory_intrinsics.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>

#include <algorithm>

namespace visor::jit {

namespace {

using llvm::Value;

// Larger steps do not belong to one access.
constexpr int64_t max_distance = int64_t{1} << 40;
// Limit on run-time conditions of a form.
constexpr size_t max_conditions = 4;

uint32_t element_bits(const Value* value) {
    return value->getType()->getScalarSizeInBits();
}
// Modulo 2^bits, sign-extended.
int64_t wrapped(int64_t number, uint32_t bits) {
    return bits == 64 ? number
                      : static_cast<int64_t>(static_cast<uint64_t>(number) << (64 - bits)) >> (64 - bits);
}
int64_t sum(int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t product(int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
// Adds the conditions of another operand. False: they are too many.
bool join_conditions(std::vector<llvm::Instruction*>& all, const std::vector<llvm::Instruction*>& more) {
    for (llvm::Instruction* const one : more)
        if (std::ranges::find(all, one) == all.end())
            all.push_back(one);
    return all.size() <= max_conditions;
}
// The low bits that are zero in all steps: uniform, and without carries.
int64_t uniform_low_bits(const std::vector<int64_t>& steps) {
    uint64_t any = 0;
    for (const int64_t step : steps)
        any |= static_cast<uint64_t>(step);
    return static_cast<int64_t>((any & (~any + 1)) - 1);
}
// The element of a constant splat.
const llvm::ConstantInt* splat_of(const Value* value) {
    const auto* const constant = llvm::dyn_cast<llvm::Constant>(value);
    return constant == nullptr ? nullptr
                               : llvm::dyn_cast_or_null<llvm::ConstantInt>(constant->getSplatValue());
}

} // namespace

int64_t LaneAffine::Form::lowest() const {
    return *std::ranges::min_element(steps);
}
int64_t LaneAffine::Form::highest() const {
    return *std::ranges::max_element(steps);
}
bool LaneAffine::Form::uniform() const {
    return std::ranges::all_of(steps, [](int64_t step) { return step == 0; });
}

LaneAffine::LaneAffine(llvm::Function& function, uint32_t grain) : function_(function), grain_(grain) {
    std::map<const llvm::MDNode*, llvm::StoreInst*> saved;
    std::vector<llvm::Instruction*> order;
    const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function);
    for (llvm::BasicBlock* const block : blocks)
        for (llvm::Instruction& instruction : *block) {
            if (const auto* const copy = llvm::dyn_cast<KeptCopy>(&instruction))
                if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
                    saved[copy->identity()] = store;
            if (is_candidate(&instruction))
                order.push_back(&instruction);
        }
    for (llvm::BasicBlock* const block : blocks)
        for (llvm::Instruction& instruction : *block)
            if (const auto* const copy = llvm::dyn_cast<KeptCopy>(&instruction))
                if (const auto found = saved.find(copy->identity());
                    llvm::isa<llvm::LoadInst>(instruction) && found != saved.end() &&
                    found->second->getValueOperand()->getType() == instruction.getType()) {
                    kept_[&instruction] = found->second->getValueOperand();
                    copies_.emplace_back(llvm::cast<llvm::LoadInst>(&instruction), found->second);
                }
    for (llvm::Instruction* const instruction : order)
        for (uint32_t chunk = 0; chunk < chunks(instruction); ++chunk)
            states_[{instruction, chunk}] = {};
    for (bool changed = true; changed;) {
        changed = false;
        for (llvm::Instruction* const instruction : order)
            for (uint32_t chunk = 0; chunk < chunks(instruction); ++chunk) {
                State& known = states_[{instruction, chunk}];
                if (known.kind == State::Kind::none)
                    continue;
                State found = evaluate(*instruction, chunk);
                if (found == known || found.kind == State::Kind::open)
                    continue;
                known = known.kind == State::Kind::open ? std::move(found) : none();
                changed = true;
            }
    }
}

bool LaneAffine::is_candidate(const Value* value) {
    return value->getType()->isVectorTy() && value->getType()->isIntOrIntVectorTy() && lanes_of(value) >= 2 &&
           element_bits(value) >= 8 && element_bits(value) <= 64;
}
bool LaneAffine::is_carried(const Value* value) {
    return llvm::isa<llvm::BitCastInst>(value) || moves_elements(*value);
}
bool LaneAffine::is_flat(const State& state) {
    return std::ranges::all_of(state.steps, [](int64_t step) { return step == 0; });
}
uint32_t LaneAffine::chunk_lanes(const Value* value) const {
    return grain_ == 0 ? lanes_of(value) : std::min(grain_, lanes_of(value));
}
uint32_t LaneAffine::chunks(const Value* value) const {
    return lanes_of(value) / chunk_lanes(value);
}

LaneAffine::State LaneAffine::uniform(const Value* value) const {
    return {.kind = State::Kind::affine, .steps = std::vector<int64_t>(chunk_lanes(value), 0), .wraps = {}};
}

LaneAffine::State LaneAffine::state_of(Value* value, uint32_t chunk) const {
    if (const auto* const constant = llvm::dyn_cast<llvm::Constant>(value)) {
        const uint32_t lanes = chunk_lanes(value);
        State state = uniform(value);
        int64_t first = 0;
        for (uint32_t k = 0; k < lanes; ++k) {
            const auto* const number =
                llvm::dyn_cast_or_null<llvm::ConstantInt>(constant->getAggregateElement(chunk * lanes + k));
            if (number == nullptr)
                return none();
            const int64_t at = number->getSExtValue();
            first = k == 0 ? at : first;
            state.steps[k] = wrapped(sum(at, product(first, -1)), element_bits(value));
        }
        return state;
    }
    const auto found = states_.find({value, chunk});
    return found == states_.end() ? none() : found->second;
}

LaneAffine::State LaneAffine::evaluate(llvm::Instruction& instruction, uint32_t chunk) {
    if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
        return of_phi(*phi, chunk);
    if (auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
        return of_binary(*binary, chunk);
    if (is_carried(&instruction) || kept_.contains(&instruction))
        return of_elements(&instruction, chunk);
    if (auto* const cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
        return of_cast(*cast, chunk);
    // A load from a uniform address.
    if (const auto* const load = llvm::dyn_cast<MemLoad>(&instruction); load != nullptr && grain_ == 0) {
        State address = state_of(load->addresses(), chunk);
        if (address.kind == State::Kind::open)
            return address;
        if (address.kind == State::Kind::affine && address.wraps.empty() && is_flat(address))
            return uniform(&instruction);
    }
    return none();
}

LaneAffine::State LaneAffine::of_phi(const llvm::PHINode& phi, uint32_t chunk) const {
    State all;
    for (Value* const incoming : phi.incoming_values()) {
        const State one = state_of(incoming, chunk);
        if (one.kind == State::Kind::open)
            continue;
        // Conditions of another iteration cannot be checked here.
        if (one.kind == State::Kind::none || !one.wraps.empty() ||
            (all.kind == State::Kind::affine && all.steps != one.steps))
            return none();
        all = one;
    }
    return all;
}

LaneAffine::State LaneAffine::of_binary(llvm::BinaryOperator& instruction, uint32_t chunk) const {
    State left = state_of(instruction.getOperand(0), chunk);
    const State right = state_of(instruction.getOperand(1), chunk);
    if (left.kind == State::Kind::none || right.kind == State::Kind::none)
        return none();
    if (left.kind == State::Kind::open || right.kind == State::Kind::open)
        return {};
    const uint32_t bits = element_bits(&instruction);
    if (!join_conditions(left.wraps, right.wraps))
        return none();
    const auto scaled = [&](int64_t factor, const std::vector<int64_t>& steps) {
        for (size_t k = 0; k < left.steps.size(); ++k)
            left.steps[k] = wrapped(product(steps[k], factor), bits);
        return left;
    };
    using Op = llvm::Instruction::BinaryOps;
    switch (instruction.getOpcode()) {
    case Op::Add:
    case Op::Sub: {
        const int64_t sign = instruction.getOpcode() == Op::Add ? 1 : -1;
        for (size_t k = 0; k < left.steps.size(); ++k)
            left.steps[k] = wrapped(sum(left.steps[k], product(right.steps[k], sign)), bits);
        return left;
    }
    case Op::Mul:
        if (is_flat(left) && is_flat(right))
            return left;
        if (const auto* const factor = splat_of(instruction.getOperand(1)))
            return scaled(factor->getSExtValue(), left.steps);
        if (const auto* const factor = splat_of(instruction.getOperand(0)))
            return scaled(factor->getSExtValue(), right.steps);
        return none();
    case Op::Shl:
        if (const auto* const count = splat_of(instruction.getOperand(1));
            count != nullptr && count->getValue().ult(bits))
            return scaled(static_cast<int64_t>(uint64_t{1} << count->getZExtValue()), left.steps);
        return is_flat(left) && is_flat(right) ? left : none();
    case Op::And:
        if (const auto* const mask = splat_of(instruction.getOperand(1));
            mask != nullptr && (~mask->getSExtValue() & ~uniform_low_bits(left.steps)) == 0)
            return left;
        return is_flat(left) && is_flat(right) ? left : none();
    case Op::Or:
    case Op::Xor: {
        if (is_flat(left) && is_flat(right))
            return left;
        const auto* const set = splat_of(instruction.getOperand(1));
        if (set != nullptr && (set->getSExtValue() & ~uniform_low_bits(left.steps)) == 0)
            return left;
        if (instruction.getOpcode() == Op::Xor || set == nullptr || left.wraps.size() >= max_conditions)
            return none();
        left.wraps.push_back(&instruction);
        return left;
    }
    case Op::LShr:
    case Op::AShr:
        return is_flat(left) && is_flat(right) ? left : none();
    default:
        return none();
    }
}

LaneAffine::State LaneAffine::of_cast(llvm::CastInst& instruction, uint32_t chunk) const {
    State state = state_of(instruction.getOperand(0), chunk);
    if (state.kind != State::Kind::affine)
        return state;
    const uint32_t from = element_bits(instruction.getOperand(0));
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Trunc:
        for (int64_t& step : state.steps)
            step = wrapped(step, element_bits(&instruction));
        return state;
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt: {
        // nuw and nsw of local ids exclude wrapping.
        const auto* const adds = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(instruction.getOperand(0));
        if (is_flat(state) || from < 8 ||
            (adds != nullptr && adds->hasNoUnsignedWrap() && adds->hasNoSignedWrap()))
            return state;
        if (state.wraps.size() >= max_conditions)
            return none();
        state.wraps.push_back(&instruction);
        return state;
    }
    default:
        return none();
    }
}

LaneAffine::State LaneAffine::of_elements(Value* vector, uint32_t chunk) const {
    const uint32_t bytes = element_bits(vector) / 8;
    if (!is_joined(vector, chunk))
        return of_part(vector, chunk, 0, bytes);
    State low = of_part(vector, chunk, 0, bytes / 2);
    const State high = of_part(vector, chunk, bytes / 2, bytes / 2);
    if (low.kind == State::Kind::none || high.kind == State::Kind::none)
        return none();
    if (low.kind == State::Kind::open || high.kind == State::Kind::open)
        return {};
    const bool same = is_flat(low) && is_flat(high) && low.wraps.empty() && high.wraps.empty();
    return same ? uniform(vector) : none();
}

// A 64-bit vector that a compiler without 64-bit arithmetic combined from 32-bit halves.
bool LaneAffine::is_joined(Value* vector, uint32_t chunk) const {
    constexpr uint32_t bytes = 8;
    const ElementOrigin at = element_bits(vector) == bytes * 8
                                 ? origin(vector, chunk * chunk_lanes(vector) * bytes, bytes, kept_, true)
                                 : ElementOrigin{};
    return at.value != nullptr && element_bits(at.value) == bytes * 4;
}

// Of `bytes` bytes of each element, from `offset` on: the whole element, or a part that comes from narrower
// vectors.
LaneAffine::State LaneAffine::of_part(Value* vector, uint32_t chunk, uint32_t offset, uint32_t bytes) const {
    const uint32_t whole = element_bits(vector) / 8;
    const uint32_t lanes = chunk_lanes(vector);
    std::vector<ElementOrigin> from(lanes);
    for (uint32_t k = 0; k < lanes; ++k) {
        from[k] = origin(vector, (chunk * lanes + k) * whole + offset, bytes, kept_, true);
        if (from[k].value == nullptr || from[k].value != from[0].value)
            return none();
    }
    if (std::ranges::all_of(from, [&](const ElementOrigin& one) { return one.byte == from[0].byte; }))
        return uniform(vector); // an equal, unknown value
    Value* const source = from[0].value;
    if ((!is_candidate(source) && !llvm::isa<llvm::Constant>(source)) || source == vector)
        return none();
    const uint32_t size = element_bits(source) / 8;
    if (size < bytes)
        return none();
    const uint32_t source_lanes = chunk_lanes(source);
    const uint32_t first = from[0].byte / size;
    State state = state_of(source, first / source_lanes);
    if (state.kind != State::Kind::affine)
        return state;
    // Conditions of what was saved before a barrier cannot be checked behind it.
    const ElementOrigin here = origin(vector, chunk * lanes * whole + offset, bytes, kept_, false);
    if (!state.wraps.empty() && here.value != source)
        return none();
    const bool low = from[0].byte % size == 0;
    if (!low && !is_flat(state))
        return none();
    State found{.kind = State::Kind::affine, .steps = std::vector<int64_t>(lanes), .wraps = state.wraps};
    for (uint32_t k = 0; k < lanes; ++k) {
        const uint32_t index = from[k].byte / size;
        if (index / source_lanes != first / source_lanes || from[k].byte % size != from[0].byte % size)
            return none();
        found.steps[k] =
            wrapped(sum(state.steps[index % source_lanes], product(state.steps[first % source_lanes], -1)),
                    bytes * 8);
    }
    return found;
}

// ---- scalar code

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
    if (llvm::isa<llvm::BinaryOperator>(value) ||
        (llvm::isa<llvm::CastInst>(value) && !llvm::isa<llvm::BitCastInst>(value)))
        for (Value* const operand : llvm::cast<llvm::Instruction>(value)->operands())
            need(operand, chunk);
    else if (is_carried(value)) {
        const uint32_t bytes = element_bits(value) / 8;
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
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(value)) {
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
    const uint32_t whole = element_bits(vector) / 8;
    const ElementOrigin at =
        origin(vector, chunk * chunk_lanes(vector) * whole + offset, bytes, kept_, false);
    if (at.value == nullptr || at.value == vector || !is_candidate(at.value) || kept_.contains(at.value) ||
        element_bits(at.value) < bytes * 8)
        return std::nullopt;
    const uint32_t size = element_bits(at.value) / 8;
    const uint32_t lanes = chunk_lanes(at.value);
    const uint32_t index = at.byte / size;
    const State state = state_of(at.value, index / lanes);
    if (state.kind != State::Kind::affine)
        return std::nullopt;
    return Source{at.value, index / lanes, state.steps[index % lanes], at.byte % size};
}

// The first lane's element, from its origin.
LaneAffine::Value* LaneAffine::build_element(Value* vector, uint32_t chunk) {
    const uint32_t bytes = element_bits(vector) / 8;
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
    const uint32_t first_byte = chunk * chunk_lanes(vector) * (element_bits(vector) / 8) + offset;
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

// i1: no lane of an extension or disjoint `or` wraps.
LaneAffine::Value* LaneAffine::condition(llvm::IRBuilder<>& ir, llvm::Instruction* wrap, uint32_t chunk) {
    Value* const operand = wrap->getOperand(0);
    const State state = state_of(operand, chunk);
    Value* const from = base(operand, chunk);
    const uint32_t bits = element_bits(operand);
    const auto [low, high] = std::ranges::minmax(state.steps);
    auto* const wide = ir.getInt64Ty();
    const auto between = [&](Value* number, int64_t least, int64_t most) {
        Value* const lowest = ir.CreateAdd(number, ir.getInt64(static_cast<uint64_t>(low)));
        Value* const highest = ir.CreateAdd(number, ir.getInt64(static_cast<uint64_t>(high)));
        return ir.CreateAnd(ir.CreateICmpSGE(lowest, ir.getInt64(static_cast<uint64_t>(least))),
                            ir.CreateICmpSLE(highest, ir.getInt64(static_cast<uint64_t>(most))));
    };
    if (llvm::isa<llvm::ZExtInst>(wrap))
        return between(ir.CreateZExt(from, wide), 0, static_cast<int64_t>((uint64_t{1} << bits) - 1));
    if (llvm::isa<llvm::SExtInst>(wrap))
        return between(ir.CreateSExt(from, wide), -(int64_t{1} << (bits - 1)),
                       (int64_t{1} << (bits - 1)) - 1);
    // Or: steps stay below the lowest set bit.
    const uint64_t set = splat_of(wrap->getOperand(1))->getZExtValue();
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
    for (llvm::Instruction* const wrap : state.wraps)
        found.conditions.push_back(condition(ir, wrap, chunk));
    return found;
}

namespace {

// Rebuilds the vector from its base.
Value* vector_of(llvm::IRBuilder<>& ir, const LaneAffine::Form& form, Value* base) {
    Value* const all = ir.CreateVectorSplat(static_cast<unsigned>(form.steps.size()), base);
    if (form.uniform())
        return all;
    std::vector<llvm::Constant*> steps;
    for (const int64_t step : form.steps)
        steps.push_back(llvm::ConstantInt::get(base->getType(), static_cast<uint64_t>(step), true));
    return ir.CreateAdd(all, llvm::ConstantVector::get(steps));
}

// Phis of vectors that most users need only as a base.
std::vector<std::pair<llvm::PHINode*, LaneAffine::Form>> phis_with_form(llvm::Function& function,
                                                                        LaneAffine& affine) {
    std::vector<std::pair<llvm::PHINode*, LaneAffine::Form>> found;
    for (llvm::BasicBlock& block : function) {
        std::vector<llvm::PHINode*> phis; // form() inserts phis
        for (llvm::PHINode& phi : block.phis())
            if (phi.getType()->isVectorTy() && phi.getType()->isIntOrIntVectorTy())
                phis.push_back(&phi);
        for (llvm::PHINode* const phi : phis)
            if (auto form = affine.form(phi, 0, &*block.getFirstInsertionPt());
                form && form->conditions.empty())
                found.emplace_back(phi, std::move(*form));
    }
    return found;
}

} // namespace

void shorten_kept(llvm::Function& function) {
    LaneAffine affine(function, 0);
    struct Copy {
        llvm::LoadInst* load;
        llvm::StoreInst* store;
        LaneAffine::Form form;
    };
    std::vector<Copy> copies; // forms first: changes would invalidate them
    for (const auto& [load, store] : affine.kept())
        if (auto form = affine.form(store->getValueOperand(), 0, store); form && form->conditions.empty())
            copies.push_back({load, store, std::move(*form)});
    const auto phis = phis_with_form(function, affine);
    llvm::IRBuilder<> ir(function.getContext());
    for (const auto& [load, store, form] : copies) {
        ir.SetInsertPoint(store);
        ir.CreateAlignedStore(form.base, store->getPointerOperand(), llvm::Align());
        ir.SetInsertPoint(load);
        llvm::Type* const type = load->getType()->getScalarType();
        Value* const first = ir.CreateAlignedLoad(type, load->getPointerOperand(), llvm::Align());
        load->replaceAllUsesWith(vector_of(ir, form, first));
    }
    for (const auto& [load, store, form] : copies) {
        load->eraseFromParent();
        store->eraseFromParent();
    }
    for (const auto& [phi, form] : phis) {
        ir.SetInsertPoint(&*phi->getParent()->getFirstInsertionPt());
        phi->replaceAllUsesWith(vector_of(ir, form, form.base));
        phi->eraseFromParent();
    }
}

} // namespace visor::jit
