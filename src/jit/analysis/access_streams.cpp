#include "jit/analysis/access_streams.h"

#include "jit/analysis/lane_affine.h"
#include "jit/ir/memory_intrinsics.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr int64_t max_distance = INT32_MAX;
constexpr size_t max_visits = 32; // operands of a sum
constexpr size_t max_terms = 4;

// A value as a sum. Ignores wrapping: the program checks an address before it is accessed.
struct Sum {
    std::map<Value*, int64_t> terms; // coefficients by value
    int64_t number = 0;
};

bool is_far(int64_t number) {
    return number < -max_distance || number > max_distance;
}

class Summing {
public:
    explicit Summing(Value* value) { open_.emplace_back(value, 1); }

    Sum run() {
        for (size_t visits = 0; !open_.empty(); ++visits) {
            const auto [value, factor] = open_.back();
            open_.pop_back();
            if (visits >= max_visits || sum_.terms.size() + open_.size() >= max_terms ||
                !decompose(value, factor))
                sum_.terms[value] += factor;
        }
        return std::move(sum_);
    }

private:
    bool decompose(Value* value, int64_t factor) {
        if (auto* const cast = llvm::dyn_cast<llvm::CastInst>(value)) {
            if (cast->getSrcTy()->isIntegerTy())
                open_.emplace_back(cast->getOperand(0), factor);
            return cast->getSrcTy()->isIntegerTy();
        }
        const auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(value);
        if (binary == nullptr)
            return false;
        Value* const one = binary->getOperand(0);
        const auto* const by = llvm::dyn_cast<llvm::ConstantInt>(binary->getOperand(1));
        if (by == nullptr || by->getBitWidth() > 64) {
            if (binary->getOpcode() != llvm::Instruction::Add)
                return false;
            open_.emplace_back(binary->getOperand(1), factor);
            open_.emplace_back(one, factor);
            return true;
        }
        return decompose(*binary, one, *by, factor);
    }

    bool decompose(const llvm::BinaryOperator& binary, Value* one, const llvm::ConstantInt& by,
                   int64_t factor) {
        const int64_t number = by.getSExtValue();
        int64_t more = 0;
        switch (binary.getOpcode()) {
        case llvm::Instruction::And: // clears low bits
            if (!by.getValue().isNegatedPowerOf2())
                return false;
            break;
        case llvm::Instruction::Add:
        case llvm::Instruction::Or:
            if (is_far(number))
                return false;
            more = factor * number;
            break;
        case llvm::Instruction::Shl:
            if (number < 0 || number > 16 || is_far(factor << number))
                return false;
            factor <<= number;
            break;
        default:
            return false;
        }
        if (is_far(sum_.number + more))
            return false;
        sum_.number += more;
        open_.emplace_back(one, factor);
        return true;
    }

    Sum sum_;
    std::vector<std::pair<Value*, int64_t>> open_;
};

// Candidates for prefetching. Shared local memory and scratch stay in the caches.
bool is_candidate(const LaneIntrinsic& message, bool stores) {
    if (const auto* const access = llvm::dyn_cast<MemAccess>(&message))
        return !access->flat() && (stores || !access->stores()) && !access->scratch() &&
               !masks_offsets(access->offset_mask());
    return llvm::isa<RangeCheck>(message);
}

// Bytes that a lane accesses.
int64_t moved_by(const LaneIntrinsic& message) {
    if (const auto* const check = llvm::dyn_cast<RangeCheck>(&message))
        return check->bytes();
    return llvm::cast<MemAccess>(message).unit_bits() / 8;
}

// The pointer that identifies the surface; null: flat.
Value* surface_of(const LaneIntrinsic& message) {
    const auto* const access = llvm::dyn_cast<MemAccess>(&message);
    return access == nullptr ? nullptr : access->data();
}

bool is_even(const std::vector<int64_t>& steps) {
    for (size_t k = 0; k < steps.size(); ++k)
        if (steps[k] != static_cast<int64_t>(k) * steps[1])
            return false;
    return true;
}

// Groups messages by surface (null: flat) and by the terms of their addresses.
class StreamFinder {
public:
    void add(const std::optional<LaneAffine::Form>& form, LaneIntrinsic& message) {
        Value* const addresses = message.addresses();
        if (!form || form->lowest() != 0 || form->uniform() || form->highest() > max_stream_bytes)
            return;
        const uint32_t lanes = lanes_of(addresses);
        const int64_t step = form->highest() / (lanes - 1);
        const int64_t bytes = step * lanes;
        if (step == 0)
            return;
        Sum sum = Summing(form->base).run();
        const int64_t number = sum.number + message.displacement();
        const auto [known, is_new] =
            stream_index_.try_emplace({surface_of(message), std::move(sum.terms)}, found_.size());
        if (is_new)
            found_.push_back({.base = form->base,
                              .step = step,
                              .lanes = lanes,
                              .at = number,
                              .low = number,
                              .high = number});
        AccessStream& stream = found_[known->second];
        stream.even = stream.even && is_even(form->steps);
        stream.low = std::min(stream.low, number);
        stream.high = std::max(stream.high, number + bytes);
        stream.bytes += bytes;
        stream.moved += moved_by(message);
        ++stream.units;
        if (stream.messages.empty() || stream.messages.back()->addresses() != addresses)
            stream.messages.push_back(&message);
    }
    std::vector<AccessStream> found() { return std::move(found_); }

private:
    std::map<std::pair<Value*, std::map<Value*, int64_t>>, size_t> stream_index_;
    std::vector<AccessStream> found_;
};

} // namespace

bool AccessStream::flat() const {
    return llvm::isa<RangeCheck>(first());
}

llvm::Value* AccessStream::surface() const {
    return surface_of(*first());
}

llvm::Value* AccessStream::begin(llvm::IRBuilder<>& ir) const {
    return ir.CreateAdd(ir.CreateZExt(base, ir.getInt64Ty()),
                        ir.getInt64(static_cast<uint64_t>(low - at + first()->displacement())));
}

llvm::Value* AccessStream::pointer(llvm::IRBuilder<>& ir) const {
    llvm::Value* const address = begin(ir);
    return flat() ? ir.CreateIntToPtr(address, ir.getPtrTy())
                  : ir.CreateGEP(ir.getInt8Ty(), surface(), address);
}

std::vector<AccessStream> once_per_thread(std::vector<AccessStream> streams,
                                          const llvm::DominatorTree& dominators) {
    const llvm::LoopInfo loops(dominators);
    const auto depth = [&](const AccessStream& stream) {
        return loops.getLoopDepth(stream.first()->getParent());
    };
    unsigned least = UINT32_MAX;
    for (const AccessStream& stream : streams)
        least = std::min(least, depth(stream));
    std::erase_if(streams, [&](const AccessStream& stream) { return depth(stream) != least; });
    return streams;
}

std::vector<AccessStream> find_access_streams(llvm::Function& function, bool stores) {
    LaneAffine affine(function, 0);
    const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function);
    std::vector<LaneIntrinsic*> messages;
    for (llvm::BasicBlock* const block : blocks)
        for (llvm::Instruction& instruction : *block)
            if (auto* const message = llvm::dyn_cast<LaneIntrinsic>(&instruction);
                message != nullptr && is_candidate(*message, stores))
                messages.push_back(message);
    StreamFinder finder;
    std::optional<LaneAffine::Form> form;
    const LaneIntrinsic* previous = nullptr;
    for (LaneIntrinsic* const message : messages) {
        Value* const addresses = message->addresses();
        // Once for all units of a message, which are consecutive (memory/interleaved.cpp).
        if (previous == nullptr || previous->addresses() != addresses ||
            previous->getParent() != message->getParent())
            form = lanes_of(addresses) < 2 ? std::nullopt : affine.form(addresses, 0, message);
        finder.add(form, *message);
        previous = message;
    }
    return finder.found();
}

} // namespace visor::jit
