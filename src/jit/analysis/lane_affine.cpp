#include "jit/analysis/lane_affine.h"

#include "jit/ir/kept_copy.h"
#include "jit/ir/memory_intrinsics.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>

#include <algorithm>

namespace visor::jit {

namespace {

using llvm::Value;

// Limit on run-time conditions of a form.
constexpr size_t max_conditions = 6;

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
// The low bits that are zero in all steps: uniform, and without carries.
int64_t uniform_low_bits(const std::vector<int64_t>& steps) {
    uint64_t any = 0;
    for (const int64_t step : steps)
        any |= static_cast<uint64_t>(step);
    return static_cast<int64_t>((any & (~any + 1)) - 1);
}
// The two values of an instruction that takes each lane from one of them.
std::optional<std::pair<Value*, Value*>> alternatives(const Value* value) {
    if (const auto* const select = llvm::dyn_cast<llvm::SelectInst>(value))
        return std::pair(select->getOperand(1), select->getOperand(2));
    if (const auto* const extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(value))
        return std::pair(extreme->getLHS(), extreme->getRHS());
    return std::nullopt;
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

LaneAffine::LaneAffine(llvm::Function& function, uint32_t grain, bool assumes)
    : function_(function), grain_(grain), assumes_(assumes) {
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
                    found->second->getValueOperand()->getType() == instruction.getType())
                    kept_[&instruction] = found->second->getValueOperand();
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
                // Checks of operands may come later, from the latch of a loop; other steps end the search.
                const bool follows = known.kind == State::Kind::open || found.steps == known.steps;
                known = follows ? std::move(found) : none();
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
// True if its lanes are compared themselves, whatever they come from.
bool LaneAffine::is_assumption(const llvm::Instruction& check) {
    return !llvm::isa<llvm::ZExtInst, llvm::SExtInst>(check) && check.getOpcode() != llvm::Instruction::Or;
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
    return {.kind = State::Kind::affine, .steps = std::vector<int64_t>(chunk_lanes(value), 0), .checks = {}};
}

// Adds the conditions of another operand. False: they are too many.
bool LaneAffine::join_conditions(std::vector<Check>& all, const std::vector<Check>& more) {
    for (const Check& one : more)
        if (std::ranges::find(all, one) == all.end())
            all.push_back(one);
    return all.size() <= max_conditions;
}

LaneAffine::State LaneAffine::assumed(const Check& check, std::vector<int64_t> steps) {
    return {.kind = State::Kind::affine, .steps = std::move(steps), .checks = {check}};
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
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
        return of_phi(*phi, chunk);
    if (auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
        return of_binary(*binary, chunk);
    if (is_carried(&instruction) || kept_.contains(&instruction))
        return of_elements(&instruction, chunk);
    if (auto* const cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
        return of_cast(*cast, chunk);
    // A load from a uniform address.
    if (const auto* const load = llvm::dyn_cast<MemLoad>(&instruction)) {
        if (grain_ != 0)
            return none();
        State address = state_of(load->addresses(), chunk);
        if (address.kind == State::Kind::open)
            return address;
        const bool flat = address.kind == State::Kind::affine && address.checks.empty() && is_flat(address);
        return flat ? uniform(&instruction) : none();
    }
    return of_choice(instruction, chunk);
}

LaneAffine::State LaneAffine::of_phi(llvm::PHINode& phi, uint32_t chunk) const {
    State all;
    State clamped;
    bool checked = false;
    bool open = false;
    for (Value* const incoming : phi.incoming_values()) {
        State one = state_of(incoming, chunk);
        if (one.kind == State::Kind::none)
            return none();
        if (one.kind == State::Kind::open) {
            open = true;
            continue;
        }
        checked = checked || !one.checks.empty();
        if (clamps_row(incoming, chunk)) {
            clamped = std::move(one);
            continue;
        }
        if (all.kind == State::Kind::affine && all.steps != one.steps)
            return none();
        all = std::move(one);
    }
    // A loop's counter that starts at a clamped coordinate is that of a window: mostly equal in all lanes.
    if (all.kind == State::Kind::open && clamped.kind == State::Kind::affine)
        all = open ? uniform(&phi) : std::move(clamped);
    if (!checked)
        return all;
    // Conditions of another iteration cannot be checked here.
    return assumes_ ? assumed({&phi, chunk}, std::move(all.steps)) : none();
}

// None: it is no minimum or maximum of a row and of equal lanes.
std::optional<LaneAffine::Clamp> LaneAffine::clamp_of(Value* value, uint32_t chunk) const {
    if (!clamps_row(value, chunk))
        return std::nullopt;
    Value* left = nullptr;
    Value* right = nullptr;
    bool largest = false;
    bool is_signed = false;
    if (const auto* const extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(value)) {
        left = extreme->getLHS();
        right = extreme->getRHS();
        largest = llvm::ICmpInst::isGT(extreme->getPredicate());
        is_signed = extreme->isSigned();
    } else {
        const auto flavor = llvm::matchSelectPattern(value, left, right).Flavor;
        largest = flavor == llvm::SPF_SMAX || flavor == llvm::SPF_UMAX;
        is_signed = flavor == llvm::SPF_SMAX || flavor == llvm::SPF_SMIN;
        if (!largest && flavor != llvm::SPF_SMIN && flavor != llvm::SPF_UMIN)
            return std::nullopt;
    }
    const bool row_first = !is_flat(state_of(left, chunk));
    return Clamp{row_first ? left : right, row_first ? right : left, largest, is_signed};
}

// True for the choice between a row and equal lanes.
bool LaneAffine::clamps_row(Value* value, uint32_t chunk) const {
    const auto both = assumes_ ? alternatives(value) : std::nullopt;
    if (!both)
        return false;
    const State first = state_of(both->first, chunk);
    const State second = state_of(both->second, chunk);
    return first.kind == State::Kind::affine && second.kind == State::Kind::affine &&
           is_flat(first) != is_flat(second);
}

// One of two values, lane by lane: most threads take one of them for all lanes. A row is rather taken than
// equal lanes, as coordinates are clamped at edges.
LaneAffine::State LaneAffine::of_choice(llvm::Instruction& instruction, uint32_t chunk) const {
    const auto both = assumes_ ? alternatives(&instruction) : std::nullopt;
    if (!both)
        return none();
    State first = state_of(both->first, chunk);
    State second = state_of(both->second, chunk);
    if (first.kind == State::Kind::open || second.kind == State::Kind::open)
        return {};
    const auto has_row = [](const State& state) {
        return state.kind == State::Kind::affine && !is_flat(state);
    };
    if (first.kind == second.kind && first.steps == second.steps)
        return first.kind == State::Kind::affine ? assumed({&instruction, chunk}, std::move(first.steps))
                                                 : none();
    if (has_row(first) == has_row(second))
        return none();
    State row = std::move(has_row(first) ? first : second);
    const auto clamp = clamp_of(&instruction, chunk);
    if (!clamp)
        return assumed({&instruction, chunk}, std::move(row.steps));
    // Scalars are compared: what they come from has to hold, too.
    row.checks.push_back({&instruction, chunk});
    const bool few = join_conditions(row.checks, state_of(clamp->row, chunk).checks) &&
                     join_conditions(row.checks, state_of(clamp->bound, chunk).checks);
    return few ? row : none();
}

// `and` with a mask of low bits, of lanes that are nearer to each other than it reaches.
LaneAffine::State LaneAffine::of_low_bits(llvm::BinaryOperator& instruction, uint32_t chunk,
                                          State state) const {
    const auto* const mask = splat_of(instruction.getOperand(1));
    if (!assumes_ || mask == nullptr || !mask->getValue().isMask())
        return none();
    const auto [low, high] = std::ranges::minmax(state.steps);
    const uint64_t distance = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
    return distance <= mask->getZExtValue() ? assumed({&instruction, chunk}, std::move(state.steps)) : none();
}

LaneAffine::State LaneAffine::of_binary(llvm::BinaryOperator& instruction, uint32_t chunk) const {
    State left = state_of(instruction.getOperand(0), chunk);
    const State right = state_of(instruction.getOperand(1), chunk);
    if (left.kind == State::Kind::none || right.kind == State::Kind::none)
        return none();
    if (left.kind == State::Kind::open || right.kind == State::Kind::open)
        return {};
    const uint32_t bits = element_bits(&instruction);
    if (!join_conditions(left.checks, right.checks))
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
        return is_flat(left) && is_flat(right) ? left : of_low_bits(instruction, chunk, std::move(left));
    case Op::Or:
    case Op::Xor: {
        if (is_flat(left) && is_flat(right))
            return left;
        const auto* const set = splat_of(instruction.getOperand(1));
        if (set != nullptr && (set->getSExtValue() & ~uniform_low_bits(left.steps)) == 0)
            return left;
        if (instruction.getOpcode() == Op::Xor || set == nullptr || left.checks.size() >= max_conditions)
            return none();
        left.checks.push_back({&instruction, chunk});
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
        if (state.checks.size() >= max_conditions)
            return none();
        state.checks.push_back({&instruction, chunk});
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
    const bool same = is_flat(low) && is_flat(high) && low.checks.empty() && high.checks.empty();
    return same ? uniform(vector) : none();
}

// Also where both halves of a qword went their way one by one, as those in registers of dwords do.
ElementOrigin LaneAffine::whole_origin(Value* vector, uint32_t byte, uint32_t bytes, bool through) const {
    constexpr uint32_t half = 4;
    const ElementOrigin at = origin(vector, byte, bytes, kept_, through);
    if (bytes != 2 * half || at.value == nullptr || element_bits(at.value) != half * 8)
        return at;
    const ElementOrigin low = origin(vector, byte, half, kept_, through);
    const ElementOrigin high = origin(vector, byte + half, half, kept_, through);
    const bool together = low.value != nullptr && low.value == high.value &&
                          element_bits(low.value) == bytes * 8 && low.byte % bytes == 0 &&
                          high.byte == low.byte + half;
    return together ? low : at;
}

// A 64-bit vector that a compiler without 64-bit arithmetic combined from 32-bit halves.
bool LaneAffine::is_joined(Value* vector, uint32_t chunk) const {
    constexpr uint32_t bytes = 8;
    const ElementOrigin at = element_bits(vector) == bytes * 8
                                 ? whole_origin(vector, chunk * chunk_lanes(vector) * bytes, bytes, true)
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
        from[k] = whole_origin(vector, (chunk * lanes + k) * whole + offset, bytes, true);
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
    // Conditions of what was saved before a barrier cannot be checked behind it, but the lanes themselves
    // can.
    const ElementOrigin here = whole_origin(vector, chunk * lanes * whole + offset, bytes, false);
    const bool is_behind = !state.checks.empty() && here.value != source;
    if (is_behind && (!assumes_ || bytes != whole))
        return none();
    const bool low = from[0].byte % size == 0;
    if (!low && !is_flat(state))
        return none();
    State found{.kind = State::Kind::affine, .steps = std::vector<int64_t>(lanes), .checks = state.checks};
    for (uint32_t k = 0; k < lanes; ++k) {
        const uint32_t index = from[k].byte / size;
        if (index / source_lanes != first / source_lanes || from[k].byte % size != from[0].byte % size)
            return none();
        found.steps[k] =
            wrapped(sum(state.steps[index % source_lanes], product(state.steps[first % source_lanes], -1)),
                    bytes * 8);
    }
    return is_behind ? assumed({llvm::cast<llvm::Instruction>(vector), chunk}, std::move(found.steps))
                     : found;
}

} // namespace visor::jit
