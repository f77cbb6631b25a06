// Registers as values: extracts operands' elements from the dwords of variables, and inserts them. A
// variable's alloca is accessed in whole dwords only, so that LLVM promotes all of them whatever their
// element types.
#include "jit/translate/translator.h"

#include "jit/ir/memory_intrinsics.h"

#include "number/half.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace visor::jit {

namespace {

constexpr llvm::Align any_alignment; // any byte

// The element that each lane of a source region reads, relative to the operand's first.
std::vector<int> elements_of(const PreparedOperand& operand, uint32_t lanes) {
    std::vector<int> out(lanes);
    for (uint32_t k = 0; k < lanes; ++k)
        out[k] = static_cast<int>(element_of(operand, k));
    return out;
}

uint64_t packed_element(const PreparedOperand& operand, uint32_t lane) {
    if (operand.type == isa::Type::vf)
        return std::bit_cast<uint32_t>(
            number::restricted_to_float(static_cast<uint8_t>(operand.value >> (8 * (lane % 4)))));
    const uint64_t nibble = operand.value >> (4 * (lane % 8)) & 0xfU;
    const bool negative = operand.type == isa::Type::v && nibble >= 8;
    return negative ? (nibble - 16) & 0xffffU : nibble;
}

} // namespace

Translator::Value* Translator::root_address(uint32_t root, uint32_t byte) {
    if (root_[root] == nullptr)
        return ir_.CreateConstGEP1_64(ir_.getInt8Ty(), registers_, byte);
    if (byte == info_.roots[root].base)
        return root_[root];
    return ir_.CreateConstGEP1_64(ir_.getInt8Ty(), root_[root], byte - info_.roots[root].base);
}

// Promoted variables are accessed in dwords, at multiples of 4.
Translator::Value* Translator::load_register(uint32_t byte, llvm::Type* type) {
    return ir_.CreateAlignedLoad(type, root_address(info_.root_at(byte), byte), any_alignment);
}
void Translator::store_register(uint32_t byte, Value* values) {
    ir_.CreateAlignedStore(values, root_address(info_.root_at(byte), byte), any_alignment);
}

// Elements of `size` bytes, relative to `byte`.
Translator::Value* Translator::load_elements(uint32_t byte, uint32_t size, llvm::ArrayRef<int> elements) {
    const auto last = static_cast<uint32_t>(*std::ranges::max_element(elements));
    const uint32_t root = info_.root_at(byte);
    if (root_[root] == nullptr) // memory: at any byte
        return reshaped(ir_.CreateAlignedLoad(vector(integer(size * 8), last + 1), root_address(root, byte),
                                              any_alignment),
                        elements);
    const uint32_t unit = std::max(size, 4U);
    // The enclosing dwords; qwords may begin at any dword.
    const uint32_t begin = byte / 4 * 4;
    const uint32_t shift = (byte - begin) / size; // preceding elements
    uint32_t bytes = (byte + (last + 1) * size - begin + unit - 1) / unit * unit;
    Value* const dwords = load_register(begin, vector(ir_.getInt32Ty(), bytes / 4));
    Value* const all = ir_.CreateBitCast(dwords, vector(integer(size * 8), bytes / size));
    std::vector<int> order(elements.begin(), elements.end());
    for (int& element : order)
        element += static_cast<int>(shift);
    return reshaped(all, order);
}

void Translator::store_elements(uint32_t byte, uint32_t size, uint32_t stride, Value* values,
                                const Mask& enabled_lanes) {
    const Mask mask = info_.needs_no_blend[index_] ? enabled_lanes.without_execution() : enabled_lanes;
    const uint32_t lanes = lanes_of(values);
    const bool pinned = root_[info_.root_at(byte)] == nullptr;
    const uint32_t unit = pinned ? size : std::max(size, 4U);
    const uint32_t begin = pinned ? byte : byte / 4 * 4;
    const uint32_t shift = (byte - begin) / size;
    const uint32_t bytes = (byte + ((lanes - 1) * stride + 1) * size - begin + unit - 1) / unit * unit;
    const uint32_t count = bytes / size;
    auto* const stored_type = pinned ? vector(integer(size * 8), count) : vector(ir_.getInt32Ty(), bytes / 4);
    const bool whole = count == lanes && (stride == 1 || lanes == 1);
    if (whole && mask.all()) {
        store_register(begin, ir_.CreateBitCast(values, stored_type));
        return;
    }
    Value* const before =
        ir_.CreateBitCast(load_register(begin, stored_type), vector(integer(size * 8), count));
    Value* blended = values;
    if (!mask.all()) {
        std::vector<int> positions(lanes);
        for (uint32_t k = 0; k < lanes; ++k)
            positions[k] = static_cast<int>(shift + k * stride);
        blended = ir_.CreateSelect(lanes_on(mask, lanes), values, reshaped(before, positions));
    }
    if (whole) {
        store_register(begin, ir_.CreateBitCast(blended, stored_type));
        return;
    }
    Value* after = nullptr;
    if (lanes == 1) { // an element of several
        after = ir_.CreateInsertElement(before, blended, static_cast<uint64_t>(shift));
    } else {
        // Widens the new elements to the old vector's length, then merges them.
        std::vector<int> lengthen(count, -1);
        for (uint32_t k = 0; k < std::min(lanes, count); ++k)
            lengthen[k] = static_cast<int>(k);
        Value* const wide = ir_.CreateShuffleVector(blended, lengthen);
        std::vector<int> order(count);
        std::iota(order.begin(), order.end(), 0);
        for (uint32_t k = 0; k < lanes; ++k)
            order[shift + k * stride] = static_cast<int>(count + k);
        after = ir_.CreateShuffleVector(before, wide, order);
    }
    store_register(begin, ir_.CreateBitCast(after, stored_type));
}

Translator::Value* Translator::load_bits(const PreparedOperand& operand, uint32_t lanes) {
    if (operand.kind == OperandKind::immediate) {
        if (!isa::is_packed_immediate(operand.type))
            return constant(8U * isa::size_of(operand.type), operand.value, lanes);
        const uint32_t bits = operand.type == isa::Type::vf ? 32 : 16;
        std::vector<llvm::Constant*> elements;
        for (uint32_t k = 0; k < lanes; ++k)
            elements.push_back(llvm::ConstantInt::get(integer(bits), packed_element(operand, k)));
        return lanes == 1 ? elements[0] : static_cast<Value*>(llvm::ConstantVector::get(elements));
    }
    if (operand.kind == OperandKind::indirect)
        return load_indirect(operand, lanes);
    if (operand.kind != OperandKind::general)
        return nullptr;
    const uint32_t size = isa::size_of(operand.type);
    if (operand.null)
        return constant(8 * size, 0, lanes);
    return load_elements(operand.base, size, elements_of(operand, lanes));
}

bool Translator::store_bits(const PreparedOperand& operand, Value* values, const Mask& mask) {
    if (operand.kind == OperandKind::indirect && !operand.multi_address) {
        store_indirect(operand, values, mask);
        return true;
    }
    if (operand.kind != OperandKind::general)
        return false;
    if (!operand.null)
        store_elements(operand.base, isa::size_of(operand.type), operand.vertical, values, mask);
    return true;
}

Translator::Value* Translator::load_raw(const PreparedOperand& operand, uint32_t offset, uint32_t bits,
                                        uint32_t lanes) {
    if (operand.null)
        return constant(bits, 0, lanes);
    std::vector<int> order(lanes);
    std::iota(order.begin(), order.end(), 0);
    return load_elements(operand.base + offset, bits / 8, order);
}

void Translator::store_raw(const PreparedOperand& operand, uint32_t offset, Value* values, const Mask& mask) {
    if (!operand.null)
        store_elements(operand.base + offset, values->getType()->getScalarSizeInBits() / 8, 1, values, mask);
}

Translator::Value* Translator::scalar(const PreparedOperand& operand) {
    Value* value = nullptr;
    isa::Type type = operand.type;
    switch (operand.kind) {
    case OperandKind::absent:
        return ir_.getInt64(0);
    case OperandKind::literal:
        return ir_.getInt64(operand.value);
    case OperandKind::immediate:
        if (isa::is_packed_immediate(type))
            return nullptr;
        value = constant(8U * isa::size_of(type), operand.value, 1);
        break;
    case OperandKind::general:
    case OperandKind::raw:
        if (operand.null)
            return ir_.getInt64(0);
        value = load_elements(operand.base, isa::size_of(type), {0});
        break;
    case OperandKind::indirect:
        value = load_indirect(operand, 1);
        break;
    default:
        return nullptr;
    }
    const bool is_signed = isa::is_integer(type) && isa::is_signed(type);
    if (operand.modifier == SourceModifier::neg && is_signed) // at its own width (ruling 146)
        return ir_.CreateSExt(ir_.CreateNeg(value), ir_.getInt64Ty());
    value = is_signed ? ir_.CreateSExt(value, ir_.getInt64Ty()) : ir_.CreateZExt(value, ir_.getInt64Ty());
    Value* const negated = ir_.CreateNeg(value);
    Value* const negative = isa::is_signed(type) ? ir_.CreateICmpSLT(value, ir_.getInt64(0)) : ir_.getFalse();
    switch (operand.modifier) {
    case SourceModifier::abs:
        return ir_.CreateSelect(negative, negated, value);
    case SourceModifier::neg:
        return negated;
    case SourceModifier::neg_abs:
        return ir_.CreateSelect(negative, value, negated);
    case SourceModifier::bit_not:
        return ir_.CreateNot(value);
    default:
        return value;
    }
}

// ---- masks

Translator::Value* Translator::current_mask() {
    return info_.convergent[index_] ? dispatched_ : ir_.CreateLoad(ir_.getInt32Ty(), mask_);
}

Mask Translator::all_lanes(uint32_t lanes) {
    Value* const ones = llvm::ConstantInt::getAllOnesValue(integer(lanes));
    return {ones, ones};
}

Mask Translator::masked(const Execution& execution) {
    if (execution.no_mask)
        return all_lanes(execution.size);
    Value* bits = current_mask();
    if (execution.offset != 0)
        bits = ir_.CreateLShr(bits, execution.offset);
    return {ir_.CreateTrunc(bits, integer(execution.size)), all_lanes(execution.size).bits};
}

Mask Translator::predicate(const Predicate& predicate, const Execution& execution) {
    if (predicate.id == 0)
        return all_lanes(execution.size);
    auto* const type = integer(execution.size);
    Value* bits = ir_.CreateTrunc(ir_.CreateLShr(load_predicate(predicate.id), execution.offset), type);
    Value* const ones = llvm::ConstantInt::getAllOnesValue(type);
    Value* const zero = llvm::ConstantInt::get(type, 0);
    if (predicate.control == PredicateControl::any)
        bits = ir_.CreateSelect(ir_.CreateICmpNE(bits, zero), ones, zero);
    else if (predicate.control == PredicateControl::all)
        bits = ir_.CreateSelect(ir_.CreateICmpEQ(bits, ones), ones, zero);
    if (predicate.inverted)
        bits = ir_.CreateNot(bits);
    return {bits, bits};
}

Mask Translator::enabled(const Instruction& instruction) {
    const Mask execution = masked(instruction.execution);
    if (instruction.predicate.id == 0)
        return execution;
    Value* const chosen = predicate(instruction.predicate, instruction.execution).bits;
    return {ir_.CreateAnd(execution.bits, chosen), chosen};
}

Translator::Value* Translator::lanes_on(const Mask& mask, uint32_t lanes) {
    return lanes == 1 ? mask.bits : ir_.CreateBitCast(mask.bits, vector(ir_.getInt1Ty(), lanes));
}
Translator::Value* Translator::bits_of(Value* lanes) {
    return lanes->getType()->isVectorTy() ? mask_bits(ir_, lanes) : lanes;
}
Translator::Value* Translator::any(Value* lanes) {
    Value* const bits = bits_of(lanes);
    return ir_.CreateICmpNE(bits, llvm::ConstantInt::get(bits->getType(), 0));
}
Translator::Value* Translator::every(Value* lanes) {
    Value* const bits = bits_of(lanes);
    return ir_.CreateICmpEQ(bits, llvm::ConstantInt::getAllOnesValue(bits->getType()));
}

Translator::Value* Translator::load_predicate(uint32_t id) {
    return ir_.CreateLoad(ir_.getInt32Ty(), predicate_[id]);
}

void Translator::store_predicate(uint32_t id, const Execution& execution, const Mask& mask, Value* bits) {
    const auto wide = [&](Value* value) {
        return ir_.CreateShl(ir_.CreateZExt(value, ir_.getInt32Ty()), execution.offset);
    };
    Value* const unchanged = ir_.CreateAnd(load_predicate(id), ir_.CreateNot(wide(mask.bits)));
    ir_.CreateStore(ir_.CreateOr(unchanged, wide(ir_.CreateAnd(bits, mask.bits))), predicate_[id]);
}

Translator::Value* Translator::load_address(uint32_t element) {
    return ir_.CreateLoad(ir_.getInt32Ty(), address_[element]);
}
Translator::Value* Translator::load_addresses(uint32_t first, uint32_t count, uint32_t lanes) {
    if (lanes == 1)
        return load_address(first);
    Value* all = llvm::PoisonValue::get(vector(ir_.getInt32Ty(), lanes));
    for (uint32_t k = 0; k < lanes; ++k)
        all = ir_.CreateInsertElement(all, load_address(first + k % count), uint64_t{k});
    return all;
}
void Translator::store_address(uint32_t element, Value* value) {
    ir_.CreateStore(value, address_[element]);
}

} // namespace visor::jit
