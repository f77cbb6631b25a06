#include "jit/transform/combine_shuffles.h"

#include "jit/analysis/element_origin.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/transform/concat_halves.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

bool has_whole_bytes(const llvm::Type* type) {
    const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector != nullptr && !vector->getElementType()->isPointerTy() &&
           type->getScalarSizeInBits() % 8 == 0;
}

bool is_carried(const llvm::Instruction& instruction) {
    return has_whole_bytes(instruction.getType()) && moves_elements(instruction);
}

// It has users outside the chain.
bool is_end(const llvm::Instruction& instruction) {
    return std::ranges::any_of(instruction.users(), [](const llvm::User* user) {
        return !is_carried(*llvm::cast<llvm::Instruction>(user));
    });
}

constexpr size_t max_sources = 4;

// The origin of a vector's lanes: elements of sources of equal length.
struct Order {
    struct Lane {
        size_t source = 0;
        uint32_t element = 0;
        bool known = false; // else undefined
    };
    std::vector<Value*> sources;
    std::vector<Lane> lanes;

    [[nodiscard]] std::vector<int> shuffle(uint32_t length) const {
        std::vector<int> order;
        for (const Lane& lane : lanes)
            order.push_back(lane.known ? static_cast<int>(lane.source * length + lane.element) : -1);
        return order;
    }
    // Replaces two sources by their concatenation.
    void join(size_t first, size_t second, uint32_t length, Value* both) {
        for (Lane& lane : lanes) {
            lane.element += lane.source == second ? length : 0;
            if (lane.source == second)
                lane.source = first;
            else if (lane.source > second)
                --lane.source;
        }
        sources[first] = both;
        sources.erase(sources.begin() + static_cast<ptrdiff_t>(second));
    }
};

uint32_t elements_of(const Value* source, uint32_t bytes) {
    return static_cast<uint32_t>(source->getType()->getPrimitiveSizeInBits() / 8 / bytes);
}

// None: too many sources, or parts of elements.
std::optional<Order> order_of(llvm::Instruction& root) {
    const uint32_t bytes = root.getType()->getScalarSizeInBits() / 8;
    Order order;
    for (uint32_t k = 0; k < lanes_of(&root); ++k) {
        const ElementOrigin from = origin(&root, k * bytes, bytes, {}, false);
        order.lanes.emplace_back();
        if (from.value == nullptr || llvm::isa<llvm::UndefValue>(from.value))
            continue;
        if (from.value == &root || !has_whole_bytes(from.value->getType()) || from.byte % bytes != 0 ||
            from.value->getType()->getScalarSizeInBits() < bytes * 8)
            return std::nullopt;
        const auto at = std::ranges::find(order.sources, from.value);
        order.lanes.back() = {static_cast<size_t>(at - order.sources.begin()), from.byte / bytes, true};
        if (at == order.sources.end())
            order.sources.push_back(from.value);
        if (order.sources.size() > max_sources ||
            elements_of(from.value, bytes) != elements_of(order.sources[0], bytes))
            return std::nullopt;
    }
    return order.sources.empty() ? std::nullopt : std::optional(std::move(order));
}

bool is_single_shuffle(const llvm::Instruction& root, const Order& order) {
    const auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&root);
    return shuffle != nullptr && std::ranges::all_of(order.sources, [&](const Value* source) {
               return source == shuffle->getOperand(0) || source == shuffle->getOperand(1);
           });
}

// Replaces pairs of half vectors by whole ones; false if more than two sources remain.
bool join_halves(llvm::IRBuilder<>& ir, Order& order, uint32_t length) {
    HalfConcatenation halves;
    const auto whole_of = [&](size_t first) {
        for (size_t second = first + 1; second < order.sources.size(); ++second)
            if (Value* const both = halves.join(ir, order.sources[first], order.sources[second])) {
                order.join(first, second, length, both);
                return true;
            }
        return false;
    };
    if (order.sources.size() % 2 != 0 || !whole_of(0))
        return order.sources.size() <= 2;
    for (size_t k = 1; k < order.sources.size(); ++k)
        if (!whole_of(k))
            return false;
    return true;
}

// One equivalent shuffle; null if it is one already, or none exists.
Value* single_shuffle(llvm::Instruction& root) {
    auto order = llvm::getSplatValue(&root) == nullptr ? order_of(root) : std::nullopt;
    if (!order)
        return nullptr;
    llvm::IRBuilder<> ir(&root);
    auto* const element = root.getType()->getScalarType();
    const auto bytes = static_cast<uint32_t>(element->getPrimitiveSizeInBits()) / 8;
    const size_t before = order->sources.size();
    if (!join_halves(ir, *order, elements_of(order->sources[0], bytes)) ||
        (order->sources.size() == before && is_single_shuffle(root, *order)))
        return nullptr;
    const uint32_t length = elements_of(order->sources[0], bytes);
    auto* const type = llvm::FixedVectorType::get(element, length);
    Value* const first = ir.CreateBitCast(order->sources[0], type);
    Value* const second =
        order->sources.size() == 2 ? ir.CreateBitCast(order->sources[1], type) : llvm::PoisonValue::get(type);
    const std::vector<int> elements = order->shuffle(length);
    const bool is_first = elements.size() == length &&
                          llvm::ShuffleVectorInst::isIdentityMask(elements, static_cast<int>(length));
    return is_first ? first : ir.CreateShuffleVector(first, second, elements);
}

} // namespace

void combine_shuffles(llvm::Function& function) {
    for (llvm::BasicBlock* const block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block))
            if (is_carried(instruction) && is_end(instruction))
                if (Value* const other = single_shuffle(instruction))
                    instruction.replaceAllUsesWith(other);
}

} // namespace visor::jit
